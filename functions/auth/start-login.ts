/** Sends a browser to the page of an identity provider. */

import { loginProvider, startLogin } from '#core/accounts/login.ts';
import { auth } from '#core/api/auth.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(auth.startLogin, loginProvider, async ({ provider, query, app }) => ({
  body: undefined,
  ...(await startLogin(app, provider, query)),
}));
