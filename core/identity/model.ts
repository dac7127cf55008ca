/** Sign-in and connected accounts: the names of identity providers, and the inputs of their operations. */
import * as z from 'zod';
import { Id, type Infer, schema } from '#core/schema/schema.ts';
import type { ConnectProvider } from '#core/structure/types/oauth-connect.ts';

/** The names of identity providers for sign-in; configuration decides which of them exist. */
export const LoginProvider = schema(() =>
  z.enum(['LOGIN_PROVIDER_1', 'LOGIN_PROVIDER_2']).meta({ id: 'LoginProvider' }),
);
export type LoginProvider = Infer<typeof LoginProvider>;

/** The names of all identity providers: for sign-in, and for accounts connected as answers. */
export type ProviderName = LoginProvider | ConnectProvider;

/** The paths below `/api` to which providers redirect the browser back. */
export const LOGIN_CALLBACK_PATH = '/auth/login/oauth/{oauthProvider}/callback';
export const CONNECT_CALLBACK_PATH = '/oauth/callback/{provider}';

export const InternalLogin = schema(() => z.object({ uid: Id() }).meta({ id: 'InternalLogin' }));

/** A redirect target; `redirects.ts` checks whether its origin is allowed. */
const Target = schema(() => z.string().min(1).max(2_048));

export const LoginQuery = schema(() =>
  z.object({
    c: Target().describe('Where the browser goes after the login: a URL of an allowed origin.'),
    r: Target().optional().describe('Passed to `c` as the query parameter `r`: a path, or a URL of an allowed origin.'),
    base: Target().optional().describe('The base URL of the callback; in development mode only, otherwise 400.'),
  }),
);
export type LoginQuery = Infer<typeof LoginQuery>;

export const ConnectQuery = schema(() =>
  z.object({
    r: Target()
      .optional()
      .describe(
        'Where the browser goes at the end: a path of this service, or a URL of an allowed origin. Without it a small page shows the outcome.',
      ),
  }),
);

/** The query with which a provider redirects the browser back. */
export const CallbackQuery = schema(() =>
  z.object({
    code: z.string().max(4_096).optional().describe('The authorization code.'),
    state: z.string().min(1).max(8_192).describe('The `state` of the authorization request.'),
    error: z.string().max(256).optional().describe('Why the provider refused.'),
  }),
);
export type CallbackQuery = Infer<typeof CallbackQuery>;
