/** Signs in the browser that comes back from an identity provider. */

import { finishLogin, loginProvider } from '#core/accounts/login.ts';
import { auth } from '#core/api/auth.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(auth.finishLogin, loginProvider, async ({ provider, query, event, app }) => ({
  body: undefined,
  ...(await finishLogin(app, provider, query, event)),
}));
