/** The conflicts between changes and the published form: both versions in words, and a choice for each. */
import { isDeepStrictEqual } from 'node:util';
import { plainText } from '#core/rich-text/text.ts';
import type { ChangesConflict } from '#core/structure/changes-model.ts';
import { presentNode } from '#core/structure/condition-rule.ts';
import type { Keep } from '#core/structure/merge.ts';
import { LINKS } from '#core/structure/path.ts';
import {
  findNode,
  findQuestion,
  findSection,
  listChoices,
  type Structure,
  sectionTitle,
} from '#core/structure/structure.ts';
import { pickOptions } from '#core/structure/types/options.ts';
import type { PageContext } from '../shell/context.ts';
import { type FieldError, radioField } from '../shell/controls.ts';
import type { Html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { getVersionsTexts } from '../text/versions.ts';
import { nodeName } from './rule-words.ts';

type Place = Pick<ChangesConflict, 'kind' | 'id'>;

/** The name of the field that decides a conflict. */
const fieldName = ({ kind, id }: Place): string => `keep.${kind}.${id}`;

/** Reads which conflicts a posted form decides. */
export const readDecisions = (fields: URLSearchParams, conflicts: readonly ChangesConflict[]) =>
  conflicts.flatMap((conflict): (Place & { keep: Keep })[] => {
    const { kind, id } = conflict;
    const keep = fields.get(fieldName(conflict));
    return keep === 'MINE' || keep === 'THEIRS' ? [{ kind, id, keep }] : [];
  });

/** The errors of conflicts that a posted form leaves open. */
export function undecided(
  context: PageContext,
  structure: Structure,
  conflicts: readonly ChangesConflict[],
  posted: URLSearchParams,
): FieldError[] {
  const { merge: texts } = getVersionsTexts(context);
  return conflicts
    .filter((conflict) => readDecisions(posted, [conflict]).length === 0)
    .map((conflict) => ({
      target: fieldName(conflict),
      message: texts.choose(namePlace(context, structure, conflict)),
    }));
}

/** Names the place of a conflict. The label of the first node is not shown: it was made in the language of an author. */
export function namePlace(context: PageContext, structure: Structure, { kind, id, title }: ChangesConflict): string {
  const { list, rules } = getQuestionsTexts(context);
  const isStart = findNode(structure, id)?.type === 'START';
  return getVersionsTexts(context).merge.kinds[kind](isStart ? rules.theStart : title || list.untitled);
}

/** Renders the choice for each conflict; `posted`: what was chosen before, with `errors` where nothing was. */
export function conflictFields(
  context: PageContext,
  sides: { theirs: Structure; mine: Structure },
  {
    conflicts,
    posted,
    errors,
  }: { conflicts: readonly ChangesConflict[]; posted: URLSearchParams; errors: readonly FieldError[] },
): Html[] {
  const { merge: texts } = getVersionsTexts(context);
  return conflicts.map((conflict) => {
    const name = fieldName(conflict);
    return radioField(context, {
      name,
      label: namePlace(context, sides.theirs, conflict),
      value: posted.get(name) ?? '',
      error: errors.find(({ target }) => target === name)?.message,
      options: [
        { value: 'MINE', label: texts.keep, hint: describePlace(context, sides.mine, conflict, sides.theirs) },
        { value: 'THEIRS', label: texts.theirs, hint: describePlace(context, sides.theirs, conflict, sides.mine) },
      ],
    });
  });
}

/** Says in words what a version has at the place of a conflict; `other`: the version with which it is compared. */
export function describePlace(
  context: PageContext,
  structure: Structure,
  { kind, id }: Place,
  other: Structure,
): string {
  const { merge: texts } = getVersionsTexts(context);
  const { list } = getQuestionsTexts(context);
  const section = findSection(structure, id);
  switch (kind) {
    case 'QUESTION':
      return describeQuestion(context, structure, id, other);
    case 'SECTION': {
      if (!section) return texts.deleted;
      const title = sectionTitle(structure, id) || list.untitled;
      const titles = section.questions.map((question) => question.title).join(', ');
      return joined([
        title,
        plainText(section.description),
        ...(findSection(other, id) ? [] : [texts.questions(titles)]),
      ]);
    }
    case 'ORDER':
      return section?.questions.map((question) => question.title).join(', ') ?? texts.deleted;
    case 'WORKFLOW':
      return describeNode(context, structure, id);
  }
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');

function describeQuestion(context: PageContext, structure: Structure, id: string, other: Structure): string {
  const { merge: texts } = getVersionsTexts(context);
  const { list, types } = getQuestionsTexts(context);
  const placed = findQuestion(structure, id);
  if (!placed) return texts.deleted;
  const { question, section } = placed;
  const theirs = findQuestion(other, id);
  return joined([
    question.title,
    types[question.type],
    question.required ? list.required : texts.optional,
    (question.choices ?? [])
      .map(({ name, description = '' }) => (description ? `${name} (${description})` : name))
      .join(', '),
    plainText(question.description),
    theirs && theirs.section.id !== section.id
      ? texts.inSection(sectionTitle(structure, section.id) || list.untitled)
      : '',
    theirs?.question.type === question.type && !isDeepStrictEqual(pickOptions(theirs.question), pickOptions(question))
      ? texts.otherOptions
      : '',
  ]);
}

/** Says where a node leads; a pattern with the names of choices in place of their ids. */
function describeNode(context: PageContext, structure: Structure, id: string): string {
  const { merge: texts } = getVersionsTexts(context);
  const { list } = getQuestionsTexts(context);
  const node = findNode(structure, id);
  if (!node) return texts.deleted;
  const describeTarget = (nodeId: string | undefined): string => {
    const target = findNode(structure, nodeId ?? '');
    if (!target) return texts.nowhere;
    const { conditionRule } = target;
    if (!conditionRule) return nodeName(context, structure, nodeId);
    return listChoices(structure, conditionRule?.question ?? '').reduce(
      (label, choice) => label.replaceAll(choice.id, choice.name),
      presentNode(structure, target).label || list.untitled,
    );
  };
  const words = { next: texts.goesTo, nextTrue: texts.ifTrue, nextFalse: texts.ifFalse };
  const links = LINKS[node.type].map((member) => words[member](describeTarget(node[member])));
  return joined([node.type === 'CONDITION' ? describeTarget(id) : '', ...links]);
}
