/** Stores the account that a provider confirmed as the answer to a question. */
import { connections } from '#core/api/connections.ts';
import { operation } from '#core/http/operation.ts';
import { finishConnection, renderOutcomePage } from '#core/identity/connection.ts';
import { openProvider } from '#core/identity/login.ts';
import { withOutcome } from '#core/identity/redirects.ts';
import { ConnectProvider } from '#core/structure/types/oauth-connect.ts';

export const handler = operation(
  connections.finishConnection,
  openProvider(ConnectProvider, 'provider'),
  async ({ app, provider, query, rawQuery, readCookie }) => {
    const { target, outcome, cookies } = await finishConnection(app, provider, { query, rawQuery, readCookie });
    return target === undefined
      ? { body: undefined, cookies, isAlternative: true, page: renderOutcomePage(outcome) }
      : { body: undefined, cookies, location: withOutcome(target, outcome) };
  },
);
