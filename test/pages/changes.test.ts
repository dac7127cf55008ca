/** Changes of a published form: respondents see nothing of them before they are published, and nobody loses work. */
import { describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { reloadStructure } from '#core/structure/store.ts';
import { readEnds } from '#test/support/building.ts';
import { measureCost } from '#test/support/cost.ts';
import { choosing, newPoll, type Poll, seedSubmissions } from '#test/support/counts.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { type Built, newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, fillInSeen, pagesOf, textOf } from '#test/support/pages.ts';
import { draftOf, respond, save, sent, start, store, submit } from '#test/support/responses.ts';

const cast = await newCast();

const published = (): Promise<Built> =>
  newForm(cast.alice, cast.slug, [
    [
      { type: 'SHORT_TEXT', title: 'Which lake?' },
      { type: 'SINGLE_CHOICE', title: 'How deep?', choices: [{ name: 'Deep' }, { name: 'Flat' }] },
    ],
  ]);
const questionPage = ({ formId, questionIds }: Built, index = 0): string => `/build/${formId}/q/${questionIds[index]}`;
const rename = (form: Built, title: string) => fillIn(cast.bob, questionPage(form), [['title', title]]);
/** Replaces the choices of the second question, and confirms that some go. */
async function pasteChoices(form: Built, choices: string): Promise<void> {
  const path = `${questionPage(form, 1)}/choices`;
  const asked = await fillIn(cast.bob, path, [['choices', choices]]);
  expect(asked.status).toBe(409);
  await pagesOf(cast.bob).post(path, [...fieldsOf(await asked.text()), ['do', 'save']]);
}
const changesPath = ({ formId }: Built): string => `/build/${formId}/changes`;
const publish = (form: Built, action = 'publish') => fillIn(cast.bob, changesPath(form), [], action);
const liveTitles = async ({ formId }: Built) =>
  (await cast.alice.client.sections.listSections({ params: { formId } })).body.flatMap(({ section }) =>
    (section.questions ?? []).map(({ title }) => title),
  );
const words = async (form: Built, path = changesPath(form)) => textOf(await pagesOf(cast.bob).show(path));
const hasChanges = async ({ formId }: Built) => (await app().table.read([keys.formChanges(formId)]))[0] !== undefined;

test('another highlight is no edit: changes and the open page of their publication stay as they are', async () => {
  const form = await published();
  const { formId, questionIds } = form;
  const params = { formId };
  const readVersion = async () => (await reloadStructure(app().table, formId)).structure.version;
  await rename(form, 'Which pond?');
  const [version, open] = [await readVersion(), fieldsOf(await pagesOf(cast.bob).show(changesPath(form)))];
  await cast.alice.client.forms.setHighlight({ params, body: { questionId: questionIds[1] ?? '' } });
  await cast.alice.client.forms.updateHighlight({ params, body: { displayTitle: 'Depth' } });
  expect(await readVersion()).toBe(version);
  expect(await words(form)).not.toContain('Another client');
  const response = await pagesOf(cast.bob).post(changesPath(form), [...open, ['do', 'publish']]);
  expect(response.headers.get('location')).toContain('done=');
  expect(await liveTitles(form)).toEqual(['Which pond?', 'How deep?']);
  expect((await cast.bob.client.forms.getHighlight({ params })).body).toMatchObject({ displayTitle: 'Depth' });
});

test('an edit is seen by authors, and by respondents when it is published', async () => {
  const form = await published();
  const { formId, sectionIds } = form;
  expect(await words(form, `/build/${formId}/questions`)).toContain('takes effect when you publish the changes');
  expect((await rename(form, 'Which pond?')).headers.get('location')).toContain('done=saved');
  const added = await fillIn(cast.bob, `/build/${formId}/s/${sectionIds[0]}/new?type=LONG_TEXT`, [
    ['title', 'Why?'],
    ['required', 'on'],
  ]);
  expect(added.headers.get('location')).toContain('done=questionAdded');
  expect(await liveTitles(form)).toEqual(['Which lake?', 'How deep?']);
  expect(await words(form, `/build/${formId}`)).toContain('changes that are not published yet');
  const list = await words(form, `/build/${formId}/questions`);
  expect(list).toMatch(/changes that are not published yet.*Which pond\?.*How deep\?.*Why\?/);
  const responseId = await start(cast.dave, formId);
  expect(await words(form)).toMatch(
    /Question changed: “Which pond\?”.*now required: “Why\?”.*1 response is being filled in/,
  );
  expect((await publish(form)).headers.get('location')).toContain('done=changesPublished');
  expect(await liveTitles(form)).toEqual(['Which pond?', 'How deep?', 'Why?']);
  expect(await hasChanges(form)).toBe(false);
  // Pressed twice, there is nothing left to publish.
  const again = await pagesOf(cast.bob).post(changesPath(form), [
    ['do', 'publish'],
    ['revision', '2'],
  ]);
  expect(again.headers.get('location')).toContain('done=changesPublished');
  // The draft that was open continues, and is asked what is new.
  const [, , why = ''] = (await cast.alice.client.sections.listSections({ params: { formId } })).body.flatMap(
    ({ section }) => (section.questions ?? []).map(({ id }) => id),
  );
  await save(cast.dave, responseId, [sent(why, 'LONG_TEXT', 'Because')]);
  expect((await submit(cast.dave, responseId)).body.progress).toBe('SUBMITTED');
});

test('what is different within a question is said', async () => {
  const form = await newForm(cast.alice, cast.slug, [
    [
      { type: 'SHORT_TEXT', title: 'Which lake?', required: true },
      { type: 'SINGLE_CHOICE', title: 'How deep?', choices: [{ name: 'Deep' }, { name: 'Flat' }, { name: 'Dry' }] },
    ],
  ]);
  const shown = fieldsOf(await pagesOf(cast.bob).show(questionPage(form)));
  await pagesOf(cast.bob).post(questionPage(form), [
    ...shown.filter(([name]) => !['title', 'description', 'required'].includes(name)),
    ['title', 'Which <pond>?'],
    ['description', 'Near you'],
    ['do', 'save'],
  ]);
  await pasteChoices(form, 'Deep\nWet');
  const said = await words(form);
  for (const part of [
    /“Which lake\?” is now called “Which &lt;pond&gt;\?”\./,
    /The explanation is different\./,
    /An answer is no longer required\./,
    /Choices removed: “How deep\?”/,
    /Choices removed: “How deep\?” Removed choice: Flat Removed choice: Dry New choice: Wet/,
  ]) {
    expect(said).toMatch(part);
  }
  expect(said).not.toMatch(/Other options|another order|Question changed: “How deep/);
});

test('another section that comes first is said', async () => {
  const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }], []]);
  const { start } = await readEnds(cast.alice, formId);
  const params = { formId, sectionId: sectionIds[0] ?? '' };
  await cast.alice.client.sections.updateSection({ params, body: { title: 'First' } });
  await fillIn(cast.bob, `/build/${formId}/c/${start}`, [['otherwise', sectionIds[1] ?? '']]);
  const said = textOf(await pagesOf(cast.bob).show(`/build/${formId}/changes`));
  expect(said).toContain('Another section can come first');
  expect(said).toMatch(/may also notice:.*Section that may no longer be asked: “First”/);
  expect(said).not.toContain('Nothing is different');
  const { differences } = (await cast.bob.client.forms.getChanges({ params: { formId } })).body;
  expect(differences).toMatchObject([
    { kind: 'startChanged', nodeId: start },
    { kind: 'mayBeSkipped', nodeId: sectionIds[0] },
  ]);
});

describe('what would be lost', () => {
  const poll = () => newPoll(cast);
  const deleteFirst = (form: Poll) => pagesOf(cast.bob).post(`${questionPage(form)}/delete`);

  test('is counted, in drafts too', async () => {
    const form = await poll();
    await respond(cast.dave, form.formId, [choosing(form, 0, [0]), choosing(form, 1, [0, 1])]);
    await start(cast.erin, form.formId, [choosing(form, 1, [0])]);
    await deleteFirst(form);
    await pasteChoices(form, 'green\nblue');
    const said = await words(form);
    expect(said).toMatch(/Choices removed: “Dark\?” 2 answers/);
    expect(said).toMatch(/Removed choice: red selected in 2 answers/);
    expect(said).toMatch(/Question removed: “Light\?” 1 answer /);
    expect(said).toContain('1 response is being filled in');
  });

  test('of more than 200 responses is not read: the page says how many there are', async () => {
    const form = await poll();
    await start(cast.dave, form.formId, [choosing(form, 0, [0])]);
    await seedSubmissions(form, 201, cast.erin.id);
    await deleteFirst(form);
    const { cost, result } = await measureCost(() => words(form));
    expect(result).toMatch(/Question removed: “Light\?” has answers/);
    expect(result).toMatch(/1 response is being filled in.*More than 200 responses were submitted/);
    expect([cost.roundTrips <= 2, cost.capacityUnits <= 40]).toEqual([true, true]);
  });

  test('more than 200 drafts are said to be more', async () => {
    const form = await poll();
    const at = (index: number) => new Date(Date.now() + index).toISOString();
    await store(Array.from({ length: 201 }, (_, index) => draftOf(form, cast.erin.id, at(index))));
    await rename(form, 'Bright?');
    expect(await words(form)).toContain('More than 200 responses are being filled in');
  });
});

test('a respondent submits while changes are made', async () => {
  const form = await published();
  const responseId = await start(cast.dave, form.formId);
  await fillIn(cast.bob, questionPage(form, 1), [['required', 'on']]);
  expect((await submit(cast.dave, responseId)).body.progress).toBe('SUBMITTED');
});

test('discarded, the form is as it was', async () => {
  const form = await published();
  await rename(form, 'Which pond?');
  expect((await publish(form, 'discard')).headers.get('location')).toContain('done=changesDiscarded');
  expect(await words(form, `/build/${form.formId}/questions`)).toContain('Which lake?');
  expect(await words(form)).toContain('Nothing is different');
});

describe('changes in which nothing differs any more', () => {
  const undone = async () => {
    const form = await published();
    await pagesOf(cast.bob).post(`${questionPage(form)}/delete`);
    const [, undo = ''] =
      /name="undo" value="([^"]+)"/.exec(await pagesOf(cast.bob).show(`/build/${form.formId}`)) ?? [];
    expect(await words(form, `/build/${form.formId}`)).toMatch(
      /Publish changes · 1.*changes that are not published yet/,
    );
    await pagesOf(cast.bob).post(`/build/${form.formId}/undo`, [['undo', undo]]);
    expect(await hasChanges(form)).toBe(true);
    return form;
  };

  test.each(['', '/questions', '/rules', '/questions/order', '/settings'])('are not mentioned: %s', async (path) => {
    const form = await undone();
    expect(await words(form, `/build/${form.formId}${path}`)).not.toMatch(/Publish changes|not published yet/);
  });

  test.each([
    ['en', 'there is nothing to publish', 'Close the changes'],
    ['zh-TW', '沒有需要發布的內容', '關閉變更'],
  ])('can only be closed: %s', async (language, said, close) => {
    const form = await undone();
    const html = await pagesOf(cast.bob, { 'accept-language': language }).show(changesPath(form));
    expect(textOf(html)).toContain(said);
    expect(textOf(html)).toContain(close);
    expect([...html.matchAll(/name="do" value="(\w+)"/g)].map(([, action]) => action)).toEqual(['discard']);
    const closed = await pagesOf(cast.bob).post(changesPath(form), [...fieldsOf(html), ['do', 'discard']]);
    expect(closed.status).toBe(303);
    expect(await hasChanges(form)).toBe(false);
  });

  test('are not closed when somebody has edited them meanwhile', async () => {
    const form = await undone();
    const seen = fieldsOf(await pagesOf(cast.bob).show(changesPath(form)));
    await rename(form, 'Which pond?');
    const refused = await pagesOf(cast.bob).post(changesPath(form), [...seen, ['do', 'discard']]);
    expect([refused.status, await hasChanges(form)]).toEqual([409, true]);
    expect(await words(form)).toContain('Question changed: “Which pond?”');
  });
});

describe('two authors', () => {
  test('edit the same changes without losing an edit', async () => {
    const form = await published();
    await rename(form, 'Which pond?');
    const fields = fieldsOf(await pagesOf(cast.bob).show(questionPage(form, 1))).filter(([name]) => name !== 'title');
    const mine = () => pagesOf(cast.bob).post(questionPage(form, 1), [...fields, ['title', 'How wide?']]);
    const response = await beforeFirstWrite(mine, () => rename(form, 'Which sea?'));
    expect(response.status).toBe(303);
    expect(await words(form, `/build/${form.formId}/questions`)).toMatch(/Which sea\?.*How wide\?/);
  });

  test('begin changes at the same time', async () => {
    const form = await published();
    const fields = fieldsOf(await pagesOf(cast.bob).show(questionPage(form, 1))).filter(([name]) => name !== 'title');
    const mine = () => pagesOf(cast.bob).post(questionPage(form, 1), [...fields, ['title', 'How wide?']]);
    expect((await beforeFirstWrite(mine, () => rename(form, 'Which sea?'))).status).toBe(303);
    expect(await words(form)).toMatch(/“Which sea\?”.*“How wide\?”/);
  });

  test.each(['publish', 'discard'])('one does not %s what the other one has edited unseen', async (action) => {
    const form = await published();
    await rename(form, 'Which pond?');
    const fields = fieldsOf(await pagesOf(cast.bob).show(changesPath(form)));
    const press = () => pagesOf(cast.bob).post(changesPath(form), [...fields, ['do', action]]);
    const response = await beforeFirstWrite(press, () => rename(form, 'Which sea?'));
    expect([response.status, textOf(await response.text())]).toEqual([
      409,
      expect.stringMatching(/edited the changes.*Which sea/),
    ]);
    expect(await liveTitles(form)).toEqual(['Which lake?', 'How deep?']);
    expect(await hasChanges(form)).toBe(true);
  });

  test.each([
    'publish',
    'discard',
  ])('one does not %s what was begun after the changes that he has seen', async (action) => {
    const form = await published();
    await rename(form, 'Which pond?');
    const fields = fieldsOf(await pagesOf(cast.bob).show(changesPath(form)));
    await publish(form, 'discard');
    await rename(form, 'Which sea?');
    const response = await pagesOf(cast.bob).post(changesPath(form), [...fields, ['do', action]]);
    expect([response.status, textOf(await response.text())]).toEqual([409, expect.stringContaining('Which sea?')]);
    expect([await liveTitles(form), await hasChanges(form)]).toEqual([['Which lake?', 'How deep?'], true]);
  });
});

test('a question that was answered meanwhile keeps its column when it goes, and its type when it stays', async () => {
  const form = await published();
  const { formId, questionIds } = form;
  const [first = '', second = ''] = questionIds;
  await pagesOf(cast.bob).post(`${questionPage(form)}/delete`);
  await fillInSeen(cast.bob, questionPage(form, 1), [['type', 'LONG_TEXT']]);
  const choices = (await cast.alice.client.sections.listSections({ params: { formId } })).body[0]?.section
    .questions?.[1]?.choices;
  await respond(cast.dave, formId, [
    sent(first, 'SHORT_TEXT', 'Loch Ness'),
    sent(second, 'SINGLE_CHOICE', [choices?.[0]?.id ?? '']),
  ]);
  const refused = await publish(form);
  expect([refused.status, textOf(await refused.text())]).toEqual([409, expect.stringContaining('answered meanwhile')]);
  await fillIn(cast.bob, questionPage(form, 1), [
    ['type', 'SINGLE_CHOICE'],
    ...(choices ?? []).flatMap(({ id, name }): [string, string][] => [
      ['choice.name', name],
      ['choice.id', id],
    ]),
  ]);
  expect((await publish(form)).status).toBe(303);
  const { body } = await cast.alice.client.exports.previewTable({
    params: { formId },
    body: { questionIds: [first, second] },
  });
  expect(JSON.stringify(body)).toContain('Loch Ness');
});

test('faults of the path are said, and prevent publishing', async () => {
  const form = await published();
  const { formId, sectionIds } = form;
  const rules = `/build/${formId}/s/${sectionIds[0]}/rules`;
  await pagesOf(cast.bob).post(`/build/${formId}/s/${sectionIds[0]}/delete`);
  expect((await pagesOf(cast.bob).get(rules)).status).toBe(404);
  expect(await words(form)).toContain('Section removed');
  const list = `/build/${formId}/questions`;
  const startId = /value="section:([^"]+)"/.exec(await pagesOf(cast.bob).show(list))?.[1];
  const added = await fillIn(cast.bob, list, [], `section:${startId}`);
  const [, sectionId = ''] = /\/s\/([^?]+)/.exec(added.headers.get('location') ?? '') ?? [];
  await fillIn(cast.bob, `/build/${formId}/s/${sectionId}/new?type=DROPDOWN`, [
    ['title', 'Which one?'],
    ['choice.name', 'a'],
  ]);
  expect((await publish(form)).headers.get('location')).toContain('done=changesPublished');
  expect(await liveTitles(form)).toEqual(['Which one?']);
});

test('only members see changes, and no page waits more than three times for storage', async () => {
  const form = await published();
  await rename(form, 'Which pond?');
  expect((await pagesOf(cast.chelsea).get(changesPath(form))).status).toBe(403);
  expect((await pagesOf(cast.chelsea).post(changesPath(form))).status).toBe(403);
  const { cost } = await measureCost(() => pagesOf(cast.bob).show(changesPath(form)));
  expect(cost.roundTrips).toBeLessThanOrEqual(2);
  const page = questionPage(form);
  const fields = fieldsOf(await pagesOf(cast.bob).show(page)).filter(([name]) => name !== 'title');
  const saved = await measureCost(() => pagesOf(cast.bob).post(page, [...fields, ['title', 'Which sea?']]));
  expect([saved.result.status, saved.cost.roundTrips <= 3]).toEqual([303, true]);
});
