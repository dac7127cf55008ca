/** Earlier answers on the pages of a response; the API and what is stored have the texts as they were written. */
import { expect, test } from 'vitest';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { start, submit, text } from '#test/support/responses.ts';

const cast = await newCast();
const HOSTILE = '<b>{{who}}</b> https://evil.example/';

test('titles, the closing message and its links', async () => {
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [
    [{ type: 'SHORT_TEXT', title: 'Name', name: 'who' }],
    [{ type: 'SHORT_TEXT', title: 'How are you, {{who}}?' }],
  ]);
  const message = 'Thank you, {{WHO}}. More: https://example.org/?q={{who}} {{nobody}}';
  await cast.alice.client.forms.updateForm({ params: { formId }, body: { messageAfterSubmission: message } });
  const responseId = await start(cast.dave, formId, [text(questionIds[0] ?? '', HOSTILE)]);
  const pages = pagesOf(cast.dave);
  const escaped = '&lt;b&gt;{{who}}&lt;/b&gt; https://evil.example/';
  expect(await pages.show(`/r/${responseId}/s/${sectionIds[1]}`)).toContain(`How are you, ${escaped}?`);
  expect(await pages.show(`/r/${responseId}/check`)).toContain(`How are you, ${escaped}?`);
  await submit(cast.dave, responseId);
  const done = await pages.show(`/r/${responseId}/done`);
  expect(textOf(done)).toContain('Thank you, &lt;b&gt;{{who}}&lt;/b&gt; https://evil.example/. More:');
  expect(done).not.toContain('href="https://evil.example/');
  expect(done).toContain('href="https://example.org/?q={{who}}"');
  expect(done).toContain('{{nobody}}');
  const listed = (await cast.dave.client.sections.listSections({ params: { formId } })).body;
  expect(listed[1]?.questions?.[0]?.title).toBe('How are you, {{who}}?');
  const table = await cast.alice.client.exports.previewTable({ params: { formId }, body: { questionIds } });
  expect(JSON.stringify(table.body)).not.toContain('How are you, <b>');
});
