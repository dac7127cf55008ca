/** Lists the differences between two structures, for display. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Difference, DifferenceDetail, DifferenceKind } from './changes-model.ts';
import { readOutline } from './gates.ts';
import { byId, listLinkTargets } from './path.ts';
import type { Question } from './question-model.ts';
import type { StoredStructure } from './store.ts';
import { findNode, type Structure, sectionTitle } from './structure.ts';
import type { Choice } from './types/choices.ts';
import { pickOptions } from './types/options.ts';
import type { WorkflowNode } from './workflow-model.ts';

/** Lists the questions of a structure with their sections. */
export const listQuestions = ({ sections }: Structure): { question: Question; sectionId: string }[] =>
  sections.flatMap(({ id: sectionId, questions }) => questions.map((question) => ({ question, sectionId })));

/** Lists what changes make different: first the start, then the sections in their order, then the questions. */
export function listDifferences({ structure, answered }: StoredStructure, changed: Structure): Difference[] {
  const before = new Map(listQuestions(structure).map((placed) => [placed.question.id, placed]));
  const after = new Map(listQuestions(changed).map((placed) => [placed.question.id, placed]));
  const differences: Difference[] = [];
  const outlines = [readOutline(structure).structure, readOutline(changed).structure] as const;
  const addNode = (kind: DifferenceKind, nodeId: string, title: string): void => {
    differences.push({ kind, title, nodeId, isAnswered: false });
  };
  const add = (kind: DifferenceKind, { id, title }: Question, details?: DifferenceDetail[]): void => {
    differences.push({ kind, title, questionId: id, isAnswered: answered.ids.has(id), ...(details && { details }) });
  };
  for (const { id, type, label } of changed.nodes) {
    if (type === 'START' && hasOtherSuccessor(outlines[0], outlines[1], id)) addNode('startChanged', id, label);
  }
  for (const { id, description, questions } of changed.sections) {
    const old = structure.sections.find((section) => section.id === id);
    const title = sectionTitle(changed, id);
    if (!old) addNode('sectionAdded', id, title);
    else if (sectionTitle(structure, id) !== title || !isDeepStrictEqual(old.description, description)) {
      addNode('sectionChanged', id, title);
    }
    if (old && isReordered(old.questions, questions)) addNode('orderChanged', id, title);
    const isOther = hasOtherSuccessor(outlines[0], outlines[1], id) || hasOtherGate(structure, changed, id);
    if (old && isOther) addNode('rulesChanged', id, title);
  }
  for (const { id } of structure.sections) {
    if (!changed.sections.some((section) => section.id === id)) {
      addNode('sectionRemoved', id, sectionTitle(structure, id));
    }
  }
  for (const id of new Set(outlines.flatMap(listUnlinkedConditions))) {
    const label = (findNode(changed, id) ?? findNode(structure, id))?.label ?? '';
    if (hasOtherSuccessor(outlines[0], outlines[1], id)) addNode('rulesChanged', id, label);
  }
  for (const [id, { question, sectionId }] of after) {
    const old = before.get(id);
    if (!old) add(question.required ? 'nowRequired' : 'questionAdded', question);
    else {
      if (old.sectionId !== sectionId) add('questionMoved', question);
      if (question.required && !old.question.required) add('nowRequired', question);
      if (losesChoices(old.question, question)) add('choicesRemoved', question);
      const details = listDetails(old.question, question);
      if (details.length > 0) add('questionChanged', question, details);
    }
  }
  for (const [id, { question }] of before) if (!after.has(id)) add('questionRemoved', question);
  return differences;
}

/** Whether a question lost some of its own choices. */
export function losesChoices(old: Question, question: Question): boolean {
  const ids = new Set(question.choices?.map((choice) => choice.id));
  return old.choices?.some((choice) => !ids.has(choice.id)) ?? false;
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
  if (!isDeepStrictEqual(pickOptions(old), pickOptions(question))) details.push({ kind: 'options' });
  return details;
}

function listChoiceDetails(before: readonly Choice[], after: readonly Choice[]): DifferenceDetail[] {
  const old = new Map(before.map((choice) => [choice.id, choice]));
  const ids = new Set(after.map(({ id }) => id));
  const stays = before.filter(({ id }) => ids.has(id));
  const stayed = after.filter(({ id }) => old.has(id));
  return [
    ...before.flatMap(({ id, name }): DifferenceDetail[] =>
      ids.has(id) ? [] : [{ kind: 'choice', before: name, choiceId: id }],
    ),
    ...after.flatMap((choice): DifferenceDetail[] => {
      const { id: choiceId, name } = choice;
      const earlier = old.get(choiceId);
      if (!earlier) return [{ kind: 'choice', after: name, choiceId }];
      return isDeepStrictEqual(earlier, choice)
        ? []
        : [{ kind: 'choice', before: earlier.name, after: name, choiceId }];
    }),
    ...(stays.every(({ id }, index) => stayed[index]?.id === id) ? [] : [{ kind: 'choiceOrder' as const }]),
  ];
}

/** Whether something else can follow a node, also because a condition between it and the next sections is different. */
const hasOtherSuccessor = (before: Structure, after: Structure, nodeId: string): boolean =>
  !isDeepStrictEqual(whatFollows(before, nodeId), whatFollows(after, nodeId));

/** Whether a section is shown for other answers. */
const hasOtherGate = (before: Structure, after: Structure, sectionId: string): boolean =>
  !isDeepStrictEqual(readOutline(before).gates.get(sectionId), readOutline(after).gates.get(sectionId));

/** What follows a node: its links and rule, and those of the conditions to which only conditions lead from it. */
function whatFollows(structure: Structure, nodeId: string): ReadonlyMap<string, unknown> {
  const nodes = byId(structure.nodes);
  const following = new Map<string, unknown>();
  const open = [nodeId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = nodes.get(id);
    if (!node || following.has(id)) continue;
    following.set(id, pathMembers(node));
    open.push(...listLinkTargets(node).filter((target) => nodes.get(target)?.type === 'CONDITION'));
  }
  return following;
}

/** The members of a node on which a path depends. */
const pathMembers = ({ conditionRule, next, nextTrue, nextFalse }: WorkflowNode) => ({
  ...{ conditionRule, next, nextTrue, nextFalse },
});

/** Lists the ids of the conditions to which nothing leads. */
function listUnlinkedConditions({ nodes }: Structure): string[] {
  const linked = new Set(nodes.flatMap(listLinkTargets));
  return nodes.flatMap(({ id, type }) => (type === 'CONDITION' && !linked.has(id) ? [id] : []));
}
