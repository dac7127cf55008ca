/** The command line of `npm start`. It imports nothing of the service, so that `--help` and a wrong option cost nothing. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** `directory` is absolute. */
export type Settings = { port: number; fresh: boolean; directory: string; log: boolean };

export const USAGE = `usage: npm start -- [--port N] [--fresh] [--data DIR] [--log]
  --port N    port to serve on (default 3000; 0: any free port)
  --fresh     delete all data and start with the demo
  --data DIR  directory of the data (default .local): a new or empty one, or that of an earlier start
  --log       print a line for each request and each run of a worker`;

/** Parses the command line; undefined asks for the usage. Throws an error that includes the usage when it is not valid. */
export function readSettings(args: readonly string[]): Settings | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        port: { type: 'string', default: '3000' },
        fresh: { type: 'boolean', default: false },
        data: { type: 'string', default: '.local' },
        log: { type: 'boolean', default: false },
      },
    });
    if (values.help) return undefined;
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new Error(`--port must be 0 to 65535, not ${values.port}`);
    return { port, fresh: values.fresh, directory: resolve(values.data), log: values.log };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}
