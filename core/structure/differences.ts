/** What becomes different when a structure replaces another one, for people. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Difference, DifferenceKind } from './changes-model.ts';
import type { Question } from './question-model.ts';
import { readRules } from './rules.ts';
import type { StoredStructure } from './store.ts';
import { type Structure, sectionTitle } from './structure.ts';

/** Lists the questions of a structure with their sections. */
export const listQuestions = ({ sections }: Structure): { question: Question; sectionId: string }[] =>
  sections.flatMap(({ id: sectionId, questions }) => questions.map((question) => ({ question, sectionId })));

/** Lists what changes make different, in the order of the sections. */
export function listDifferences({ structure, answered }: StoredStructure, changed: Structure): Difference[] {
  const before = new Map(listQuestions(structure).map((placed) => [placed.question.id, placed]));
  const after = new Map(listQuestions(changed).map((placed) => [placed.question.id, placed]));
  const differences: Difference[] = [];
  const add = (kind: DifferenceKind, title: string, questionId?: string): void => {
    differences.push({ kind, title, isAnswered: questionId !== undefined && answered.ids.has(questionId) });
  };
  for (const { id, description, questions } of changed.sections) {
    const old = structure.sections.find((section) => section.id === id);
    const title = sectionTitle(changed, id);
    if (!old) add('sectionAdded', title);
    else if (sectionTitle(structure, id) !== title || !isDeepStrictEqual(old.description, description)) {
      add('sectionChanged', title);
    }
    if (old && isReordered(old.questions, questions)) add('orderChanged', title);
    if (old && !isDeepStrictEqual(whatFollows(structure, id), whatFollows(changed, id))) add('rulesChanged', title);
  }
  for (const { id } of structure.sections) {
    if (!changed.sections.some((section) => section.id === id)) add('sectionRemoved', sectionTitle(structure, id));
  }
  for (const [id, { question, sectionId }] of after) {
    const old = before.get(id);
    if (!old) add(question.required ? 'nowRequired' : 'questionAdded', question.title);
    else {
      if (old.sectionId !== sectionId) add('questionMoved', question.title, id);
      if (question.required && !old.question.required) add('nowRequired', question.title, id);
      const ids = new Set(question.choices?.map((choice) => choice.id));
      const losesChoices = old.question.choices?.some((choice) => !ids.has(choice.id));
      if (losesChoices) add('choicesRemoved', question.title, id);
      if (!isDeepStrictEqual(content(old.question), content(question))) add('questionChanged', question.title, id);
    }
  }
  for (const [id, { question }] of before) if (!after.has(id)) add('questionRemoved', question.title, id);
  return differences;
}

/** Whether the questions that a section had and has are in another order. */
function isReordered(before: readonly Question[], after: readonly Question[]): boolean {
  const common = (list: readonly Question[], other: readonly Question[]) => {
    const ids = new Set(other.map(({ id }) => id));
    return list.flatMap(({ id }) => (ids.has(id) ? [id] : []));
  };
  return !isDeepStrictEqual(common(before, after), common(after, before));
}

const content = ({ updatedAt: _updated, required: _required, moves: _moves, ...rest }: Question) => rest;

/** What follows a section: its rules, or the nodes and links from it on if these are more than rules. */
const whatFollows = (structure: Structure, sectionId: string) =>
  readRules(structure, sectionId) ?? structure.nodes.map(({ payload: _payload, label: _label, ...node }) => node);
