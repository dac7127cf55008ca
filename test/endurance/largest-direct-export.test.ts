/** The largest export that one request returns. */
import { expect, test } from 'vitest';
import { newForm, person } from '#test/support/fixtures.ts';
import { castAt, NOW, store, submissionOf } from '#test/support/responses.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = await castAt();

test('an export has up to 1,000 responses with all their respondents; one more becomes a job', async () => {
  const { alice, dave, slug } = cast;
  const form = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const respondents = [dave, await person('erin'), await person('frank')];
  const respondentOf = (n: number) => respondents[n % respondents.length] ?? dave;
  const responses = Array.from({ length: 1_001 }, (_, n) =>
    submissionOf(form, respondentOf(n).id, new Date(Date.parse(NOW) + n).toISOString()),
  );
  const download = () =>
    alice.client.exports.downloadTable({ params: { formId: form.formId }, body: { questionIds: form.questionIds } });
  await store(responses.slice(0, 1_000));
  const sheet = sheetOf(await open(fileOf(await download())));
  expect(valuesOf(sheet, 3).map(([id, , email]) => [id, email])).toEqual(
    responses.slice(0, 1_000).map(({ id }, n) => [id, respondentOf(n).email]),
  );
  await store(responses.slice(1_000));
  expect(await download()).toMatchObject({ status: 202, body: { state: 'QUEUED' } });
});
