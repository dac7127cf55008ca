/** Opens the provider that the callback of a connection names (contract section 10). */
import type { Opener } from '#core/http/operation.ts';
import { problems } from '#core/http/problems.ts';
import { ConnectProvider } from '#core/questions/model.ts';

/** The provider of `{provider}`; 404 where it is not configured, as for one that there is not. */
export const connectProvider: Opener<{ provider: ConnectProvider }> = async ({ params, app }) => {
  const named = ConnectProvider().safeParse(params.provider);
  if (!named.success || !app.config.providers[named.data]) throw problems.notFound();
  return { thing: { provider: named.data }, roles: [] };
};
