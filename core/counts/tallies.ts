/**
 * The tally of a response: what it counts in the counters of its form and in the stored bytes of its organization. It
 * changes in one transaction with the counters, and only if it is the one that was read, so each difference is added
 * once.
 */

import { change } from '#core/db/change.ts';
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { addStoredBytes, loadStoredBytes } from '#core/organizations/store.ts';
import type { ResponseProgress } from '#core/responses/model.ts';
import { type Cells, parseCells, toStored } from './cells.ts';

/**
 * What a response counts. `version`: of the response. `cells`: of its answers, in `epoch`. `bytes`: of its files, which
 * are counted for the organization `orgId`, whatever the epoch, and for the guests of the form too if it is by a `guest`.
 */
export type Tally = {
  version: number;
  epoch: number;
  progress: ResponseProgress;
  cells: Cells;
  bytes: number;
  orgId: string;
  guest?: true;
};

/** A change of the tally of a response; `to` is undefined when the response was deleted. */
export type TallyMove = { responseId: string; from: Tally | undefined; to: Tally | undefined };

/** Parses the tally of an item; undefined when there is none. */
export function parseTally(item: Item | undefined): Tally | undefined {
  if (!item) return undefined;
  return {
    version: Number(item.version),
    epoch: Number(item.epoch),
    progress: item.progress === 'SUBMITTED' ? 'SUBMITTED' : 'DRAFT',
    cells: parseCells(item.cells),
    bytes: Number(item.bytes),
    orgId: String(item.orgId),
    ...(item.guest === true && { guest: true }),
  };
}

/** Builds the write that replaces, creates or removes a tally, on the condition that it is still the one that was read. */
export function moveTally({ responseId, from, to }: TallyMove): Write {
  const key = keys.tally(responseId);
  const when = from ? { equals: { version: from.version, epoch: from.epoch } } : { absent: true };
  return to ? { put: { ...key, ...to, cells: toStored(to.cells) }, when } : { remove: key, when };
}

/**
 * Builds the write that adds the difference in bytes of some moves to what their organization stores; none when that is
 * deleted. All are moves of responses to one form, which stays in its organization.
 */
export async function moveStoredBytes(table: Table, moves: readonly TallyMove[]): Promise<Write[]> {
  const bytes = moves.reduce((sum, { from, to }) => sum + (to?.bytes ?? 0) - (from?.bytes ?? 0), 0);
  const [orgId] = moves.flatMap(({ from, to }) => (to ?? from)?.orgId ?? []);
  if (bytes === 0 || orgId === undefined) return [];
  const isPresent = (await loadStoredBytes(table, orgId)) !== undefined;
  return isPresent ? [addStoredBytes(orgId, bytes)] : [];
}

/**
 * Builds the write that adds the difference in bytes of some moves to what the guests of their form store; none without one.
 */
export function moveGuestBytes(formId: string, moves: readonly TallyMove[]): Write[] {
  const ofGuest = (tally: Tally | undefined): number => (tally?.guest ? tally.bytes : 0);
  const bytes = moves.reduce((sum, { from, to }) => sum + ofGuest(to) - ofGuest(from), 0);
  return bytes === 0 ? [] : [{ update: keys.guestStorage(formId), add: { bytes } }];
}

/**
 * Removes the tallies of some responses to a deleted form, and subtracts their bytes; the counters go with the form. At
 * most 99 responses. Throws StorageBusy.
 */
export const removeTallies = ({ table }: Pick<Ports, 'table'>, responseIds: readonly string[]): Promise<void> =>
  change(
    { table },
    {
      reload: async () => (await table.read(responseIds.map(keys.tally))).map(parseTally),
      decide: async (tallies) => {
        const moves = responseIds.flatMap((responseId, index) => {
          const from = tallies[index];
          return from ? [{ responseId, from, to: undefined }] : [];
        });
        return { writes: [...moves.map(moveTally), ...(await moveStoredBytes(table, moves))], result: undefined };
      },
    },
  );
