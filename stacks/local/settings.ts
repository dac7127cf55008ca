/** What `npm start` was asked for, and the environment that it gives the handlers it runs in this process. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LOCK_FILE } from './run-lock.ts';

export type Settings = { port: number; fresh: boolean; directory: string; log: boolean };

export const USAGE = `usage: npm start -- [--port N] [--fresh] [--data DIR] [--log]
  --port N    the port to serve on (3000)
  --fresh     forget all data and begin anew
  --data DIR  where the data is kept (.local)
  --log       print a line for each request`;

/** Reads the command line. Throws with the usage when it cannot be understood. */
export function readSettings(args: readonly string[]): Settings {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '3000' },
        fresh: { type: 'boolean', default: false },
        data: { type: 'string', default: '.local' },
        log: { type: 'boolean', default: false },
      },
    });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new Error(`--port must be 0 to 65535, not ${values.port}`);
    return { port, fresh: values.fresh, directory: values.data, log: values.log };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

/** Empties the data directory, all but the lock that holds it. */
export function forget(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name !== LOCK_FILE) rmSync(join(directory, name), { recursive: true, force: true });
  }
}

/** The secrets of this data directory, made at its first start: sessions and cursors outlive a restart. */
export function secretsOf(directory: string): { TOKEN_KEY: string; CURSOR_SECRET: string } {
  const file = join(directory, 'secrets.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const secrets = {
    TOKEN_KEY: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
    CURSOR_SECRET: randomBytes(32).toString('base64url'),
  };
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return secrets;
}

/** Where the emulators of a local run are, and what they are called with. */
export type Emulators = {
  dynamoEndpoint: string;
  s3Endpoint: string;
  s3PublicEndpoint: string;
  /** The settings of the providers of identities, by their variables. */
  providers: Record<string, string>;
};

export const LOCAL_BUCKET = 'forms';

/** Puts the configuration of a local run into the environment, where it has not been set by hand. */
export function configure(settings: Settings, emulators: Emulators): void {
  const defaults: Record<string, string> = {
    ...secretsOf(settings.directory),
    ...emulators.providers,
    TABLE_NAME: 'forms',
    DYNAMODB_ENDPOINT: emulators.dynamoEndpoint,
    BUCKET_NAME: LOCAL_BUCKET,
    S3_ENDPOINT: emulators.s3Endpoint,
    S3_PUBLIC_ENDPOINT: emulators.s3PublicEndpoint,
    DEVELOPMENT: 'true',
    PUBLIC_URL: `http://127.0.0.1:${settings.port}`,
    ALLOWED_ORIGINS: `http://localhost:${settings.port}`,
    INTERNAL_LOGIN: 'true',
    OPERATOR_EMAILS: 'oscar@example.org',
    LOG: settings.log ? 'on' : 'off',
  };
  for (const [name, value] of Object.entries(defaults)) process.env[name] ??= value;
}
