/** The command line of `npm start`, and the environment that it sets for the handlers in this process. */
import { existsSync, mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { replaceFile } from '../build/replace-file.ts';
import { newSecrets, Secrets } from '../operate/new-keys.ts';
import { dataPath } from './data-directory.ts';
import { readJson } from './dynamo/data-file.ts';
import { PEOPLE } from './seed.ts';

export type Settings = { port: number; fresh: boolean; directory: string; log: boolean };

export const USAGE = `usage: npm start -- [--port N] [--fresh] [--data DIR] [--log]
  --port N    port to serve on (default 3000; 0: any free port)
  --fresh     delete all data and start with the demo
  --data DIR  directory of the data (default .local): a new or empty one, or that of an earlier start
  --log       print a line for each request and each run of a worker`;

/** Parses the command line. Throws an error that includes the usage when it is not valid. */
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

/** Returns the secrets of a data directory, created at its first start so that sessions survive a restart. */
export function loadSecrets(directory: string): Secrets {
  const file = dataPath(directory, 'secrets.json');
  if (existsSync(file)) return readJson(file, Secrets);
  const secrets = newSecrets();
  mkdirSync(directory, { recursive: true });
  replaceFile(file, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

/** Addresses and settings of the emulators. */
export type Emulators = {
  dynamoEndpoint: string;
  s3Endpoint: string;
  s3PublicEndpoint: string;
  sesEndpoint: string;
  /** Settings of the identity providers and the spreadsheet API, by environment variable. */
  variables: Record<string, string>;
};

export const LOCAL_BUCKET = 'forms';

/** What the local SES knows: domains that may send, and configuration sets. */
export const LOCAL_SES = { verified: ['example.org'], configurationSets: ['forms'] };

/** The sender of mails on this machine. */
export const LOCAL_MAIL = {
  MAIL_FROM: 'Form service <forms@example.org>',
  MAIL_REPLY_TO: 'help@example.org',
  MAIL_CONFIGURATION_SET: 'forms',
};

/** Sets the configuration of a local run in the environment; variables that are already set stay. */
export function configure(settings: Settings, emulators: Emulators): void {
  const defaults: Record<string, string> = {
    ...loadSecrets(settings.directory),
    ...emulators.variables,
    TABLE_NAME: 'forms',
    DYNAMODB_ENDPOINT: emulators.dynamoEndpoint,
    BUCKET_NAME: LOCAL_BUCKET,
    S3_ENDPOINT: emulators.s3Endpoint,
    S3_PUBLIC_ENDPOINT: emulators.s3PublicEndpoint,
    SES_ENDPOINT: emulators.sesEndpoint,
    ...LOCAL_MAIL,
    DEVELOPMENT: 'true',
    PUBLIC_URL: `http://127.0.0.1:${settings.port}`,
    ALLOWED_ORIGINS: `http://localhost:${settings.port}`,
    INTERNAL_LOGIN: 'true',
    OPERATOR_EMAILS: 'oscar@example.org',
    TIME_ZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
    DEMO_PEOPLE: JSON.stringify(PEOPLE),
    LOG: settings.log ? 'on' : 'off',
  };
  for (const [name, value] of Object.entries(defaults)) process.env[name] ??= value;
}
