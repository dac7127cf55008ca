/** A handler that calls every client of AWS once, whatever becomes of the calls. */
import { config } from '#core/aws/config.ts';
import { createApp } from '#core/http/app.ts';

export async function handler(): Promise<void> {
  const { table, bucket, mail } = createApp(config());
  const content = { subject: 'Subject', html: 'text', text: 'text' };
  await Promise.allSettled([
    table.read([{ pk: 'pk', sk: 'sk' }]),
    bucket.inspect('files/a', 16),
    mail.send({ id: 'a', to: 'dave@example.org', ...content }),
  ]);
}
