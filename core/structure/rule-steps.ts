/**
 * Small edits of rules: what an author adds or takes away with one press, whatever the other rules are. Made again they change
 * nothing, and those of two authors do not exclude each other. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { problems, requireFound } from '#core/problems/problems.ts';
import { readOutline, type SectionGate, writeGate } from './gates.ts';
import { placeBelow } from './places.ts';
import type { Question } from './question-model.ts';
import { moveQuestion } from './questions.ts';
import { type Test, testedBy } from './rule-tests.ts';
import {
  listAloneQuestions,
  listGateQuestions,
  listRuleQuestions,
  readRules,
  type SectionRules,
  writeRules,
} from './rules.ts';
import { findQuestion, listChoices, type Structure, sectionTitle } from './structure.ts';
import { createNode, requireNode } from './workflow-edits.ts';

/** An answer to a question: a choice by its id, a number of a scale; empty for any answer. */
export type When = { questionId: string; value: string };

type NewRules = { now: string; newId: () => string };

/**
 * Shows a section only if a question of a section before it has an answer, besides what its gate asks for; a further choice of the
 * same question is an alternative. Throws 404 for a question that is not there, and like `writeGate`.
 */
export function showIf(structure: Structure, sectionId: string, when: When, ids: NewRules): Structure {
  const test = toTest(structure, listGateQuestions(structure, sectionId), when);
  const { needs = 'all', comparisons = [] } = readOutline(structure).gates.get(sectionId) ?? {};
  const index = comparisons.findIndex(
    (each) => each.questionId === when.questionId && !each.isNot && isList(each.test) && each.test.kind === test.kind,
  );
  const known = comparisons[index];
  const next = known
    ? comparisons.with(index, { ...known, test: join(known.test, test) })
    : [...comparisons, { questionId: when.questionId, test, isNot: false }];
  return writeGate(structure, sectionId, { needs, comparisons: next }, ids);
}

/**
 * Moves a question to a section of its own, which is shown only if a question before it has an answer, besides what its section asks
 * for. Questions below it follow in a section with the same title and gate, so that the order stays. That of a question which is alone
 * already is shown as by `showIf`. Throws 404 for a question that is not there or not before it, 400 for too many sections or conditions.
 */
export function showAlone(structure: Structure, questionId: string, when: When, ids: NewRules): Structure {
  const { section, order } = requireFound(findQuestion(structure, questionId));
  if (section.questions.length === 1) return showIf(structure, section.id, when, ids);
  requireFound(listAloneQuestions(structure, questionId).find(({ id }) => id === when.questionId));
  const [above, below] = [section.questions.slice(0, order - 1), section.questions.slice(order)];
  const gate = readOutline(structure).gates.get(section.id);
  const own = above.length === 0 ? section.id : ids.newId();
  const placed =
    own === section.id
      ? structure
      : moveToNew(structure, [questionId], { id: own, from: section.id, after: section.id, title: '', gate }, ids);
  const shown = showIf(placed, own, when, ids);
  if (below.length === 0) return shown;
  const rest = { id: ids.newId(), from: section.id, after: own, title: sectionTitle(structure, section.id), gate };
  return moveToNew(
    shown,
    below.map(({ id }) => id),
    rest,
    ids,
  );
}

type NewSection = { id: string; from: string; after: string; title: string; gate: SectionGate | undefined };

/** Moves questions of a section, in order, to a new one, which has a gate of its own like the given one. */
function moveToNew(
  structure: Structure,
  questionIds: readonly string[],
  { id, from, after, title, gate }: NewSection,
  ids: NewRules,
): Structure {
  const payload = placeBelow(structure, requireNode(structure, after));
  const inserted = createNode(structure, { id, type: 'SECTION', label: title, payload, now: ids.now, after });
  const comparisons = gate?.comparisons.map((comparison) => ({ ...comparison, nodeId: undefined })) ?? [];
  const gated = gate ? writeGate(inserted, id, { ...gate, comparisons }, ids) : inserted;
  return questionIds.reduce((current, questionId, index) => {
    const place = { sectionId: id, after: questionIds[index - 1] ?? null };
    return moveQuestion(current, { sectionId: from, questionId }, place);
  }, gated);
}

/** Shows a section always. */
export const showAlways = (structure: Structure, sectionId: string, ids: NewRules): Structure =>
  writeGate(structure, sectionId, { needs: 'all', comparisons: [] }, ids);

/**
 * Lets the path go to a section or the end if a question of the section or of one before it has an answer, behind its other
 * rules; a further choice of the last of them is an alternative. Throws 404 for a question that is not there, and where conditions
 * are no list of rules; like `writeRules` otherwise.
 */
export function goIf(
  structure: Structure,
  sectionId: string,
  { target, ...when }: When & { target: string },
  ids: NewRules,
): Structure {
  const test = toTest(structure, listRuleQuestions(structure, sectionId), when);
  const { rules, otherwise } = requireRules(structure, sectionId);
  const isKnown = rules.some(
    (rule) => rule.questionId === when.questionId && rule.target === target && includes(rule.test, test),
  );
  if (isKnown) return structure;
  const last = rules.at(-1);
  const isAlternative =
    last?.questionId === when.questionId && last.target === target && isList(last.test) && last.test.kind === test.kind;
  const next = isAlternative
    ? rules.with(-1, { ...last, test: join(last.test, test) })
    : [...rules, { questionId: when.questionId, test, target }];
  return writeRules(structure, sectionId, { rules: next, otherwise }, ids);
}

/** Lets the path go to a section or the end where no rule of a section applies. Throws like `goIf`. */
export function goElse(structure: Structure, sectionId: string, target: string, ids: NewRules): Structure {
  const { rules } = requireRules(structure, sectionId);
  return writeRules(structure, sectionId, { rules, otherwise: target }, ids);
}

/** Removes a rule of a section, by its condition. Throws 404 where conditions are no list of rules. */
export function dropRule(structure: Structure, sectionId: string, nodeId: string, ids: NewRules): Structure {
  const { rules, otherwise } = requireRules(structure, sectionId);
  const kept = rules.filter((rule) => rule.nodeId !== nodeId);
  return kept.length === rules.length ? structure : writeRules(structure, sectionId, { rules: kept, otherwise }, ids);
}

const requireRules = (structure: Structure, sectionId: string): SectionRules =>
  requireFound(readRules(structure, sectionId));

/** Lists the answers of a question for which it can be asked with one press. */
export function listAnswers(structure: Structure, question: Question): string[] {
  const { id, scale } = question;
  if (testedBy(question) === 'choices') return listChoices(structure, id).map((choice) => choice.id);
  if (!scale) return [];
  return Array.from({ length: scale.maxVal - scale.minVal + 1 }, (_, index) => String(scale.minVal + index));
}

function toTest(structure: Structure, questions: readonly Question[], { questionId, value }: When): Test {
  const question = requireFound(questions.find(({ id }) => id === questionId));
  if (value === '') return { kind: 'answered' };
  if (!listAnswers(structure, question).includes(value)) throw problems.notFound();
  return testedBy(question) === 'choices' ? { kind: 'choices', ids: [value] } : { kind: 'values', values: [value] };
}

const isList = ({ kind }: Test): boolean => kind === 'choices' || kind === 'values' || kind === 'answered';

/** Whether a test applies wherever another one does that asks for one answer. */
const includes = (known: Test, added: Test): boolean =>
  isDeepStrictEqual(join(known, added), known) && known.kind === added.kind;

/** One of the answers of either test, which are of the same kind. */
function join(known: Test, added: Test): Test {
  if (known.kind === 'choices' && added.kind === 'choices') {
    return { kind: 'choices', ids: [...new Set([...known.ids, ...added.ids])] };
  }
  return known.kind === 'values' && added.kind === 'values'
    ? { kind: 'values', values: [...new Set([...known.values, ...added.values])] }
    : known;
}
