/**
 * Whatever is done on the pages of authors, in any order, the API accepts what it stores, and rules are shown again as
 * they were posted.
 */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { readWorkflow, requestAs, rewire } from '#test/support/building.ts';
import { type Cast, newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

type Fields = [string, string][];
/** Draws one of some values; undefined of none. */
type Pick = <T>(values: readonly T[]) => T | undefined;

const valuesOf = (html: string): string[] => [...html.matchAll(/value="([^"]*)"/g)].map(([, value = '']) => value);
/** What each select of a name offers, besides the empty value. */
const offeredBy = (html: string, name: string): string[][] =>
  [...html.matchAll(new RegExp(`<select [^>]*?name="${name}"[^>]*>(.*?)</select>`, 'gs'))].map(([, options = '']) =>
    valuesOf(options).filter((value) => value !== ''),
  );
const linksOf = (html: string, path: RegExp): string[] => [
  ...new Set([...html.matchAll(/href="([^"#?]+)/g)].map(([, href = '']) => href).filter((href) => path.test(href))),
];
const locationOf = (response: Response): string => response.headers.get('location') ?? '';

const TYPES = ['SHORT_TEXT', 'SINGLE_CHOICE', 'MULTIPLE_CHOICE', 'DROPDOWN', 'RATING', 'DATE'];
const TEXTS = ['a', 'a.b', '^', '$x', 'tea (hot)', '\\', 'a|b', ' '];
const LINES = ['one', 'two\tDeep', 'three', 'four'];

type Author = { formId: string; pages: ReturnType<typeof pagesOf>; pick: Pick };
type Act = (author: Author) => Promise<void>;

const list = ({ formId, pages }: Author) => pages.show(`/build/${formId}/questions`);
const stored = (response: Response) =>
  expect([response.status, locationOf(response)]).toEqual([303, expect.any(String)]);
const anyQuestion = async (author: Author) => author.pick(linksOf(await list(author), /\/q\/[^/]+$/));
const anySection = async (author: Author) => author.pick(linksOf(await list(author), /\/s\/[^/]+$/));

/** Presses one of the buttons of the list that can be pressed. */
const press =
  (name: string): Act =>
  async (author) => {
    const html = await list(author);
    const buttons = [...html.matchAll(/<button[^>]*? name="do" value="([^"]+)"([^>]*)>/g)];
    const offered = buttons.filter(([, action, rest]) => action?.startsWith(name) && !rest?.includes('disabled'));
    const action = author.pick(offered)?.[1];
    if (action === undefined) return;
    stored(await author.pages.post(`/build/${author.formId}/questions`, [...fieldsOf(html), ['do', action]]));
  };

const addQuestion: Act = async ({ formId, pages, pick }) => {
  const section = await anySection({ formId, pages, pick });
  if (section === undefined) return;
  const fields = fieldsOf(await pages.show(`${section}/new?type=${pick(TYPES)}`));
  const names = ['A', 'B'];
  const typed = fields.map(([name, value]): [string, string] => {
    if (name === 'title') return [name, 'Why?'];
    return [name, name === 'choice.name' ? (names.shift() ?? 'C') : value];
  });
  stored(await pages.post(`${section}/new`, [...typed, ['do', 'save']]));
};

/** Moves a question or a section to one of the places that its page offers. */
const move =
  (find: typeof anyQuestion): Act =>
  async (author) => {
    const page = await find(author);
    if (page === undefined) return;
    const [places = []] = offeredBy(await author.pages.show(page), 'place');
    const place = author.pick(places) ?? '';
    stored(await author.pages.post(page, [['place', place], ['do', 'move']])); // biome-ignore format: one line
  };

const remove =
  (find: typeof anyQuestion): Act =>
  async (author) => {
    const page = await find(author);
    if (page === undefined) return;
    await author.pages.show(`${page}/delete`);
    stored(await author.pages.post(`${page}/delete`));
  };

const order: Act = async ({ formId, pages, pick }) => {
  const path = `/build/${formId}/questions/order`;
  const fields = fieldsOf(await pages.show(path));
  const typed = fields.map(([name, value]): [string, string] => {
    return [name, name.startsWith('n.') ? (pick([value, '1', '2', '9']) ?? value) : value];
  });
  if (fields.some(([name]) => name.startsWith('n.'))) stored(await pages.post(path, [...typed, ['do', 'save']]));
};

const pasteChoices: Act = async (author) => {
  const { pages, pick } = author;
  const question = await anyQuestion(author);
  if (question === undefined) return;
  const page = linksOf(await pages.show(question), /\/choices$/)[0];
  if (page === undefined) return;
  const lines = LINES.filter((_, index) => index === 0 || pick([true, false]));
  const typed = fieldsOf(await pages.show(page)).map(([name, value]): [string, string] => [
    name,
    name === 'choices' ? lines.join('\n') : value,
  ]);
  const first = await pages.post(page, typed);
  // Choices that go are confirmed.
  stored(first.status === 409 ? await pages.post(page, fieldsOf(await first.text())) : first);
  const shown = new Map(fieldsOf(await pages.show(page))).get('choices');
  expect(shown).toBe(lines.join('\n'));
};

/** The fields that say what the rules are: without stamps, ids and what a button would add. */
const rulesIn = (fields: Fields): Fields =>
  fields
    .filter(([name]) => !['stamp', 'rule.id', 'newQuestion', 'asked'].includes(name))
    // A row that leads where every other answer leads says so.
    .map(([name, value]) => {
      const isAsOthers = name === 'table.target' && value === new Map(fields).get('otherwise');
      return [name, isAsOthers ? 'otherwise' : value];
    });

/** Fills in what a page of rules shows with values that it offers. */
function decide(html: string, pick: Pick, isOfDate: (index: number) => boolean): Fields {
  const targets = offeredBy(html, 'rule\\.target');
  const tests = offeredBy(html, 'rule\\.test');
  const rows = offeredBy(html, 'table\\.target');
  const labels = [...html.matchAll(/<label for="target-\d+">([^<]*)<\/label><\/th>/g)].map(([, label]) => label);
  // A condition of its own can also come next: then the rules may be more than a list.
  const conditions = [...html.matchAll(/value="([^"]+)"[^>]*>condition \d/g)].map(([, id]) => id);
  const ends = (targets[0] ?? offeredBy(html, 'otherwise')[0] ?? []).filter((id) => !conditions.includes(id));
  const boxes = [...html.matchAll(/name="(selected\.\d+)" value="([^"]+)"/g)];
  let [rule, row, test] = [-1, -1, -1];
  const fields = fieldsOf(html).filter(([name]) => !name.startsWith('selected.'));
  return fields.flatMap(([name, value]): Fields => {
    if (name === 'rule.question') rule += 1;
    if (name === 'rule.question') {
      const own = boxes.filter(([, box]) => box === `selected.${rule}`);
      const some = own.filter((_, index) => index === 0 || pick([true, false]));
      return [[name, value], ...some.map(([, box = '', id = '']): [string, string] => [box, id])];
    }
    if (name === 'rule.test' && html.includes(`id="test-${rule}"`)) {
      test += 1;
      return [
        [name, isOfDate(rule) ? 'is' : (pick((tests[test] ?? []).filter((each) => each !== 'pattern')) ?? value)],
      ];
    }
    if (name === 'rule.text' && html.includes(`id="test-${rule}"`)) {
      return [[name, isOfDate(rule) ? '2026-06-15' : (pick(TEXTS) ?? '')]];
    }
    if (name === 'rule.target') return [[name, pick(ends) ?? '']];
    if (name === 'table.target') {
      row += 1;
      return [[name, labels[row] === 'A deleted choice' ? '' : (pick(rows[row] ?? []) ?? '')]];
    }
    return [[name, name === 'otherwise' ? (pick(ends) ?? '') : value]];
  });
}

const rules =
  (as: string): Act =>
  async (author) => {
    const { pages, pick } = author;
    const section = await anySection(author);
    if (section === undefined) return;
    const opened = await pages.get(`${section}/rules${as}`);
    // Rules that are more than a list are changed condition by condition.
    if (opened.status === 303) return;
    let html = await opened.text();
    const again = async (action: string) => {
      const changed = fieldsOf(html).filter(([name]) => name !== 'newQuestion');
      const asked = pick(offeredBy(html, 'newQuestion')[0] ?? []) ?? '';
      const response = await pages.post(`${section}/rules`, [...changed, ['newQuestion', asked], ['do', action]]);
      expect(response.status).toBe(200);
      html = await response.text();
    };
    if (html.includes('name="newQuestion"') && pick([true, true, false])) await again('add-rule');
    // A rule whose question was deleted, or a pattern that is left of a former type, goes.
    const listUnfit = () => {
      const shown = fieldsOf(html);
      const asked = shown.filter(([name]) => name === 'rule.question').map(([, id]) => id);
      const kinds = shown.filter(([name]) => name === 'rule.test').map(([, kind]) => kind);
      return [...kinds.keys()].filter((index) => asked[index] === '' || kinds[index] === 'pattern');
    };
    for (const index of listUnfit().reverse()) await again(`rule-remove:${index}`);
    expect(listUnfit()).toEqual([]);
    const posted = decide(html, pick, (index) => html.includes(`id="value-${index}-hint"`));
    stored(await pages.post(`${section}/rules`, [...posted, ['do', 'save']]));
    const rows = posted.filter(([name]) => name === 'table.target').map(([, target]) => target);
    const choices = posted.filter(([name]) => name === 'table.choice').map(([, id]) => id);
    // Rules that were no table may be one now.
    const isTable = posted.some(([name]) => name === 'table.question');
    const shown = rulesIn(fieldsOf(await pages.show(`${section}/rules${isTable ? '' : '?as=rows'}`)));
    const dropped = new Set(choices.filter((_, index) => rows[index] === ''));
    const kept = rulesIn(posted).filter(
      ([name, value]) => !(name === 'table.choice' && dropped.has(value)) && !(name === 'table.target' && value === ''),
    );
    expect(shown.toSorted(byName)).toEqual(kept.toSorted(byName));
    for (const [name] of shown) met.set(name.replace(/\d/, ''), (met.get(name.replace(/\d/, '')) ?? 0) + 1);
  };
/** How many fields of rules were shown again, by name. */
const met = new Map<string, number>();
const byName = ([a]: [string, string], [b]: [string, string]): number => a.localeCompare(b);

const followStart: Act = async ({ formId, pages, pick }) => {
  const { workflow } = await readWorkflow(cast.alice, formId);
  const path = `/build/${formId}/c/${workflow.find(({ type }) => type === 'START')?.id}`;
  const html = await pages.show(path);
  const target = pick(offeredBy(html, 'otherwise')[0] ?? []) ?? '';
  stored(await pages.post(path, [...fieldsOf(html).filter(([name]) => name === 'stamp'), ['otherwise', target]]));
  expect(new Map(fieldsOf(await pages.show(path))).get('otherwise')).toBe(target);
};

const undo: Act = async (author) => {
  const offer = /name="undo" value="([^"]+)"/.exec(await list(author))?.[1];
  if (offer === undefined) return;
  const response = await author.pages.post(`/build/${author.formId}/undo`, [['undo', offer]]);
  expect([303, 409]).toContain(response.status);
  if (response.status === 409) expect(textOf(await response.text())).toContain('cannot be undone any more');
};

const ACTS: Record<string, Act> = {
  addQuestion,
  copyQuestion: press('copy:'),
  moveQuestion: move(anyQuestion),
  shiftQuestion: press('up:'),
  removeQuestion: remove(anyQuestion),
  addSection: press('section:'),
  copySection: press('copy-section:'),
  moveSection: move(anySection),
  shiftSection: press('section-down:'),
  removeSection: remove(anySection),
  order,
  pasteChoices,
  rows: rules('?as=rows'),
  moreRows: rules('?as=rows'),
  table: rules(''),
  followStart,
  undo,
};

/** The API takes back what it returns, and nothing changes by that. */
async function expectAccepted(formId: string, done: readonly string[]): Promise<void> {
  const before = await readWorkflow(cast.alice, formId);
  const { status } = await rewire(cast.alice, formId, {});
  expect([done, status]).toEqual([done, 200]);
  expect(await readWorkflow(cast.alice, formId)).toEqual(before);
}

test('any sequence of actions yields a structure that the API accepts, and rules that read back', async () => {
  const action = fc.tuple(fc.constantFrom(...Object.keys(ACTS)), fc.infiniteStream(fc.nat(1_000)));
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 12, maxLength: 12 }), async (actions) => {
      const choices = ['a', 'b', 'c'].map((name) => ({ name }));
      const { formId } = await newForm(
        cast.alice,
        cast.slug,
        [[{ type: 'SINGLE_CHOICE', choices }, { type: 'SHORT_TEXT' }], [{ type: 'DROPDOWN', choices }], []],
        { publish: false },
      );
      const done: string[] = [];
      for (const [name, draws] of actions) {
        const pick: Pick = (values) => values[(draws.next().value ?? 0) % Math.max(values.length, 1)];
        done.push(name);
        await ACTS[name]?.({ formId, pages: pagesOf(cast.bob), pick });
        await expectAccepted(formId, done);
      }
      const { body: definition } = await requestAs(cast.alice, 'GET', `/api/forms/${formId}/definition`);
      const imported = await requestAs(cast.alice, 'POST', `/api/orgs/${cast.slug}/forms/import`, definition);
      expect([done, imported.status]).toEqual([done, 201]);
      const { info } = await readWorkflow(cast.alice, imported.body.id);
      expect(info.length).toBe((await readWorkflow(cast.alice, formId)).info.length);
    }),
    { numRuns: 40, endOnFailure: true },
  );
  for (const name of ['rule.target', 'rule.text', 'selected.', 'table.target']) {
    expect([name, (met.get(name) ?? 0) > 20]).toEqual([name, true]);
  }
});
