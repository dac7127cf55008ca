/**
 * Effects of publishing on drafts started before: sections and questions that enter or leave their path, and answers that
 * may become invalid. Pure.
 *
 * Answers are not read: every path that a changed link or rule allows counts. So an effect may be listed that no draft has,
 * but a draft that could be submitted before is blocked only by a question that is listed here or as a difference.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Difference } from './changes-model.ts';
import { completeRule } from './condition-rule.ts';
import { listQuestions, losesChoices } from './differences.ts';
import { byId, listLinkTargets, reachableFrom, reachableInOrder } from './path.ts';
import type { Question } from './question-model.ts';
import type { StoredStructure } from './store.ts';
import { findSection, type Structure, sectionTitle } from './structure.ts';
import { pickOptions } from './types/options.ts';
import type { WorkflowNode } from './workflow-model.ts';

type Placed = { question: Question; sectionId: string };
type Questions = ReadonlyMap<string, Placed>;

/**
 * Lists the effects in the order of the sections. `mayBeAsked`: a question that comes onto the path of some responses, if
 * they can be stopped there, or on which a rule newly depends. `sourceChanged`: a question that takes its choices from one
 * whose answer may not stay. `mayBeSkipped`: a section that leaves the path of some responses.
 */
export function listEffects({ structure: before, answered }: StoredStructure, after: Structure): Difference[] {
  const [old, now] = [indexQuestions(before), indexQuestions(after)];
  const { unsettled, dependent, paths } = compare({ before, after, old, now });
  const ruleQuestions = new Set(after.nodes.flatMap((node) => completeRule(node)?.question ?? []));
  const effects: Difference[] = [];
  for (const { question, sectionId } of now.values()) {
    const { id, title, required } = question;
    const was = old.get(id);
    if (was?.sectionId !== sectionId || isNewlyRequired(was, question)) continue;
    const isAnswered = answered.ids.has(id);
    const isOnNewPath = paths.entered.has(sectionId);
    const stops = required || isAnswered || ruleQuestions.has(id);
    const isAwaited = paths.awaited.has(id) && !unsettled.has(id);
    if (isAwaited || (isOnNewPath && stops)) effects.push({ kind: 'mayBeAsked', title, questionId: id, isAnswered });
    else if (dependent.has(id) && !isOnNewPath) {
      effects.push({ kind: 'sourceChanged', title, questionId: id, isAnswered });
    }
  }
  for (const { id } of after.sections) {
    if (!paths.exited.has(id) || !findSection(before, id)) continue;
    effects.push({ kind: 'mayBeSkipped', title: sectionTitle(after, id), nodeId: id, isAnswered: false });
  }
  return effects;
}

type Sides = { before: Structure; after: Structure; old: Questions; now: Questions };

const indexQuestions = (structure: Structure): Questions =>
  new Map(listQuestions(structure).map((placed) => [placed.question.id, placed]));

const isNewlyRequired = (was: Placed | undefined, { required }: Question): boolean =>
  required && was?.question.required === false;

/** Whether an answer to a question that changed may no longer be valid, or no longer be on the path. */
function mayInvalidate(was: Placed, { question, sectionId }: Placed): boolean {
  const listOtherChoices = ({ choices = [] }: Question) => choices.filter(({ isOther }) => isOther);
  const listRules = (subject: Question) => ({
    type: subject.type,
    ...pickOptions(subject),
    choices: listOtherChoices(subject),
  });
  return (
    was.sectionId !== sectionId ||
    losesChoices(was.question, question) ||
    !isDeepStrictEqual(listRules(was.question), listRules(question))
  );
}

/**
 * Finds the questions whose answers may not stay (`unsettled`), those among them that only depend on others (`dependent`),
 * and what that does to paths: paths depend on answers, and the choices that a question offers on paths.
 */
function compare(sides: Sides): { unsettled: Set<string>; dependent: Set<string>; paths: PathChanges } {
  const { old, now } = sides;
  const unsettled = new Set<string>();
  for (const id of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(id), now.get(id)];
    if (!was || !is || mayInvalidate(was, is)) unsettled.add(id);
  }
  const dependent = new Set<string>();
  const findPaths = comparePaths(sides);
  const questions = sourcesFirst(now);
  for (;;) {
    const paths = findPaths(unsettled);
    const count = unsettled.size;
    for (const { question, sectionId } of questions) {
      const source = now.get(question.sourceId ?? '');
      if (!source || unsettled.has(question.id)) continue;
      const hasMoved = source.sectionId !== sectionId;
      const depends =
        unsettled.has(source.question.id) ||
        paths.awaited.has(source.question.id) ||
        isNewlyRequired(old.get(source.question.id), source.question) ||
        (hasMoved && (paths.entered.has(source.sectionId) || paths.exited.has(source.sectionId)));
      if (depends) for (const set of [unsettled, dependent]) set.add(question.id);
    }
    if (unsettled.size === count) return { unsettled, dependent, paths };
  }
}

/** Lists questions so that each comes after the one from which it takes its choices: one pass then settles a chain. */
function sourcesFirst(questions: Questions): Placed[] {
  const listed = new Set<Placed>();
  for (const first of questions.values()) {
    const chain = new Set<Placed>();
    for (let next: Placed | undefined = first; next && !listed.has(next) && !chain.has(next); ) {
      chain.add(next);
      next = questions.get(next.question.sourceId ?? '');
    }
    for (const placed of [...chain].reverse()) listed.add(placed);
  }
  return [...listed];
}

/** `entered`, `exited`: nodes that can come onto a path or leave it. `awaited`: questions on which a rule newly depends. */
type PathChanges = { entered: ReadonlySet<string>; exited: ReadonlySet<string>; awaited: ReadonlySet<string> };

/**
 * Returns the function that compares paths for the questions whose answers may not stay. Each call may only add to those of
 * the one before: a parting is followed once, however often a question takes its choices from another one.
 */
function comparePaths(sides: Sides): (unsettled: ReadonlySet<string>) => PathChanges {
  const { before, after, old, now } = sides;
  const [nodesBefore, nodesAfter] = [byId(before.nodes), byId(after.nodes)];
  const [passedBefore, passedAfter] = [findAlwaysPassed(before), findAlwaysPassed(after)];
  const sameRules = new Set(
    after.nodes.flatMap((node) => (hasSameRule(nodesBefore.get(node.id), node) ? [node.id] : [])),
  );
  const entered = new Set<string>();
  const exited = new Set<string>();
  const listPartings = openPartings(sides, sameRules);
  const wereAnswered = new Map<string, boolean>();
  const wasAlwaysAnswered = (id: string, was: Placed): boolean => {
    const known = wereAnswered.get(id) ?? wasAnswered(before, was);
    wereAnswered.set(id, known);
    return known;
  };
  return (unsettled) => {
    for (const [from, to] of listPartings(unsettled)) {
      const [before, after] = [passedBefore.get(from), passedAfter.get(to)];
      // A response whose path cannot reach the end cannot be submitted.
      if (!before || !after) continue;
      for (const id of [to, ...reachableFrom(nodesAfter, to)]) if (!before.has(id)) entered.add(id);
      for (const id of [from, ...reachableFrom(nodesBefore, from)]) if (!after.has(id)) exited.add(id);
    }
    const awaited = after.nodes.flatMap((node) => {
      const asks = completeRule(node)?.question ?? '';
      const was = old.get(asks);
      const isNew = entered.has(node.id) || !sameRules.has(node.id);
      if (!isNew || !now.has(asks)) return [];
      const isSettled = was && !unsettled.has(asks) && !entered.has(was.sectionId) && wasAlwaysAnswered(asks, was);
      return isSettled ? [] : [asks];
    });
    return { entered, exited, awaited: new Set(awaited) };
  };
}

/** A node to which a path led, and the one to which it leads now. */
type Parting = readonly [from: string, to: string];

/**
 * Returns the function that lists where a path can part from the one that it would have taken before, each pair of nodes
 * once. A condition whose rule or answer changed can part from either branch to the other one.
 */
function openPartings(
  { before, after }: Sides,
  sameRules: ReadonlySet<string>,
): (unsettled: ReadonlySet<string>) => Parting[] {
  const nodes = byId(after.nodes);
  const [reachedBefore, reachedAfter] = [before, after].map((side) => new Set(reachableInOrder(side.nodes)));
  const common = before.nodes.flatMap((was) => {
    const node = nodes.get(was.id);
    return node && reachedBefore?.has(was.id) && reachedAfter?.has(was.id) ? [{ was, node }] : [];
  });
  const listed = new Set<string>();
  return (unsettled) =>
    common.flatMap(({ was, node }) => {
      const links = (['next', 'nextTrue', 'nextFalse'] as const).map((link) => [was[link], node[link]] as const);
      const isSteady = sameRules.has(node.id) && !unsettled.has(completeRule(node)?.question ?? '');
      const crossed = isSteady
        ? []
        : ([
            [was.nextTrue, node.nextFalse],
            [was.nextFalse, node.nextTrue],
          ] as const);
      return [...links, ...crossed].flatMap(([from, to]): Parting[] => {
        const pair = `${from} ${to}`;
        if (from === undefined || to === undefined || from === to || listed.has(pair)) return [];
        listed.add(pair);
        return [[from, to]];
      });
    });
}

const hasSameRule = (was: WorkflowNode | undefined, node: WorkflowNode): boolean =>
  was !== undefined && isDeepStrictEqual(completeRule(was), completeRule(node));

/**
 * Finds for each node the nodes that every way from it to the end passes, itself included: those without which the end cannot
 * be reached. A node without a way to the end is omitted.
 */
function findAlwaysPassed({ nodes }: Structure): ReadonlyMap<string, ReadonlySet<string>> {
  const links = nodes.flatMap((node) => listLinkTargets(node).map((to) => ({ from: node.id, to })));
  const linksTo = Map.groupBy(links, ({ to }) => to);
  const ends = nodes.flatMap(({ id, type }) => (type === 'END' ? [id] : []));
  const listLeadingToEnd = (without?: string): ReadonlySet<string> => {
    const leading = new Set(ends.filter((id) => id !== without));
    // The loop also visits added ids.
    for (const id of leading) for (const { from } of linksTo.get(id) ?? []) if (from !== without) leading.add(from);
    return leading;
  };
  const passed = new Map([...listLeadingToEnd()].map((id) => [id, new Set<string>()]));
  for (const { id } of nodes) {
    const leading = listLeadingToEnd(id);
    for (const [from, always] of passed) if (!leading.has(from)) always.add(id);
  }
  return passed;
}

/** Whether every response that could be submitted answers a question, if its path has it and it can be answered. */
function wasAnswered({ nodes }: Structure, { question, sectionId }: Placed): boolean {
  if (question.required) return true;
  const end = nodes.find(({ type }) => type === 'END');
  const unasked = nodes.filter((node) => completeRule(node)?.question !== question.id);
  return !reachableFrom(byId(unasked), sectionId).has(end?.id ?? '');
}
