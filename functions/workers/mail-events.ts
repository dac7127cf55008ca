/** Records what SES reports about mails. */
import { workers } from '#core/api/workers.ts';
import { recordMailEvent } from '#core/delivery/mail/events.ts';
import { worker } from '#core/http/worker.ts';

export const handler = worker(workers.mailEvents, async (app, event: unknown) => ({
  recorded: (await recordMailEvent(app, event)) ? 1 : 0,
}));
