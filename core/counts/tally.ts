/**
 * Keeps the counters of forms and the stored bytes of organizations. Each response has a tally: what it counts, at which
 * version, in which epoch. A response and its tally are read as they are now; if they differ, one transaction moves the
 * tally and adds the difference to the counters and to the stored bytes.
 *
 * Why the counters are exact whatever is repeated, reordered or done by several workers:
 * - A tally is replaced only if it is the one that was read, so each difference is added once. A worker that read an
 *   older response finds a newer tally, or is refused, and reads again.
 * - What a submitted response counts follows from the response alone: from its path, the version of the structure at its
 *   submission, its answers and the questions that it left unanswered. A later change of the form does not affect it.
 * - Every transaction requires the epoch that was read, so nothing is counted in an epoch that has ended.
 * - A response can be deleted between its read and the write of its first tally. Responses with a new tally are
 *   therefore read once more; one that is deleted after that has a stream record that finds the tally.
 */
import { noteProgress } from '#core/accounts/invitation.ts';
import { MAX_WRITES } from '#core/db/batches.ts';
import { COUNT_SHARDS, formKey, isGuestId, isInvitedId, type Key, keys, lastPart } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { untilWritten, wasWritten } from '#core/db/retry.ts';
import { type Item, type Write, WriteConflict } from '#core/db/table.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import { ensureExpiry } from '#core/jobs/expiry.ts';
import { ARRIVAL_WRITES, collectArrivals } from '#core/jobs/notices.ts';
import { ensureComparison } from '#core/jobs/places.ts';
import { type Response, secondsToComplete, sumFileBytes } from '#core/responses/model.ts';
import { parseResponse } from '#core/responses/store.ts';
import { loadStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { firstFitting, moveAnswerCounts } from './answer-counters.ts';
import { type Cells, listCells } from './cells.ts';
import {
  appendSeconds,
  CHANGES,
  type CounterState,
  countAttribute,
  createCounters,
  parseCounterState,
  SECONDS,
} from './counters.ts';
import {
  moveGuestBytes,
  moveStoredBytes,
  moveTally,
  parseTally,
  removeTallies,
  type Tally,
  type TallyMove,
} from './tallies.ts';

type TallyPorts = Pick<Ports, 'table' | 'now' | 'uuid'>;

/**
 * The items of a transaction besides tallies and counters of answers: the counters, the stored bytes, those of guests, and the
 * job that deletes their drafts.
 */
const OTHER_ITEMS = 4;
/** The number of tallies that one transaction moves, with counters of answers in two groups and two epochs. */
export const MAX_MOVES = MAX_WRITES - OTHER_ITEMS - 4;

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
        await noteProgressOfGuests(app, group);
        if (group.some(hasPlaces)) await comparePlaces(app, formKey(ids[0] ?? ''));
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

/** Whether a response has a place of a limited form, or had one. */
const hasPlaces = ({ before, after }: Change): boolean => (before?.places ?? after?.places) !== undefined;

/** Has the places of a form compared with its responses within a day, if they are not anyway. */
async function comparePlaces({ table, now }: Pick<TallyPorts, 'table' | 'now'>, formId: string): Promise<void> {
  const [gate, job] = await table.read([keys.formGate(formId), keys.placesCount(formId)]);
  const writes = gate ? ensureComparison(formId, job, now()) : [];
  if (writes.length > 0) await wasWritten(table, writes);
}

/**
 * Notes in the invitations of guests how far they are. A start has noted itself; of changes that come late or twice, the newest
 * stays.
 */
async function noteProgressOfGuests({ table }: Pick<Ports, 'table'>, changes: readonly Change[]): Promise<void> {
  for (const { key, before, after } of changes) {
    const userId = String(after?.userId ?? '');
    if (!before || !after || before.progress === after.progress || !isInvitedId(userId)) continue;
    const response = { id: lastPart(key.pk), version: Number(after.version), progress: String(after.progress) };
    await wasWritten(table, [noteProgress(userId, response)]);
  }
}

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
  const structure = await loadNewestStructure(app.table, gate, loaded);
  const allMoves = loaded.flatMap(({ id, response, tally }) =>
    planMoves(id, response, tally, { epoch: state.epoch, structure, orgId: gate.orgId }),
  );
  const moves = firstFitting(formId, state, allMoves, OTHER_ITEMS + (gate.notices ? ARRIVAL_WRITES : 0));
  if (moves.length > 0) {
    const submitted = listSubmitted(moves, loaded);
    const [answerCounts, storedBytes, expiry, arrivals] = await Promise.all([
      moveAnswerCounts(app.table, formId, { state, shard, moves }),
      moveStoredBytes(app.table, moves),
      moves.some(isNewGuestDraft) ? expireDrafts(app, formId) : [],
      gate.notices ? collectArrivals(app, formId, gate.notices, submitted) : [],
    ]);
    await app.table.write([
      ...moves.map(moveTally),
      moveCounts(counterItem, state, { moves, submitted }),
      ...answerCounts,
      ...storedBytes,
      // The condition on the counters keeps a deleted form from getting these items again.
      ...moveGuestBytes(formId, moves),
      ...expiry,
      ...arrivals,
    ]);
  }
  return {
    added: moves.flatMap(({ responseId, from }) => (from ? [] : [responseId])),
    remaining: allMoves.slice(moves.length).map(({ responseId }) => responseId),
  };
}

/** Whether a move counts a draft of a guest that was none before, or that a recount has found. */
const isNewGuestDraft = ({ from, to }: TallyMove): boolean =>
  to?.guest === true && to.progress === 'DRAFT' && (from?.progress !== 'DRAFT' || from.epoch !== to.epoch);

/** Lists the responses that some moves count as submitted, and that were not before. */
function listSubmitted(moves: readonly TallyMove[], loaded: readonly { response: Response | undefined }[]): Response[] {
  const ids = new Set(
    moves.flatMap(({ responseId, from, to }) =>
      to?.progress === 'SUBMITTED' && from?.progress !== 'SUBMITTED' ? [responseId] : [],
    ),
  );
  return loaded.flatMap(({ response }) => (response && ids.has(response.id) ? [response] : []));
}

/** Builds the write without which a new draft of a guest would stay for ever, if it is needed. */
const expireDrafts = async ({ table, now }: TallyPorts, formId: string): Promise<Write[]> =>
  ensureExpiry(formId, (await table.read([keys.expiry(formId)]))[0], now());

/** Loads the structure of the gate or of the newest submission; a draft needs none. */
async function loadNewestStructure(
  table: Ports['table'],
  { formId, structureVersion }: Gate,
  loaded: readonly { response: Response | undefined }[],
): Promise<Structure | undefined> {
  const submitted = loaded.flatMap(({ response }) => (response?.progress === 'SUBMITTED' ? [response] : []));
  if (submitted.length === 0) return undefined;
  const version = Math.max(structureVersion, ...submitted.map((response) => response.structureVersion ?? 0));
  return (await loadStructure(table, formId, version))?.structure;
}

/** Plans the move that a response needs, if any. Throws WriteConflict when what was read is out of date. */
function planMoves(
  responseId: string,
  response: Response | undefined,
  from: Tally | undefined,
  { epoch, structure, orgId }: { epoch: number; structure: Structure | undefined; orgId: string },
): TallyMove[] {
  if (!response) return from ? [{ responseId, from, to: undefined }] : [];
  if (from && (from.version > response.version || from.epoch > epoch)) {
    throw new WriteConflict(new Error('a newer tally was written meanwhile'));
  }
  if (from?.version === response.version && from.epoch === epoch) return [];
  const { version, progress, userId } = response;
  const cells: Cells = structure ? listCells(response, structure) : new Map();
  const bytes = sumFileBytes(response);
  const guest = isGuestId(userId) && { guest: true as const };
  return [{ responseId, from, to: { version, epoch, progress, cells, bytes, orgId, ...guest } }];
}

/** Builds the write that adds the differences of some moves to a counter item, on the condition of the epoch. */
function moveCounts(
  item: Item,
  state: CounterState,
  { moves, submitted }: { moves: readonly TallyMove[]; submitted: readonly Response[] },
): Write {
  const key = { pk: item.pk, sk: item.sk };
  const differences = [...sumDifferences(moves, state.base), [CHANGES, moves.filter(isChange).length] as const].filter(
    ([, value]) => value !== 0,
  );
  const when = { equals: { epoch: state.epoch, base: state.base } };
  if (differences.length === 0) return { check: key, when };
  const seconds = submitted.map((response) => Math.round(secondsToComplete(response)));
  const set = seconds.length > 0 && { set: { [SECONDS]: appendSeconds(item, seconds) } };
  return { update: key, add: Object.fromEntries(differences), ...set, when };
}

/** Whether a move follows a change of a submitted response: a new version of it, not only a new epoch. */
const isChange = ({ from, to }: TallyMove): boolean =>
  from?.version !== to?.version && [from, to].some((tally) => tally?.progress === 'SUBMITTED');

/** Sums the differences by attribute. Epochs before the base do not count any more. */
function sumDifferences(moves: readonly TallyMove[], base: number): Map<string, number> {
  const differences = new Map<string, number>();
  const add = (tally: Tally | undefined, by: number): void => {
    if (!tally || tally.epoch < base) return;
    const attribute = countAttribute(tally.epoch, tally.progress);
    differences.set(attribute, (differences.get(attribute) ?? 0) + by);
  };
  for (const { from, to } of moves) {
    add(from, -1);
    add(to, 1);
  }
  return differences;
}
