/**
 * How many bytes of files an organization stores: one small item, created with the organization and removed with it. The
 * worker `tally` adds what responses attach and remove, so it follows within seconds. Only uploads read it.
 */
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Table, Write } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';

/** The setting that limits the stored bytes of each organization. */
export type StorageLimit = { config: { readonly maxStoredBytes: number } };

/** The write that creates the count of a new organization. */
export const createStorage = (orgId: string): Write => ({
  put: { ...keys.storage(orgId), bytes: 0 },
  when: { absent: true },
});

/** The write that adds to the stored bytes; refused when the organization is gone. */
export const addStoredBytes = (orgId: string, bytes: number): Write => ({
  update: keys.storage(orgId),
  add: { bytes },
  when: { absent: false },
});

/** The stored bytes of an organization; undefined when it is gone. */
export async function loadStoredBytes(table: Table, orgId: string): Promise<number | undefined> {
  const [item] = await table.read([keys.storage(orgId)]);
  return item && Number(item.bytes);
}

/** Throws 413 when an organization would store more than it may with so many bytes more. */
export async function requireRoom(
  { table, config: { maxStoredBytes } }: Pick<Ports, 'table'> & StorageLimit,
  orgId: string,
  moreBytes: number,
): Promise<void> {
  const stored = (await loadStoredBytes(table, orgId)) ?? 0;
  if (stored + moreBytes > maxStoredBytes) throw problems.storageFull(maxStoredBytes);
}
