/** What becomes different when a structure replaces another one, for people. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Difference, DifferenceDetail, DifferenceKind } from './changes-model.ts';
import type { Question } from './question-model.ts';
import { readRules } from './rules.ts';
import type { StoredStructure } from './store.ts';
import { type Structure, sectionTitle } from './structure.ts';
import type { Choice } from './types/choices.ts';

/** Lists the questions of a structure with their sections. */
export const listQuestions = ({ sections }: Structure): { question: Question; sectionId: string }[] =>
  sections.flatMap(({ id: sectionId, questions }) => questions.map((question) => ({ question, sectionId })));

/** Lists what changes make different, in the order of the sections. */
export function listDifferences({ structure, answered }: StoredStructure, changed: Structure): Difference[] {
  const before = new Map(listQuestions(structure).map((placed) => [placed.question.id, placed]));
  const after = new Map(listQuestions(changed).map((placed) => [placed.question.id, placed]));
  const differences: Difference[] = [];
  const add = (kind: DifferenceKind, title: string, questionId?: string, details?: DifferenceDetail[]): void => {
    const isAnswered = questionId !== undefined && answered.ids.has(questionId);
    differences.push({ kind, title, isAnswered, ...(details && { details }) });
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
      const details = listDetails(old.question, question);
      if (details.length > 0) add('questionChanged', question.title, id, details);
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

/** Lists what is different within a question, but not where it is and that it is required now. */
function listDetails(old: Question, question: Question): DifferenceDetail[] {
  const details: DifferenceDetail[] = [];
  if (old.required && !question.required) details.push({ kind: 'required' });
  if (old.title !== question.title) details.push({ kind: 'title', before: old.title, after: question.title });
  if (!isDeepStrictEqual(old.description, question.description)) details.push({ kind: 'description' });
  if (old.type !== question.type) details.push({ kind: 'type', before: old.type, after: question.type });
  details.push(...listChoiceDetails(old.choices ?? [], question.choices ?? []));
  if (!isDeepStrictEqual(options(old), options(question))) details.push({ kind: 'options' });
  return details;
}

function listChoiceDetails(before: readonly Choice[], after: readonly Choice[]): DifferenceDetail[] {
  const old = new Map(before.map((choice) => [choice.id, choice]));
  const ids = new Set(after.map(({ id }) => id));
  const stays = before.filter(({ id }) => ids.has(id));
  const stayed = after.filter(({ id }) => old.has(id));
  return [
    ...before.flatMap(({ id, name }) => (ids.has(id) ? [] : [{ kind: 'choice' as const, before: name }])),
    ...after.flatMap((choice): DifferenceDetail[] => {
      const earlier = old.get(choice.id);
      if (!earlier) return [{ kind: 'choice', after: choice.name }];
      return isDeepStrictEqual(earlier, choice) ? [] : [{ kind: 'choice', before: earlier.name, after: choice.name }];
    }),
    ...(stays.every(({ id }, index) => stayed[index]?.id === id) ? [] : [{ kind: 'choiceOrder' as const }]),
  ];
}

const options = ({ sourceId, scale, uploadFile, date, oauthConnect }: Question) => ({
  ...{ sourceId, scale, uploadFile, date, oauthConnect },
});

/** What follows a section: its rules, or the nodes and links from it on if these are more than rules. */
const whatFollows = (structure: Structure, sectionId: string) =>
  readRules(structure, sectionId) ?? structure.nodes.map(({ payload: _payload, label: _label, ...node }) => node);
