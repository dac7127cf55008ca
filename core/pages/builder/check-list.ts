/**
 * What prevents publishing a form and, apart from it, what is odd about its rules: each item says where it is and leads to the
 * page on which it is corrected.
 */

import type { Form } from '#core/forms/model.ts';
import { readOutline } from '#core/structure/gates.ts';
import { listRenames, renameInText } from '#core/structure/names.ts';
import { listClosingLinks, listUnreachedChains, reachableInOrder, type UnreachedChain } from '#core/structure/path.ts';
import { findWarnings, type Warning } from '#core/structure/rule-warnings.ts';
import { conditionNumbers, readRules } from '#core/structure/rules.ts';
import { findQuestion, findSection, type Structure, sectionTitle } from '#core/structure/structure.ts';
import {
  listClosingWarnings,
  listTextWarnings,
  type NameWarning,
  type TextWarning,
} from '#core/structure/text-warnings.ts';
import { listWorkflowFaults } from '#core/structure/workflow-check.ts';
import type { Fault, PlacedFault } from '#core/structure/workflow-faults.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { faultText, getCheckListTexts, leadsBackText, passedByText } from '../text/check-list.ts';
import { buildHref } from './frame.ts';
import { describeWarning } from './rule-warnings.ts';

/** `page`: the part of the builder on which the item is corrected. */
type Check = { page: 'questions' | 'rules' | 'settings'; href: string; text: string };
export type Checks = { faults: readonly Check[]; warnings: readonly Check[] };

/** The rules of the lists of rules by the ids of their conditions: after which section, and the position from 0. */
type RulePlaces = ReadonlyMap<string | undefined, { sectionId: string; index: number; isGate?: boolean }>;

/** Lists what prevents publishing, and what is odd. `found`: what prevents it; the faults of the workflow by default. */
export function listChecks(context: PageContext, structure: Structure, found?: readonly PlacedFault[]): Checks {
  const places = findRulePlaces(structure);
  return {
    faults: listFaults(context, structure, found),
    warnings: [
      ...findWarnings(structure).map((warning) => ({
        ...placeOfWarning(structure, places, warning),
        text: warningText(context, structure, places, warning),
      })),
      ...listTextWarnings(structure).map((warning) => ({
        ...placeOfText(structure, warning),
        text: describeText(context, structure, warning),
      })),
    ],
  };
}

/**
 * Lists what is odd about names of questions in texts of the settings. `live`: the questions of now; when the edited ones
 * replace them, the closing message gets their new names.
 */
export function listSettingWarnings(
  context: PageContext,
  { id, title, messageAfterSubmission }: Pick<Form, 'id' | 'title' | 'messageAfterSubmission'>,
  { structure, live }: { structure: Structure; live: Structure },
): Check[] {
  const { create, settings } = getBuilderTexts(context);
  const message = renameInText(messageAfterSubmission ?? '', listRenames(live, structure));
  const texts = getCheckListTexts(context);
  return [
    { field: 'title', label: create.formTitle, text: title },
    { field: 'messageAfterSubmission', label: settings.closing, text: message },
  ].flatMap(({ field, label, text }) =>
    listClosingWarnings(structure, text).map((warning) => ({
      page: 'settings' as const,
      href: `${buildHref(id)}/settings#${field}`,
      text: texts.about(label, textWarning(texts, warning)),
    })),
  );
}

/** Lists what prevents publishing; each with the node that it is about. One wrong link is one item, which names it. */
export function listFaults(
  context: PageContext,
  structure: Structure,
  faults: readonly PlacedFault[] = listWorkflowFaults(structure),
): (Check & { nodeId: string | undefined })[] {
  const places = findRulePlaces(structure);
  const name = (nodeId: string | undefined) => conditionName(context, structure, places, nodeId);
  const hasCycle = faults.some(({ fault }) => fault.code === 'cycle');
  const causes = hasCycle ? faults.filter(({ fault }) => !FOLLOWS_FROM_CYCLE.has(fault.code)) : faults;
  const chains = listUnreachedChains(structure.nodes);
  const reached = new Set(reachableInOrder(structure.nodes));
  const cycles = hasCycle ? listClosingLinks(structure.nodes) : [];
  return [
    ...cycles.map(({ from, member, to }) => ({
      ...rulePlace(structure, places, from.id),
      nodeId: from.id,
      text: leadsBackText(context, { from, member, to }, name),
    })),
    ...causes.flatMap((placed) => {
      const nodeId = placed.node?.id;
      const chain = placed.fault.code === 'unreachable' ? chains.find(({ ids }) => ids.has(nodeId ?? '')) : undefined;
      if (chain && chain.first.id !== nodeId) return [];
      const passing = chain && findPassing(structure, reached, chain);
      return {
        ...(passing ? rulePlace(structure, places, passing.id) : placeOfFault(structure, places, placed)),
        nodeId,
        text: passing
          ? passedByText(context, { ...chain, passing }, name(nodeId))
          : faultText(context, placed, name(nodeId)),
      };
    }),
  ];
}

/** Finds what leads past a chain: of the sections before its first one, the last that is reached, or the start. */
function findPassing(
  { sections, nodes }: Structure,
  reached: ReadonlySet<string>,
  { ids }: UnreachedChain,
): WorkflowNode | undefined {
  const index = sections.findIndex(({ id }) => ids.has(id));
  if (index === -1) return undefined;
  const before = sections.slice(0, index).findLast(({ id }) => reached.has(id));
  return nodes.find(({ id, type }) => (before ? id === before.id : type === 'START'));
}

/** Faults that one link can give to many nodes: only the link that closes the circle is listed. */
const FOLLOWS_FROM_CYCLE: ReadonlySet<Fault['code']> = new Set(['cycle', 'deadEnd', 'unreachable']);

const findRulePlaces = (structure: Structure): RulePlaces =>
  new Map(
    structure.sections.flatMap(({ id: sectionId }) => [
      ...(readOutline(structure).gates.get(sectionId)?.comparisons ?? []).map(
        ({ nodeId }, index) => [nodeId, { sectionId, index, isGate: true }] as const,
      ),
      ...(readRules(structure, sectionId)?.rules ?? []).map(
        ({ nodeId }, index) => [nodeId, { sectionId, index }] as const,
      ),
    ]),
  );

type Place = Omit<Check, 'text'>;

const questionPlace = ({ formId }: Structure, questionId: string): Place => ({
  page: 'questions',
  href: `${buildHref(formId)}/q/${questionId}`,
});

/** The page of what follows a section or the start, of a rule or of another condition. */
function rulePlace(structure: Structure, places: RulePlaces, nodeId: string): Place {
  const href = buildHref(structure.formId);
  const { sectionId = nodeId, index, isGate } = places.get(nodeId) ?? {};
  const isList = findSection(structure, sectionId) !== undefined && readRules(structure, sectionId) !== undefined;
  return {
    page: 'rules',
    href: isList
      ? `${href}/s/${sectionId}/rules${isGate ? '#gate' : index === undefined ? '' : `#rule-${index}`}`
      : `${href}/c/${nodeId}`,
  };
}

/** Locates a faulty link to a section or to the end: the page of all rules. */
const rulesPlace = ({ formId }: Structure, sectionId?: string): Place => ({
  page: 'rules',
  href: `${buildHref(formId)}/rules${sectionId === undefined ? '' : `#s-${sectionId}`}`,
});

function placeOfFault(structure: Structure, places: RulePlaces, { node, fault }: PlacedFault): Place {
  if ('questionId' in fault) return questionPlace(structure, fault.questionId);
  if (fault.code === 'tooMany' || fault.code === 'tooLarge') {
    return { page: 'questions', href: `${buildHref(structure.formId)}/questions` };
  }
  if (!node || node.type === 'END') return rulesPlace(structure);
  if (node.type === 'SECTION' && fault.code === 'unreachable') return rulesPlace(structure, node.id);
  return rulePlace(structure, places, node.id);
}

function placeOfWarning(structure: Structure, places: RulePlaces, warning: Warning): Place {
  const { kind, sectionId, nodeId = sectionId, questionId } = warning;
  if (kind === 'sourceLoop' && questionId) return questionPlace(structure, questionId);
  if (kind === 'unreachable' || kind === 'brokenGate' || nodeId === undefined) return rulesPlace(structure, sectionId);
  return rulePlace(structure, places, nodeId);
}

const placeOfText = (structure: Structure, { sectionId, questionId }: TextWarning): Place =>
  questionId === undefined
    ? { page: 'questions', href: `${buildHref(structure.formId)}/s/${sectionId}` }
    : questionPlace(structure, questionId);

/** Says what is odd about a text or a question, after its title. */
function describeText(context: PageContext, structure: Structure, warning: TextWarning): string {
  const { sectionId, questionId = '' } = warning;
  const texts = getCheckListTexts(context);
  const title = findQuestion(structure, questionId)?.question.title ?? sectionTitle(structure, sectionId);
  return texts.about(title || texts.untitled, textWarning(texts, warning));
}

/** Says what is odd about a text or a question, by the texts of this list. */
export function textWarning(texts: ReturnType<typeof getCheckListTexts>, warning: TextWarning | NameWarning): string {
  switch (warning.kind) {
    case 'unknownName':
      return texts.unknownName(warning.name);
    case 'laterName':
    case 'nothingToShow':
      return texts[warning.kind](warning.name, warning.question);
    case 'selection':
      return texts.selection(warning.bound, warning.count);
  }
}

/** Names a rule of a section or another condition; undefined for any other node. */
function conditionName(
  context: PageContext,
  structure: Structure,
  places: RulePlaces,
  nodeId: string | undefined,
): string | undefined {
  const texts = getCheckListTexts(context);
  const place = places.get(nodeId);
  const of = sectionTitle(structure, place?.sectionId ?? '') || texts.untitled;
  if (place) return place.isGate ? texts.gate(place.index + 1, of) : texts.rule(place.index + 1, of);
  const number = conditionNumbers(structure).get(nodeId ?? '');
  return number === undefined ? undefined : texts.condition(number);
}

function warningText(context: PageContext, structure: Structure, places: RulePlaces, warning: Warning): string {
  const texts = getCheckListTexts(context);
  const { kind, sectionId, nodeId } = warning;
  const words = describeWarning(context, structure, warning);
  const condition = conditionName(context, structure, places, nodeId);
  if (condition !== undefined) return texts.at(condition, words);
  const title = sectionTitle(structure, sectionId) || texts.untitled;
  return (kind === 'noWay' ? texts.after : texts.about)(title, words);
}

/**
 * Renders the items, warnings apart; nothing without any. Without `isLinked` they lead nowhere, as for a form that is not what
 * the pages edit.
 */
export function checkList(context: PageContext, { faults, warnings }: Checks, isLinked = true): Html {
  const texts = getCheckListTexts(context);
  const list = (className: string, lead: string, checks: readonly Check[]): Html | false =>
    checks.length > 0 &&
    html`<p>${lead}</p><ul class="${className}">${checks.map(({ href, text }) => html`<li>${isLinked ? html`<a href="${href}">${text}</a>` : text}</li>`)}</ul>`;
  return html`${list('faults', texts.prevents, faults)}${list('warnings', texts.lead, warnings)}`;
}
