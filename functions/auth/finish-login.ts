/** Signs in the browser that comes back from an identity provider. */

import { LoginProvider } from '#core/accounts/model.ts';
import { provider } from '#core/accounts/open.ts';
import { auth } from '#core/api/auth.ts';
import { operation } from '#core/http/operation.ts';
import { finishLogin } from '#core/identity/login.ts';

export const handler = operation(
  auth.finishLogin,
  provider(LoginProvider, 'oauthProvider'),
  async ({ provider, query, event, app }) => ({
    body: undefined,
    ...(await finishLogin(app, provider, query, event)),
  }),
);
