/**
 * Keeps the counters of forms and the stored bytes of organizations. Each response has a tally: what it counts, at which
 * version, in which epoch. A response and its tally are read as they are now; if they differ, one transaction moves the
 * tally and adds the difference to the counters and to the stored bytes.
 *
 * Why the counters are exact whatever is repeated, reordered or done by several workers:
 * - A tally is replaced only if it is the one that was read, so each difference is added once. A worker that read an
 *   older response finds a newer tally, or is refused, and reads again.
 * - Every transaction requires the epoch that was read, so nothing is counted in an epoch that has ended.
 * - A response can be deleted between its read and the write of its first tally. Responses with a new tally are
 *   therefore read once more; one that is deleted after that has a stream record that finds the tally.
 */
import { MAX_WRITES } from '#core/db/batches.ts';
import { COUNT_SHARDS, formKey, type Key, keys, lastPart } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import { type Item, type Write, WriteConflict } from '#core/db/table.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import { type Response, sumFileBytes } from '#core/responses/model.ts';
import { parseResponse } from '#core/responses/store.ts';
import { loadStructure } from '#core/structure/store.ts';
import { findPlacement, type Placement, sectionAt } from '#core/structure/structure.ts';
import { CHANGES, type CounterState, countAttribute, createCounters, parseCounterState } from './counters.ts';
import { moveStoredBytes, moveTally, parseTally, removeTallies, type Tally, type TallyMove } from './tallies.ts';

type TallyPorts = Pick<Ports, 'table' | 'now' | 'uuid'>;

/** The number of tallies that one transaction moves, besides the counters and the stored bytes. */
export const MAX_MOVES = MAX_WRITES - COUNT_SHARDS - 1;

/** The number of counts that one item takes in one write: DynamoDB limits the length of an expression. */
const MAX_COUNTS = 150;

/** A change of a response, as the stream reports it. */
type Change = { key: Key; before: Item | undefined; after: Item | undefined };

/**
 * Tallies the responses of some changes, each as it is now. Returns the changes to handle again, and how many could
 * change what is counted. Forms are independent: one that fails does not delay the others.
 */
export async function tallyChanges<C extends Change>(
  app: Pick<Ports, 'table' | 'now' | 'uuid' | 'log'>,
  changes: readonly C[],
): Promise<{ failed: C[]; tallied: number }> {
  const relevant = changes.filter(mayCount);
  const forms = Map.groupBy(relevant, ({ key }) => formKey(lastPart(key.pk)));
  const failed = await Promise.all(
    [...forms.values()].map(async (group) => {
      const ids = [...new Set(group.map(({ key }) => lastPart(key.pk)))];
      try {
        for (let index = 0; index < ids.length; index += MAX_MOVES) {
          // In order, because they write the same counters.
          await tallyResponses(app, ids.slice(index, index + MAX_MOVES));
        }
        return [];
      } catch (error) {
        app.log({ level: 'error', tally: ids.length, cause: error instanceof Error ? error.stack : String(error) });
        return group;
      }
    }),
  );
  return { failed: failed.flat(), tallied: relevant.length };
}

/**
 * Whether a change can change what is counted. Saving the answers of a draft does not, unless files come or go, which
 * saves most of the work.
 */
const mayCount = ({ before, after }: Change): boolean =>
  !(before?.progress === 'DRAFT' && after?.progress === 'DRAFT' && before.fileBytes === after.fileBytes);

/** Tallies responses of one form, at most `MAX_MOVES`, each once, as they are now. Throws StorageBusy. */
export async function tallyResponses(app: TallyPorts, responseIds: readonly string[]): Promise<void> {
  let pending = [...new Set(responseIds)];
  while (pending.length > 0) {
    // What one transaction cannot take, or has to be read again, follows in the next.
    const ids = pending;
    const { added, remaining } = await untilWritten(() => tallyOnce(app, ids));
    const items = await app.table.read(added.map(keys.response));
    pending = [...remaining, ...added.filter((_, index) => !parseResponse(items[index]))];
  }
}

/** `added`: the responses that have their first tally. `remaining`: those for which there was no room in the write. */
type TallyResult = { added: string[]; remaining: string[] };

const NOTHING_ADDED: TallyResult = { added: [], remaining: [] };

async function tallyOnce(app: TallyPorts, responseIds: readonly string[]): Promise<TallyResult> {
  const [first] = responseIds;
  if (first === undefined) return NOTHING_ADDED;
  const formId = formKey(first);
  // Workers that write at the same time take different items, most of the time.
  const shard = Number.parseInt(app.uuid().slice(-2), 16) % COUNT_SHARDS;
  const [gateItem, counterItem, ...items] = await app.table.read([
    keys.formGate(formId),
    keys.counters(formId, shard),
    ...responseIds.flatMap((id) => [keys.response(id), keys.tally(id)]),
  ]);
  const loaded = responseIds.map((id, index) => ({
    id,
    response: parseResponse(items[2 * index]),
    tally: parseTally(items[2 * index + 1]),
  }));
  const gate = parseGate(gateItem);
  if (!gate) {
    await removeTallies(app, responseIds);
    return NOTHING_ADDED;
  }
  if (!loaded.some(({ response, tally }) => response || tally)) return NOTHING_ADDED;
  if (!counterItem) {
    await createCounters(app, formId);
    throw new WriteConflict(new Error('the counters were just created'));
  }
  const state = parseCounterState(counterItem);
  const question = await findCountedQuestion(app.table, gate, state, loaded);
  const allMoves = loaded.flatMap(({ id, response, tally }) =>
    planMoves(id, response, tally, { ...state, question, orgId: gate.orgId }),
  );
  const moves = firstFitting(allMoves, state.base);
  if (moves.length > 0) {
    await app.table.write([
      ...moves.map(moveTally),
      ...counterWrites(formId, state, shard, moves),
      ...(await moveStoredBytes(app.table, moves)),
    ]);
  }
  return {
    added: moves.flatMap(({ responseId, from }) => (from ? [] : [responseId])),
    remaining: allMoves.slice(moves.length).map(({ responseId }) => responseId),
  };
}

/** Returns the first moves whose counts fit one write; one response has at most 200 choices in each of two epochs. */
function firstFitting(moves: readonly TallyMove[], base: number): readonly TallyMove[] {
  const isTooMuch = moves.length > 1 && sumDifferences(moves, base).size > MAX_COUNTS * COUNT_SHARDS;
  return isTooMuch ? firstFitting(moves.slice(0, Math.ceil(moves.length / 2)), base) : moves;
}

/** The question whose choices are counted, and the sections in which it was. */
type CountedQuestion = { id: string; placement: Placement };

/** Finds the question whose choices are counted, in the structure of the gate or of the newest submission. */
async function findCountedQuestion(
  table: Ports['table'],
  { formId, structureVersion }: Gate,
  { questionId }: CounterState,
  loaded: readonly { response: Response | undefined }[],
): Promise<CountedQuestion | undefined> {
  if (questionId === undefined) return undefined;
  const version = Math.max(structureVersion, ...loaded.map(({ response }) => response?.structureVersion ?? 0));
  const structure = (await loadStructure(table, formId, version))?.structure;
  const placement = structure && findPlacement(structure, questionId);
  return placement && { id: questionId, placement };
}

/** Plans the move that a response needs, if any. Throws WriteConflict when what was read is out of date. */
function planMoves(
  responseId: string,
  response: Response | undefined,
  from: Tally | undefined,
  state: CounterState & { question: CountedQuestion | undefined; orgId: string },
): TallyMove[] {
  if (!response) return from ? [{ responseId, from, to: undefined }] : [];
  if (from && (from.version > response.version || from.epoch > state.epoch)) {
    throw new WriteConflict(new Error('a newer tally was written meanwhile'));
  }
  if (from?.version === response.version && from.epoch === state.epoch) return [];
  const { version, progress } = response;
  const { epoch, orgId, question } = state;
  const choices = question ? countedChoices(response, question) : [];
  return [{ responseId, from, to: { version, epoch, progress, choices, bytes: sumFileBytes(response), orgId } }];
}

/** Lists the choices of the counted question that a submitted response selects, if its answer counts. */
function countedChoices(
  { progress, path, structureVersion, answers }: Response,
  { id, placement }: CountedQuestion,
): string[] {
  if (progress !== 'SUBMITTED' || !path?.includes(sectionAt(placement, structureVersion))) return [];
  const value = Object.hasOwn(answers, id) ? answers[id]?.value : undefined;
  const ids = Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
  return [...new Set(ids)];
}

/** Builds the writes that add the differences of some moves to the counters, on the condition of the epoch. */
function counterWrites(formId: string, state: CounterState, shard: number, moves: readonly TallyMove[]): Write[] {
  const changes = moves.filter(isChange).length;
  const differences = [...sumDifferences(moves, state.base), [CHANGES, changes] as const].filter(
    ([, value]) => value !== 0,
  );
  const when = { equals: { epoch: state.epoch, base: state.base } };
  if (differences.length === 0) return [{ check: keys.counters(formId, shard), when }];
  return Array.from({ length: Math.ceil(differences.length / MAX_COUNTS) }, (_, index) => ({
    update: keys.counters(formId, (shard + index) % COUNT_SHARDS),
    add: Object.fromEntries(differences.slice(index * MAX_COUNTS, (index + 1) * MAX_COUNTS)),
    when,
  }));
}

/** Whether a move follows a change of a submitted response: a new version of it, not only a new epoch. */
const isChange = ({ from, to }: TallyMove): boolean =>
  from?.version !== to?.version && [from, to].some((tally) => tally?.progress === 'SUBMITTED');

/** Sums the differences by attribute. Epochs before the base do not count any more. */
function sumDifferences(moves: readonly TallyMove[], base: number): Map<string, number> {
  const differences = new Map<string, number>();
  const add = (tally: Tally | undefined, by: number): void => {
    if (!tally || tally.epoch < base) return;
    for (const counted of [tally.progress, ...tally.choices]) {
      const attribute = countAttribute(tally.epoch, counted);
      differences.set(attribute, (differences.get(attribute) ?? 0) + by);
    }
  };
  for (const { from, to } of moves) {
    add(from, -1);
    add(to, 1);
  }
  return differences;
}
