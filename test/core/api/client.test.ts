/** How the typed client reads responses. */
import { expect, test } from 'vitest';
import { createClient } from '#core/api/client.ts';

test('an empty body that a gateway gives a JSON content type is no body', async () => {
  const headers = { 'content-type': 'application/json', location: 'https://files.example.org/a' };
  const client = createClient({ baseUrl: '', fetch: async () => new Response('', { status: 302, headers }) });
  const result = await client.files.downloadFile({ params: { fileId: 'a' } });
  expect([result.status, result.body, result.headers.get('location')]).toEqual([302, undefined, headers.location]);
});
