/** Signs in the browser that an identity provider redirected back. */
import { auth } from '#core/api/auth.ts';
import { operation } from '#core/http/operation.ts';
import { finishLogin, openProvider } from '#core/identity/login.ts';
import { LoginProvider } from '#core/identity/model.ts';

export const handler = operation(
  auth.finishLogin,
  openProvider(LoginProvider, 'oauthProvider'),
  async ({ app, provider, query, rawQuery, readCookie }) => ({
    body: undefined,
    ...(await finishLogin(app, provider, { query, rawQuery, readCookie })),
  }),
);
