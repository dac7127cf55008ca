/**
 * What each variable and each setting of a stage means, and the tables of them in `docs`. Names and defaults come from
 * the schemas that parse them; one without a meaning here, or a meaning without a schema, fails.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { SECRETS, variableSchemas } from '#core/aws/variables.ts';
import { ALARMS, type Alarm } from '../alarms.ts';
import { billTable } from '../operate/bill.ts';
import { featureTable } from '../operate/features.ts';
import { FEATURE_COSTS, MEASURED, requestTable } from '../operate/measured.ts';
import { capacityTable, scaleTable } from '../operate/scale.ts';
import { StageSettings } from '../stage.ts';
import { pagesTable } from './page-docs.ts';

/** `local`: what `npm start` sets, where it differs from the default. */
type Meaning = { meaning: string; local?: string };

const CREATED = 'created at the first start';
const DEMO_PROVIDER = 'the demo provider';

const MEANINGS: Readonly<Record<string, Meaning>> = {
  TABLE_NAME: { meaning: 'the DynamoDB table', local: '`forms`' },
  DYNAMODB_ENDPOINT: { meaning: 'another DynamoDB', local: 'the emulator' },
  AWS_REGION: { meaning: 'region of the table and the bucket' },
  PUBLIC_URL: {
    meaning:
      'address of the service; cookies are `Secure` when it is HTTPS. Choose a domain without foreign sub-domains',
  },
  ALLOWED_ORIGINS: { meaning: 'further origins, separated by commas' },
  SERVICE_VERSION: { meaning: 'the version in `/api/healthz`' },
  TOKEN_PUBLIC_KEYS: {
    meaning: 'JWKS of the Ed25519 public keys that verify access tokens; every function has it',
    local: CREATED,
  },
  TOKEN_KEY: {
    meaning:
      'Ed25519 private key as a JWK with `kid`, which signs access tokens, and credentials and links of guests; only functions that sign in, refresh, admit guests or send mails',
    local: CREATED,
  },
  STATE_SECRET: {
    meaning:
      'at least 32 characters; signs the state of OAuth requests and the challenges for guests; only functions of these',
    local: CREATED,
  },
  TOKEN_ISSUER: { meaning: '`iss` of access tokens' },
  TOKEN_AUDIENCE: { meaning: '`aud` of access tokens' },
  ACCESS_TOKEN_MINUTES: { meaning: 'lifetime of an access token' },
  REFRESH_TOKEN_DAYS: { meaning: 'lifetime of a refresh token' },
  COOKIE_SAME_SITE: { meaning: '`SameSite` of the session cookies: `Lax`, `Strict` or `None`' },
  COOKIE_DOMAIN: { meaning: '`Domain` of the session cookies' },
  INTERNAL_LOGIN: {
    meaning: '`true` enables sign-in by user ID, where an ID is a password; never in production',
    local: '`true`',
  },
  DEVELOPMENT: { meaning: '`true` accepts `base` at sign-in', local: '`true`' },
  OPERATOR_EMAILS: { meaning: 'e-mail addresses of operators (role ADMIN)', local: '`oscar@example.org`' },
  CREATE_ORGANIZATIONS: { meaning: '`onboarded` users or `operators` only' },
  GUESTS: {
    meaning:
      '`off` lets nobody begin a response without an account, whatever the forms say; what was begun can be finished',
  },
  MAX_GUEST_MAILS: {
    meaning: 'how many mails to invited guests each organization sends in a day; in its first 14 days 50 at most',
  },
  MAX_GUEST_STORED_GB: {
    meaning: 'how many GB of files the guests of each form may store, within what its organization may',
  },
  MAX_STORED_GB: { meaning: 'how many GB of files each organization may store; beyond them uploads are 413' },
  MAX_ORGANIZATIONS: { meaning: 'to how many organizations others can add a person; they can create 20 more' },
  BUCKET_NAME: { meaning: 'the S3 bucket of covers, files and exports', local: '`forms`' },
  S3_ENDPOINT: { meaning: 'another S3', local: 'the emulator' },
  S3_PUBLIC_ENDPOINT: { meaning: 'where browsers reach it, if at another address', local: 'its gate' },
  MAIL_FROM: {
    meaning:
      'sender of mails: an address, or `Name <address>`, that SES has verified; only functions that send mail, like the other variables of mail',
    local: '`Form service <forms@example.org>`',
  },
  MAIL_REPLY_TO: { meaning: 'where replies go, if not to the sender', local: '`help@example.org`' },
  MAIL_CONFIGURATION_SET: {
    meaning:
      'configuration set of SES whose event destination is EventBridge; without it bounces and complaints are not recorded',
    local: '`forms`',
  },
  MAIL_LANGUAGE: { meaning: '`en` or `zh-TW`: of mails to people whose language is not known' },
  SES_ENDPOINT: { meaning: 'another SES', local: 'the stand-in' },
  LOGIN_PROVIDER_1: { meaning: 'a provider to sign in with, as JSON (below)', local: DEMO_PROVIDER },
  LOGIN_PROVIDER_2: { meaning: 'another provider to sign in with', local: DEMO_PROVIDER },
  PROVIDER_ONE: { meaning: 'a provider of connected accounts, as JSON', local: DEMO_PROVIDER },
  PROVIDER_TWO: { meaning: 'another provider of connected accounts', local: DEMO_PROVIDER },
  LOGIN_TITLES: {
    meaning:
      'the providers that the sign-in page offers, by name, as JSON `{"LOGIN_PROVIDER_1": "Example ID"}`; only functions that start or finish a sign-in read the settings of providers',
    local: 'the demo providers',
  },
  CONNECT_TITLES: {
    meaning:
      'the services at which accounts are connected, by name, as JSON `{"PROVIDER_ONE": "Example ID"}`: for the buttons of respondents and the list of authors',
    local: 'the demo providers',
  },
  DEMO_PEOPLE: {
    meaning: 'people whom the sign-in page offers, as JSON `[{id, name, role}]`; only with `INTERNAL_LOGIN`',
    local: 'the demo people',
  },
  SHEETS_KEY: {
    meaning:
      'the key file (JSON) of the Google service account that writes spreadsheets; its project has the APIs of Google Sheets and Google Drive enabled. Without it there are no spreadsheets',
    local: 'a key of the stand-in',
  },
  SHEETS_URL: { meaning: 'another address of both APIs', local: 'the stand-in' },
  TIME_ZONE: { meaning: 'the time zone of times in pages without scripts', local: "this machine's" },
};

/** `LOG` is read before the configuration. */
const LOG_ROW = '| `LOG` | `off` silences request lines | on | `off` without `--log` |';

const STAGE_MEANINGS: Readonly<Record<string, string>> = {
  MAIL_FROM: 'required; the sender: an address, or `Name <address>`',
  MAIL_DOMAIN:
    'a domain with a Route 53 zone, verified instead of the address; its DKIM and DMARC records are created, so it must not have a record `_dmarc` yet (use a subdomain otherwise)',
  DOMAIN: 'the address of the service',
  DOMAIN_CERTIFICATE: 'the ARN of its certificate if DNS is not in Route 53',
  ALLOWED_ORIGINS: 'further origins, for the API and the bucket',
  OPTIONAL_SECRETS: 'the secrets that are stored as parameters, in addition to `TOKEN_KEY` and `STATE_SECRET`',
  SECRETS_VERSION: 'any text; a new one restarts the functions that read secrets',
  ALARM_EMAIL: 'receives alarms; required in production. Without it a stage has no alarms',
  DASHBOARD: '`true` creates a dashboard, for 3 dollars a month',
  MONTHLY_BUDGET:
    'US dollars a month for the whole account: `ALARM_EMAIL` is told when 80 % or all of them are spent or foreseen. AWS updates it a few times a day, so `WriteUse` and `ReadUse` ring first',
  RESTORED_TABLE: "a restored table, used instead of the stage's own ([Back up and restore](backup.md))",
  INTERNAL_LOGIN: 'sign-in by user ID; refused in production',
};

/** The table of all variables. */
export function variablesTable(): string {
  const rows = described(variableSchemas(), MEANINGS).map(([name, schema, { meaning, local = '' }]) => {
    const secret = SECRETS.has(name) ? '. Secret' : '';
    return `| \`${name}\` | ${meaning}${secret} | ${defaultText(schema)} | ${local} |`;
  });
  return ['| Variable | Meaning | Default | With `npm start` |', '|---|---|---|---|', ...rows, LOG_ROW].join('\n');
}

/** The table of the settings of a stage. */
export function stageTable(): string {
  const meanings = Object.fromEntries(Object.entries(STAGE_MEANINGS).map(([name, meaning]) => [name, { meaning }]));
  const rows = described(StageSettings.shape, meanings).map(
    ([name, schema, { meaning }]) => `| \`${name}\` | ${meaning} | ${defaultText(schema)} |`,
  );
  return [
    '| Setting of a stage | Meaning | Default |',
    '|---|---|---|',
    '| `TOKEN_PUBLIC_KEYS` | required; the JWKS of public keys | |',
    ...rows,
    '| `AWS_REGION` | the region | `eu-central-1` |',
    '| any other variable of [Configuration](../configuration.md) | passed on to the functions that use it | |',
  ].join('\n');
}

/** Schemas with their meanings, in the order of the meanings. Throws when the names differ. */
function described(
  schemas: Readonly<Record<string, z.ZodType>>,
  meanings: Readonly<Record<string, Meaning>>,
): (readonly [name: string, schema: z.ZodType, meaning: Meaning])[] {
  const missing = Object.keys(schemas).filter((name) => !meanings[name]);
  if (missing.length > 0) throw new Error(`stacks/build/docs.ts does not describe ${missing.join(', ')}`);
  return Object.entries(meanings).map(([name, meaning]) => {
    const schema = schemas[name];
    if (!schema) throw new Error(`stacks/build/docs.ts describes ${name}, which nothing reads`);
    return [name, schema, meaning];
  });
}

/** The default of a schema as a table cell; empty when the variable is required, or has no default. */
function defaultText(schema: z.ZodType): string {
  const parsed = schema.safeParse(undefined);
  const { data } = parsed;
  if (!parsed.success) return 'required';
  if (data === undefined || (typeof data === 'object' && Object.keys(data ?? {}).length === 0)) return 'none';
  return `\`${data}\``;
}

// The table of alarms in the runbook, from the data of the alarms.

const UNITS: Readonly<Record<string, (threshold: number) => string>> = {
  Latency: (ms) => `${ms / 1_000} s`,
  IteratorAge: (ms) => `${ms / 60_000} minutes`,
  'Reputation.BounceRate': (rate) => `${100 * rate} %`,
  'Reputation.ComplaintRate': (rate) => `${100 * rate} %`,
};

/** The condition of an alarm: "`5xx` above 1 %, 10 min". */
function condition({ metric, per, statistic, comparison, threshold, periods, periodSeconds }: Alarm): string {
  const limit = per ? `${threshold} %` : (UNITS[metric]?.(threshold) ?? String(threshold));
  const percentile = statistic === 'p99' ? ' p99' : '';
  return `\`${metric}\`${percentile} ${comparison} ${limit}, ${(periods * periodSeconds) / 60} min`;
}

/** The table of all alarms: when they ring, and the first thing to do. */
export const alarmsTable = (): string =>
  [
    '| Alarm | When | First thing to do |',
    '|---|---|---|',
    ...ALARMS.map((alarm) => `| \`${alarm.name}\` | ${condition(alarm)} | ${alarm.runbook} |`),
  ].join('\n');

// Writes the generated parts of the documentation, between `<!-- generated: NAME -->` and `<!-- end -->`: `npm run
// generate`. Parts that need a measurement are written by the benchmarks.

const DOCS = join(import.meta.dirname, '../../docs');

/** The generated parts by file and name. */
const PARTS: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'configuration.md': { variables: variablesTable },
  'operate/deploy.md': { settings: stageTable },
  'operate/runbook.md': { alarms: alarmsTable },
  'costs.md': {
    requests: requestTable,
    features: () => featureTable(FEATURE_COSTS),
    bill: () => billTable(MEASURED),
    capacity: capacityTable,
  },
  'pages.md': { pages: pagesTable },
  'scale.md': { simulation: scaleTable },
};

/** A text with a generated part replaced. Throws when the text has no part of that name. */
function withPart(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- generated: ${name} -->\n`, '\n<!-- end -->'];
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`There is no generated part "${name}"`);
  return text.slice(0, from + start.length) + content + text.slice(to);
}

/** Replaces a generated part of a file in `docs`. */
export function writePart(file: string, name: string, content: string): void {
  const path = join(DOCS, file);
  writeFileSync(path, withPart(readFileSync(path, 'utf8'), name, content));
}

/** The files with generated parts: their text as it is, and as it should be. */
export const generatedDocs = (): { file: string; text: string; current: string }[] =>
  Object.entries(PARTS).map(([file, parts]) => {
    const current = readFileSync(join(DOCS, file), 'utf8');
    const text = Object.entries(parts).reduce((result, [name, make]) => withPart(result, name, make()), current);
    return { file, text, current };
  });

if (process.argv[1] === import.meta.filename) {
  for (const { file, text } of generatedDocs()) writeFileSync(join(DOCS, file), text);
}
