/** Documented commands that need no cloud, run as they are printed; `test/emulator` runs those that do. */
import { execSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importJWK, jwtVerify, SignJWT } from 'jose';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '#test/support/sources.ts';

const home = mkdtempSync(join(tmpdir(), 'commands-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Returns the command that a document prints. */
function printed(document: string, command: RegExp): string {
  const [found] = command.exec(readFileSync(join(ROOT, document), 'utf8')) ?? [];
  expect(found, `${command} in ${document}`).toBeDefined();
  return found ?? '';
}

const run = (command: string, environment: Record<string, string> = {}): string =>
  execSync(command, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe', env: { ...process.env, ...environment } });

test('new-keys writes secrets that only their owner can read, and prints their public keys beside the present ones', async () => {
  const command = printed('docs/operate/deploy.md', /npm run new-keys -- keys/);
  const create = (name: string, present = '') => {
    const output = run(command.replace(/keys$/, join(home, name)), { TOKEN_PUBLIC_KEYS: present });
    return /^TOKEN_PUBLIC_KEYS='(.*)'$/m.exec(output)?.[1] ?? '';
  };
  const first = create('first');
  expect(readdirSync(join(home, 'first')).sort()).toEqual(['STATE_SECRET', 'TOKEN_KEY']);
  expect(statSync(join(home, 'first', 'TOKEN_KEY')).mode & 0o077).toBe(0);
  const secret = await importJWK(JSON.parse(readFileSync(join(home, 'first', 'TOKEN_KEY'), 'utf8')), 'EdDSA');
  const token = await new SignJWT({ sub: 'alice' }).setProtectedHeader({ alg: 'EdDSA' }).sign(secret);
  const [publicKey] = JSON.parse(first).keys;
  expect((await jwtVerify(token, await importJWK(publicKey, 'EdDSA'))).payload.sub).toBe('alice');
  expect(JSON.parse(create('second', first)).keys).toHaveLength(2);
  expect(() => create('first')).toThrow('EEXIST');
});
