/** Versions of a form: what is kept, what an earlier number shows, and what a restored version does to answers. */
import { describe, expect, test } from 'vitest';
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { reloadStructure } from '#core/structure/store.ts';
import { addVersions, type KeptVersion, keepVersions, readVersions } from '#core/structure/versions.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { type Built, expectProblem, newCast, newForm, question } from '#test/support/fixtures.ts';
import { fillIn, pagesOf } from '#test/support/pages.ts';
import { respond, sent } from '#test/support/responses.ts';
import { question as anyQuestion, form as formOf, section } from '#test/support/workflow.ts';

const cast = await newCast();

const draft = (): Promise<Built> =>
  newForm(
    cast.alice,
    cast.slug,
    [[{ type: 'SHORT_TEXT', title: 'Which lake?' }], [{ type: 'SHORT_TEXT', title: 'Why?' }]],
    { publish: false },
  );
async function published(): Promise<Built> {
  const form = await draft();
  await cast.alice.client.forms.publishForm({ params: form });
  return form;
}
const list = async ({ formId }: Built) => (await cast.bob.client.forms.listVersions({ params: { formId } })).body;
const get = async ({ formId }: Built, version: number) =>
  (await cast.bob.client.forms.getVersion({ params: { formId, version: String(version) } })).body;
const restore = ({ formId }: Built, version: number, force = false) =>
  cast.bob.client.forms.restoreVersion({ params: { formId, version: String(version) }, body: { force } });
const publishChanges = ({ formId }: Built) => cast.bob.client.forms.publishChanges({ params: { formId } });
const rename = (form: Built, title: string) =>
  fillIn(cast.bob, `/build/${form.formId}/q/${form.questionIds[0]}`, [['title', title]]);
const renameLive = ({ sectionIds, questionIds }: Built, title: string) => {
  const params = { sectionId: sectionIds[0] ?? '', questionId: questionIds[0] ?? '' };
  return cast.alice.client.questions.updateQuestion({
    params,
    body: question({ type: 'SHORT_TEXT', title, order: 1 }),
  });
};
const stored = async ({ formId }: Built) => (await reloadStructure(app().table, formId)).structure;
const titles = (sections: readonly { questions: readonly { title: string }[] | null }[]) =>
  sections.flatMap(({ questions }) => (questions ?? []).map(({ title }) => title));
const liveTitles = async (form: Built) => titles((await stored(form)).sections);

describe('a version is kept', () => {
  test('at the first publication, with who published it', async () => {
    const form = await published();
    const { version } = await stored(form);
    expect(await list(form)).toMatchObject([
      { version, kind: 'PUBLISHED', publishedBy: { id: cast.alice.id }, differences: [], moreDifferences: 0 },
    ]);
    expect(titles((await get(form, version)).sections)).toEqual(['Which lake?', 'Why?']);
  });

  test('at each publication of changes, once, with what changed', async () => {
    const form = await published();
    await rename(form, 'Which pond?');
    for (const _times of [1, 2]) await publishChanges(form);
    const { version } = await stored(form);
    expect(await list(form)).toMatchObject([
      {
        version,
        kind: 'PUBLISHED',
        publishedBy: { id: cast.bob.id },
        differences: [{ kind: 'questionChanged', title: 'Which pond?' }],
      },
      { kind: 'PUBLISHED', differences: [] },
    ]);
  });

  test('of what API clients edited, when changes are published over it', async () => {
    const form = await published();
    await rename(form, 'Which pond?');
    await renameLive(form, 'Which sea?');
    const { version } = await stored(form);
    await cast.bob.client.forms.publishChanges({ params: { formId: form.formId }, body: { force: true } });
    const versions = await list(form);
    expect(versions.map(({ kind }) => kind)).toEqual(['PUBLISHED', 'REPLACED', 'PUBLISHED']);
    expect(versions[1]).toMatchObject({ version, differences: [{ kind: 'questionChanged', title: 'Which sea?' }] });
    expect(titles((await get(form, version)).sections)).toEqual(['Which sea?', 'Why?']);
    expect(await liveTitles(form)).toEqual(['Which pond?', 'Why?']);
  });

  test('not twice, when a form is archived and published again', async () => {
    const form = await published();
    const params = { formId: form.formId };
    await cast.alice.client.forms.archiveForm({ params });
    await cast.alice.client.forms.unarchiveForm({ params });
    await cast.bob.client.forms.publishForm({ params });
    expect(await list(form)).toHaveLength(1);
  });

  test('of two publications at once by one only', async () => {
    const form = await published();
    await rename(form, 'Which pond?');
    await beforeFirstWrite(
      () => publishChanges(form),
      () => publishChanges(form),
    );
    expect((await list(form)).map(({ kind }) => kind)).toEqual(['PUBLISHED', 'PUBLISHED']);
  });
});

describe('the last 100', () => {
  const entry = (version: number): KeptVersion => ({
    version,
    kind: 'PUBLISHED',
    at: '2026-05-01T12:00:00.000Z',
    by: cast.alice.id,
    differences: [],
    moreDifferences: 0,
  });

  test('are kept: the next one removes the oldest with its structure', async () => {
    const form = await draft();
    const { formId } = form;
    const version = 200;
    await app().table.write([
      { update: keys.formStructure(formId), set: { version } },
      { update: keys.formGate(formId), set: { structureVersion: version } },
    ]);
    const entries = Array.from({ length: 100 }, (_, index) => entry(version - 1 - index));
    const oldest = { ...keys.formVersion(formId, version - 100), data: '{}', version: 1 };
    const data = JSON.stringify({ entries, archived: [] });
    const item = { ...keys.formVersions(formId), data, schema: 1, version: 1 };
    await app().table.write([{ put: item }, { put: oldest }]);
    await cast.bob.client.forms.publishForm({ params: { formId } });
    const versions = await list(form);
    expect([versions.length, versions[0]?.version, versions.at(-1)?.version]).toEqual([100, version, version - 99]);
    expect((await app().table.read([oldest]))[0]).toBeUndefined();
  });

  test('fit into one item, however much changes at once', async () => {
    const long = '題'.repeat(500);
    const names = Array.from({ length: 90 }, (_, index) => `q${index}`);
    const live = formOf('a', [section('a', 'end', [])]);
    const next = {
      ...formOf('a', [
        section(
          'a',
          'end',
          names.map((name) => anyQuestion(name, 'SHORT_TEXT', { title: long })),
        ),
      ]),
      version: 2,
    };
    const none = await readVersions(app().table, live.formId);
    const writes = await keepVersions(app().table, none, live, { as: 'REPLACED', next, by: cast.alice.id, at: '' });
    const [newest] = writes.flatMap((write) =>
      'put' in write && write.put.sk === 'VERSIONS' ? JSON.parse(String(write.put.data)).entries : [],
    );
    expect(newest).toMatchObject({ version: 2, moreDifferences: 80 });
    expect(newest.differences).toHaveLength(10);
    const all = addVersions([], Array<KeptVersion>(150).fill(newest)).entries;
    expect(all).toHaveLength(100);
    const { differences, moreDifferences } = newest;
    const who = { version: 1_700_000_000_000, kind: 'RESTORED_OVER', by: cast.alice.id, at: new Date(0).toISOString() };
    const archived = Array(10).fill({ ...who, differences, moreDifferences, expiresAt: 4_000_000_000 });
    expect(entityBytes({ entries: all, archived })).toBeLessThan(MAX_ENTITY_BYTES);
  });
});

test('a number without a version shows the nearest earlier one and says so', async () => {
  const form = await draft();
  await renameLive(form, 'Which pond?');
  await cast.alice.client.forms.publishForm({ params: form });
  const { version } = await stored(form);
  await renameLive(form, 'Which sea?');
  await renameLive(form, 'Which river?');
  expect(await get(form, version)).toMatchObject({ version, isExact: true, isLive: false });
  expect(await get(form, version + 1)).toMatchObject({ version, isExact: false, isLive: false });
  expect(await get(form, version + 2)).toMatchObject({ version: version + 2, isExact: true, isLive: true });
  for (const missing of [version + 3, version - 1]) {
    expect((await expectProblem(get(form, missing))).status).toBe(404);
  }
  expect((await expectProblem(get(form, 0))).status).toBe(400);
});

describe('restoring', () => {
  test('a published form makes changes, which bring a removed question back with its answers', async () => {
    const form = await published();
    const { formId, questionIds } = form;
    const [lake = '', why = ''] = questionIds;
    const { version } = await stored(form);
    const answers = [sent(lake, 'SHORT_TEXT', 'Loch Ness'), sent(why, 'SHORT_TEXT', 'Deep')];
    await respond(cast.dave, formId, answers);
    await pagesOf(cast.bob).post(`/build/${formId}/q/${why}/delete`);
    await publishChanges(form);
    expect((await stored(form)).removed).toMatchObject([{ id: why }]);
    const restored = await restore(form, version);
    expect(titles(restored.body.sections)).toEqual(['Which lake?', 'Why?']);
    expect(await liveTitles(form)).toEqual(['Which lake?']);
    // The second request finds what the first one has made.
    expect((await restore(form, version)).headers.get('etag')).toBe(restored.headers.get('etag'));
    await publishChanges(form);
    expect((await stored(form)).removed).toEqual([]);
    await respond(cast.erin, formId, answers);
    const { body } = await cast.alice.client.exports.previewTable({
      params: { formId },
      body: { questionIds: [lake, why] },
    });
    expect(body.headers.map(({ title }) => title)).toEqual(['Which lake?', 'Why?']);
    expect(JSON.stringify(body.rows).match(/Deep/g)?.length).toBeGreaterThanOrEqual(2);
  });

  test('counts an answer where the question was when it was answered', async () => {
    const form = await published();
    const { formId, sectionIds, questionIds } = form;
    const [first = '', second = ''] = sectionIds;
    const [, why = ''] = questionIds;
    const { version } = await stored(form);
    await respond(cast.dave, formId, [sent(why, 'SHORT_TEXT', 'Deep')]);
    await cast.alice.client.questions.moveQuestion({
      params: { sectionId: second, questionId: why },
      body: { sectionId: first, after: null },
    });
    await cast.alice.client.questions.deleteQuestion({ params: { sectionId: first, questionId: why } });
    await restore(form, version);
    await publishChanges(form);
    const now = await stored(form);
    const back = now.sections.flatMap(({ questions }) => questions).find(({ id }) => id === why);
    expect(back?.moves?.map(({ from }) => from)).toEqual([second, first]);
    const table = await cast.alice.client.exports.previewTable({ params: { formId }, body: { questionIds: [why] } });
    expect(JSON.stringify(table.body.rows)).toContain('Deep');
  });

  test('asks before it replaces changes', async () => {
    const form = await published();
    const { version } = await stored(form);
    await renameLive(form, 'Which sea?');
    await rename(form, 'Which pond?');
    expect((await expectProblem(restore(form, version))).status).toBe(409);
    expect(titles((await restore(form, version, true)).body.sections)).toEqual(['Which lake?', 'Why?']);
  });

  test('a form that is not published replaces its structure, which is kept', async () => {
    const form = await published();
    const { version } = await stored(form);
    const params = { formId: form.formId };
    await cast.alice.client.forms.archiveForm({ params });
    await cast.alice.client.forms.unarchiveForm({ params });
    await renameLive(form, 'Which sea?');
    await restore(form, version);
    expect(await liveTitles(form)).toEqual(['Which lake?', 'Why?']);
    const [replaced] = await list(form);
    expect(replaced).toMatchObject({ kind: 'REPLACED', publishedBy: { id: cast.bob.id } });
    expect(titles((await get(form, replaced?.version ?? 0)).sections)).toEqual(['Which sea?', 'Why?']);
  });

  test('takes a version that was kept, or the live one, and no other in place of it', async () => {
    const form = await published();
    const { version } = await stored(form);
    await renameLive(form, 'Which sea?');
    await renameLive(form, 'Which river?');
    expect((await expectProblem(restore(form, version + 1))).status).toBe(404);
    expect((await get(form, version + 1)).version).toBe(version);
    await rename(form, 'Which pond?');
    expect(titles((await restore(form, version + 2, true)).body.sections)).toEqual(['Which river?', 'Why?']);
    expect(titles((await restore(form, version, true)).body.sections)).toEqual(['Which lake?', 'Why?']);
  });

  test('does not give an answered question another type', async () => {
    const form = await published();
    const { formId, sectionIds, questionIds } = form;
    const params = { sectionId: sectionIds[0] ?? '', questionId: questionIds[0] ?? '' };
    const { version } = await stored(form);
    await cast.alice.client.questions.updateQuestion({ params, body: question({ type: 'LONG_TEXT', order: 1 }) });
    await respond(cast.dave, formId, [sent(params.questionId, 'LONG_TEXT', 'Loch Ness')]);
    await cast.alice.client.questions.deleteQuestion({ params });
    await restore(form, version);
    expect((await expectProblem(publishChanges(form))).status).toBe(400);
    await cast.bob.client.forms.discardChanges({ params: { formId } });
    await cast.alice.client.forms.archiveForm({ params: { formId } });
    expect((await expectProblem(restore(form, version))).status).toBe(400);
  });
});
