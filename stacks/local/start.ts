/** `npm start`: reads the command line, then loads and runs the service. */
import { readSettings, USAGE } from './command-line.ts';

try {
  const settings = readSettings(process.argv.slice(2));
  if (settings) await import('./service.ts').then(({ run }) => run(settings));
  else console.log(USAGE);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
