/**
 * The configuration of a function: the environment, parsed once. Nothing else reads `process.env`.
 * The README's table "Configuration" says what each variable is for.
 */
import * as z from 'zod';

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

/** What a provider says about a person under which name; `a.b` reaches into an object. */
const ProfileMapping = z.object({
  subject: z.string().default('sub'),
  username: z.string().default('preferred_username'),
  email: z.string().default('email'),
  /** Where the provider says that the e-mail address is this person's; an empty text: it never does. */
  emailVerified: z.string().default('email_verified'),
  avatarUrl: z.string().default('picture'),
});

const endpoints = { authorizationEndpoint: z.url(), tokenEndpoint: z.url(), userinfoEndpoint: z.url() };

/** A provider of identities: an OIDC issuer, whose discovery document says the rest, or its explicit endpoints. */
export const ProviderSettings = z
  .object({
    /** Also needed beside explicit endpoints where `openid` is asked for: it is what ID tokens must name. */
    issuer: z.url().optional(),
    ...z.object(endpoints).partial().shape,
    clientId: z.string().min(1),
    clientSecret: z.string().min(1).optional(),
    /** How the secret is sent: HTTP Basic or in the body; without it as the provider's discovery document says. */
    clientAuthentication: z.enum(['basic', 'post']).optional(),
    /** With `openid` an ID token is asked for and checked, its nonce included. */
    scopes: z.array(z.string().min(1)).default(['openid', 'email', 'profile']),
    /** Further parameters of the authorization request, such as `prompt`. */
    parameters: z.record(z.string(), z.string()).default({}),
    profile: ProfileMapping.prefault({}),
  })
  .refine((settings) => settings.issuer || z.object(endpoints).safeParse(settings).success, {
    error: 'needs an issuer, or authorizationEndpoint, tokenEndpoint and userinfoEndpoint',
  });
export type ProviderSettings = z.output<typeof ProviderSettings>;

const providerJson = z
  .string()
  .transform((value, context) => {
    try {
      return JSON.parse(value) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  })
  .pipe(ProviderSettings)
  .optional();

const Environment = z.object({
  TABLE_NAME: z.string().min(1),
  DYNAMODB_ENDPOINT: z.url().optional(),
  BUCKET_NAME: z.string().min(3),
  S3_ENDPOINT: z.url().optional(),
  /** Where browsers reach the bucket, if elsewhere than the service does. */
  S3_PUBLIC_ENDPOINT: z.url().optional(),
  AWS_REGION: z.string().default('eu-central-1'),
  SERVICE_VERSION: z.string().default('0.1.0'),
  PUBLIC_URL: z.url().default('http://127.0.0.1:3000'),
  ALLOWED_ORIGINS: list,
  /** An Ed25519 private key as a JWK in JSON; signs and verifies access tokens. */
  TOKEN_KEY: z.string().min(1),
  TOKEN_ISSUER: z.string().default('form-service'),
  TOKEN_AUDIENCE: z.string().default('form-service'),
  ACCESS_TOKEN_MINUTES: z.coerce.number().int().min(1).max(1_440).default(60),
  REFRESH_TOKEN_DAYS: z.coerce.number().int().min(1).max(365).default(30),
  COOKIE_SECURE: flag,
  COOKIE_SAME_SITE: z.enum(['Lax', 'Strict', 'None']).default('Lax'),
  COOKIE_DOMAIN: z.string().optional(),
  INTERNAL_LOGIN: flag,
  /** Honours the `base` of a login, for front ends under development. */
  DEVELOPMENT: flag,
  LOGIN_PROVIDER_1: providerJson,
  LOGIN_PROVIDER_2: providerJson,
  PROVIDER_ONE: providerJson,
  PROVIDER_TWO: providerJson,
  OPERATOR_EMAILS: list,
  CREATE_ORGANIZATIONS: z.enum(['onboarded', 'operators']).default('onboarded'),
  /** Seals cursors and signs the states of journeys to providers; any text of at least 32 characters. */
  CURSOR_SECRET: z.string().min(32),
});

export type ProviderName = 'LOGIN_PROVIDER_1' | 'LOGIN_PROVIDER_2' | 'PROVIDER_ONE' | 'PROVIDER_TWO';

export type Config = {
  tableName: string;
  dynamoEndpoint: string | undefined;
  bucketName: string;
  s3Endpoint: string | undefined;
  s3PublicEndpoint: string | undefined;
  region: string;
  version: string;
  publicUrl: string;
  allowedOrigins: readonly string[];
  token: { key: string; issuer: string; audience: string; accessMinutes: number; refreshDays: number };
  cookies: { secure: boolean; sameSite: 'Lax' | 'Strict' | 'None'; domain: string | undefined };
  internalLogin: boolean;
  development: boolean;
  /** Those that are configured, by the names of the interface. */
  providers: Partial<Record<ProviderName, ProviderSettings>>;
  operatorEmails: ReadonlySet<string>;
  createOrganizations: 'onboarded' | 'operators';
  cursorSecret: string;
};

/** Reads a configuration from environment variables; throws with the names of all that are wrong. */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) throw new Error(`The configuration is incomplete:\n${z.prettifyError(parsed.error)}`);
  const env = parsed.data;
  return {
    tableName: env.TABLE_NAME,
    dynamoEndpoint: env.DYNAMODB_ENDPOINT,
    bucketName: env.BUCKET_NAME,
    s3Endpoint: env.S3_ENDPOINT,
    s3PublicEndpoint: env.S3_PUBLIC_ENDPOINT ?? env.S3_ENDPOINT,
    region: env.AWS_REGION,
    version: env.SERVICE_VERSION,
    publicUrl: env.PUBLIC_URL,
    allowedOrigins: env.ALLOWED_ORIGINS,
    token: {
      key: env.TOKEN_KEY,
      issuer: env.TOKEN_ISSUER,
      audience: env.TOKEN_AUDIENCE,
      accessMinutes: env.ACCESS_TOKEN_MINUTES,
      refreshDays: env.REFRESH_TOKEN_DAYS,
    },
    cookies: { secure: env.COOKIE_SECURE, sameSite: env.COOKIE_SAME_SITE, domain: env.COOKIE_DOMAIN },
    internalLogin: env.INTERNAL_LOGIN,
    development: env.DEVELOPMENT,
    providers: {
      ...(env.LOGIN_PROVIDER_1 ? { LOGIN_PROVIDER_1: env.LOGIN_PROVIDER_1 } : {}),
      ...(env.LOGIN_PROVIDER_2 ? { LOGIN_PROVIDER_2: env.LOGIN_PROVIDER_2 } : {}),
      ...(env.PROVIDER_ONE ? { PROVIDER_ONE: env.PROVIDER_ONE } : {}),
      ...(env.PROVIDER_TWO ? { PROVIDER_TWO: env.PROVIDER_TWO } : {}),
    },
    operatorEmails: new Set(env.OPERATOR_EMAILS.map((email) => email.toLowerCase())),
    createOrganizations: env.CREATE_ORGANIZATIONS,
    cursorSecret: env.CURSOR_SECRET,
  };
}

let parsed: Config | undefined;

/** The configuration of this process. */
export const config = (): Config => {
  parsed ??= parseConfig(process.env);
  return parsed;
};

/** Whether requests are logged and measured. Asked also when the rest of the configuration cannot be read. */
export const isLogging = (): boolean => process.env.LOG !== 'off';
