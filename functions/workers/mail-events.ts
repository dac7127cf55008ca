/** Records what SES reports about mails. */
import { workers } from '#core/api/workers.ts';
import { worker } from '#core/http/worker.ts';
import { recordMailEvent } from '#core/mail/events.ts';

export const handler = worker(workers.mailEvents, async (app, event: unknown) => ({
  recorded: (await recordMailEvent(app, event)) ? 1 : 0,
}));
