/** The commands of `docs/operate`, run as they are printed against an emulator. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { shellEnvironment } from '#test/support/child-service.ts';
import { ROOT } from '#test/support/sources.ts';
import { commandEnvironment, REGION } from './ministack.ts';

/** What stands for names of the documentation: its text, and the name of this deployment. */
type Names = Readonly<Record<string, string>>;

/**
 * Runs the first command of a file of the documentation that contains a text, which is a block of code, a line of one or
 * code in a sentence. Returns what it prints. Throws when there is no such command, and with its output when it fails.
 */
export async function runDocumented(endpoint: string, file: string, text: string, names: Names): Promise<string> {
  const page = readFileSync(join(ROOT, 'docs/operate', file), 'utf8');
  const blocks = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  // A loop is one command.
  const commands = blocks.flatMap((block) => block.match(/^( *)for [\s\S]*?^\1done|^.+(?:\\\n.+)*$/gm) ?? []);
  const inline = [...page.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
    code.replaceAll(/\s+/g, ' '),
  );
  const command = [...commands, ...inline].find((each) => each.includes(text));
  if (!command) throw new Error(`docs/operate/${file} has no command with ${text}`);
  const named = Object.entries(names).reduce((script, [name, actual]) => script.replaceAll(name, actual), command);
  // Step 1 sets the region.
  const region = { AWS_REGION: REGION, AWS_DEFAULT_REGION: REGION };
  const env = { ...shellEnvironment(), ...commandEnvironment(endpoint), ...region };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', named], { cwd: ROOT, env });
  return stdout;
}
