/** The forms of a respondent stay cheap and complete however many public forms are not open yet. */
import { expect, test } from 'vitest';
import { formIdFrom } from '#core/db/keys.ts';
import type { Write } from '#core/db/table.ts';
import { newForm as settingsOfNewForm } from '#core/forms/edit.ts';
import { replaceForm } from '#core/forms/store.ts';
import { app } from '#core/http/app.ts';
import { readPages } from '#test/support/building.ts';
import { withTable } from '#test/support/faults.ts';
import { newForm } from '#test/support/fixtures.ts';
import { castAt, NOW } from '#test/support/responses.ts';

const cast = await castAt();
const FUTURE = 2_000;
/** One Query for the own responses, and at most ten pages of listings. */
const MAX_QUERIES = 11;

/** The listing of a published form that opens tomorrow, and closes before the forms that are open. */
function futureListing(orgId: string, userId: string, n: number): Write {
  const id = formIdFrom(app().uuid(), new Date(Date.parse(NOW) - n * 1_000));
  const times = { publishTime: '2026-05-02T12:00:00.000Z', deadline: '2026-05-03T12:00:00.000Z' };
  const input = { title: 'Tomorrow', visibility: 'PUBLIC' as const, allowEditResponse: true };
  const draft = { ...settingsOfNewForm(input, { id, orgId, userId, now: NOW }), ...times };
  const listing = replaceForm({ ...draft, status: 'PUBLISHED', version: 2 }, draft).at(-1);
  if (!listing || !('put' in listing)) throw new Error('a published public form has a listing');
  return listing;
}

test('2,000 published forms that open later neither empty a page nor cost more reads', async () => {
  const { alice, dave, slug, orgId } = cast;
  for (let written = 0; written < FUTURE; written += 100) {
    await app().table.write(Array.from({ length: 100 }, (_, n) => futureListing(orgId, alice.id, written + n)));
  }
  const titles = ['A', 'B', 'C'];
  const open: string[] = [];
  for (const title of titles) open.push((await newForm(alice, slug, [], { title })).formId);
  const reads = { queries: 0, items: 0 };
  const body = await withTable(
    ({ list: page, read }) => ({
      list: (request) => {
        reads.queries += 1;
        return page(request);
      },
      read: (keys) => {
        reads.items += keys.length;
        return read(keys);
      },
    }),
    async () => (await dave.client.forms.listMyForms({ query: { limit: 2 } })).body,
  );
  expect(body.map(({ id }) => id)).toEqual(open.slice(0, 2));
  expect(reads.queries).toBeLessThanOrEqual(MAX_QUERIES);
  expect(reads.items).toBeLessThanOrEqual(open.length);
  expect(await readPages(dave, '/api/forms/me?limit=2')).toEqual([open.slice(0, 2), open.slice(2)]);
});
