/** Sends a browser to the page of an identity provider. */

import { LoginProvider } from '#core/accounts/model.ts';
import { provider } from '#core/accounts/open.ts';
import { auth } from '#core/api/auth.ts';
import { operation } from '#core/http/operation.ts';
import { startLogin } from '#core/identity/login.ts';

export const handler = operation(
  auth.startLogin,
  provider(LoginProvider, 'oauthProvider'),
  async ({ provider, query, app }) => ({
    body: undefined,
    ...(await startLogin(app, provider, query)),
  }),
);
