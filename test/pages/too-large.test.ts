/** Pages of a form that has no room for what is typed: it stays, and the page says what is too large and what to do. */
import { describe, expect, test } from 'vitest';
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { app } from '#core/http/app.ts';
import { maxFormBytes, type PageDeclaration } from '#core/pages/shell/declare-page.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import { loadViews, replaceViews } from '#core/views/views.ts';
import { newNode, replaceStoredStructure, rewire } from '#test/support/building.ts';
import { pageNamed, pagesFor } from '#test/support/declared-pages.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { choice, readQuestion, respond, sent } from '#test/support/responses.ts';
import { doc, p, text } from '#test/support/rich-text.ts';

const cast = await newCast();
const { client } = cast.alice;

const TYPED = 'Lake Constance, as it was in the summer of the year before last';
/** Room for less than any of the edits takes. */
const FREE_BYTES = 20;

/** A draft whose structure and views have no room: two answered questions, a condition that asks for one, a view. */
async function open() {
  const lake = { type: 'SINGLE_CHOICE' as const, title: 'Which lake?', choices: [{ name: 'A' }, { name: 'B' }] };
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [
    [lake, { type: 'SHORT_TEXT' }],
    [],
    [{ type: 'SHORT_TEXT' }],
  ]);
  const params = { formId };
  const [section = '', next = '', last = ''] = sectionIds;
  const [question = '', name = ''] = questionIds;
  const choiceId = choice(await readQuestion(cast.alice, formId, question), 'A');
  const nodeId = await newNode(cast.alice, formId, 'CONDITION');
  const conditionRule = { source: 'NON_CHOICE' as const, question: name, pattern: '^A$' };
  await rewire(cast.alice, formId, { [nodeId]: { conditionRule, nextTrue: last, nextFalse: last } });
  await client.views.createView({ params, body: { title: 'Other' } });
  const { id: viewId } = (await client.views.createView({ params, body: { title: 'Lakes', columns: [question] } }))
    .body;
  await respond(cast.dave, formId, [sent(question, 'SINGLE_CHOICE', [choiceId])]);
  await client.forms.archiveForm({ params });
  await client.forms.unarchiveForm({ params });
  await replaceStoredStructure(formId, fill);
  const views = await loadViews(app().table, formId);
  const fillViews = (characters: number) => ({
    ...views,
    version: views.version + 1,
    views: views.views.map((view) => ({ ...view, ...(view.id !== viewId && { columns: ['x'.repeat(characters)] }) })),
  });
  await app().table.write(replaceViews(fillViews(countRoom(fillViews))));
  return { formId, section, next, last, question, name, choiceId, nodeId, viewId };
}

/** Gives the last question explanations, of at most 64 KB each in copies of it, until there is no room. */
function fill(structure: Structure): Structure {
  const withExplanations = (lengths: readonly number[]): Structure => ({
    ...structure,
    sections: structure.sections.map((section, index) =>
      index === 2
        ? { ...section, questions: lengths.flatMap((length) => explain(section.questions, length)) }
        : section,
    ),
  });
  const full = [60_000, 60_000, 60_000, 60_000, 60_000];
  return withExplanations([...full, countRoom((characters) => withExplanations([...full, characters]))]);
}

const explain = (questions: readonly Question[], length: number): Question[] =>
  questions.map((question) => ({ ...question, id: app().uuid(), description: doc(p(text('x'.repeat(length)))) }));

const countRoom = (build: (characters: number) => object): number =>
  MAX_ENTITY_BYTES - entityBytes(build(1)) + 1 - FREE_BYTES;

type Opened = Awaited<ReturnType<typeof open>>;
type Fields = readonly (readonly [string, string])[];
/** `path`: of the page; its form is posted to the same address without the query. */
type Row = { page: PageDeclaration; path: (opened: Opened) => string; typed: (opened: Opened) => Fields };

const build = ({ formId }: Opened): string => `/build/${formId}`;

const ROWS: Record<string, Row> = {
  section: {
    page: pageNamed('postEditSection'),
    path: (opened) => `${build(opened)}/s/${opened.section}`,
    typed: () => [['title', TYPED]],
  },
  'new question': {
    page: pageNamed('postNewQuestion'),
    path: (opened) => `${build(opened)}/s/${opened.section}/new?type=SHORT_TEXT`,
    typed: () => [['title', TYPED]],
  },
  question: {
    page: pageNamed('postQuestion'),
    path: (opened) => `${build(opened)}/q/${opened.question}`,
    typed: () => [['title', TYPED]],
  },
  choices: {
    page: pageNamed('postChoices'),
    path: (opened) => `${build(opened)}/q/${opened.question}/choices`,
    typed: () => [['choices', `A\nB\n${TYPED}`]],
  },
  'rules as rows': {
    page: pageNamed('postSectionRules'),
    path: (opened) => `${build(opened)}/s/${opened.section}/rules?as=rows`,
    typed: ({ name, last, next }) => [
      ['rule.id', ''],
      ['rule.question', name],
      ['rule.test', 'is'],
      ['rule.text', TYPED],
      ['rule.target', last],
      ['otherwise', next],
    ],
  },
  'rules as a table': {
    page: pageNamed('postSectionRules'),
    path: (opened) => `${build(opened)}/s/${opened.section}/rules`,
    typed: ({ question, choiceId, last, next }) => [
      ['table.question', question],
      ['table.choice', choiceId],
      ['table.target', last],
      ['otherwise', next],
    ],
  },
  condition: {
    page: pageNamed('postCondition'),
    path: (opened) => `${build(opened)}/c/${opened.nodeId}`,
    typed: () => [['rule.text', TYPED]],
  },
  order: {
    page: pageNamed('postOrder'),
    path: (opened) => `${build(opened)}/questions/order`,
    typed: ({ question }) => [[`s.${question}`, '2']],
  },
  'new view': {
    page: pageNamed('postViews'),
    path: ({ formId }) => `/review/${formId}/views`,
    typed: () => [['title', TYPED]],
  },
  view: {
    page: pageNamed('postView'),
    path: ({ formId, viewId }) => `/review/${formId}/views/${viewId}`,
    typed: () => [['title', TYPED]],
  },
};

const SAID = {
  form: 'The form would be too large: its questions, sections and rules can have 350 kB together. Nothing was saved. Shorten texts, or delete',
  views: 'The views of this form have too many columns together. Choose fewer columns, or delete another view',
};

const opened = await open();

describe('what was typed stays when the form has no room for it', () => {
  test.for(
    Object.keys(ROWS).flatMap((name) => [[name, 'without'] as const, [name, 'with'] as const]),
  )('%s, %s scripts', async ([name, scripts]) => {
    const { page, path, typed } = ROWS[name] as Row;
    const pages = pagesOf(cast.alice, scripts === 'with' ? { accept: 'application/json, text/html' } : {});
    const own = typed(opened);
    const shown = await pagesOf(cast.alice).show(path(opened));
    const rest = fieldsOf(shown).filter(([field]) => !own.some(([other]) => other === field));
    const refused = await pages.post(path(opened).replace(/\?.*/, ''), [...rest, ...own, ['do', 'save']]);
    const html = await refused.text();
    expect([refused.status, textOf(html)]).toEqual([
      413,
      expect.stringContaining(page.audience === 'reviewers' ? SAID.views : SAID.form),
    ]);
    // Scripts show a page in place; anything else would open the page of a problem.
    expect(refused.headers.get('content-type')).toMatch(/^text\/html/);
    expect(fieldsOf(html)).toEqual(expect.arrayContaining([...own]));
  });

  test('is shown for every page that takes texts', () => {
    const pages = pagesFor('authors');
    const taken = pages.filter((page: PageDeclaration) => maxFormBytes(page) > 100_000);
    const trials = [pageNamed('postTryRules'), pageNamed('postPreview')];
    const rows = Object.values(ROWS).map(({ page }) => page);
    expect(taken.filter((page) => !rows.includes(page) && !trials.includes(page))).toEqual([]);
  });
});

test('a copy or a move for which the form has no room says so', async () => {
  const pages = pagesOf(cast.alice);
  const questions = `${build(opened)}/questions`;
  const page = `${build(opened)}/q/${opened.question}`;
  for (const [path, action, more] of [
    [questions, `copy:${opened.question}`, []],
    [questions, `copy-section:${opened.section}`, []],
    [questions, `section:${opened.section}`, []],
    [page, 'move', [['place', `${opened.next}:`]]],
  ] as const) {
    const response = await pages.post(path, [...fieldsOf(await pages.show(path)), ...more, ['do', action]]);
    expect([action, response.status, textOf(await response.text())]).toEqual([
      action,
      413,
      expect.stringContaining(SAID.form),
    ]);
  }
});

test('the columns of a new view stay when the form has as many views as it can have', async () => {
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, [
    [{ type: 'SHORT_TEXT' }, { type: 'LONG_TEXT' }],
  ]);
  const now = app().now().toISOString();
  const views = Array.from({ length: 200 }, (_, index) => ({
    ...{ id: app().uuid(), title: `View ${index}`, locked: false, columns: [], createdAt: now, updatedAt: now },
  }));
  await app().table.write(replaceViews({ formId, version: 1, views }));
  const path = `/review/${formId}/views`;
  const pages = pagesOf(cast.alice);
  const rest = fieldsOf(await pages.show(path)).filter(([name]) => name !== 'title' && name !== 'column');
  const typed = [
    ['title', TYPED],
    ['column', questionIds[1] ?? ''],
  ] as const;
  const refused = await pages.post(path, [...rest, ...typed]);
  const html = await refused.text();
  expect([refused.status, textOf(html)]).toEqual([400, expect.stringContaining('at most 200 views. Delete one first')]);
  expect(fieldsOf(html).filter(([name]) => name === 'title' || name === 'column')).toEqual(typed);
});
