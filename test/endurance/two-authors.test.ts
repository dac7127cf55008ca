/**
 * Two authors with pages that are out of date: whatever one of them types is stored, was shown to whoever replaced it, or
 * was given up by its author on a page that showed what somebody else had stored, or deleted. What they add, move and delete
 * stays so, and nobody publishes or discards changes that he has not seen.
 */

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Client } from '#core/api/client.ts';
import { getTraits, type OptionName, QUESTION_TYPES } from '#core/structure/types/traits.ts';
import { requestAs } from '#test/support/building.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { tries } from '#test/support/nightly.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';

const cast = await newCast();

type Fields = [string, string][];
/**
 * A page with a field for a text, the button that shows the page again without storing it, how its text is stored, and the
 * page of the question or section that is moved and deleted with it.
 */
type Place = { path: string; field: string; button: string; read: () => Promise<string>; moved?: string };

const withValue = (fields: Fields, name: string, value: string): Fields =>
  fields.map(([each, old]) => [each, each === name ? value : old]);

/** A form with a text in each of its places; every text is a name of its own. */
async function places(isPublished: boolean): Promise<{ formId: string; all: Place[] }> {
  const { formId, sectionIds, questionIds } = await newForm(
    cast.alice,
    cast.slug,
    [
      [
        { type: 'SHORT_TEXT', title: 'first-0' },
        { type: 'SINGLE_CHOICE', title: 'Which?', choices: [{ name: 'a', description: 'first-2' }, { name: 'b' }] },
      ],
      [],
    ],
    { publish: false, title: 'first-4' },
  );
  const [sectionId = '', second = ''] = sectionIds;
  const [asked = '', listed = ''] = questionIds;
  const pages = pagesOf(cast.bob);
  const build = `/build/${formId}`;
  const rules = `${build}/s/${sectionId}/rules`;
  const added: Fields = [
    ...fieldsOf(await pages.show(`${rules}?as=rows`)).filter(([name]) => name !== 'newQuestion'),
    ['newQuestion', asked],
    ['do', 'add-rule'],
  ];
  const row = fieldsOf(await (await pages.post(rules, added)).text());
  const ruled = withValue(withValue(row, 'rule.text', 'first-3'), 'rule.target', second);
  expect((await pages.post(rules, [...ruled, ['do', 'save']])).status).toBe(303);
  const titled = await pages.post(`${build}/s/${sectionId}`, [
    ...withValue(fieldsOf(await pages.show(`${build}/s/${sectionId}`)), 'title', 'first-1'),
  ]);
  expect(titled.status).toBe(303);
  if (isPublished) await cast.alice.client.forms.publishForm({ params: { formId } });
  const edited = async () => {
    const changes = await requestAs(cast.alice, 'GET', `/api/forms/${formId}/changes`);
    if (changes.status === 200) return changes.body as Edited;
    const { workflow } = (await cast.alice.client.workflow.getWorkflow({ params: { formId } })).body;
    const all = (await cast.alice.client.sections.listSections({ params: { formId } })).body;
    return { workflow, sections: all.map(({ section }) => section) };
  };
  const sections = async () => (await edited()).sections;
  const question = async (id: string) =>
    (await sections()).flatMap(({ questions }) => questions ?? []).find((each) => each.id === id);
  const all = [
    {
      ...{ path: `${build}/q/${asked}`, moved: `${build}/q/${asked}`, field: 'title', button: 'preview' },
      read: async () => (await question(asked))?.title ?? '',
    },
    {
      ...{ path: `${build}/s/${sectionId}`, moved: `${build}/s/${sectionId}`, field: 'title', button: 'preview' },
      read: async () => (await sections()).find(({ id }) => id === sectionId)?.title ?? '',
    },
    {
      // Without the second choice, which goes only when that is confirmed: the page is shown again as by a button.
      ...{ path: `${build}/q/${listed}/choices`, moved: `${build}/q/${listed}`, field: 'choices', button: 'save' },
      read: async () => (await question(listed))?.choices?.[0]?.description ?? '',
    },
    {
      ...{ path: rules, moved: `${build}/s/${sectionId}`, field: 'rule.text', button: 'add-rule' },
      read: async () =>
        (await edited()).workflow
          .flatMap(({ conditionRule }) => conditionRule?.pattern ?? [])
          .join()
          .replaceAll(/[\^$]|\(\?i\)|\[\\s\\p\{Z\}\]\*/g, ''),
    },
    {
      ...{ path: `${build}/settings`, field: 'title', button: 'preview' },
      read: async () => (await cast.alice.client.forms.getForm({ params: { formId } })).body.title,
    },
  ];
  return { formId, all };
}
type Edited = {
  sections: Awaited<ReturnType<Client['sections']['listSections']>>['body'][number]['section'][];
  workflow: Awaited<ReturnType<Client['workflow']['getWorkflow']>>['body']['workflow'];
};

const ACTS = ['none', 'none', 'delete', 'move', 'add', 'order', 'publish', 'discard'] as const;
type Act = (typeof ACTS)[number];
type Structural = 'delete' | 'move' | 'add' | 'order' | 'undo';

/** Edits of the structure: the page, what it offers, and what is posted. */
const STRUCTURAL: Record<
  Structural,
  (paths: { list: string; moved: string }) => {
    path: string;
    offered: RegExp;
    fields: (html: string, value: string) => Fields;
  }
> = {
  delete: ({ moved }) => ({ path: `${moved}/delete`, offered: /$/g, fields: () => [] }),
  move: ({ moved }) => ({
    path: moved,
    offered: moved.includes('/s/')
      ? /<option dir="auto" value="([0-9a-f-]{36})"/g
      : /<option dir="auto" value="([^":]+:[^"]*)"/g,
    fields: (_html, value) => [
      ['place', value],
      ['do', 'move'],
    ],
  }),
  add: ({ list }) => ({
    path: list,
    offered: /value="((?:section|copy):[^"]+)"/g,
    fields: (html, value) => [...fieldsOf(html), ['do', value]],
  }),
  order: ({ list }) => ({
    path: `${list}/order`,
    offered: /name="(n\.[^"]+)"/g,
    fields: (html, value) => [...withValue(fieldsOf(html), value, '1'), ['do', 'save']],
  }),
  undo: ({ list }) => ({
    path: list,
    offered: /name="undo" value="([^"]+)"/g,
    fields: (_html, value) => [['undo', value]],
  }),
};
type Step = {
  by: 0 | 1;
  isElsewhere: boolean;
  opens: boolean;
  presses: boolean;
  races: boolean;
  keeps: boolean;
  /** What the other author does before it, or while it races. */
  act: Act;
  draw: number;
};
const anySteps = fc.array(
  fc.record<Step>({
    by: fc.constantFrom(0, 1),
    isElsewhere: fc.nat(5).map((each) => each === 0),
    opens: fc.nat(3).map((each) => each === 0),
    presses: fc.boolean(),
    races: fc.boolean(),
    keeps: fc.boolean(),
    act: fc.constantFrom(...ACTS),
    draw: fc.nat(1_000),
  }),
  { minLength: 10, maxLength: 10 },
);

/** How often both authors met what this is about, in all tests. */
const acts = new Map<string, number>();
const count = (name: string) => acts.set(name, (acts.get(name) ?? 0) + 1);
afterAll(() => {
  for (const name of ['delete', 'undo', 'move', 'add', 'order', 'publish', 'discard', 'unseen', 'gone', 'as new']) {
    expect([name, (acts.get(name) ?? 0) > 1]).toEqual([name, true]);
  }
});

test.each([
  ['a question', 0],
  ['a section', 1],
  ['pasted choices', 2],
  ['rules', 3],
  ['settings', 4],
])('of two authors with old pages of %s nobody loses what he typed without a decision', async (_what, at) => {
  const met = { conflicts: 0, keeps: 0, givesUp: 0 };
  await fc.assert(
    fc.asyncProperty(fc.boolean(), anySteps, async (isPublished, steps) => {
      const { formId, all } = await places(isPublished);
      const [list, review] = [`/build/${formId}/questions`, `/build/${formId}/changes`];
      const authorOf = (by: number) => pagesOf(by === 0 ? cast.alice : cast.bob);
      /** The page that each author has open in each place, and what it has shown him of what is stored. */
      const open = new Map<string, { html: string; shown: string }>();
      /** The page of changes that each author has open, and when they were edited before. */
      const reviewed = new Map<number, { html: string; editedAt: string | undefined }>();
      const readEdited = async (): Promise<string | undefined> =>
        (await requestAs(cast.alice, 'GET', `/api/forms/${formId}/changes`)).body.updatedAt;
      const typed: string[] = [];
      const [replaced, givenUp] = [new Set<string>(), new Set<string>()];
      /** All sections and questions in their order. */
      const readOrder = async () => [
        ...new Set((await authorOf(0).show(list)).match(/(?<=href="\/build\/[^"]+)\/[sq]\/[0-9a-f-]{36}(?=")/g)),
      ];
      const ruled = new Set(
        all.flatMap(({ path }) => /\/s\/([^/]+)\/rules/.exec(path)?.[1] ?? []).map((id) => `section:${id}`),
      );
      const initial = {
        texts: new Map(all.map((place, index) => [place, `first-${index}`])),
        gone: new Set<Place>(),
        /** The texts of questions that were deleted and stored as new ones. */
        asNew: [] as string[],
        order: await readOrder(),
        undoable: false,
      };
      /** What is edited, and what respondents see. */
      let [stored, live] = [initial, initial];
      const edit = (change: Partial<typeof initial>) => {
        stored = { ...stored, ...change };
      };

      const view = async (by: number, place: Place) => {
        const html = await authorOf(by).show(place.field === 'rule.text' ? `${place.path}?as=rows` : place.path);
        const page = { html, shown: html };
        open.set(`${by} ${place.path}`, page);
        return page;
      };
      const write = (place: Place, html: string, text: string): Fields => {
        const fields = fieldsOf(html);
        return withValue(fields, place.field, place.field === 'choices' ? `a\t${text}\nb` : text);
      };
      /** Posts a page; what was stored is replaced only by somebody who has been shown it. */
      const post = async (
        by: number,
        place: Place,
        { fields, text, meanwhile }: { fields: Fields; text: string; meanwhile?: (() => Promise<void>) | undefined },
      ): Promise<boolean> => {
        const page = open.get(`${by} ${place.path}`) ?? { html: '', shown: '' };
        const action = /<form method="post" action="(\/build[^"]+\/new)"/.exec(page.html)?.[1] ?? place.path;
        const send = () => authorOf(by).post(action, fields);
        const response = meanwhile ? await beforeFirstWrite(send, meanwhile) : await send();
        const html = await response.text();
        const isNew = action !== place.path;
        const expected = stored.gone.has(place) && !isNew ? [404, 409] : [303, 409];
        expect([place.path, expected]).toEqual([place.path, expect.arrayContaining([response.status])]);
        if (response.status === 303 && isNew) {
          edit({ asNew: [...stored.asNew, text], order: await readOrder() });
          open.delete(`${by} ${place.path}`);
          count('as new');
          return true;
        }
        if (response.status === 303) {
          const before = stored.texts.get(place) ?? '';
          expect([place.path, before, page.shown.includes(before)]).toEqual([place.path, before, true]);
          if (before !== text) replaced.add(before);
          const texts = new Map([...stored.texts, [place, text]]);
          if (place.moved) edit({ texts });
          else
            [stored, live] = [
              { ...stored, texts },
              { ...live, texts: new Map([...live.texts, [place, text]]) },
            ];
          expect(await place.read()).toBe(text);
          expect(await readOrder()).toEqual(stored.order);
          await view(by, place);
          return true;
        }
        met.conflicts += 1;
        open.set(`${by} ${place.path}`, { html, shown: page.shown + html });
        expect([place.path, text, html.includes(text)]).toEqual([place.path, text, true]);
        return false;
      };
      const save = async (
        by: number,
        place: Place,
        { keeps, meanwhile }: { keeps: boolean; meanwhile?: () => Promise<void> },
      ): Promise<void> => {
        if (stored.gone.has(place) && !open.has(`${by} ${place.path}`)) return;
        const page = open.get(`${by} ${place.path}`) ?? (await view(by, place));
        const text = `text-${typed.length}-end`;
        typed.push(text);
        let isStored = await post(by, place, {
          ...{ fields: [...write(place, page.html, text), ['do', 'save']], text, meanwhile },
        });
        // The page shows what is stored, or that it was deleted: its author saves once more, or takes that.
        while (!isStored) {
          const again = open.get(`${by} ${place.path}`)?.html ?? '';
          const isGone = stored.gone.has(place);
          if (!keeps || (isGone && !again.includes('/new"'))) {
            met.givesUp += 1;
            const theirs = isGone ? /deleted|Not found/ : (stored.texts.get(place) ?? '');
            expect(textOf(again)).toMatch(theirs);
            givenUp.add(text);
            if (isGone) count('gone');
            open.delete(`${by} ${place.path}`);
            return;
          }
          met.keeps += 1;
          isStored = await post(by, place, { fields: [...fieldsOf(again), ['do', 'save']], text });
        }
      };
      /** Presses a button that stores nothing, with another text in the field; the page comes again. */
      const press = async (by: number, place: Place): Promise<void> => {
        const page = open.get(`${by} ${place.path}`) ?? (await view(by, place));
        const pressed = place.field === 'choices' ? `a\tunsaved` : 'unsaved';
        // Whoever presses again does not confirm what goes.
        const shown = fieldsOf(page.html).filter(([name]) => name !== 'confirmed');
        const fields = withValue(shown, place.field, pressed);
        const response = await authorOf(by).post(place.path, [...fields, ['do', place.button]]);
        expect([place.path, response.status]).toEqual([place.path, place.field === 'choices' ? 409 : 200]);
        const html = await response.text();
        // A row that was added is removed again before it is saved.
        const less =
          place.field === 'rule.text' ? [...fieldsOf(html), ['do', 'rule-remove:1'] as [string, string]] : [];
        const next = less.length > 0 ? await (await authorOf(by).post(place.path, less)).text() : html;
        open.set(`${by} ${place.path}`, { html: next, shown: page.shown });
      };

      const lookAt = async (by: number) => {
        const page = { html: await authorOf(by).show(review), editedAt: await readEdited() };
        reviewed.set(by, page);
        return page;
      };
      /** Publishes or discards changes, which only somebody can who has seen all of them. */
      const settle = async (by: number, act: 'publish' | 'discard'): Promise<void> => {
        const page = reviewed.get(by) ?? (await lookAt(by));
        reviewed.delete(by);
        const editedAt = await readEdited();
        if (!page.html.includes(`value="${act}"`) || editedAt === undefined) return;
        const { status } = await authorOf(by).post(review, [...fieldsOf(page.html), ['do', act]]);
        expect([act, status, page.editedAt === editedAt]).toEqual([act, status, status === 303]);
        count(status === 303 ? act : 'unseen');
        if (status !== 303) return;
        const last = stored;
        if (act === 'publish') live = stored;
        edit({ ...live, undoable: act === 'publish' && stored.undoable });
        const kept = new Set([...stored.texts].flatMap(([place, text]) => (stored.gone.has(place) ? [] : text)));
        const were = [...last.texts.values(), ...last.asNew].filter((text) => !kept.has(text));
        if (act === 'discard') for (const text of were) replaced.add(text);
      };
      /** Deletes, moves or adds something at a place; what was deleted is put back first. */
      const restructure = async (by: number, place: Place & { moved: string }, act: Structural, draw: number) => {
        const isSection = place.moved.includes('/s/');
        const isGone = stored.gone.size > 0;
        if (isGone && !stored.undoable) return;
        const name = isGone ? 'undo' : act;
        const { path, offered, fields } = STRUCTURAL[name]({ list, moved: place.moved });
        const html = await authorOf(by).show(path);
        // Rules stay where a section was when that is moved, or another one is added behind it.
        const values = [...html.matchAll(offered)].map(([, value = '']) => value).filter((value) => !ruled.has(value));
        const value = values[draw % values.length] ?? '';
        const response = await authorOf(by).post(
          name === 'undo' ? path.replace('questions', 'undo') : path,
          fields(html, value),
        );
        expect([name, response.status]).toEqual([name, 303]);
        if (isGone) expect(response.headers.get('location')).toContain('done=undone');
        count(name);
        const order = await readOrder();
        const [fewer, more] = name === 'delete' ? [order, stored.order] : [stored.order, order];
        expect([name, fewer.filter((each) => !more.includes(each))]).toEqual([name, []]);
        const goes = (each: Place) => each.moved !== undefined && (isSection || each.moved === place.moved);
        const gone = new Set(name === 'delete' ? all.filter(goes) : []);
        edit({ order, gone, undoable: name === 'delete' });
      };
      const perform = async (by: number, place: Place, { act, draw }: Pick<Step, 'act' | 'draw'>): Promise<void> => {
        const { moved } = place;
        if (act === 'publish' || act === 'discard') await settle(by, act);
        else if (act !== 'none' && moved !== undefined) {
          await restructure(
            by,
            { ...place, moved },
            act === 'move' && place.field === 'rule.text' ? 'order' : act,
            draw,
          );
        }
        const [back] = all.filter((each) => each.moved === moved && !stored.gone.has(each));
        if (back && stored.texts.get(back) !== undefined) expect(await back.read()).toBe(stored.texts.get(back));
      };

      for (const place of all) await Promise.all([view(0, place), view(1, place)]);
      const target = all[at]?.moved === undefined ? all[0] : all[at];
      for (const step of steps) {
        const place = all[(at + Number(step.isElsewhere)) % all.length];
        if (!place || !target) continue;
        const other = 1 - step.by;
        if (!step.races) await perform(other, target, step);
        if (step.opens) {
          await lookAt(step.by);
          if (!stored.gone.has(place)) await view(step.by, place);
          continue;
        }
        if (step.presses && !stored.gone.has(place)) await press(step.by, place);
        const meanwhile = () =>
          step.act === 'none' ? save(other, place, { keeps: true }) : perform(other, target, step);
        await save(step.by, place, { keeps: step.keeps, ...(step.races && { meanwhile }) });
      }
      if (target && stored.undoable) await perform(0, target, { act: 'delete', draw: 0 });
      const present = all.filter((place) => !stored.gone.has(place));
      const now = new Set([...(await Promise.all(present.map(({ read }) => read()))), ...stored.asNew]);
      expect(typed.filter((text) => ![now, replaced, givenUp].some((each) => each.has(text)))).toEqual([]);
    }),
    { numRuns: 10, endOnFailure: true },
  );
  expect(Math.min(...Object.values(met))).toBeGreaterThan(3);
});

/** The control of an option, and what can be typed in it: a value, or the boxes that are ticked. */
const TYPED: Record<string, readonly (string | readonly string[])[]> = {
  required: [[], ['on']],
  description: ['', 'Some *words*', '1. one\n2. two'],
  'scale-minVal': ['0', '1'],
  'scale-maxVal': ['5', '7', '10'],
  'scale-minValueLabel': ['', 'low', 'none'],
  'scale-maxValueLabel': ['', 'low', 'all'],
  'scale-icon': ['star', 'heart'],
  'uploadFile-allowedFileTypes': [['PDF'], ['PDF', 'PNG'], ['ZIP']],
  'uploadFile-maxFileAmount': ['1', '2', '10'],
  'uploadFile-maxFileSizeLimit': ['1', '2.5', '10'],
  'date-hasYear': [[], ['on']],
  'date-hasMonth': [[], ['on']],
  'date-hasDay': [[], ['on']],
  'date-minDate': ['', '2020-01-01', '2021-02-03'],
  'date-maxDate': ['', '2020-01-01', '2030-12-31'],
  oauthConnect: ['PROVIDER_ONE', 'PROVIDER_TWO'],
  sourceId: [''],
  'choice.name': ['red', 'blue', 'green'],
  'choice.description': ['', 'like the sky', 'like grass'],
};
/** The option of which boxes are ticked; a page that shows them without a tick sends none. */
const BOXES: Record<string, OptionName | undefined> = {
  'uploadFile-allowedFileTypes': 'uploadFile',
  'date-hasYear': 'date',
  'date-hasMonth': 'date',
  'date-hasDay': 'date',
};
const optionOf = (fields: Fields): OptionName | undefined =>
  getTraits(
    QUESTION_TYPES.find((type) => fields.some(([name, value]) => name === 'type' && value === type)) ?? 'SHORT_TEXT',
  ).option;
/** The buttons that change the fields of a page without storing them. */
const PRESSED = ['add-choice', 'add-other', 'choice-up:1', 'choice-down:0', 'choice-remove:0', 'type'] as const;

type Edit = { name: string; pick: number; at: number };
type Turn = { by: 0 | 1; opens: boolean; races: boolean; gives: boolean; twice: boolean; edits: Edit[]; other: Edit[] };
const anyEdits = fc.array(
  fc.record({ name: fc.constantFrom('title', ...Object.keys(TYPED), ...PRESSED), pick: fc.nat(100), at: fc.nat(3) }),
  { minLength: 6, maxLength: 6 },
);
const anyTurns = fc.array(
  fc.record<Turn>({
    by: fc.constantFrom(0, 1),
    opens: fc.nat(2).map((each) => each === 0),
    races: fc.nat(2).map((each) => each === 0),
    gives: fc.nat(3).map((each) => each === 0),
    twice: fc.boolean(),
    edits: anyEdits,
    other: anyEdits,
  }),
  { minLength: 5, maxLength: 5 },
);

/** What a page of a question says of it: its fields without what only names it; of choices the rows that are stored. */
function visible(fields: Fields): Fields {
  const all = (column: string) => fields.flatMap(([name, value]) => (name === `choice.${column}` ? [value] : []));
  const [names, descriptions, others] = [all('name'), all('description'), all('other')];
  const takesOthers = fields.some(([name, value]) => name === 'sourceId' && value !== '');
  const rows = names.flatMap((name, index) => {
    const row = [name, descriptions[index] ?? '', others[index] ?? ''];
    return takesOthers || row.join('') === '' ? [] : [['choice', row.join(' | ')] satisfies [string, string]];
  });
  const named = ['id', 'hash', 'confirmed', 'section'];
  const own = fields.filter(([name]) => !named.includes(name) && !name.startsWith('choice.'));
  return [...own.sort(([a], [b]) => a.localeCompare(b)), ...rows];
}

/** The controls that were drawn, and the types of the questions that were saved, in all tests. */
const drawn = new Set<string>();
const met = { conflicts: 0, saves: 0, races: 0 };

test.each(
  QUESTION_TYPES,
)('of two authors of a %s nobody replaces an option that he has not seen, or asks about none', async (type) => {
  await fc.assert(
    fc.asyncProperty(anyTurns, async (turns) => {
      const choices = ['red', 'blue', 'green'].map((name) => ({ name }));
      const { option } = getTraits(type);
      const kind = {
        type,
        ...(option === 'choices' && { choices }),
        ...(option === 'scale' && { scale: { minVal: 1, maxVal: 5, icon: 'star' as const } }),
        ...(option === 'uploadFile' && {
          uploadFile: { allowedFileTypes: ['PDF' as const], maxFileAmount: 1, maxFileSizeLimit: 1_048_576 },
        }),
        ...(option === 'date' && { date: { hasYear: true, hasMonth: true, hasDay: true } }),
        ...(option === 'oauthConnect' && { oauthConnect: 'PROVIDER_ONE' as const }),
      };
      const { formId, questionIds } = await newForm(
        cast.alice,
        cast.slug,
        [[{ type: 'MULTIPLE_CHOICE', choices }, kind]],
        { publish: false },
      );
      const [sourceId = '', questionId = ''] = questionIds;
      const path = `/build/${formId}/q/${questionId}`;
      const authorOf = (by: number) => pagesOf(by === 0 ? cast.alice : cast.bob);
      const read = async () => {
        const sections = (await cast.alice.client.sections.listSections({ params: { formId } })).body;
        const found = sections.flatMap(({ questions }) => questions ?? []).find(({ id }) => id === questionId);
        const { createdAt: _created, updatedAt: _updated, ...content } = found ?? { createdAt: '', updatedAt: '' };
        return content;
      };
      let titles = 0;
      const open = new Map<number, { fields: Fields; seen: unknown }>();
      const look = async (by: number) => {
        const page = { fields: fieldsOf(await authorOf(by).show(path)), seen: await read() };
        open.set(by, page);
        return page;
      };
      /** Types something into the fields of a page; the number of rows of choices may change. */
      const edit = async (by: number, fields: Fields, { name, pick, at }: Edit): Promise<Fields> => {
        if (name === 'title') {
          titles += 1;
          return withValue(fields, 'title', `title-${titles}-end`);
        }
        const names = new Set(fields.map(([each]) => each));
        if (name in TYPED) {
          const values = name === 'sourceId' ? ['', sourceId] : (TYPED[name] ?? []);
          const value = values[pick % values.length] ?? '';
          const isBox = typeof value !== 'string';
          const isHere = isBox ? [undefined, optionOf(fields)].includes(BOXES[name]) : names.has(name);
          if (!isHere) return fields;
          drawn.add(name);
          if (isBox)
            return [...fields.filter(([each]) => each !== name), ...value.map((one): [string, string] => [name, one])];
          const row = fields.filter(([each]) => each === name).length - 1;
          let index = -1;
          return fields.map(([each, old]): [string, string] => {
            if (each === name) index += 1;
            return [each, each === name && index === Math.min(at, row) ? value : old];
          });
        }
        if (name !== 'type' && !names.has('choice.name')) return fields;
        const typed =
          name === 'type' ? withValue(fields, 'type', QUESTION_TYPES[pick % QUESTION_TYPES.length] ?? type) : fields;
        const response = await authorOf(by).post(path, [...typed, ['do', name]]);
        expect([name, response.status]).toEqual([name, 200]);
        drawn.add(name);
        return fieldsOf(await response.text());
      };
      /** Saves a page until it is stored, after each question about it; or gives up at the first one. */
      const save = async (
        by: number,
        edits: Edit[],
        {
          gives = false,
          twice = false,
          meanwhile,
        }: { gives?: boolean; twice?: boolean; meanwhile?: () => Promise<void> } = {},
      ) => {
        const page = open.get(by) ?? (await look(by));
        let fields = page.fields;
        for (const each of edits) fields = await edit(by, fields, each);
        let { seen } = page;
        for (let count = 0; count < 6; count += 1) {
          let before = await read();
          const send = () => authorOf(by).post(path, [...fields, ['do', 'save']]);
          const isRace = meanwhile !== undefined && count === 0;
          const response = isRace
            ? await beforeFirstWrite(send, async () => {
                await meanwhile();
                before = await read();
                met.races += 1;
              })
            : await send();
          const html = await response.text();
          const after = await read();
          const isSeen = isDeepStrictEqual(seen, before);
          if (response.status === 303) {
            met.saves += 1;
            // A second press of its button stores the same again.
            if (twice) {
              expect((await send()).status).toBe(303);
              expect(await read()).toEqual(after);
            }
            // What nobody has seen stays, unless it is what was typed.
            if (!isSeen) expect(after).toEqual(before);
            const { fields: shown } = await look(by);
            expect(visible(shown)).toEqual(visible(fieldsOf(html).length > 0 ? fieldsOf(html) : fields));
            return;
          }
          expect(after).toEqual(before);
          const asks = html.includes('Somebody else has changed this meanwhile');
          if (response.status === 400) {
            // Not valid, as dates in the wrong order: its author starts again.
            expect(asks).toBe(false);
            open.delete(by);
            return;
          }
          expect([response.status, html.includes('name="title"')]).toEqual([409, true]);
          if (asks) {
            met.conflicts += 1;
            expect({ isSeen, before, seen }).toMatchObject({ isSeen: false });
            seen = before;
          }
          // All that was typed is on the page that asks.
          const shown = fieldsOf(html);
          expect(visible(shown)).toEqual(visible(fields));
          if (gives) {
            open.delete(by);
            return;
          }
          fields = shown;
        }
        throw new Error('a page was never stored');
      };
      for (const { by, opens, races, gives, twice, edits, other } of turns) {
        if (opens) await look(by);
        if (races) await save(by, edits, { gives, twice, meanwhile: () => save(1 - by, other) });
        else await save(by, edits, { gives, twice });
      }
    }),
    { numRuns: tries(10, 25), endOnFailure: true },
  );
});

test('every control and button of a question was drawn, and met by both authors', () => {
  expect([...drawn].sort()).toEqual([...Object.keys(TYPED), ...PRESSED].sort());
  expect(Math.min(...Object.values(met))).toBeGreaterThan(20);
});
