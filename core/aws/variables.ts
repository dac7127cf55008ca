/**
 * The environment variables of the functions, by the needs that they serve, with the schemas of their values. `config.ts`
 * reads them; `stacks/build/docs.ts` describes each.
 */
import * as z from 'zod';
import type { Need } from '#core/api/declare.ts';
import { LoginProvider, type ProviderName } from '#core/identity/model.ts';
import { ProviderSettings } from '#core/identity/provider-settings.ts';
import { LANGUAGES } from '#core/schema/format.ts';
import { issueText } from '#core/schema/issue-text.ts';
import { ConnectProvider } from '#core/structure/types/oauth-connect.ts';

const list = () =>
  z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    );
const flag = () =>
  z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true');

/** A JSON text that contains a value of a schema. */
const json = <T extends z.ZodType>(schema: () => T) =>
  z.string().transform((text, context): z.output<T> => {
    const parsed = schema().safeParse(parseJson(text), { error: issueText });
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

/** The name under which people know a provider. */
const title = () => z.string().min(1).max(60);

/** The variables that every function needs at its start. */
export const generalVariables = () => ({
  TABLE_NAME: z.string().min(1),
  DYNAMODB_ENDPOINT: z.url().optional(),
  AWS_REGION: z.string().default('eu-central-1'),
  SERVICE_VERSION: z.string().default('0.1.0'),
  PUBLIC_URL: z.url().default('http://127.0.0.1:3000'),
  ALLOWED_ORIGINS: list(),
  TOKEN_ISSUER: z.string().default('form-service'),
  TOKEN_AUDIENCE: z.string().default('form-service'),
  COOKIE_SAME_SITE: z.enum(['Lax', 'Strict', 'None']).default('Lax'),
  COOKIE_DOMAIN: z.string().optional(),
  INTERNAL_LOGIN: flag(),
  DEVELOPMENT: flag(),
  OPERATOR_EMAILS: list(),
  GUESTS: z.enum(['on', 'off']).default('on'),
});

/** How long sessions last. */
export const sessionVariables = () => ({
  ACCESS_TOKEN_MINUTES: z.coerce.number().int().min(1).max(1_440).default(60),
  REFRESH_TOKEN_DAYS: z.coerce.number().int().min(1).max(365).default(30),
});

/** What organizations may have. */
export const limitVariables = () => ({
  CREATE_ORGANIZATIONS: z.enum(['onboarded', 'operators']).default('onboarded'),
  MAX_GUEST_MAILS: z.coerce.number().int().min(1).max(1_000_000).default(500),
  MAX_GUEST_STORED_GB: z.coerce.number().positive().max(1_000_000).default(2),
  MAX_STORED_GB: z.coerce.number().positive().max(1_000_000).default(50),
  MAX_ORGANIZATIONS: z.coerce.number().int().min(1).max(500).default(50),
});

/** Settings of pages. */
export const pageVariables = () => ({
  /** That there is such a zone is checked where the service is deployed or started: it takes a function a tenth of its start. */
  TIME_ZONE: z.string().default('UTC'),
  LOGIN_TITLES: json(() => z.partialRecord(LoginProvider(), title())).default({}),
  CONNECT_TITLES: json(() => z.partialRecord(ConnectProvider(), title())).default({}),
  DEMO_PEOPLE: json(() => z.array(z.object({ id: z.string(), name: z.string(), role: z.string() }))).default([]),
});

/** Settings of the bucket. */
export const bucketVariables = () => ({
  BUCKET_NAME: z.string().min(3),
  S3_ENDPOINT: z.url().optional(),
  /** The address of the bucket for browsers, if it differs from that for the service. */
  S3_PUBLIC_ENDPOINT: z.url().optional(),
});
/** Settings of mails. */
export const mailVariables = () => ({
  /** The sender of mails: an address, or `name <address>`. */
  MAIL_FROM: z.string().regex(/^[^\p{Cc}@]*@[^\p{Cc}]*$/u, 'must be an address'),
  MAIL_REPLY_TO: z.email().optional(),
  MAIL_CONFIGURATION_SET: z.string().optional(),
  MAIL_LANGUAGE: z.enum(LANGUAGES).default('en'),
  SES_ENDPOINT: z.url().optional(),
});
/** Public keys that verify access tokens, as a JWKS; during a rotation, the old and the new key. */
export const publicKeyVariables = () => ({
  TOKEN_PUBLIC_KEYS: json(() => z.object({ keys: z.array(publicKey()).min(1) })),
});
/** The private key that signs access tokens, as a JWK; its `kid` is that of a public key. */
export const signingKeyVariables = () => ({ TOKEN_KEY: json(() => publicKey().extend({ d: z.string().min(1) })) });
/** Signs the states of OAuth authorization requests. */
export const stateVariables = () => ({ STATE_SECRET: z.string().min(32) });
export const GOOGLE_SHEETS = 'https://sheets.googleapis.com';
export const GOOGLE_DRIVE = 'https://www.googleapis.com';
/** The key file of the service account that writes spreadsheets, if there is one, and the API if it is not Google's. */
export const sheetsVariables = () => ({
  SHEETS_KEY: json(() =>
    z.object({
      client_email: z.email(),
      private_key: z.string().min(1),
      token_uri: z.url().default('https://oauth2.googleapis.com/token'),
    }),
  ).optional(),
  SHEETS_URL: z.url().optional(),
});
/** The settings of a provider, in the variable with its name. */
export const providerVariables = (name: ProviderName) => ({ [name]: json(ProviderSettings).optional() });

const PROVIDERS = ['LOGIN_PROVIDER_1', 'LOGIN_PROVIDER_2', 'PROVIDER_ONE', 'PROVIDER_TWO'] as const;

/** The variables with secrets of each need; a deployed function reads them from SSM parameters (`secrets.ts`). */
export const SECRETS_BY_NEED: Readonly<Partial<Record<Need, readonly string[]>>> = {
  'tokens:sign': ['TOKEN_KEY'],
  'states:sign': ['STATE_SECRET'],
  'providers:call': PROVIDERS,
  'sheets:call': ['SHEETS_KEY'],
};
export const SECRETS: ReadonlySet<string> = new Set(Object.values(SECRETS_BY_NEED).flat());

/** Lists the variables of every function and those of each need, for the deployment. */
export function variables(): Readonly<Record<Need | 'always', readonly string[]>> {
  return {
    // Every page names the origin of the bucket in its policy.
    always: [
      ...[generalVariables(), sessionVariables(), limitVariables()],
      ...[pageVariables(), publicKeyVariables(), bucketVariables(), { LOG: true }],
    ].flatMap(Object.keys),
    'table:read': [],
    'table:list': [],
    'table:write': [],
    'table:remove': [],
    'files:read': [],
    'files:write': [],
    'covers:read': [],
    'covers:write': [],
    'assets:read': [],
    'assets:write': [],
    'exports:read': [],
    'exports:write': [],
    'files:remove': [],
    'covers:remove': [],
    'exports:remove': [],
    'objects:remove': [],
    'tokens:sign': Object.keys(signingKeyVariables()),
    'states:sign': Object.keys(stateVariables()),
    'providers:call': PROVIDERS,
    'mail:send': Object.keys(mailVariables()),
    'sheets:call': Object.keys(sheetsVariables()),
  };
}

/** Returns the schemas of all variables by name, for the documentation. */
export const variableSchemas = (): Readonly<Record<string, z.ZodType>> => ({
  ...generalVariables(),
  ...sessionVariables(),
  ...limitVariables(),
  ...pageVariables(),
  ...publicKeyVariables(),
  ...bucketVariables(),
  ...signingKeyVariables(),
  ...stateVariables(),
  ...Object.assign({}, ...PROVIDERS.map(providerVariables)),
  ...mailVariables(),
  ...sheetsVariables(),
});
