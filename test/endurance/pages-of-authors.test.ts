/**
 * Whatever is done on the pages of authors, in any order, the API accepts what it stores, and what was posted is shown
 * again. Respondents see nothing of it in a published form before it is published.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newNode, readWorkflow, requestAs, rewire } from '#test/support/building.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { tries } from '#test/support/nightly.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { locationOf } from '#test/support/visitor.ts';

const cast = await newCast();

type Fields = [string, string][];
/** Draws one of some values; undefined of none. */
type Pick = <T>(values: readonly T[]) => T | undefined;

const valuesOf = (html: string): string[] => [...html.matchAll(/value="([^"]*)"/g)].map(([, value = '']) => value);
/** What each select of a name offers, besides the empty value. */
const offeredBy = (html: string, name: string): string[][] =>
  [...html.matchAll(new RegExp(`<select [^>]*?name="${name}"[^>]*>(.*?)</select>`, 'gs'))].map(([, options = '']) =>
    valuesOf(options).filter((value) => value !== ''),
  );
const withValues = (fields: Fields, values: Record<string, string | undefined>): Fields =>
  fields.map(([name, value]) => [name, values[name] ?? value]);
const linksOf = (html: string, path: RegExp): string[] => [
  ...new Set([...html.matchAll(/href="([^"#?]+)/g)].map(([, href = '']) => href).filter((href) => path.test(href))),
];

const CHOICES = ['SINGLE_CHOICE', 'MULTIPLE_CHOICE', 'DROPDOWN', 'DETAILED_MULTIPLE_CHOICE', 'RANKING'];
const OTHERS = [
  'SHORT_TEXT',
  'LONG_TEXT',
  'DATE',
  'UPLOAD_FILE',
  'LINEAR_SCALE',
  'RATING',
  'OAUTH_CONNECT',
  'HYPERLINK',
];
const TYPES = [...CHOICES, ...OTHERS];
const MARKDOWN = ['', 'Say **why**.', '- one\n- two', '[Help](https://example.org/)'];
const TEXTS = ['a', 'a.b', '^', '$x', 'tea (hot)', '\\', 'a|b', ' '];
const LINES = ['one', 'two\tDeep', 'three', 'four'];

type Author = { formId: string; pages: ReturnType<typeof pagesOf>; pick: Pick };
type Act = (author: Author) => Promise<void>;

const list = ({ formId, pages }: Author) => pages.show(`/build/${formId}/questions`);
const stored = (response: Response) =>
  expect([response.status, locationOf(response)]).toEqual([303, expect.any(String)]);
const anyQuestion = async (author: Author) => author.pick(linksOf(await list(author), /\/q\/[^/]+$/));
const anySection = async (author: Author) => author.pick(linksOf(await list(author), /\/s\/[^/]+$/));
/** A condition in no list of rules, what follows a section that is more than a list, or what follows the start. */
const anyNode = async (author: Author) =>
  author.pick(linksOf(await author.pages.show(`/build/${author.formId}/rules`), /\/c\/[^/]+$/));
const buttonsOf = (html: string, action: RegExp): string[] =>
  [...html.matchAll(/<button[^>]*? name="do" value="([^"]+)"/g)].flatMap(([, each = '']) =>
    action.test(each) ? each : [],
  );

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

/** What a page of a question or a section has posted, or shows; without ids, hashes, and choices that a source replaces. */
const contentOf = (fields: Fields): Fields => {
  const isSourced = fields.some(([name, value]) => name === 'sourceId' && value !== '');
  const isContent = ([name]: [string, string]) =>
    !['hash', 'section', 'confirmed', 'choice.id'].includes(name) && !(isSourced && name.startsWith('choice.'));
  return fields.filter(isContent).toSorted(byName);
};

/** Saves a page whose fields were typed; what would be lost is confirmed. Returns whether it was stored. */
async function save({ pages }: Author, path: string, typed: Fields): Promise<boolean> {
  const first = await pages.post(path, [...typed, ['do', 'save']]);
  const html = await first.text();
  // A question whose choices another one offers keeps a type with choices; a source may be the question itself by then.
  if (first.status === 400) expect(html).toMatch(/id="(?:type|sourceId)-error"/);
  if (first.status === 400) return false;
  stored(first.status === 409 ? await pages.post(path, [...fieldsOf(html), ['do', 'save']]) : first);
  expect(contentOf(fieldsOf(await pages.show(path)))).toEqual(contentOf(typed));
  return true;
}

const saveQuestion: Act = async (author) => {
  const { pages, pick } = author;
  const question = await anyQuestion(author);
  if (question === undefined) return;
  let html = await pages.show(question);
  const press = async (action: string | undefined, change: Record<string, string | undefined> = {}) => {
    if (action === undefined) return;
    const response = await pages.post(question, [...withValues(fieldsOf(html), change), ['do', action]]);
    expect([action, response.status]).toEqual([action, 200]);
    html = await response.text();
  };
  if (pick([true, false])) await press('type', { type: pick(TYPES) });
  const [sources] = offeredBy(html, 'sourceId');
  if (sources) await press('source', { sourceId: pick(['', ...sources]) });
  for (const _times of [1, 2]) await press(pick([undefined, ...buttonsOf(html, /^(?:choice|add)-/)]));
  if (!html.includes('name="choice.name"')) await press(buttonsOf(html, /^add-choice$/)[0]);
  const typed = fieldsOf(html).flatMap(([name, value], index): Fields => {
    if (name === 'title') return [[name, pick(['Which?', value]) ?? value], ...(pick([true, false]) ? ONE : [])];
    if (name === 'required') return [];
    if (name === 'description') return [[name, pick(MARKDOWN) ?? value]];
    return [[name, name === 'choice.name' && value === '' ? `New ${index}` : value]];
  });
  if (await save(author, question, typed)) count(`saved ${new Map(typed).get('type')}`);
};
const ONE: Fields = [['required', 'on']];

const saveSection: Act = async (author) => {
  const section = await anySection(author);
  if (section === undefined) return;
  const fields = fieldsOf(await author.pages.show(section));
  const texts = { title: author.pick(['Here', 'There', '']), description: author.pick(MARKDOWN) };
  await save(author, section, withValues(fields, texts));
};

/** The fields that say what the rules are: without hashes, ids and what a button would add. */
const rulesIn = (fields: Fields): Fields =>
  fields
    .filter(([name]) => !['hash', 'rule.id', 'newQuestion', 'asked'].includes(name))
    // A row that leads where every other answer leads says so.
    .map(([name, value]) => {
      const isAsOthers = name === 'table.target' && value === new Map(fields).get('otherwise');
      return [name, isAsOthers ? 'otherwise' : value];
    });

/** Fills in what a page of rules shows with values that it offers. */
function decide(html: string, pick: Pick, isOfDate: (index: number) => boolean, mayNest = false): Fields {
  const targets = offeredBy(html, 'rule\\.target');
  const tests = offeredBy(html, 'rule\\.test');
  const rows = offeredBy(html, 'table\\.target');
  const labels = [...html.matchAll(/<label for="target-\d+" dir="auto">([^<]*)<\/label><\/th>/g)].map(
    ([, label]) => label,
  );
  // A condition of its own can also come next: then the rules may be more than a list.
  const conditions = [...html.matchAll(/value="([^"]+)"[^>]*>condition \d/g)].map(([, id]) => id);
  const ends = (targets[0] ?? offeredBy(html, 'otherwise')[0] ?? []).filter(
    (id) => mayNest || !conditions.includes(id),
  );
  const boxes = [...html.matchAll(/name="(selected\.\d+)" value="([^"]+)"/g)];
  let [rule, row] = [-1, -1];
  const numbered = [...html.matchAll(/id="test-(\d+)"/g)].map(([, index]) => Number(index));
  /** The test of each rule: of a date always the first one, because one text is no value for all of them. */
  const chosen = new Map(
    numbered.map((index, position) => {
      // A question whose source has no choices offers none to tick.
      const isListed = boxes.some(([, box]) => box === `selected.${index}`);
      const offered = (tests[position] ?? []).filter(
        (each) => each !== 'pattern' && (isListed || (each !== 'choices' && each !== 'values')),
      );
      return [index, isOfDate(index) ? 'on' : (pick(offered) ?? '')];
    }),
  );
  const fields = fieldsOf(html).filter(([name]) => !name.startsWith('selected.'));
  return fields.flatMap(([name, value]): Fields => {
    if (name === 'rule.question') rule += 1;
    if (name === 'rule.question') {
      const comparesList = chosen.get(rule) === 'choices' || chosen.get(rule) === 'values';
      const own = comparesList ? boxes.filter(([, box]) => box === `selected.${rule}`) : [];
      const some = own.filter((_, index) => index === 0 || pick([true, false]));
      return [[name, value], ...some.map(([, box = '', id = '']): [string, string] => [box, id])];
    }
    const test = chosen.get(rule);
    if (name === 'rule.test' && test !== undefined) return [[name, test]];
    if (name === 'rule.text' && test !== undefined) {
      if (['choices', 'values', 'answered', 'empty'].includes(test)) return [[name, '']];
      const isOfNumbers = ['atLeast', 'atMost', 'between'].includes(test);
      return [
        [
          name,
          isOfDate(rule)
            ? '2026-06-15'
            : isOfNumbers
              ? '2'
              : (pick(TEXTS.filter((text) => test !== 'is' || (text.trim() === text && text !== ''))) ?? ''),
        ],
      ];
    }
    if (name === 'rule.to' && test !== undefined) return [[name, test === 'between' ? '4' : '']];
    if (name === 'rule.target') return [[name, pick(ends) ?? '']];
    if (name === 'table.target') {
      row += 1;
      return [[name, labels[row] === 'A deleted choice' ? '' : (pick(rows[row] ?? []) ?? '')]];
    }
    return [[name, name === 'otherwise' ? (pick(ends) ?? '') : value]];
  });
}

/** The rules that are of no use: of a deleted question, left of its former type, or of one that offers no choices. */
function listUnfit(html: string): number[] {
  const fields = fieldsOf(html);
  const [asked, kinds] = ['rule.question', 'rule.test'].map((each) => fields.filter(([name]) => name === each));
  return [...(kinds ?? []).keys()].filter((index) => {
    const isOffered = html.includes(`id="test-${index}"`) || html.includes(`name="selected.${index}"`);
    return asked?.[index]?.[1] === '' || kinds?.[index]?.[1] === 'pattern' || !isOffered;
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
    for (const index of listUnfit(html).reverse()) await again(`rule-remove:${index}`);
    expect(listUnfit(html)).toEqual([]);
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
    for (const [name] of shown) count(name.replace(/\d/, ''));
  };
/** How often something was met: fields of rules that were shown again, acts that were possible. */
const met = new Map<string, number>();
const count = (name: string) => met.set(name, (met.get(name) ?? 0) + 1);
const byName = ([a]: [string, string], [b]: [string, string]): number => a.localeCompare(b);

const changeNode: Act = async (author) => {
  const { pages, pick } = author;
  const path = await anyNode(author);
  if (path === undefined) return;
  let html = await pages.show(path);
  const asked = pick(offeredBy(html, 'rule\\.question')[0] ?? []);
  if (asked !== undefined) {
    const fields = withValues(fieldsOf(html), { 'rule.question': asked });
    const response = await pages.post(path, [...fields, ['do', 'question']]);
    expect(response.status).toBe(200);
    html = await response.text();
  }
  if (listUnfit(html).length > 0) return;
  const posted = decide(html, pick, (index) => html.includes(`id="value-${index}-hint"`), true);
  stored(await pages.post(path, [...posted, ['do', 'save']]));
  // In a list of rules it is changed with the list.
  const opened = await pages.get(path);
  const shown = opened.status === 200 ? rulesIn(fieldsOf(await opened.text())) : rulesIn(posted);
  expect(shown.toSorted(byName)).toEqual(rulesIn(posted).toSorted(byName));
  count(asked === undefined ? 'links' : 'conditions');
};

const deleteCondition: Act = async (author) => {
  const path = await anyNode(author);
  const opened = path === undefined ? undefined : await author.pages.get(`${path}/delete`);
  if (path === undefined || opened?.status !== 200) return;
  stored(await author.pages.post(`${path}/delete`));
  expect((await author.pages.get(path)).status).toBe(404);
  count('deleted conditions');
};

/** Presses one of the buttons of a page of changes or versions, if it is offered; `find` finds the page. */
const pressOn =
  (find: (author: Author) => Promise<string | undefined>, action: RegExp): Act =>
  async (author) => {
    const path = await find(author);
    if (path === undefined) return;
    const html = await author.pages.show(path);
    const offered = author.pick(buttonsOf(html, action));
    if (offered === undefined) return;
    stored(await author.pages.post(path, [...fieldsOf(html), ['do', offered]]));
    expect(buttonsOf(await author.pages.show(path), action)).toEqual([]);
    count(offered.replace(/:.*/, ''));
  };
const versions = async ({ formId }: Author) => `/build/${formId}/versions`;
const changes = async ({ formId }: Author) => `/build/${formId}/changes`;
const anyVersion = async (author: Author) =>
  author.pick(linksOf(await author.pages.show(await versions(author)), /\/versions\/\d{1,12}$/));
const anyArchived = async (author: Author) =>
  author.pick(linksOf(await author.pages.show(await versions(author)), /\/versions\/\d{13}$/));

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
  saveQuestion,
  retype: saveQuestion,
  saveSection,
  changeNode,
  changeNodes: changeNode,
  deleteCondition,
  publish: pressOn(changes, /^publish$/),
  discard: pressOn(changes, /^discard$/),
  restore: pressOn(anyVersion, /^(?:restore|replace)$/),
  restoreArchived: pressOn(anyArchived, /^(?:restore|replace)$/),
  undo,
};

/** The API takes back what it returns, and nothing changes by that. */
async function expectAccepted(formId: string, done: readonly string[]): Promise<void> {
  const before = await readWorkflow(cast.alice, formId);
  const { status } = await rewire(cast.alice, formId, {});
  expect([done, status]).toEqual([done, 200]);
  expect(await readWorkflow(cast.alice, formId)).toEqual(before);
}

/** A form with conditions as other clients draw them: in no list of rules. */
async function newDrawnForm(isPublished: boolean): Promise<string> {
  const choices = ['a', 'b', 'c'].map((name) => ({ name }));
  const { formId, sectionIds, questionIds } = await newForm(
    cast.alice,
    cast.slug,
    [[{ type: 'SINGLE_CHOICE', choices }, { type: 'SHORT_TEXT' }], [{ type: 'DROPDOWN', choices }], []],
    { publish: false },
  );
  const [first = '', second = '', third = ''] = sectionIds;
  const [outer, inner] = [
    await newNode(cast.alice, formId, 'CONDITION'),
    await newNode(cast.alice, formId, 'CONDITION'),
  ];
  const { status } = await rewire(cast.alice, formId, {
    [first]: { next: outer },
    [outer]: {
      nextTrue: inner,
      nextFalse: second,
      conditionRule: { source: 'NON_CHOICE', question: questionIds[1] ?? '', pattern: '^x$' },
    },
    [inner]: {
      nextTrue: third,
      nextFalse: second,
      conditionRule: { source: 'NON_CHOICE', question: questionIds[1] ?? '', pattern: 'y' },
    },
  });
  expect(status).toBe(200);
  if (isPublished) await cast.alice.client.forms.publishForm({ params: { formId } });
  return formId;
}

test('any sequence of actions yields a structure that the API accepts, and what was posted is shown again', async () => {
  const action = fc.tuple(fc.constantFrom(...Object.keys(ACTS)), fc.infiniteStream(fc.nat(1_000)));
  const actions = fc.array(action, { minLength: 14, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), actions, async (isPublished, all) => {
      const formId = await newDrawnForm(isPublished);
      const done: string[] = [];
      for (const [name, draws] of all) {
        const pick: Pick = (values) => values[(draws.next().value ?? 0) % Math.max(values.length, 1)];
        const before = await readWorkflow(cast.alice, formId);
        done.push(name);
        await ACTS[name]?.({ formId, pages: pagesOf(cast.bob), pick });
        if (isPublished && name !== 'publish')
          expect([done, await readWorkflow(cast.alice, formId)]).toEqual([done, before]);
        else await expectAccepted(formId, done);
        const changes = await requestAs(cast.alice, 'GET', `/api/forms/${formId}/changes`);
        expect([done, isPublished ? [200, 404] : [404]]).toEqual([done, expect.arrayContaining([changes.status])]);
      }
      const { body: definition } = await requestAs(cast.alice, 'GET', `/api/forms/${formId}/definition`);
      const imported = await requestAs(cast.alice, 'POST', `/api/orgs/${cast.slug}/forms/import`, definition);
      expect([done, imported.status]).toEqual([done, 201]);
      const { info } = await readWorkflow(cast.alice, imported.body.id);
      expect(info.length).toBe((await readWorkflow(cast.alice, formId)).info.length);
    }),
    { numRuns: tries(15, 40), endOnFailure: true },
  );
  const often = ['rule.target', 'rule.text', 'selected.', 'table.target'];
  const acts = ['conditions', 'links', 'deleted conditions', 'publish', 'discard', 'replace'];
  const saved = TYPES.filter((type) => met.has(`saved ${type}`));
  expect(saved.length).toBeGreaterThan(TYPES.length / 2);
  expect([...often, ...acts].filter((name) => (met.get(name) ?? 0) < (acts.includes(name) ? 1 : 5))).toEqual([]);
});
