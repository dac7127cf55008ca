/** What statistics say of forms with more drafts and responses than a request reads. */
import { expect, test } from 'vitest';
import { muteErrors } from '#test/support/console.ts';
import { newPoll, seedSubmissions } from '#test/support/counts.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { castAt, draftOf, store } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await castAt();
muteErrors();

test('the newest 100 drafts and, under a filter, the newest 1,000 responses are read, and the page says so', async () => {
  const { bob, dave, erin } = cast;
  const poll = await newPoll(cast);
  const { formId, questions } = poll;
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
  await store(Array.from({ length: 520 }, (_, index) => draftOf(poll, dave.id, at(index))));
  await seedSubmissions(poll, 1_200, erin.id);
  await deliverStream();
  const { body } = await bob.client.responses.getStatistics({ params: { formId } });
  expect(body).toMatchObject({ startedCount: 1_720, submittedCount: 1_200, countedDrafts: 100 });
  expect(body.sections.map(({ reachedCount, stoppedCount }) => [reachedCount, stoppedCount])).toEqual([[1_300, 100]]);
  expect(body.questions[0]?.choices?.map(({ count }) => count)).toEqual([400, 400, 400]);
  const { show } = pagesOf(bob);
  const path = `/review/${formId}/statistics`;
  expect(textOf(await show(path))).toContain('only the newest 100 are included');
  const [light] = questions;
  const filtered = textOf(await show(`${path}?f-${light?.id}=${light?.choiceIds[0]}`));
  // Every third of the newest 1,000 responses is red; the last one is blue.
  expect(filtered).toContain('of 333 responses that match among at most the newest 1,000. There are more.');
  expect(filtered).toContain('333 of 333 who were asked have answered.');
});
