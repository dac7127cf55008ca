/** Changes of a form that an API client edits meanwhile: both edits stay, and authors decide where they meet. */
import { describe, expect, test } from 'vitest';
import { keys, olderKeys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { measureCost } from '#test/support/cost.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { type Built, newCast, newForm, question } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';

const cast = await newCast();

const published = (): Promise<Built> =>
  newForm(cast.alice, cast.slug, [
    [
      { type: 'SHORT_TEXT', title: 'Which lake?' },
      { type: 'SHORT_TEXT', title: 'How deep?' },
    ],
    [{ type: 'SHORT_TEXT', title: 'Why?' }],
  ]);
const rename = (form: Built, index: number, title: string) =>
  fillIn(cast.bob, `/build/${form.formId}/q/${form.questionIds[index]}`, [['title', title]]);
/** An edit of the live form by an API client. */
const renameLive = ({ sectionIds, questionIds }: Built, index: number, title: string) => {
  const params = { sectionId: sectionIds[index < 2 ? 0 : 1] ?? '', questionId: questionIds[index] ?? '' };
  const order = index < 2 ? index + 1 : 1;
  return cast.alice.client.questions.updateQuestion({ params, body: question({ type: 'SHORT_TEXT', title, order }) });
};
const changesPath = ({ formId }: Built): string => `/build/${formId}/changes`;
const show = (form: Built) => pagesOf(cast.bob).show(changesPath(form));
const press = (form: Built, action: string, choices: readonly (readonly [string, string])[] = []) =>
  fillIn(cast.bob, changesPath(form), choices, action);
const liveTitles = async ({ formId }: Built) =>
  (await cast.alice.client.sections.listSections({ params: { formId } })).body.flatMap(({ section }) =>
    (section.questions ?? []).map(({ title }) => title),
  );
const titles = async ({ formId }: Built) => textOf(await pagesOf(cast.bob).show(`/build/${formId}/questions`));
const choice = (form: Built, index: number) => `keep.QUESTION.${form.questionIds[index]}`;

test('edits of different questions are both published', async () => {
  const form = await published();
  await rename(form, 0, 'Which pond?');
  const banner = async () => textOf(await pagesOf(cast.bob).show(`/build/${form.formId}/questions`));
  expect(await banner()).not.toContain('Another client has edited');
  await renameLive(form, 1, 'How wide?');
  expect(await banner()).toContain('Another client has edited the published form');
  const shown = textOf(await show(form));
  expect(shown).toMatch(/What it did stays.*“Which pond\?”.*in the published form meanwhile.*“How wide\?”/);
  expect((await press(form, 'publish')).headers.get('location')).toContain('done=changesPublished');
  expect(await liveTitles(form)).toEqual(['Which pond?', 'How wide?', 'Why?']);
});

describe('the live form from which changes were begun', () => {
  /** The live versions whose structures are stored. */
  const keptOf = async ({ formId }: Built) => {
    const { items } = await app().table.list({ pk: keys.formGate(formId).pk, begins: 'VERSION#0', limit: 100 });
    return items.map(({ version }) => version);
  };

  test.each([
    ['publish', [2, 3]],
    ['mine', [2]],
    ['discard', []],
  ] as const)('is kept until they no longer need it: %s', async (action, kept) => {
    const form = await published();
    await rename(form, 0, 'Which pond?');
    expect(await keptOf(form)).toEqual([1]);
    await renameLive(form, action === 'mine' ? 0 : 1, 'How wide?');
    await press(form, action);
    expect(await keptOf(form)).toEqual(kept);
  });

  test('stays when it is a version in the list', async () => {
    const form = await published();
    await rename(form, 0, 'Which pond?');
    await press(form, 'publish');
    await rename(form, 0, 'Which sea?');
    await press(form, 'discard');
    expect(await keptOf(form)).toEqual([1, 2]);
    expect((await cast.alice.client.forms.listVersions({ params: form })).body.map(({ version }) => version)).toEqual([
      2, 1,
    ]);
  });

  test('is found where older code has kept it', async () => {
    const form = await published();
    await rename(form, 0, 'Which pond?');
    const [base] = await app().table.read([keys.formVersion(form.formId, 1)]);
    if (!base) throw new Error('there is no base');
    await app().table.write([
      { put: { ...base, ...olderKeys.formChangesBase(form.formId) } },
      { remove: keys.formVersion(form.formId, 1) },
    ]);
    await renameLive(form, 1, 'How wide?');
    await press(form, 'publish');
    expect(await liveTitles(form)).toEqual(['Which pond?', 'How wide?', 'Why?']);
  });
});

describe('edits of the same question', () => {
  const met = async () => {
    const form = await published();
    await rename(form, 0, 'Which pond?');
    await rename(form, 2, 'What for?');
    await renameLive(form, 0, 'Which sea?');
    await renameLive(form, 1, 'How wide?');
    return form;
  };

  test('are shown in both versions, and nothing is published before it is decided', async () => {
    const form = await met();
    const page = await show(form);
    expect(textOf(page)).toMatch(/1 place to decide Question “Which pond\?”.*Your edit Which pond\?.*Which sea\?/);
    expect(page).not.toContain('value="publish"');
    const open = await press(form, 'update');
    expect([open.status, textOf(await open.text())]).toEqual([400, expect.stringContaining('Choose which edit of')]);
    expect((await press(form, 'publish')).status).toBe(409);
    expect(await liveTitles(form)).toEqual(['Which sea?', 'How wide?', 'Why?']);
  });

  test.each([
    ['update', 'MINE', 'Which pond?'],
    ['update', 'THEIRS', 'Which sea?'],
    ['mine', undefined, 'Which pond?'],
    ['theirs', undefined, 'Which sea?'],
  ] as const)('are decided: %s %s', async (action, keep, title) => {
    const form = await met();
    const choices = keep ? ([[choice(form, 0), keep]] as const) : [];
    expect((await press(form, action, choices)).headers.get('location')).toContain('done=changesMerged');
    expect(await liveTitles(form)).toEqual(['Which sea?', 'How wide?', 'Why?']);
    expect(await titles(form)).toMatch(new RegExp(`${title.replace('?', '\\?')}.*How wide\\?.*What for\\?`));
    expect((await press(form, 'publish')).headers.get('location')).toContain('done=changesPublished');
    expect(await liveTitles(form)).toEqual([title, 'How wide?', 'What for?']);
  });

  test('are asked about again if the live form moves on, and a second press changes nothing', async () => {
    const form = await met();
    const decide = async () => {
      const fields: [string, string][] = [...fieldsOf(await show(form)), ['do', 'mine']];
      return () => pagesOf(cast.bob).post(changesPath(form), fields);
    };
    const first = await decide();
    await renameLive(form, 0, 'Which river?');
    const unseen = await first();
    expect([unseen.status, textOf(await unseen.text())]).toEqual([409, expect.stringContaining('Which river?')]);
    // An edit between the decision and its write is asked about afterwards.
    expect((await beforeFirstWrite(await decide(), () => renameLive(form, 0, 'Which ocean?'))).status).toBe(303);
    expect(textOf(await show(form))).toMatch(/1 place to decide.*Which ocean\?/);
    const last = await decide();
    for (const _times of [1, 2]) expect((await last()).headers.get('location')).toContain('done=changesMerged');
    await press(form, 'publish');
    expect(await liveTitles(form)).toEqual(['Which pond?', 'How wide?', 'What for?']);
  });

  test('through the API are listed, and decided with the publication', async () => {
    const form = await met();
    const params = { formId: form.formId };
    const { body } = await cast.bob.client.forms.getChanges({ params });
    const [first = ''] = form.questionIds;
    expect(body).toMatchObject({
      isOutdated: true,
      conflicts: [{ kind: 'QUESTION', id: first, title: 'Which pond?' }],
    });
    const decisions = [{ kind: 'QUESTION' as const, id: first, keep: 'THEIRS' as const }];
    const publish = (more: object) => cast.bob.client.forms.publishChanges({ params, body: { decisions, ...more } });
    await expect(cast.bob.client.forms.publishChanges({ params })).rejects.toMatchObject({
      status: 409,
      problem: { code: 'changes_conflict', errors: [{ pointer: `/changes/QUESTION/${first}` }] },
    });
    await expect(publish({ liveVersion: body.liveVersion - 1 })).rejects.toMatchObject({ status: 409 });
    await publish({ liveVersion: body.liveVersion });
    expect(await liveTitles(form)).toEqual(['Which sea?', 'How wide?', 'What for?']);
  });
});

test('a section deleted here and edited there can stay', async () => {
  const form = await published();
  await pagesOf(cast.bob).post(`/build/${form.formId}/s/${form.sectionIds[1]}/delete`);
  await renameLive(form, 2, 'What for?');
  expect(textOf(await show(form))).toMatch(/Section “[^”]*” Your edit Deleted .* Questions: What for\?/);
  await press(form, 'update', [[`keep.SECTION.${form.sectionIds[1]}`, 'THEIRS']]);
  await press(form, 'publish');
  expect(await liveTitles(form)).toEqual(['Which lake?', 'How deep?', 'What for?']);
});

test('faults that come of both together can be corrected in the changes', async () => {
  const form = await published();
  const list = `/build/${form.formId}/questions`;
  await fillIn(cast.bob, list, [], `section:${form.sectionIds[0]}`);
  const { body } = await cast.alice.client.workflow.getWorkflow({ params: form });
  const end = body.workflow.find(({ type }) => type === 'END')?.id ?? '';
  const first = body.workflow.find(({ id }) => id === form.sectionIds[0]);
  // The other client leads past the second section, which deletes nothing.
  const nodes = body.workflow.map((node) => (node.id === first?.id ? { ...node, next: end } : node));
  await cast.alice.client.workflow.updateWorkflow({ params: form, body: nodes });
  expect(textOf(await show(form))).toMatch(/What follows “[^”]*” Your edit Goes to “.* Goes to the end/);
  expect((await press(form, 'theirs')).status).toBe(303);
  expect(textOf(await show(form))).toContain('nothing leads to it');
});

test('shows with at most two round trips to storage, and decides with three', async () => {
  const form = await published();
  await rename(form, 0, 'Which pond?');
  await renameLive(form, 1, 'How wide?');
  const { cost, result } = await measureCost(() => show(form));
  expect(cost.roundTrips).toBeLessThanOrEqual(2);
  const fields = [...fieldsOf(result), ['do', 'publish']] as [string, string][];
  const saved = await measureCost(() => pagesOf(cast.bob).post(changesPath(form), fields));
  expect([saved.result.status, saved.cost.roundTrips <= 3]).toEqual([303, true]);
});
