/** Reports that the service is available, and its version. */
import { anyone } from '#core/accounts/accounts.ts';
import { health } from '#core/api/health.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(health.getHealth, anyone, async ({ app }) => ({
  body: { status: 'ok' as const, version: app.config.version },
}));
