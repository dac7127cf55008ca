/**
 * A form that may be published can be submitted by everybody who answers what is asked, also after edits that leave it
 * publishable and after the sources of choices were deleted. Random forms, respondents and editors.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerLookup, demandedQuestions, requireComplete } from '#core/responses/answers.ts';
import { clearAnswer, newResponse, saveAnswers, submit } from '#core/responses/edits.ts';
import type { AnswerInput, Response } from '#core/responses/model.ts';
import { buildPreview } from '#core/responses/preview.ts';
import type { Question, QuestionDocument, QuestionType } from '#core/structure/question-model.ts';
import { deleteQuestion, replaceQuestion } from '#core/structure/questions.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { isChoiceType } from '#core/structure/types/traits.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import { replaceWorkflow } from '#core/structure/workflow-edits.ts';
import { condition, form, id, LATER, NOW, outcomeOf, question, section } from '#test/support/workflow.ts';

const CHOICE_TYPES = ['SINGLE_CHOICE', 'MULTIPLE_CHOICE', 'DROPDOWN', 'RANKING'] as const;
const DATE = { hasYear: true, hasMonth: true, hasDay: true };

/** `source`: takes its choices from an earlier choice question, chosen by this number; own choices if there is none. */
type Kind = { type: QuestionType; required: boolean; other: 'none' | 'named' | 'unnamed'; source: number | undefined };
const anyKind: fc.Arbitrary<Kind> = fc.record({
  type: fc.constantFrom<QuestionType>(...CHOICE_TYPES, ...CHOICE_TYPES, 'SHORT_TEXT', 'LINEAR_SCALE', 'DATE'),
  required: fc.boolean(),
  other: fc.constantFrom('none', 'none', 'named', 'unnamed'),
  source: fc.option(fc.nat(9), { nil: undefined }),
});

/** What follows a section: the next one, or a condition on one of the questions so far. */
type Next = { asks: number; choice: number; yes: number; no: number } | undefined;
const anyNext: fc.Arbitrary<Next> = fc.option(
  fc.record({ asks: fc.nat(11), choice: fc.nat(2), yes: fc.nat(2), no: fc.nat(2) }),
  { nil: undefined, freq: 2 },
);

const anySection = fc.record({ kinds: fc.array(anyKind, { minLength: 1, maxLength: 3 }), next: anyNext });

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];

/** The question of a kind; `before` are the questions that come before it. */
function questionOf(name: string, kind: Kind, before: readonly Question[]): Question {
  const { type, required, other } = kind;
  if (type === 'LINEAR_SCALE') return question(name, type, { required, scale: { minVal: 0, maxVal: 5 } });
  if (type === 'DATE') return question(name, type, { required, date: DATE });
  const own = question(name, type, { required });
  if (!isChoiceType(type)) return own;
  const source =
    kind.source === undefined
      ? undefined
      : at(
          before.filter((each) => isChoiceType(each.type)),
          kind.source,
        );
  if (source) {
    const { choices: _, ...rest } = own;
    return { ...rest, sourceId: source.id };
  }
  if (other === 'none') return own;
  const last = { id: id(`${name}3`), name: other === 'named' ? 'Other' : '', isOther: true };
  return { ...own, choices: [...(own.choices ?? []), last] };
}

/** A rule that is true for an answer with the first or second choice, or with an `a`. */
function ruleOn(all: readonly Question[], { asks, choice }: { asks: number; choice: number }) {
  const asked = at(all, asks);
  if (!asked) return undefined;
  const root = all.find((each) => each.id === rootOf(all, asked).id)?.choices;
  const name = Buffer.from(asked.id.slice(-12), 'hex').toString().replaceAll('\0', '');
  return root
    ? { asks: name, source: 'CHOICE' as const, pattern: at(root, choice)?.id ?? '' }
    : { asks: name, pattern: at(['a', '1', '2026'], choice) ?? '' };
}

const rootOf = (all: readonly Question[], asked: Question): Question => {
  const source = all.find((each) => each.id === asked.sourceId);
  return source ? rootOf(all, source) : asked;
};

/** Forms of two to four sections whose links lead forward. */
const anyStructure: fc.Arbitrary<Structure> = fc.array(anySection, { minLength: 2, maxLength: 4 }).map((sections) => {
  const all: Question[] = [];
  const target = (from: number, ahead: number): string => {
    const to = from + 1 + ahead;
    return to >= sections.length ? 'end' : `s${to}`;
  };
  const parts = sections.flatMap(({ kinds, next }, index) => {
    const questions = kinds.map((kind, position) => {
      const made = questionOf(`q${index}${position}`, kind, all);
      all.push(made);
      return made;
    });
    const rule = next && ruleOn(all, next);
    if (!next || !rule) return [section(`s${index}`, target(index, 0), questions)];
    return [
      section(`s${index}`, `c${index}`, questions),
      condition(`c${index}`, rule, target(index, next.yes), target(index, next.no)),
    ];
  });
  return form('s0', parts);
});
const publishable = anyStructure.filter((structure) => workflowInfo(structure).length === 0);

/** What a respondent sees of a question; undefined for one that the form does not have. */
function shown(response: Response, structure: Structure, questionId: string): QuestionDocument | undefined {
  const details = buildPreview({ response, structure }, undefined).sections.flatMap(
    ({ answerDetails }) => answerDetails,
  );
  return details.find((detail) => detail.question.id === questionId)?.question;
}

/** A valid answer to a question as its respondent sees it. */
function answerOf(view: QuestionDocument, pick: number): AnswerInput {
  const base = { questionId: view.id, questionType: view.type };
  if (view.type === 'SHORT_TEXT') return { ...base, value: at(['a', 'b'], pick) ?? '' };
  if (view.type === 'DATE') return { ...base, value: at(['2026-05-01', '2025-01-01'], pick) ?? '' };
  if (view.scale) {
    const { minVal, maxVal } = view.scale;
    return { ...base, value: minVal + (pick % (maxVal - minVal + 1)) };
  }
  const { choices = [] } = view;
  const first = at(choices, pick);
  const second = at(choices, pick + 1);
  const many = view.type === 'MULTIPLE_CHOICE' || view.type === 'RANKING';
  const selected = [first, ...(many && pick % 2 === 0 && second !== first ? [second] : [])].filter(
    (each) => each !== undefined,
  );
  const other = selected.some((choice) => choice.isOther);
  return { ...base, value: selected.map((choice) => choice.id), ...(other && { otherText: `text ${pick}` }) };
}

const hasNothingToChoose = ({ type, choices = [] }: QuestionDocument): boolean =>
  isChoiceType(type) && choices.length === 0;

/** Answers some questions on the path, in the order of the path, as a respondent who also answers optional ones. */
function fillIn(structure: Structure, picks: readonly number[]): Response {
  let response = newResponse(id('r'), id('form'), id('user'), NOW);
  for (const pick of picks) {
    const reached = buildPreview({ response, structure }, undefined).sections.filter(
      ({ progress }) => progress !== 'SKIPPED',
    );
    const view = at(
      reached.flatMap(({ answerDetails }) => answerDetails).map((detail) => detail.question),
      pick,
    );
    if (!view || hasNothingToChoose(view)) continue;
    response = saveAnswers({ response, structure }, [answerOf(view, Math.floor(pick / 7))], NOW);
  }
  return response;
}

/** Submits a response as somebody who answers what is asked, and clears an answer where nothing can be chosen. */
function submitted(start: Response, structure: Structure, pick: number): Response {
  let response = start;
  for (let step = 0; step < 40; step += 1) {
    const outcome = outcomeOf(() => requireComplete({ response: submit(response, LATER), structure }));
    if ('value' in outcome) return outcome.value;
    const demanded = demandedQuestions({ response, structure });
    const answerTo = answerLookup(response.answers);
    const faulty = outcome.errors.map(({ pointer }) => pointer.replace('/answers/', ''));
    expect(faulty.filter((each) => !answerTo(each)).sort()).toEqual(
      [...demanded].filter((each) => !answerTo(each)).sort(),
    );
    for (const { pointer, detail } of outcome.errors) {
      const questionId = pointer.replace('/answers/', '');
      const view = shown(response, structure, questionId);
      const isAnswered = answerTo(questionId) !== undefined;
      if (!view) throw new Error(`nothing can be answered: ${pointer} ${detail}`);
      if (!hasNothingToChoose(view))
        response = saveAnswers({ response, structure }, [answerOf(view, pick + step)], LATER);
      else if (isAnswered) response = clearAnswer({ response, structure }, questionId, LATER);
      else throw new Error(`asks for an answer, but offers no choices: ${detail}`);
      // The other faults are those of the answers before this one.
      break;
    }
  }
  throw new Error('asks for answers without end');
}

test('whoever answers what is asked can submit a form that may be published', () => {
  fc.assert(
    fc.property(publishable, fc.array(fc.nat(500), { maxLength: 12 }), fc.nat(9), (structure, picks, pick) => {
      const response = submitted(fillIn(structure, picks), structure, pick);
      const shownAs = buildPreview({ response, structure }, undefined).sections.map(({ progress }) => progress);
      expect(new Set(shownAs)).toEqual(new Set(shownAs.includes('SKIPPED') ? ['COMPLETED', 'SKIPPED'] : ['COMPLETED']));
    }),
    { numRuns: 300 },
  );
});

type Edit = { kind: 'require' | 'choices' | 'source' | 'delete' | 'relink'; question: number; other: number };
const anyEdit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('require', 'choices', 'source', 'delete', 'relink'),
  question: fc.nat(20),
  other: fc.nat(20),
});

/** The structure after an edit of one of its questions or conditions. */
function edited(structure: Structure, { kind, question: index, other }: Edit): Structure {
  if (kind === 'relink') {
    const nodes = structure.nodes.map((node, position) => {
      const to = structure.nodes[position + 1 + (other % 3)]?.id;
      return node.type === 'CONDITION' && position === index % structure.nodes.length && to
        ? { ...node, nextFalse: to }
        : node;
    });
    return replaceWorkflow(structure, nodes, LATER);
  }
  const all = structure.sections.flatMap((each) => each.questions.map((one) => ({ sectionId: each.id, one })));
  const placed = at(all, index);
  if (!placed) return structure;
  const { sectionId, one } = placed;
  const change = { sectionId, questionId: one.id, now: LATER, newId: () => id('new') };
  if (kind === 'delete') return deleteQuestion(structure, new Set([one.id]), change);
  const { id: _id, createdAt: _created, updatedAt: _updated, ...input } = one;
  const order = findQuestion(structure, one.id)?.order ?? 1;
  if (kind === 'require') {
    const scale = one.scale && { minVal: 1, maxVal: 2 + (other % 4) };
    return replaceQuestion(structure, new Set(), {
      ...change,
      input: { ...input, scale, required: other % 2 === 0, order },
    });
  }
  if (kind === 'choices') {
    const choices = one.choices?.filter((_, position) => position !== other % (one.choices?.length ?? 1));
    return replaceQuestion(structure, new Set(), { ...change, input: { ...input, choices, order } });
  }
  const source = at(
    all.filter(({ one: { type } }) => isChoiceType(type)),
    other,
  )?.one.id;
  return replaceQuestion(structure, new Set(), {
    ...change,
    input: { ...input, sourceId: source, choices: undefined, order },
  });
}

/** Whether an edit leaves a form that can be published, but for questions whose source was deleted. */
const isAllowed = (structure: Structure): boolean =>
  workflowInfo(structure).every(({ message }) => message.includes('takes its choices from a deleted question'));

test('edits that leave a form publishable, and deleted sources, keep it open to everybody who began before', () => {
  const edits = fc.array(anyEdit, { minLength: 1, maxLength: 8 });
  let applied = 0;
  fc.assert(
    fc.property(
      publishable,
      fc.array(fc.nat(500), { maxLength: 12 }),
      edits,
      fc.nat(9),
      (before, picks, changes, pick) => {
        let structure = before;
        let response = fillIn(before, picks);
        for (const change of changes) {
          const outcome = outcomeOf(() => edited(structure, change));
          if (!('value' in outcome) || outcome.value === structure || !isAllowed(outcome.value)) continue;
          applied += 1;
          structure = outcome.value;
          // A submitted response is edited later, a draft continues.
          if (change.other % 3 === 0) response = submitted(response, structure, pick);
        }
        submitted(response, structure, pick);
        submitted(fillIn(structure, picks), structure, pick);
      },
    ),
    { numRuns: 300 },
  );
  expect(applied).toBeGreaterThan(300);
});

test('the random forms do contain chains of sources and conditions on them', () => {
  const forms = fc.sample(publishable, { numRuns: 200, seed: 1 });
  const chained = forms.filter(({ sections }) => {
    const all = sections.flatMap(({ questions }) => questions);
    return all.some(({ sourceId }) => all.some((source) => source.id === sourceId && source.sourceId !== undefined));
  });
  const asked = forms.filter((structure) =>
    structure.nodes.some(({ conditionRule }) => {
      const questionId = conditionRule?.question;
      return questionId && findQuestion(structure, questionId)?.question.sourceId !== undefined;
    }),
  );
  expect(chained.length).toBeGreaterThan(20);
  expect(asked.length).toBeGreaterThan(20);
});
