/** The pages of versions: what was published when and by whom, and the way back without losing anything silently. */
import { describe, expect, test } from 'vitest';
import { keys, olderKeys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { listArchived, readVersions } from '#core/structure/versions.ts';
import { measureCost } from '#test/support/cost.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { type Built, newCast, newForm, question } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';
import { respond, sent } from '#test/support/responses.ts';

const cast = await newCast();

/** A form with the versions 1, as it was first published, and 2, in which a question has another title. */
async function published(): Promise<Built> {
  const kinds = [
    [
      { type: 'SHORT_TEXT' as const, title: 'Which lake?' },
      { type: 'SHORT_TEXT' as const, title: 'Why?' },
    ],
  ];
  const form = await newForm(cast.alice, cast.slug, kinds, { publish: false });
  await cast.alice.client.forms.publishForm({ params: form });
  await rename(form, 'Which pond?');
  await fillIn(cast.bob, `/build/${form.formId}/changes`, [], 'publish');
  return form;
}
const rename = (form: Built, title: string) =>
  fillIn(cast.bob, `/build/${form.formId}/q/${form.questionIds[0]}`, [['title', title]]);
const path = ({ formId }: Built, version?: number) => `/build/${formId}/versions${version ? `/${version}` : ''}`;
const show = async (form: Built, version?: number) => textOf(await pagesOf(cast.bob).show(path(form, version)));
const press = (form: Built, version: number, action: string) => fillIn(cast.bob, path(form, version), [], action);
const titles = async ({ formId }: Built) =>
  (await cast.alice.client.sections.listSections({ params: { formId } })).body.flatMap(({ section }) =>
    (section.questions ?? []).map(({ title }) => title),
  );

test('list what was published by whom and what changed, and show one version', async () => {
  const form = await published();
  expect(await show(form)).toMatch(
    /Version of \d+ \w+ \d{4}, [\d:]+ UTC Published by \S+ Question changed: “Which pond\?” Version of \d+ \w+ \d{4}, [\d:]+ UTC Published by/,
  );
  expect(await show(form, 2)).toMatch(
    /what respondents see now.*the same content now.*Which pond\?.*Why\? .* go to the end/i,
  );
  expect(await show(form, 1)).toMatch(/Restore this version.*would change:.*Question changed: “Which lake\?”/);
  expect(textOf(await pagesOf(cast.bob).show(`/build/${form.formId}`))).toContain('Versions');
  for (const missing of ['3', '0', 'x', '99999999999']) {
    expect((await pagesOf(cast.bob).get(`${path(form)}/${missing}`)).status).toBe(404);
  }
});

test('a version that API clients edited leads to the nearest earlier one and says so', async () => {
  const form = await published();
  const params = { sectionId: form.sectionIds[0] ?? '', questionId: form.questionIds[0] ?? '' };
  for (const title of ['Which sea?', 'Which river?']) {
    await cast.alice.client.questions.updateQuestion({
      params,
      body: question({ type: 'SHORT_TEXT', title, order: 1 }),
    });
  }
  expect(await show(form, 3)).toMatch(/Version of .*That version was not kept.*nearest earlier one.*Which pond\?/);
});

test('a response that was submitted on an earlier version leads to it, also when nothing was kept', async () => {
  const form = await published();
  const { formId, questionIds } = form;
  const responseId = await respond(cast.dave, formId, [sent(questionIds[0] ?? '', 'SHORT_TEXT', 'Loch Ness')]);
  const response = () => pagesOf(cast.bob).show(`/review/${formId}/r/${responseId}`);
  expect(await response()).not.toContain('/versions/');
  await rename(form, 'Which sea?');
  await fillIn(cast.bob, `/build/${formId}/changes`, [], 'publish');
  expect(await response()).toContain(`href="${path(form, 2)}"`);
  await app().table.remove([keys.formVersions(formId)]);
  const gone = await pagesOf(cast.bob).get(path(form, 2));
  expect(gone.headers.get('location')).toBe(`${path(form)}?done=versionNotKept`);
});

describe('restoring', () => {
  test('makes changes, which respondents see when they are published', async () => {
    const form = await published();
    const fields: [string, string][] = [...fieldsOf(await pagesOf(cast.bob).show(path(form, 1))), ['do', 'restore']];
    for (const _times of [1, 2]) {
      const response = await pagesOf(cast.bob).post(path(form, 1), fields);
      expect(response.headers.get('location')).toBe(`/build/${form.formId}/changes?done=versionRestored`);
    }
    expect(await titles(form)).toEqual(['Which pond?', 'Why?']);
    await fillIn(cast.bob, `/build/${form.formId}/changes`, [], 'publish');
    expect(await titles(form)).toEqual(['Which lake?', 'Why?']);
    expect(await show(form)).toMatch(/Version of .*Version of .*Version of /);
  });

  test('asks before it replaces changes, also those that begin meanwhile', async () => {
    const form = await published();
    const fields: [string, string][] = [...fieldsOf(await pagesOf(cast.bob).show(path(form, 1))), ['do', 'restore']];
    const restore = () => pagesOf(cast.bob).post(path(form, 1), fields);
    const refused = await beforeFirstWrite(restore, () => rename(form, 'Which ocean?'));
    expect([refused.status, textOf(await refused.text())]).toEqual([
      409,
      expect.stringMatching(/Look at it again.*They would be replaced/),
    ]);
    expect((await press(form, 1, 'restore')).status).toBe(409);
    expect(textOf(await pagesOf(cast.bob).show(`/build/${form.formId}/changes`))).toContain('Which ocean?');
    expect((await press(form, 1, 'replace')).status).toBe(303);
    expect(textOf(await pagesOf(cast.bob).show(`/build/${form.formId}/changes`))).toContain('“Which lake?”');
  });

  test('shows again what was kept, if the version was live when the page was opened and is not kept', async () => {
    const form = await published();
    const renameLive = (title: string) =>
      cast.alice.client.questions.updateQuestion({
        params: { sectionId: form.sectionIds[0] ?? '', questionId: form.questionIds[0] ?? '' },
        body: question({ type: 'SHORT_TEXT', title, order: 1 }),
      });
    await renameLive('Which sea?');
    await rename(form, 'Which ocean?');
    const fields: [string, string][] = [...fieldsOf(await pagesOf(cast.bob).show(path(form, 3))), ['do', 'replace']];
    await renameLive('Which river?');
    expect((await pagesOf(cast.bob).post(path(form, 3), fields)).headers.get('location')).toBe(path(form, 3));
    expect(textOf(await pagesOf(cast.bob).show(`/build/${form.formId}/changes`))).toContain('Which ocean?');
  });

  test('a form that is not published puts the version in place', async () => {
    const form = await published();
    await cast.alice.client.forms.archiveForm({ params: form });
    const response = await press(form, 1, 'restore');
    expect(response.headers.get('location')).toBe(`/build/${form.formId}/questions?done=versionRestored`);
    expect(await titles(form)).toEqual(['Which lake?', 'Why?']);
  });
});

describe('archived changes', () => {
  const discard = (form: Built) => fillIn(cast.bob, `/build/${form.formId}/changes`, [], 'discard');
  const shown = (form: Built) => pagesOf(cast.bob).show(path(form));
  /** The addresses of the archived changes, newest first. */
  const listed = async (form: Built) => [...(await shown(form)).matchAll(/<h3><a href="([^"]+)"/g)].map(([, to]) => to);
  const newest = async (form: Built) => (await listed(form))[0] ?? 'none';
  const restore = async (form: Built, action = 'restore') => fillIn(cast.bob, await newest(form), [], action);
  const readChanges = async (form: Built) => textOf(await pagesOf(cast.bob).show(`/build/${form.formId}/changes`));

  test('because they were discarded show their content and come back, twice with the same result', async () => {
    const form = await published();
    await rename(form, 'Which ocean?');
    expect(await readChanges(form)).toContain('kept for 30 days');
    await discard(form);
    expect(textOf(await shown(form))).toMatch(
      /Archived changes.*Changes archived .* UTC Discarded by bob\S* Question changed: “Which ocean\?”/,
    );
    const to = await newest(form);
    const page = await pagesOf(cast.bob).show(to);
    expect(textOf(page)).toMatch(/Changes archived .*Discarded by bob.*Restore these changes.*Content.*Which ocean\?/);
    for (const _times of [1, 2]) {
      const response = await pagesOf(cast.bob).post(to, [...fieldsOf(page), ['do', 'restore']]);
      expect(response.headers.get('location')).toBe(`/build/${form.formId}/changes?done=changesRestored`);
    }
    expect(await readChanges(form)).toContain('“Which ocean?”');
    expect(await titles(form)).toEqual(['Which pond?', 'Why?']);
  });

  test('because a version replaced them take the place of what replaced them', async () => {
    const form = await published();
    await rename(form, 'Which ocean?');
    await press(form, 1, 'replace');
    expect(textOf(await shown(form))).toMatch(/Replaced by bob\S* with an earlier version/);
    expect((await restore(form)).status).toBe(409);
    expect((await restore(form, 'replace')).status).toBe(303);
    expect(await readChanges(form)).toContain('“Which ocean?”');
    expect(textOf(await shown(form))).toMatch(/Replaced by .*“Which lake\?”.*Replaced by .*“Which ocean\?”/);
  });

  test.each([
    ['update', 'theirs'],
    ['publish', 'THEIRS'],
  ] as const)('because they were overruled: %s', async (how, keep) => {
    const form = await published();
    await rename(form, 'Which ocean?');
    const params = { sectionId: form.sectionIds[0] ?? '', questionId: form.questionIds[0] ?? '' };
    const body = question({ type: 'SHORT_TEXT', title: 'Which sea?', order: 1 });
    await cast.alice.client.questions.updateQuestion({ params, body });
    if (how === 'update') await fillIn(cast.bob, `/build/${form.formId}/changes`, [], keep);
    else await cast.bob.client.forms.publishChanges({ params: form, body: { keep: 'THEIRS' } });
    expect(textOf(await shown(form))).toMatch(/As they were before bob\S* took over.*“Which ocean\?”/);
    expect((await restore(form, how === 'update' ? 'replace' : 'restore')).status).toBe(303);
    expect(await readChanges(form)).toContain('“Which ocean?”');
  });

  test('are refused when somebody has edited meanwhile, and when they are gone', async () => {
    const form = await published();
    await rename(form, 'Which ocean?');
    await discard(form);
    const to = await newest(form);
    const refused = await beforeFirstWrite(
      () => restore(form),
      () => rename(form, 'Which river?'),
    );
    expect([refused.status, textOf(await refused.text())]).toEqual([409, expect.stringContaining('Look at it again')]);
    expect(await readChanges(form)).toContain('“Which river?”');
    const fields: [string, string][] = [...fieldsOf(await pagesOf(cast.bob).show(to)), ['do', 'replace']];
    const [item] = await app().table.read([keys.formVersions(form.formId)]);
    if (!item) throw new Error('there are no versions');
    const lists = { ...JSON.parse(String(item.data)), archived: [] };
    await app().table.write([{ put: { ...item, data: JSON.stringify(lists) } }]);
    for (const gone of [await pagesOf(cast.bob).get(to), await pagesOf(cast.bob).post(to, fields)]) {
      expect(gone.headers.get('location')).toBe(`${path(form)}?done=changesNotKept`);
    }
    expect(await readChanges(form)).toContain('“Which river?”');
  });

  test('stay for 30 days, and at most ten of them', async () => {
    const form = await published();
    for (let index = 0; index < 11; index += 1) {
      await rename(form, `Pond ${index}?`);
      await discard(form);
    }
    expect(await listed(form)).toHaveLength(10);
    expect(textOf(await shown(form))).not.toContain('“Pond 0?”');
    const kept = await app().table.list({ pk: keys.formGate(form.formId).pk, begins: 'VERSION#', limit: 100 });
    const times = kept.items.flatMap(({ expiresAt }) => (expiresAt ? [Number(expiresAt)] : []));
    expect(times).toHaveLength(10);
    const days = times.map((time) => (time - Date.now() / 1_000) / 86_400);
    expect(days.every((each) => each > 29.9 && each <= 30)).toBe(true);
    const later = new Date(Date.now() + 31 * 86_400_000);
    expect(listArchived((await readVersions(app().table, form.formId)).versions, later)).toEqual([]);
  });

  test('that older code has archived are listed with the others, and come back', async () => {
    const form = await published();
    await rename(form, 'Which ocean?');
    await discard(form);
    const [item] = await app().table.read([keys.formVersions(form.formId)]);
    if (!item) throw new Error('there are no versions');
    const { archived, ...lists } = JSON.parse(String(item.data));
    const [{ version, kind: _kind, ...rest }] = archived;
    const [body] = await app().table.read([keys.formVersion(form.formId, version)]);
    const older = { ...lists, aside: [{ ...rest, id: 'of-older-code', reason: 'REPLACED' }] };
    await app().table.write([
      { put: { ...item, data: JSON.stringify(older) } },
      { put: { ...body, ...olderKeys.formAside(form.formId, 'of-older-code'), version: 2 } },
      { remove: keys.formVersion(form.formId, version) },
    ]);
    await rename(form, 'Which river?');
    await discard(form);
    expect(textOf(await shown(form))).toMatch(/“Which river\?”.*Replaced by bob\S* with.*“Which ocean\?”/);
    const [, to = ''] = await listed(form);
    expect((await fillIn(cast.bob, to, [], 'restore')).headers.get('location')).toContain('done=changesRestored');
    expect(await readChanges(form)).toContain('“Which ocean?”');
  });
});

test('only members see versions, with at most two round trips to storage, and restore with three', async () => {
  const form = await published();
  expect((await pagesOf(cast.chelsea).get(path(form))).status).toBe(403);
  expect((await pagesOf(cast.chelsea).post(path(form, 1), [['do', 'restore']])).status).toBe(403);
  for (const version of [undefined, 1]) {
    expect((await measureCost(() => show(form, version))).cost.roundTrips).toBeLessThanOrEqual(2);
  }
  const fields: [string, string][] = [...fieldsOf(await pagesOf(cast.bob).show(path(form, 1))), ['do', 'restore']];
  const { cost, result } = await measureCost(() => pagesOf(cast.bob).post(path(form, 1), fields));
  expect([result.status, cost.roundTrips <= 3]).toEqual([303, true]);
});

test('a version has the name of its time, however often its form was edited before it was published', async () => {
  const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT', title: 'Which lake?' }]], {
    publish: false,
  });
  const params = { formId: form.formId };
  for (const title of ['Which sea?', 'Which river?', 'Which pond?']) await rename(form, title);
  await cast.alice.client.forms.publishForm({ params });
  const [{ version = 0, publishedAt = '' } = {}] = (await cast.alice.client.forms.listVersions({ params })).body;
  expect(version).toBeGreaterThan(3);
  const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  for (const page of [await show(form), await show(form, version)]) {
    expect(page).toContain(`Version of ${time.format(new Date(publishedAt))}`);
    expect(page).not.toContain(`Version ${version}`);
  }
});
