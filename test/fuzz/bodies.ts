/**
 * Bodies that a schema alone cannot describe because they depend on existing data: answers that match the questions of
 * a form, workflows of exactly its nodes, and definitions whose parts fit together. Generated as numbers and texts, resolved when the request is sent.
 */
import fc from 'fast-check';
import type { QuestionDocument } from '#core/structure/question-model.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';
import { Deferred, type FormParts, pick, type Target } from './ground.ts';
import { PATTERNS, textOf } from './texts.ts';

const number = () => fc.noBias(fc.nat({ max: 0x7fffffff }));
const LONG_TEXTS = ['a'.repeat(10_000), 'ab'.repeat(5_000), `${'a'.repeat(9_999)}!`, 'yes', '水'.repeat(10_000)];

type Drawn = { which: number; short: string; long: string; number: number; many: number[]; date: string; link: string };

const drawnAnswer: fc.Arbitrary<Drawn> = fc.record({
  which: number(),
  short: textOf({ type: 'string', minLength: 1, maxLength: 500 }),
  long: fc.oneof(textOf({ type: 'string', minLength: 1, maxLength: 10_000 }), fc.constantFrom(...LONG_TEXTS)),
  number: fc.nat({ max: 10 }),
  many: fc.array(number(), { minLength: 1, maxLength: 6 }),
  date: fc.constantFrom(
    '2026-06-05',
    '2026-6-5',
    '2026-06',
    '2026',
    '2024-02-29T23:30:00+14:00',
    '1999-12-31T23:59:59Z',
  ),
  link: fc.webUrl(),
});

/** Answers to all, the required, a few, or the first questions of the target form. */
const answersBody: fc.Arbitrary<unknown> = fc
  .record({
    drawn: fc.array(drawnAnswer, { minLength: 1, maxLength: 4 }),
    wanted: fc.constantFrom('all', 'required', 'few', 'sections'),
  })
  .map(({ drawn, wanted }) => ({ answers: new Deferred(({ form }) => answersTo(form, drawn, wanted)) }));

function answersTo(form: FormParts, drawn: readonly Drawn[], wanted: string): unknown[] {
  const { questions } = form;
  const first = drawn[0]?.which ?? 0;
  const sections = form.sections.slice(0, 1 + (first % Math.max(form.sections.length, 1)));
  const chosen: Record<string, () => (QuestionDocument | undefined)[]> = {
    all: () => questions,
    required: () => questions.filter(({ required }) => required),
    few: () => [...new Set(drawn.map(({ which }) => pick(questions, which)))],
    sections: () => questions.filter(({ sectionId }) => sections.includes(sectionId)),
  };
  return (chosen[wanted]?.() ?? []).flatMap((question, index) => {
    const draw = drawn[index % drawn.length];
    return question && draw ? answerTo(question, draw) : [];
  });
}

function answerTo(question: QuestionDocument, drawn: Drawn): unknown[] {
  const value = valueFor(question, drawn);
  if (value === undefined) return [];
  const other = question.choices?.find(({ isOther }) => isOther);
  const hasOtherText = Array.isArray(value) && other !== undefined && value.includes(other.id);
  const otherText = hasOtherText ? { otherText: Array.from(drawn.short).slice(0, 200).join('') } : {};
  return [{ questionId: question.id, questionType: question.type, value, ...otherText }];
}

function valueFor({ type, choices = [], scale }: QuestionDocument, drawn: Drawn): unknown {
  const ids = [...new Set(drawn.many.map((which) => pick(choices, which)?.id))].filter((id) => id !== undefined);
  const some = ids.length > 0 ? ids : undefined;
  switch (type) {
    case 'SHORT_TEXT':
      return drawn.short;
    case 'LONG_TEXT':
      return drawn.long;
    case 'HYPERLINK':
      return drawn.link;
    case 'DATE':
      return drawn.date;
    case 'LINEAR_SCALE':
    case 'RATING':
      return Math.min(Math.max(drawn.number, scale?.minVal ?? 0), scale?.maxVal ?? 10);
    case 'SINGLE_CHOICE':
    case 'DROPDOWN':
      return some?.slice(0, 1);
    case 'MULTIPLE_CHOICE':
    case 'DETAILED_MULTIPLE_CHOICE':
    case 'RANKING':
      return some;
    default:
      return undefined;
  }
}

type Rewiring = { how: string; links: number[]; patterns: string[]; labels: string[] };

/** The workflow of the target form: unchanged, in one chain, or with random links. */
const workflowBody: fc.Arbitrary<unknown> = fc
  .record({
    how: fc.constantFrom('same', 'row', 'row', 'rules', 'rules', 'links', 'unlinked'),
    links: fc.array(number(), { minLength: 3, maxLength: 12 }),
    patterns: fc.array(fc.constantFrom(...PATTERNS), { minLength: 1, maxLength: 4 }),
    labels: fc.array(textOf({ type: 'string', maxLength: 200 }), { minLength: 1, maxLength: 3 }),
  })
  .map((rewiring) => new Deferred(({ form }) => rewired(form, rewiring)));

function rewired(form: FormParts, rewiring: Rewiring): unknown[] {
  const { nodes } = form;
  if (rewiring.how === 'same') return nodes;
  const chain = [
    ...nodes.filter(({ type }) => type === 'START'),
    ...nodes.filter(({ type }) => type === 'SECTION'),
    ...nodes.filter(({ type }) => type === 'CONDITION'),
    ...nodes.filter(({ type }) => type === 'END'),
  ];
  return chain.map((node, index) => ({
    id: node.id,
    label:
      rewiring.how === 'links' ? (rewiring.labels[index % rewiring.labels.length] ?? '') : node.label.slice(0, 100),
    payload: node.payload,
    ...linksOf(chain, index, rewiring),
    ...(node.type === 'CONDITION' && rewiring.how !== 'row' ? { conditionRule: ruleOf(form, index, rewiring) } : {}),
  }));
}

function linksOf(chain: readonly WorkflowNode[], index: number, { how, links }: Rewiring): Record<string, unknown> {
  if (how === 'unlinked') return {};
  const next = chain[index + 1]?.id;
  const other = (by: number) => pick(chain, (links[(index + by) % links.length] ?? 0) + index)?.id;
  const isRow = how !== 'links';
  return chain[index]?.type === 'CONDITION'
    ? { nextTrue: isRow ? next : other(1), nextFalse: isRow ? next : other(2) }
    : { next: isRow ? next : other(0) };
}

function ruleOf(form: FormParts, index: number, { links, patterns }: Rewiring): Record<string, unknown> {
  const question = pick(form.questions, links[index % links.length] ?? 0);
  const choice = pick(question?.choices ?? [], index);
  return {
    source: question?.choices ? 'CHOICE' : 'NON_CHOICE',
    question: question?.id ?? null,
    pattern: choice?.id ?? patterns[index % patterns.length] ?? 'a',
  };
}

/** A start with nothing, with answers, or as a complete submission. */
const startBody: fc.Arbitrary<unknown> = fc
  .record({ answers: fc.option(answersBody), submit: fc.constantFrom(undefined, false, true, true) })
  .map(({ answers, submit }) => Object.assign({ submit }, answers));

const neutralId = (count: number): string => `00000000-0000-8000-8000-${String(count).padStart(12, '0')}`;

/** A definition with a section of questions between START and END; some link leads nowhere. */
const definitionBody: fc.Arbitrary<unknown> = fc
  .record({
    titles: fc.array(textOf({ type: 'string', minLength: 1, maxLength: 200 }), { minLength: 1, maxLength: 4 }),
    isLinked: fc.boolean(),
    visibility: fc.constantFrom('PUBLIC', 'PRIVATE'),
  })
  .map(({ titles, isLinked, visibility }) => ({
    format: 'form-service',
    version: 1,
    form: {
      title: titles[0],
      visibility,
      allowEditResponse: isLinked,
      nodes: [
        { id: neutralId(1), type: 'START', label: 'Start', payload: {}, next: neutralId(2) },
        { id: neutralId(2), type: 'SECTION', label: 'All', payload: {}, ...(isLinked ? { next: neutralId(3) } : {}) },
        { id: neutralId(3), type: 'END', label: 'End', payload: {} },
      ],
      sections: [
        {
          id: neutralId(2),
          description: null,
          questions: titles.map((title, index) => ({
            id: neutralId(10 + index),
            type: index % 2 === 0 ? 'SHORT_TEXT' : 'DROPDOWN',
            required: false,
            title,
            description: null,
            ...(index % 2 === 0 ? {} : { choices: [{ id: neutralId(20 + index), name: 'a' }] }),
          })),
        },
      ],
    },
  }));

/** The operations that take such a body. */
export const BODIES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'forms.importForm': definitionBody,
  'responses.startResponse': startBody,
  'responses.updateAnswers': answersBody,
  'responses.submitResponse': answersBody,
  'workflow.updateWorkflow': workflowBody,
};

/** An id that is chosen from the target when the request is sent. */
export const deferredId = (choose: (target: Target, which: number) => string | undefined): fc.Arbitrary<Deferred> =>
  number().map((which) => new Deferred((target) => choose(target, which)));
