/** Redirects a browser to an identity provider. */
import { auth } from '#core/api/auth.ts';
import { operation } from '#core/http/operation.ts';
import { openProvider, startLogin } from '#core/identity/login.ts';
import { LoginProvider } from '#core/identity/model.ts';

export const handler = operation(
  auth.startLogin,
  openProvider(LoginProvider, 'oauthProvider'),
  async ({ app, provider, query }) => ({ body: undefined, ...(await startLogin(app, provider, query)) }),
);
