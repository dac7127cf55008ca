/**
 * The settings of a stage, from the environment of the deployment (`.env.<stage>`), and the environment of each function
 * that follows from them. `stacks/build/docs.ts` describes each setting.
 */
import * as z from 'zod';
import type { Need } from '#core/api/declare.ts';
import { type Config, parseConfig } from '#core/aws/config.ts';
import { listSecrets, parameterVariable } from '#core/aws/secrets.ts';
import { SECRETS, variables } from '#core/aws/variables.ts';
import { LoginProvider } from '#core/identity/model.ts';
import { parseTimeZone } from '#core/schema/format.ts';
import { ConnectProvider } from '#core/structure/types/oauth-connect.ts';

/** Secrets of parts of the service that a stage may do without. */
const OPTIONAL_SECRETS = [
  'LOGIN_PROVIDER_1',
  'LOGIN_PROVIDER_2',
  'PROVIDER_ONE',
  'PROVIDER_TWO',
  'SHEETS_KEY',
] as const;

const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []));

/** The settings of a stage; other variables of functions are passed on. */
export const StageSettings = z.object({
  DOMAIN: z.hostname().optional(),
  /** Without it a certificate is created in the Route 53 zone of the domain. */
  DOMAIN_CERTIFICATE: z.string().startsWith('arn:aws:acm:').optional(),
  ALLOWED_ORIGINS: list.pipe(z.array(z.string().regex(/^https?:\/\/[^/*\s]+$/, 'must be an origin, without a path'))),
  /** Without it, a stage has no alarms. */
  ALARM_EMAIL: z.email().optional(),
  DASHBOARD: z.enum(['true', 'false']).default('false'),
  /** US dollars that the account may cost in a month before `ALARM_EMAIL` is told. */
  MONTHLY_BUDGET: z.coerce.number().positive().optional(),
  /** The domain of mail, in a Route 53 zone of the account. Without it the address of `MAIL_FROM` is the sender. */
  MAIL_DOMAIN: z.hostname().optional(),
  MAIL_FROM: z.string().regex(/^(?:[^<>]*<)?[^\s<>@]+@[^\s<>@]+>?$/, 'must be an address, or a name and an <address>'),
  /** The name of a table that was restored from a backup, which the stage uses instead of its own. */
  RESTORED_TABLE: z.string().min(3).optional(),
  /** The optional secrets that are stored as parameters. */
  OPTIONAL_SECRETS: list.pipe(z.array(z.enum(OPTIONAL_SECRETS))),
  /** Increased when a secret has changed, so that the functions that use it restart. */
  SECRETS_VERSION: z.string().default('1'),
  INTERNAL_LOGIN: z.enum(['true', 'false']).default('false'),
});

type Environment = Readonly<Record<string, string | undefined>>;

export type Stage = {
  name: string;
  /** Production keeps its data when it is removed, and refuses settings that are for development. */
  isProduction: boolean;
  domain: { name: string; certificate: string | undefined } | undefined;
  allowedOrigins: readonly string[];
  /** The identity in SES: a domain or an address. */
  sender: string;
  /** The address of `MAIL_FROM`. */
  mailAddress: string;
  alarmEmail: string | undefined;
  /** In US dollars. */
  monthlyBudget: number | undefined;
  hasDashboard: boolean;
  restoredTable: string | undefined;
  secretsVersion: string;
  /** The names of the secrets of this stage. */
  secrets: readonly string[];
  /** Settings that are passed on to functions as they are, by variable. */
  passed: Readonly<Record<string, string>>;
};

/** Variables of functions that a deployment sets itself, or that only make sense on one machine. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  'TABLE_NAME',
  'BUCKET_NAME',
  'PUBLIC_URL',
  'MAIL_CONFIGURATION_SET',
  'AWS_REGION',
  'DYNAMODB_ENDPOINT',
  'S3_ENDPOINT',
  'S3_PUBLIC_ENDPOINT',
  'SES_ENDPOINT',
]);

/**
 * The settings of a stage. Throws an error that names the setting when one is missing or invalid, when a secret is given
 * as a setting, or when a production stage has a setting that is only for development.
 */
export function readStage(name: string, environment: Environment): Stage {
  const settings = parse(environment);
  const isProduction = name === 'production';
  const secretInClear = [...SECRETS].find((secret) => environment[secret] !== undefined);
  if (secretInClear) throw new Error(`${secretInClear} is a secret: store it as an SSM parameter, not as a setting`);
  if (/"d"\s*:/.test(environment.TOKEN_PUBLIC_KEYS ?? '')) throw new Error('TOKEN_PUBLIC_KEYS contains a private key');
  for (const development of ['INTERNAL_LOGIN', 'DEVELOPMENT']) {
    if (isProduction && environment[development] === 'true') {
      throw new Error(`${development} must not be true in production: it lets anybody sign in as anybody`);
    }
  }
  const [stored, optional] = [new Set<string>(settings.OPTIONAL_SECRETS), new Set<string>(OPTIONAL_SECRETS)];
  const names = new Set(Object.values(variables()).flat());
  const passed = Object.entries(environment).flatMap(([variable, value]) =>
    names.has(variable) && !NOT_PASSED.has(variable) && value !== undefined ? [[variable, value]] : [],
  );
  if (isProduction && !settings.ALARM_EMAIL) throw new Error('ALARM_EMAIL is missing: production must be watched');
  if (settings.MONTHLY_BUDGET !== undefined && !settings.ALARM_EMAIL) {
    throw new Error('MONTHLY_BUDGET needs ALARM_EMAIL, which is told what is spent');
  }
  const mailAddress = settings.MAIL_FROM.slice(settings.MAIL_FROM.lastIndexOf('<') + 1).replace(/>$/, '');
  const { MAIL_DOMAIN: domain } = settings;
  if (domain && ![`@${domain}`, `.${domain}`].some((ending) => mailAddress.endsWith(ending))) {
    throw new Error(`MAIL_FROM must be an address of MAIL_DOMAIN, ${domain}`);
  }
  const stage = {
    name,
    isProduction,
    domain: settings.DOMAIN ? { name: settings.DOMAIN, certificate: settings.DOMAIN_CERTIFICATE } : undefined,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    sender: domain ?? mailAddress,
    mailAddress,
    alarmEmail: settings.ALARM_EMAIL,
    monthlyBudget: settings.MONTHLY_BUDGET,
    hasDashboard: settings.DASHBOARD === 'true',
    restoredTable: settings.RESTORED_TABLE,
    secretsVersion: settings.SECRETS_VERSION,
    secrets: [...SECRETS].filter((secret) => stored.has(secret) || !optional.has(secret)),
    passed: Object.fromEntries(passed),
  };
  checkFunctionSettings(stage);
  return stage;
}

/** The functions parse their settings too, some at the first use; a fault must stop the deployment instead. */
function checkFunctionSettings({ passed, secrets }: Pick<Stage, 'passed' | 'secrets'>): void {
  const settings = checkSettings(passed);
  for (const read of [() => settings.token.publicKeys, () => settings.mail]) read();
  const checkTitles = (variable: string, providers: readonly string[], titles: object): void => {
    const faulty = providers.find((provider) => provider in titles !== secrets.includes(provider));
    if (faulty) throw new Error(`${faulty} must be both in OPTIONAL_SECRETS and in ${variable}, or in neither`);
  };
  checkTitles('LOGIN_TITLES', LoginProvider().options, settings.loginTitles);
  checkTitles('CONNECT_TITLES', ConnectProvider().options, settings.connectTitles);
}

/**
 * Parses the settings of functions that have defaults. Throws when one is not valid, also a limit or a lifetime, which
 * functions read at their first use, and a zone that is not in the IANA database: to check it takes a tenth of their start.
 */
export function checkSettings(environment: Environment): Config {
  const settings = parseConfig({ ...environment, TABLE_NAME: 'checked' });
  for (const read of [() => settings.maxStoredBytes, () => settings.token.refreshDays]) read();
  if (parseTimeZone(settings.timeZone) !== undefined) return settings;
  throw new Error(`TIME_ZONE must be a time zone of the IANA database, such as Asia/Taipei: ${settings.timeZone}`);
}

function parse(environment: Environment): z.output<typeof StageSettings> {
  const parsed = StageSettings.safeParse(environment);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The settings of the stage are not valid: ${faults.join('; ')}`);
}

/** The namespace of a stage's own metrics: an account can have several stages. */
export const nameMetrics = ({ name }: Pick<Stage, 'name'>): string => `FormService/${name}`;

/** The name of the SSM parameter of a secret: `/form-service/production/TOKEN_KEY`. */
export const parameterName = (stage: Pick<Stage, 'name'>, secret: string): string =>
  `/form-service/${stage.name}/${secret}`;

/** The secrets that functions with some needs read, as names of parameters by variable. */
export const listParameters = (stage: Stage, needs: readonly Need[]): Record<string, string> =>
  Object.fromEntries(
    listSecrets(needs)
      .filter((secret) => stage.secrets.includes(secret))
      .map((secret) => [parameterVariable(secret), parameterName(stage, secret)]),
  );

/**
 * The environment of a function with some needs: what every function has, what its needs have, and the names of its
 * secrets' parameters. `created` holds the variables of created resources, such as `TABLE_NAME`.
 */
export function buildEnvironment<V>(
  stage: Stage,
  needs: readonly Need[],
  created: Readonly<Record<string, V>>,
): Record<string, V | string> {
  const { always, ...ofNeeds } = variables();
  const names = [...always, ...needs.flatMap((need) => ofNeeds[need])];
  const all: Readonly<Record<string, V | string>> = { ...stage.passed, ...created };
  const parameters = listParameters(stage, needs);
  const values = names.flatMap((name) => {
    const value = all[name];
    return value === undefined || SECRETS.has(name) ? [] : [[name, value] as const];
  });
  const version = Object.keys(parameters).length > 0 ? { SECRETS_VERSION: stage.secretsVersion } : {};
  return { ...Object.fromEntries(values), ...parameters, ...version };
}
