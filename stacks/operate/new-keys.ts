/**
 * `npm run new-keys -- DIRECTORY`: creates the secrets of a stage as files for `aws ssm put-parameter`, and prints the
 * setting `TOKEN_PUBLIC_KEYS`. With `TOKEN_PUBLIC_KEYS` in the environment, its keys are kept in addition to the new one, as
 * a rotation needs it.
 */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** The secrets of a stage, as environment variables. */
export const Secrets = z.object({ TOKEN_KEY: z.string(), TOKEN_PUBLIC_KEYS: z.string(), STATE_SECRET: z.string() });
export type Secrets = z.output<typeof Secrets>;

/** Creates new keys of access tokens, and a new secret of OAuth states. */
export function newSecrets(): Secrets {
  const key = { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: randomUUID() };
  const { d: _privatePart, ...publicKey } = key;
  return {
    TOKEN_KEY: JSON.stringify(key),
    TOKEN_PUBLIC_KEYS: JSON.stringify({ keys: [publicKey] }),
    STATE_SECRET: randomBytes(32).toString('base64url'),
  };
}

type KeySet = { keys: { kid: string }[] };

/** The public keys of two sets; keys with the same `kid` once. */
function mergeKeys(existing: string | undefined, added: string): string {
  const sets: KeySet[] = [existing, added].flatMap((text) => (text ? [JSON.parse(text)] : []));
  return JSON.stringify({ keys: [...new Map(sets.flatMap(({ keys }) => keys).map((key) => [key.kid, key])).values()] });
}

if (import.meta.main) {
  const [directory] = process.argv.slice(2);
  if (!directory) {
    console.error('usage: npm run new-keys -- DIRECTORY');
    process.exit(2);
  }
  const { TOKEN_PUBLIC_KEYS, ...secrets } = newSecrets();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const [name, value] of Object.entries(secrets)) {
    // Never over an existing file: its secret may not be stored yet.
    writeFileSync(join(directory, name), value, { mode: 0o600, flag: 'wx' });
  }
  console.log(
    `${directory} has ${Object.keys(secrets).join(' and ')}. Store them as parameters, then delete the files.`,
  );
  console.log(`TOKEN_PUBLIC_KEYS='${mergeKeys(process.env.TOKEN_PUBLIC_KEYS, TOKEN_PUBLIC_KEYS)}'`);
}
