/** The changes of a published form through the API: what authors have made on the pages can be seen, published, discarded. */
import { describe, expect, test } from 'vitest';
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { app } from '#core/http/app.ts';
import { buildEditWrites, reloadEditedForm } from '#core/structure/changes.ts';
import { newKey, postWithKey } from '#test/support/building.ts';
import { type Built, expectProblem, newCast, newForm, question } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';
import { respond, sent, text } from '#test/support/responses.ts';
import { doc, p, text as richText } from '#test/support/rich-text.ts';

const cast = await newCast();

/** A published form whose question got another title. */
async function changed(): Promise<Built> {
  const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT', title: 'Which lake?' }]]);
  await fillIn(cast.bob, `/build/${form.formId}/q/${form.questionIds[0]}`, [['title', 'Which pond?']]);
  return form;
}
const readEtag = async ({ formId }: Built) =>
  (await cast.bob.client.forms.getChanges({ params: { formId } })).headers.get('etag') ?? '';
const readTitle = async ({ formId }: Built) =>
  (await cast.alice.client.sections.listSections({ params: { formId } })).body[0]?.section.questions?.[0]?.title;

test('shows the copy, what is different, and what keeps it from being published', async () => {
  const { formId } = await changed();
  const { body, headers } = await cast.bob.client.forms.getChanges({ params: { formId } });
  expect(body).toMatchObject({
    sections: [{ questions: [{ title: 'Which pond?' }] }],
    info: [],
    differences: [{ kind: 'questionChanged', title: 'Which pond?', isAnswered: false }],
    isOutdated: false,
  });
  expect(headers.get('etag')).toMatch(/^"\d+"$/);
});

test('publishes once, and nothing without changes', async () => {
  const form = await changed();
  const params = { formId: form.formId };
  for (const _times of [1, 2]) await cast.bob.client.forms.publishChanges({ params });
  expect(await readTitle(form)).toBe('Which pond?');
  expect((await expectProblem(cast.bob.client.forms.getChanges({ params }))).status).toBe(404);
});

test('discards', async () => {
  const form = await changed();
  const params = { formId: form.formId };
  for (const _times of [1, 2]) await cast.bob.client.forms.discardChanges({ params });
  expect(await readTitle(form)).toBe('Which lake?');
  expect((await expectProblem(cast.bob.client.forms.getChanges({ params }))).status).toBe(404);
});

test.each([
  'publishChanges',
  'discardChanges',
] as const)('%s is refused for changes that were discarded, when others were begun since', async (operation) => {
  const form = await changed();
  const params = { formId: form.formId };
  const headers = { 'if-match': await readEtag(form) };
  await cast.bob.client.forms.discardChanges({ params });
  await fillIn(cast.bob, `/build/${form.formId}/q/${form.questionIds[0]}`, [['title', 'Which sea?']]);
  expect((await expectProblem(cast.bob.client.forms[operation]({ params, headers }))).status).toBe(409);
  expect((await cast.bob.client.forms.getChanges({ params })).body.differences).toMatchObject([
    { title: 'Which sea?' },
  ]);
});

test('refuses a stale If-Match, and a live form that was changed meanwhile unless forced', async () => {
  const form = await changed();
  const params = { formId: form.formId };
  const headers = { 'if-match': '"2"' };
  expect((await expectProblem(cast.bob.client.forms.publishChanges({ params, headers }))).status).toBe(409);
  expect((await expectProblem(cast.bob.client.forms.discardChanges({ params, headers }))).status).toBe(409);
  const place = { sectionId: form.sectionIds[0] ?? '', questionId: form.questionIds[0] ?? '' };
  const body = question({ type: 'SHORT_TEXT', title: 'Which sea?', order: 1 });
  await cast.alice.client.questions.updateQuestion({ params: place, body });
  expect((await cast.bob.client.forms.getChanges({ params })).body.isOutdated).toBe(true);
  expect((await expectProblem(cast.bob.client.forms.publishChanges({ params }))).status).toBe(409);
  expect(await readTitle(form)).toBe('Which sea?');
  const seen = { 'if-match': await readEtag(form) };
  await cast.bob.client.forms.publishChanges({ params, body: { force: true }, headers: seen });
  expect(await readTitle(form)).toBe('Which pond?');
});

describe('what publishing would refuse is listed before', () => {
  test('another type of a question that has been answered, also on the page, which offers nothing to press', async () => {
    const kinds = [[{ type: 'SHORT_TEXT' as const, title: 'Which lake?' }]];
    const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, kinds, { publish: false });
    const params = { formId };
    await cast.bob.client.forms.publishForm({ params });
    const place = { sectionId: sectionIds[0] ?? '', questionId: questionIds[0] ?? '' };
    const { forms, questions } = cast.bob.client;
    const [first] = (await forms.listVersions({ params })).body;
    await questions.updateQuestion({
      params: place,
      body: question({ type: 'LONG_TEXT', title: 'Which lake?', order: 1 }),
    });
    await respond(cast.dave, formId, [sent(questionIds[0] ?? '', 'LONG_TEXT', 'Garda')]);
    await forms.restoreVersion({ params: { formId, version: String(first?.version) } });
    const { info } = (await forms.getChanges({ params })).body;
    const section = (await forms.getChanges({ params })).body.workflow.find(({ type }) => type === 'SECTION');
    const message = `Section "${section?.label}" has the question "Which lake?", which must stay LONG_TEXT: it has been answered.`;
    expect(info).toEqual([{ type: 'node_validation_failed', nodeId: section?.id, message }]);
    const refused = await expectProblem(forms.publishChanges({ params }));
    expect(refused.errors).toEqual([
      { pointer: `/questions/${questionIds[0]}/type`, detail: 'must stay LONG_TEXT: "Which lake?" has been answered' },
    ]);
    const page = await pagesOf(cast.bob).show(`/build/${formId}/changes`);
    expect(textOf(page)).toContain('“Which lake?” has been answered, so it must keep the type');
    expect(page).toContain(`href="/build/${formId}/q/${questionIds[0]}"`);
    expect(page).not.toContain('value="publish"');
  });

  test('a structure that becomes too large with what is kept of an answered question', async () => {
    const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT', title: 'Which lake?' }]]);
    const { formId, questionIds } = form;
    const params = { formId };
    await respond(cast.dave, formId, [text(questionIds[0] ?? '', 'Garda')]);
    const edited = await reloadEditedForm(app().table, formId);
    // Other questions in place of the answered one; a description has at most 64 KB.
    const replaced = (characters: number) => ({
      ...edited.live.structure,
      sections: edited.live.structure.sections.map((section) => ({
        ...section,
        questions: [60_000, 60_000, 60_000, 60_000, 60_000, characters].flatMap((length) =>
          section.questions.map((asked) => ({
            ...asked,
            id: app().uuid(),
            description: doc(p(richText('x'.repeat(length)))),
          })),
        ),
      })),
    });
    const largest = replaced(MAX_ENTITY_BYTES - entityBytes(replaced(1)) + 1);
    await app().table.write(buildEditWrites(app(), { edited, formId, editorId: cast.bob.id }, largest).writes);
    const { forms } = cast.bob.client;
    const [fault, ...others] = (await forms.getChanges({ params })).body.info;
    expect(fault).toMatchObject({ type: 'workflow_validation_failed' });
    expect(others).toEqual([]);
    const refused = await expectProblem(forms.publishChanges({ params }));
    expect(refused.status).toBe(413);
    const [, bytes] = /would have (\d+)/.exec(String(refused.detail)) ?? [];
    expect(fault?.message).toContain(`at most ${MAX_ENTITY_BYTES} bytes; with the changes it would have ${bytes}.`);
    expect(textOf(await pagesOf(cast.bob).show(`/build/${formId}/changes`))).toContain('too large to be stored');
  });
});

const rename = (form: Built, title: string) =>
  fillIn(cast.bob, `/build/${form.formId}/q/${form.questionIds[0]}`, [['title', title]]);

/** Each action, and what somebody else did to the changes before. */
const MEANWHILE = (['publishChanges', 'discardChanges'] as const).flatMap((action) =>
  (['publishChanges', 'discardChanges'] as const).map((before) => [action, before] as const),
);

test.each(MEANWHILE)('%s of changes that are gone by %s is refused with any If-Match', async (action, before) => {
  const form = await changed();
  const params = { formId: form.formId };
  const seen = await readEtag(form);
  await cast.alice.client.forms[before]({ params });
  for (const tag of [seen, '"999"', '*']) {
    const refused = cast.bob.client.forms[action]({ params, headers: { 'if-match': tag } });
    expect((await expectProblem(refused)).status).toBe(409);
  }
  expect(await readTitle(form)).toBe(before === 'publishChanges' ? 'Which pond?' : 'Which lake?');
});

const BUTTONS = { publishChanges: 'publish', discardChanges: 'discard' } as const;

describe.each([
  [
    'en',
    { publishChanges: ' has published the changes meanwhile', discardChanges: ' has discarded the changes meanwhile' },
  ],
  ['zh-TW', { publishChanges: '剛剛已發布這些變更', discardChanges: '剛剛已捨棄這些變更' }],
] as const)('the page in %s', (language, said) => {
  const press = async (form: Built, fields: [string, string][], button: string) =>
    pagesOf(cast.bob, { 'accept-language': language }).post(`/build/${form.formId}/changes`, [
      ...fields.filter(([name]) => name !== 'do'),
      ['do', button],
    ]);
  const show = async (form: Built) => fieldsOf(await pagesOf(cast.bob).show(`/build/${form.formId}/changes`));

  test.each(MEANWHILE)('says instead of %s that somebody did %s meanwhile', async (action, before) => {
    const form = await changed();
    const fields = await show(form);
    await cast.alice.client.forms[before]({ params: { formId: form.formId } });
    const refused = await press(form, fields, BUTTONS[action]);
    expect([refused.status, textOf(await refused.text())]).toEqual([409, expect.stringContaining(said[before])]);
    await rename(form, 'Which sea?');
    const again = await press(form, fields, BUTTONS[action]);
    expect([again.status, textOf(await again.text())]).toEqual([409, expect.stringContaining(said[before])]);
  });

  test.each(Object.entries(BUTTONS))('confirms the second press of %s', async (_action, button) => {
    const form = await changed();
    const fields = await show(form);
    const locations = [];
    for (const _press of [1, 2]) locations.push((await press(form, fields, button)).headers.get('location'));
    expect(locations).toEqual([expect.stringMatching(/done=changes/), locations[0]]);
  });
});

test('replays a publication with its key, and leaves what somebody has begun since', async () => {
  const form = await changed();
  const path = `/forms/${form.formId}/changes/publish`;
  const key = newKey();
  const first = await postWithKey(cast.alice, path, key, {});
  await rename(form, 'Which sea?');
  const second = await postWithKey(cast.alice, path, key, {});
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
  expect(await readTitle(form)).toBe('Which pond?');
});
