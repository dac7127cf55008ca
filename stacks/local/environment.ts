/** The environment that `npm start` sets for the handlers in its process. */
import { existsSync, mkdirSync } from 'node:fs';
import { replaceFile } from '../build/replace-file.ts';
import { newSecrets, Secrets } from '../operate/new-keys.ts';
import type { Settings } from './command-line.ts';
import { dataPath } from './data-directory.ts';
import { readJson } from './dynamo/data-file.ts';
import { PEOPLE } from './seed.ts';

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

/** The name of the table, also before the environment is set. */
export const tableName = (): string => process.env.TABLE_NAME ?? 'forms';

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
    TABLE_NAME: tableName(),
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
