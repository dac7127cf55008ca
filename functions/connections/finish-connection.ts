/** Stores the account of who comes back from a provider as an answer. */

import { provider } from '#core/accounts/open.ts';
import { connections } from '#core/api/connections.ts';
import { operation } from '#core/http/operation.ts';
import { finishConnection } from '#core/identity/connection.ts';
import { outcomePage } from '#core/identity/connection-page.ts';
import { withOutcome } from '#core/identity/redirects.ts';
import { ConnectProvider } from '#core/structure/question-model.ts';

export const handler = operation(
  connections.finishConnection,
  provider(ConnectProvider, 'provider'),
  async ({ provider, query, event, app }) => {
    const { target, outcome, cookies } = await finishConnection(app, provider, query, event);
    const told =
      target === undefined
        ? { other: true as const, page: outcomePage(outcome) }
        : { location: withOutcome(target, outcome) };
    return { body: undefined, cookies, ...told };
  },
);
