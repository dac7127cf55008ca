/** Python packages for tests, in virtual environments below `.sst`. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#test/support/sources.ts';

/**
 * Installs the packages of a file of requirements into a virtual environment, unless they are there. It needs Python 3 with
 * its module `venv`.
 */
export function installPackages(environment: string, requirements: string): void {
  const installed = join(environment, 'requirements.txt');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(requirements, 'utf8')) return;
  const run = (command: string, ...options: string[]) => execFileSync(command, options, { stdio: 'inherit' });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  run('python3', '-m', 'venv', '--clear', environment);
  run(join(environment, 'bin/python'), ...pip, '--requirement', requirements);
  copyFileSync(requirements, installed);
}

/** Where the generator of Python clients is installed. */
export const GENERATOR = join(ROOT, '.sst/python-client');
export const installGenerator = (): void =>
  installPackages(GENERATOR, join(import.meta.dirname, 'python-client/requirements.txt'));
