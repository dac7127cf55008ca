/**
 * The configuration of a function, from its environment. Nothing else reads `process.env`. General settings are read at
 * once; keys, secrets, the bucket and limits at their first use, so that a function needs only the variables of its declared
 * needs (`variables.ts`) and starts fast.
 */
import * as z from 'zod';
import type { GoogleSettings } from '#core/google/requests.ts';
import type { LoginProvider, ProviderName } from '#core/identity/model.ts';
import type { IdentitySettings } from '#core/identity/ports.ts';
import type { Language } from '#core/schema/format.ts';
import { issueText } from '#core/schema/issue-text.ts';
import type { ConnectProvider } from '#core/structure/types/oauth-connect.ts';
import {
  bucketVariables,
  GOOGLE_DRIVE,
  GOOGLE_SHEETS,
  generalVariables,
  limitVariables,
  mailVariables,
  pageVariables,
  providerVariables,
  publicKeyVariables,
  sessionVariables,
  sheetsVariables,
  signingKeyVariables,
  stateVariables,
} from './variables.ts';

export type MailSettings = {
  /** An address, or `name <address>`. */
  from: string;
  replyTo: string | undefined;
  /** The configuration set whose event destination reports events about a mail. */
  configurationSet: string | undefined;
  /** The language of mails to people whose language is not known. */
  language: Language;
  endpoint: string | undefined;
};

export type Config = IdentitySettings & {
  tableName: string;
  dynamoEndpoint: string | undefined;
  readonly bucketName: string;
  readonly s3Endpoint: string | undefined;
  readonly s3PublicEndpoint: string | undefined;
  region: string;
  version: string;
  readonly createOrganizations: 'onboarded' | 'operators';
  /** The number of bytes of files that each organization may store. */
  readonly maxStoredBytes: number;
  /** The number of bytes of files that the guests of each form may store. */
  readonly maxGuestBytes: number;
  /** The number of mails to guests that each organization may send in a day. */
  readonly maxGuestMails: number;
  /** The number of organizations to which others can add a person. */
  readonly maxOrganizations: number;
  readonly stateSecret: string;
  /** The time zone of times in pages that run without scripts. */
  readonly timeZone: string;
  /** The providers that the sign-in page offers, by the names under which people know them. */
  readonly loginTitles: Readonly<Partial<Record<LoginProvider, string>>>;
  /** The services at which accounts can be connected, by the names under which people know them. */
  readonly connectTitles: Readonly<Partial<Record<ConnectProvider, string>>>;
  /** People whom the sign-in page offers where login by user ID is enabled. */
  readonly demoPeople: readonly { id: string; name: string; role: string }[];
  /** The origin of the bucket for browsers. */
  readonly storageOrigin: string;
  readonly mail: MailSettings;
  /** Undefined where spreadsheets are not set up. */
  readonly sheets: Omit<GoogleSettings, 'now'> | undefined;
};

type Environment = Readonly<Record<string, string | undefined>>;

const BYTES_PER_GB = 1_024 ** 3;

/**
 * Reads a configuration from environment variables. Throws when a general variable is missing or invalid; the others
 * throw at their first use. The error names the variables.
 */
export function parseConfig(environment: Environment): Config {
  const general = parse(environment, generalVariables);
  const limits = lazily(environment, limitVariables);
  const pages = lazily(environment, pageVariables);
  const bucket = lazily(environment, bucketVariables);
  const stateSecret = lazily(environment, stateVariables);
  const mail = lazily(environment, mailVariables);
  const sheets = lazily(environment, sheetsVariables);
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
    publicUrl: general.PUBLIC_URL.replace(/(?<!\/)\/+$/, ''),
    allowedOrigins: general.ALLOWED_ORIGINS,
    token: tokenSettings(environment, general),
    cookies: cookieSettings(general),
    internalLogin: general.INTERNAL_LOGIN,
    development: general.DEVELOPMENT,
    providers: lazyProviderSettings(environment),
    operatorEmails: new Set(general.OPERATOR_EMAILS.map((email) => email.toLowerCase())),
    get createOrganizations() {
      return limits().CREATE_ORGANIZATIONS;
    },
    get maxStoredBytes() {
      return Math.floor(limits().MAX_STORED_GB * BYTES_PER_GB);
    },
    get maxGuestBytes() {
      return Math.floor(limits().MAX_GUEST_STORED_GB * BYTES_PER_GB);
    },
    get maxGuestMails() {
      return limits().MAX_GUEST_MAILS;
    },
    get maxOrganizations() {
      return limits().MAX_ORGANIZATIONS;
    },
    guests: general.GUESTS === 'on',
    get timeZone() {
      return pages().TIME_ZONE;
    },
    get loginTitles() {
      return pages().LOGIN_TITLES;
    },
    get connectTitles() {
      return pages().CONNECT_TITLES;
    },
    get demoPeople() {
      return pages().DEMO_PEOPLE;
    },
    get storageOrigin() {
      return storageOrigin(bucket(), general.AWS_REGION);
    },
    get stateSecret() {
      return stateSecret().STATE_SECRET;
    },
    get mail() {
      return mailSettings(mail());
    },
    get sheets() {
      const { SHEETS_KEY: account, SHEETS_URL: url } = sheets();
      return account && { account, sheetsUrl: url ?? GOOGLE_SHEETS, driveUrl: url ?? GOOGLE_DRIVE };
    },
  };
}

const cookieSettings = (general: Parsed<ReturnType<typeof generalVariables>>): Config['cookies'] => ({
  secure: new URL(general.PUBLIC_URL).protocol === 'https:',
  sameSite: SAME_SITE[general.COOKIE_SAME_SITE],
  domain: general.COOKIE_DOMAIN,
});

/** The origin of presigned URLs. */
function storageOrigin(bucket: Parsed<ReturnType<typeof bucketVariables>>, region: string): string {
  const endpoint = bucket.S3_PUBLIC_ENDPOINT ?? bucket.S3_ENDPOINT;
  return new URL(endpoint ?? `https://${bucket.BUCKET_NAME}.s3.${region}.amazonaws.com`).origin;
}

/** The settings of access tokens; the keys are read at their first use. */
function tokenSettings(
  environment: Environment,
  general: Parsed<ReturnType<typeof generalVariables>>,
): IdentitySettings['token'] {
  const publicKeys = lazily(environment, publicKeyVariables);
  const signingKey = lazily(environment, signingKeyVariables);
  const sessions = lazily(environment, sessionVariables);
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
    get accessMinutes() {
      return sessions().ACCESS_TOKEN_MINUTES;
    },
    get refreshDays() {
      return sessions().REFRESH_TOKEN_DAYS;
    },
  };
}

const mailSettings = (variables: Parsed<ReturnType<typeof mailVariables>>): MailSettings => ({
  from: variables.MAIL_FROM,
  replyTo: variables.MAIL_REPLY_TO,
  configurationSet: variables.MAIL_CONFIGURATION_SET,
  language: variables.MAIL_LANGUAGE,
  endpoint: variables.SES_ENDPOINT,
});

const SAME_SITE = { Lax: 'lax', Strict: 'strict', None: 'none' } as const;

/** The settings of the providers, each read at its first use. */
function lazyProviderSettings(environment: Environment): IdentitySettings['providers'] {
  const settings = (name: ProviderName) => lazily(environment, () => providerVariables(name));
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

/** The variables of a group; schemas are built when they are used, which costs a part of a function's start. */
type Variables<T extends z.ZodRawShape> = () => T;
type Parsed<T extends z.ZodRawShape> = z.output<z.ZodObject<T>>;

function parse<T extends z.ZodRawShape>(environment: Environment, variables: Variables<T>): Parsed<T> {
  // Parsed once: a schema that zod compiles costs more than it saves.
  const parsed = z.object(variables()).safeParse(environment, { error: issueText, jitless: true });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path: [name, ...path], message }) =>
    environment[String(name)] === undefined ? `${String(name)} is missing` : `${[name, ...path].join('.')}: ${message}`,
  );
  throw new Error(`The configuration is not valid: ${faults.join('; ')}`);
}

/** Parses variables once, at their first use. */
function lazily<T extends z.ZodRawShape>(environment: Environment, variables: Variables<T>): () => Parsed<T> {
  let parsed: Parsed<T> | undefined;
  return () => {
    parsed ??= parse(environment, variables);
    return parsed;
  };
}

let current: Config | undefined;

/** Returns the configuration of this process, which is read once. */
export const config = (): Config => {
  current ??= parseConfig(process.env);
  return current;
};

/** Whether requests are logged; does not depend on the rest of the configuration. */
export const isLogging = (): boolean => process.env.LOG !== 'off';
