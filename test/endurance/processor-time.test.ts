/**
 * No request takes more than a second of processor time, whatever its form holds: the largest ordinary form, and forms whose
 * patterns and sources cost as much as they may.
 */

import { expect, test } from 'vitest';
import { idWithin } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { MAX_QUESTIONS } from '#core/schema/limits.ts';
import { findNode, type Structure } from '#core/structure/structure.ts';
import type { Choice } from '#core/structure/types/choices.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { MAX_CONDITIONS, type WorkflowNode } from '#core/structure/workflow-model.ts';
import { replaceStoredStructure, requestAs } from '#test/support/building.ts';
import { muteErrors } from '#test/support/console.ts';
import { type Built, newForm, type QuestionKind } from '#test/support/fixtures.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { relativeCost } from '#test/support/processor.ts';
import { castAt, draftOf, NOW, save, sent, start, store, submissionOf } from '#test/support/responses.ts';

const cast = await castAt();
muteErrors();

const SECTIONS = 10;
const SELECTED = 4;
/** About a second of a quiet processor. */
const MAX_COST = 100;
/** Twice as much may take twice the time, and a half more for the garbage collector. */
const FACTOR = 3;
const UNCERTAIN = 4;

type Rule = { pattern: string; question: string; source: 'CHOICE' | 'NON_CHOICE' };

/** Puts the same number of conditions after each section; whatever they decide, the next node follows. */
function withConditions(structure: Structure, { sectionIds }: Built, rules: readonly Rule[]): Structure {
  const { uuid } = app();
  const conditions = rules.map(
    (conditionRule): WorkflowNode => ({
      id: idWithin(structure.formId, uuid()),
      type: 'CONDITION',
      label: 'If',
      payload: {},
      conditionRule,
    }),
  );
  const size = Math.ceil(conditions.length / sectionIds.length);
  const order = sectionIds.flatMap((id, index) => [
    ...[findNode(structure, id)].filter((node) => node !== undefined),
    ...conditions.slice(index * size, (index + 1) * size),
  ]);
  const [first] = order;
  const end = structure.nodes.find(({ type }) => type === 'END');
  const linked = order.map((node, index): WorkflowNode => {
    const next = (order[index + 1] ?? end)?.id;
    return node.type === 'CONDITION'
      ? ({ ...node, nextTrue: next, nextFalse: next } as WorkflowNode)
      : ({ ...node, next } as WorkflowNode);
  });
  const ends = structure.nodes.flatMap((node): WorkflowNode[] =>
    node.type === 'START' ? [{ ...node, next: first?.id } as WorkflowNode] : node.type === 'END' ? [node] : [],
  );
  return { ...structure, nodes: [...ends, ...linked] };
}

type Large = Built & { choices: readonly Choice[]; first: string };
type Shape = { questions: number; conditions: number; chained?: boolean; rule: (index: number, form: Large) => Rule };

/** A published form of questions with four choices and texts; `chained`: each question takes its choices from the one before. */
async function largeForm({ questions, conditions, chained = false, rule }: Shape): Promise<Large> {
  const kinds = Array.from({ length: SECTIONS }, (_, section): QuestionKind[] =>
    Array.from({ length: questions / SECTIONS }, (_question, index) =>
      chained || (section === 0 && index === 0)
        ? {
            type: 'MULTIPLE_CHOICE',
            choices: Array.from({ length: chained ? SELECTED : 200 }, (_choice, n) => ({ name: `${n}` })),
          }
        : { type: 'LONG_TEXT' },
    ),
  );
  const form = await newForm(cast.alice, cast.slug, kinds, { publish: false });
  let large: Large = { ...form, choices: [], first: form.questionIds[0] ?? '' };
  await replaceStoredStructure(form.formId, (structure) => {
    const [source] = structure.sections.flatMap((section) => section.questions);
    large = { ...large, choices: source?.choices ?? [] };
    const rules = Array.from({ length: conditions }, (_, index) => rule(index, large));
    const sections = structure.sections.map((section) => ({
      ...section,
      questions: section.questions.map(({ choices, ...question }) => {
        const sourceId = form.questionIds[form.questionIds.indexOf(question.id) - 1];
        return chained && sourceId ? { ...question, sourceId } : { ...question, ...(choices && { choices }) };
      }),
    }));
    return withConditions({ ...structure, sections }, form, rules);
  });
  await cast.alice.client.forms.publishForm({ params: { formId: form.formId } });
  return large;
}

const chooses = ({ choices }: Large): AnswerContent => ({
  type: 'MULTIPLE_CHOICE',
  value: choices.slice(0, SELECTED).map(({ id }) => id),
  names: choices.slice(0, SELECTED).map(({ name }) => name),
});

const storeDrafts = (form: Large, count: number, contents: (index: number) => Record<string, AnswerContent>) =>
  store(
    Array.from({ length: count }, (_, index) =>
      draftOf(form, (index % 2 === 0 ? cast.erin : cast.oscar).id, NOW, contents(index)),
    ),
  );

/** What people do with a form: each takes a request or two. */
async function measureRequests(form: Large, answers: Parameters<typeof save>[2]): Promise<Record<string, number>> {
  const { alice, bob, dave } = cast;
  const { formId, sectionIds } = form;
  const responseId = await start(dave, formId, answers);
  const [author, reviewer, respondent] = [alice, bob, dave].map((person) => pagesOf(person));
  const show = (pages: typeof author, path: string) => relativeCost(async () => pages?.show(path));
  return {
    save: await relativeCost(() => save(dave, responseId, answers)),
    preview: await relativeCost(() => bob.client.responses.getResponse({ params: { formId, responseId } })),
    statistics: await relativeCost(() => bob.client.responses.getStatistics({ params: { formId } })),
    'statistics page': await show(reviewer, `/review/${formId}/statistics`),
    'response page': await show(reviewer, `/review/${formId}/r/${responseId}`),
    'section page': await show(respondent, `/r/${responseId}/s/${sectionIds[0]}`),
    overview: await show(author, `/build/${formId}`),
    questions: await show(author, `/build/${formId}/questions`),
    rules: await show(author, `/build/${formId}/rules`),
    'preview page': await show(author, `/build/${formId}/preview`),
    workflow: await relativeCost(() => alice.client.workflow.getWorkflow({ params: { formId } })),
  };
}

const dearOf = (costs: Record<string, number>) => Object.entries(costs).filter(([, cost]) => cost > MAX_COST);

test('an ordinary form with as many conditions, questions and drafts as a request may meet', async () => {
  const form = await largeForm({
    questions: MAX_QUESTIONS,
    conditions: MAX_CONDITIONS,
    rule: (index, { choices, first }) => {
      // No two conditions have the same pattern.
      const [id, other] = [choices[index % 200]?.id, choices[(index + 1) % 200]?.id];
      const pattern = index < 200 ? `^${id}$` : `^(?:${id}|${other})$`;
      return { source: 'CHOICE', question: first, pattern };
    },
  });
  await storeDrafts(form, 200, () => ({ [form.first]: chooses(form) }));
  const costs = await measureRequests(form, [
    sent(
      form.first,
      'MULTIPLE_CHOICE',
      form.choices.slice(0, SELECTED).map(({ id }) => id),
    ),
  ]);
  expect(dearOf(costs)).toEqual([]);
  const { body } = await cast.bob.client.responses.getStatistics({ params: { formId: form.formId } });
  expect(body.countedDrafts).toBe(100);
});

test('a form with the most costly patterns that it may have, and drafts with different long texts', async () => {
  const form = await largeForm({
    questions: 2 * SECTIONS,
    conditions: 1,
    rule: (_, { questionIds }) => ({
      source: 'NON_CHOICE',
      question: questionIds[1] ?? '',
      pattern: String.raw`[\pL ]{0,595}[yz]`,
    }),
  });
  const text = form.questionIds[1] ?? '';
  const long = (index: number): string => `${index} ${'a'.repeat(9_990)}`;
  await storeDrafts(form, 30, (index) => ({
    [form.first]: chooses(form),
    [text]: { type: 'LONG_TEXT', value: long(index) },
  }));
  const costs = await measureRequests(form, [sent(text, 'LONG_TEXT', 'a'.repeat(10_000))]);
  expect(dearOf(costs)).toEqual([]);
  const { body } = await cast.bob.client.responses.getStatistics({ params: { formId: form.formId } });
  expect(body.countedDrafts).toBeLessThan(30);
});

test('questions that take their choices from one another are followed in linear time', async () => {
  const cost = async (size: number): Promise<number> => {
    const form = await largeForm({
      questions: size,
      conditions: size,
      chained: true,
      rule: (index, { choices, questionIds }) => ({
        source: 'CHOICE',
        question: questionIds[Math.max(0, (Math.floor(index / (size / SECTIONS)) + 1) * (size / SECTIONS) - 1)] ?? '',
        pattern: `^${choices[0]?.id}$`,
      }),
    });
    const all = Object.fromEntries(form.questionIds.map((id) => [id, chooses(form)]));
    await storeDrafts(form, 4, () => all);
    return relativeCost(() => cast.bob.client.responses.getStatistics({ params: { formId: form.formId } }), 5);
  };
  const [half, full] = [await cost(MAX_QUESTIONS / 2), await cost(MAX_QUESTIONS)];
  expect({ half, full, isLinear: full <= FACTOR * half + UNCERTAIN }).toMatchObject({ isLinear: true });
  expect(full).toBeLessThan(MAX_COST);
});

test('as many entries of a filter as a request may have are compared in linear time', async () => {
  const kinds: QuestionKind[][] = [
    [{ type: 'MULTIPLE_CHOICE', choices: Array.from({ length: 200 }, (_, n) => ({ name: `${n}` })) }],
  ];
  const form = await newForm(cast.alice, cast.slug, kinds);
  const questionId = form.questionIds[0] ?? '';
  const listed = (await cast.alice.client.sections.listSections({ params: { formId: form.formId } })).body;
  const ids = listed
    .flatMap(({ questions }) => questions ?? [])
    .flatMap(({ choices }) => (choices ?? []).map(({ id }) => id));
  const all: AnswerContent = { type: 'MULTIPLE_CHOICE', value: ids, names: ids.map((_, n) => `${n}`) };
  await store(Array.from({ length: 200 }, () => submissionOf(form, cast.dave.id, NOW, { [questionId]: all })));
  // Each entry has other options, of which the last one matches.
  const entries = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      questionId,
      answers: [...ids.slice(0, 60).map((id) => `${n}${id}`), ids[n % ids.length] ?? ''].map((option) => ({ option })),
    }));
  const query = (count: number) => async () => {
    const body = { filters: entries(count) };
    const found = await cast.bob.client.responses.queryStatistics({ params: { formId: form.formId }, body });
    expect(found.body.countedResponses).toBe(200);
  };
  const [one, half, full] = [
    await relativeCost(query(1)),
    await relativeCost(query(150)),
    await relativeCost(query(300)),
  ];
  expect({ one, half, full, isLinear: full <= FACTOR * half && full <= FACTOR * one + UNCERTAIN }).toMatchObject({
    isLinear: true,
  });
});

test('a definition with as many costly patterns is refused before one is compiled', async () => {
  const neutral = (n: number): string => `00000000-0000-8000-8000-${n.toString(16).padStart(12, '0')}`;
  const choices = Array.from({ length: 200 }, (_, n) => ({ id: neutral(1_000 + n), name: `Choice ${n}` }));
  const definition = (count: number) => ({
    format: 'form-service',
    version: 1,
    form: {
      ...{ title: 'Patterns', visibility: 'PUBLIC', allowEditResponse: true, description: null },
      nodes: [
        { id: neutral(1), type: 'START', label: 'Start', payload: {}, next: neutral(3) },
        { id: neutral(2), type: 'END', label: 'End', payload: {} },
        { id: neutral(3), type: 'SECTION', label: 'Section', payload: {}, next: neutral(10) },
        ...Array.from({ length: count }, (_, n) => {
          const next = n + 1 < count ? neutral(11 + n) : neutral(2);
          const pattern = String.raw`[\pL\pN-]{0,${590 - n}}[yz]`;
          const conditionRule = { source: 'CHOICE', question: neutral(4), pattern };
          return {
            id: neutral(10 + n),
            type: 'CONDITION',
            label: 'If',
            payload: {},
            nextTrue: next,
            nextFalse: next,
            conditionRule,
          };
        }),
      ],
      sections: [
        {
          ...{ id: neutral(3), description: null },
          questions: [
            { id: neutral(4), type: 'MULTIPLE_CHOICE', title: 'Which?', required: false, description: null, choices },
          ],
        },
      ],
    },
  });
  const path = `/api/orgs/${cast.slug}/forms/import`;
  const post = (count: number) => requestAs(cast.alice, 'POST', path, definition(count));
  const refused = await post(290);
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [{ pointer: '/body/form/nodes/292/conditionRule/pattern', detail: expect.stringContaining('6000000') }],
  ]);
  expect(await relativeCost(() => post(290))).toBeLessThan(MAX_COST / 2);
});

test('a description that would take long to parse is refused, with its line, before it is parsed', async () => {
  const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
  const path = `/build/${formId}/s/${sectionIds[0]}`;
  const post = (description: string) =>
    pagesOf(cast.alice).post(path, [
      ['title', 'Section'],
      ['description', description],
      ['do', 'save'],
    ]);
  const refused = await post(`One\n${'1. '.repeat(3_300)}`);
  expect([refused.status, textOf(await refused.text())]).toEqual([
    400,
    expect.stringContaining('Line 2 begins with more than 20 signs of lists and quotations'),
  ]);
  for (const text of ['1. ', '> - ', '***a…a***', '*[a']) {
    expect(await relativeCost(async () => post(text.repeat(10_000 / text.length)))).toBeLessThan(MAX_COST / 2);
  }
});
