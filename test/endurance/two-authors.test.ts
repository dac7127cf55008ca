/**
 * Two authors with pages that are out of date: whatever one of them types is stored, was shown to whoever replaced it, or
 * was given up by its author on a page that showed what somebody else had stored, or deleted. What they add, move and delete
 * stays so, and nobody publishes or discards changes that he has not seen.
 */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Client } from '#core/api/client.ts';
import { requestAs } from '#test/support/building.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
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
          .replaceAll(/[\^$]/g, ''),
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
    offered: moved.includes('/s/') ? /<option value="([0-9a-f-]{36})"/g : /<option value="([^":]+:[^"]*)"/g,
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
