/**
 * The configuration of a function, from its environment. Nothing else reads `process.env`. General settings are read at
 * once; keys, secrets and the bucket at their first use, so that a function needs only the variables of its declared
 * needs. The table "Configuration" in the README describes each variable.
 */
import * as z from 'zod';
import type { Need } from '#core/api/declare.ts';
import type { ProviderName } from '#core/identity/model.ts';
import type { IdentitySettings } from '#core/identity/ports.ts';
import { ProviderSettings } from '#core/identity/provider-settings.ts';

const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');

/** A JSON text that contains a value of a schema. */
const json = <T extends z.ZodType>(schema: () => T) =>
  z.string().transform((text, context): z.output<T> => {
    const parsed = schema().safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path: [...path], message });
    return z.NEVER;
  });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const publicKey = () =>
  z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), kid: z.string().min(1), x: z.string().min(1) });

const GENERAL = {
  TABLE_NAME: z.string().min(1),
  DYNAMODB_ENDPOINT: z.url().optional(),
  AWS_REGION: z.string().default('eu-central-1'),
  SERVICE_VERSION: z.string().default('0.1.0'),
  PUBLIC_URL: z.url().default('http://127.0.0.1:3000'),
  ALLOWED_ORIGINS: list,
  TOKEN_ISSUER: z.string().default('form-service'),
  TOKEN_AUDIENCE: z.string().default('form-service'),
  ACCESS_TOKEN_MINUTES: z.coerce.number().int().min(1).max(1_440).default(60),
  REFRESH_TOKEN_DAYS: z.coerce.number().int().min(1).max(365).default(30),
  COOKIE_SAME_SITE: z.enum(['Lax', 'Strict', 'None']).default('Lax'),
  COOKIE_DOMAIN: z.string().optional(),
  INTERNAL_LOGIN: flag,
  DEVELOPMENT: flag,
  OPERATOR_EMAILS: list,
  CREATE_ORGANIZATIONS: z.enum(['onboarded', 'operators']).default('onboarded'),
};
const BUCKET = {
  BUCKET_NAME: z.string().min(3),
  S3_ENDPOINT: z.url().optional(),
  /** The address of the bucket for browsers, if it differs from that for the service. */
  S3_PUBLIC_ENDPOINT: z.url().optional(),
};
/** Public keys that verify access tokens, as a JWKS; during a rotation, the old and the new key. */
const PUBLIC_KEYS = { TOKEN_PUBLIC_KEYS: json(() => z.object({ keys: z.array(publicKey()).min(1) })) };
/** The private key that signs access tokens, as a JWK; its `kid` is that of a public key. */
const SIGNING_KEY = { TOKEN_KEY: json(() => publicKey().extend({ d: z.string().min(1) })) };
/** Signs the states of OAuth authorization requests. */
const STATE_SECRET = { STATE_SECRET: z.string().min(32) };
const provider = json(ProviderSettings).optional();
const PROVIDERS = {
  LOGIN_PROVIDER_1: provider,
  LOGIN_PROVIDER_2: provider,
  PROVIDER_ONE: provider,
  PROVIDER_TWO: provider,
};

const bucketVariables = Object.keys(BUCKET);

/** The variables of every function, and those of each need. */
export const VARIABLES: Readonly<Record<Need | 'always', readonly string[]>> = {
  always: [...Object.keys(GENERAL), ...Object.keys(PUBLIC_KEYS), 'LOG'],
  'table:read': [],
  'table:list': [],
  'table:write': [],
  'files:read': bucketVariables,
  'files:write': bucketVariables,
  'files:remove': bucketVariables,
  'files:list': bucketVariables,
  'tokens:sign': Object.keys(SIGNING_KEY),
  'states:sign': Object.keys(STATE_SECRET),
  'providers:call': Object.keys(PROVIDERS),
};

export type Config = IdentitySettings & {
  tableName: string;
  dynamoEndpoint: string | undefined;
  readonly bucketName: string;
  readonly s3Endpoint: string | undefined;
  readonly s3PublicEndpoint: string | undefined;
  region: string;
  version: string;
  createOrganizations: 'onboarded' | 'operators';
  readonly stateSecret: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a configuration from environment variables. Throws when a general variable is missing or invalid; the others
 * throw at their first use. The error names the variables.
 */
export function parseConfig(environment: Environment): Config {
  const general = parse(environment, GENERAL);
  const bucket = lazily(environment, BUCKET);
  const stateSecret = lazily(environment, STATE_SECRET);
  return {
    tableName: general.TABLE_NAME,
    dynamoEndpoint: general.DYNAMODB_ENDPOINT,
    get bucketName() {
      return bucket().BUCKET_NAME;
    },
    get s3Endpoint() {
      return bucket().S3_ENDPOINT;
    },
    get s3PublicEndpoint() {
      return bucket().S3_PUBLIC_ENDPOINT ?? bucket().S3_ENDPOINT;
    },
    region: general.AWS_REGION,
    version: general.SERVICE_VERSION,
    publicUrl: general.PUBLIC_URL,
    allowedOrigins: general.ALLOWED_ORIGINS,
    token: tokenSettings(environment, general),
    cookies: {
      secure: new URL(general.PUBLIC_URL).protocol === 'https:',
      sameSite: SAME_SITE[general.COOKIE_SAME_SITE],
      domain: general.COOKIE_DOMAIN,
    },
    internalLogin: general.INTERNAL_LOGIN,
    development: general.DEVELOPMENT,
    providers: lazyProviders(environment),
    operatorEmails: new Set(general.OPERATOR_EMAILS.map((email) => email.toLowerCase())),
    createOrganizations: general.CREATE_ORGANIZATIONS,
    get stateSecret() {
      return stateSecret().STATE_SECRET;
    },
  };
}

/** The settings of access tokens; the keys are read at their first use. */
function tokenSettings(environment: Environment, general: Parsed<typeof GENERAL>): IdentitySettings['token'] {
  const publicKeys = lazily(environment, PUBLIC_KEYS);
  const signingKey = lazily(environment, SIGNING_KEY);
  return {
    get publicKeys() {
      return publicKeys().TOKEN_PUBLIC_KEYS;
    },
    get key() {
      const key = signingKey().TOKEN_KEY;
      if (this.publicKeys.keys.some(({ kid }) => kid === key.kid)) return key;
      throw new Error(`TOKEN_PUBLIC_KEYS has no key with the kid "${key.kid}" of TOKEN_KEY`);
    },
    issuer: general.TOKEN_ISSUER,
    audience: general.TOKEN_AUDIENCE,
    accessMinutes: general.ACCESS_TOKEN_MINUTES,
    refreshDays: general.REFRESH_TOKEN_DAYS,
  };
}

const SAME_SITE = { Lax: 'lax', Strict: 'strict', None: 'none' } as const;

/** The settings of the providers, each read at its first use. */
function lazyProviders(environment: Environment): IdentitySettings['providers'] {
  const settings = (name: ProviderName) => lazily(environment, { [name]: PROVIDERS[name] });
  const [login1, login2] = [settings('LOGIN_PROVIDER_1'), settings('LOGIN_PROVIDER_2')];
  const [one, two] = [settings('PROVIDER_ONE'), settings('PROVIDER_TWO')];
  return {
    get LOGIN_PROVIDER_1() {
      return login1().LOGIN_PROVIDER_1;
    },
    get LOGIN_PROVIDER_2() {
      return login2().LOGIN_PROVIDER_2;
    },
    get PROVIDER_ONE() {
      return one().PROVIDER_ONE;
    },
    get PROVIDER_TWO() {
      return two().PROVIDER_TWO;
    },
  };
}

type Parsed<T extends z.ZodRawShape> = z.output<z.ZodObject<T>>;

function parse<T extends z.ZodRawShape>(environment: Environment, variables: T): Parsed<T> {
  const parsed = z.object(variables).safeParse(environment);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path: [name, ...path], message }) =>
    environment[String(name)] === undefined ? `${String(name)} is missing` : `${[name, ...path].join('.')}: ${message}`,
  );
  throw new Error(`The configuration is not valid: ${faults.join('; ')}`);
}

/** Parses variables once, at their first use. */
function lazily<T extends z.ZodRawShape>(environment: Environment, variables: T): () => Parsed<T> {
  let parsed: Parsed<T> | undefined;
  return () => {
    parsed ??= parse(environment, variables);
    return parsed;
  };
}

let current: Config | undefined;

/** The configuration of this process. */
export const config = (): Config => {
  current ??= parseConfig(process.env);
  return current;
};

/** Whether requests are logged and measured; does not depend on the rest of the configuration. */
export const isLogging = (): boolean => process.env.LOG !== 'off';
