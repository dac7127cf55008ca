/**
 * Caches structures in a warm function: requests of respondents read the small gate of a form, and its structure only
 * if the gate has a newer version. Bounded in size; the least recently used structure is evicted first.
 */
import { keys } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { answeredOf, structureOf } from './store.ts';
import type { Structure } from './structure.ts';

const MAX_BYTES = 32 * 1_024 * 1_024;

/** A structure, and the questions known to be answered; the set may lack recent ones. */
export type CachedStructure = { structure: Structure; answered: Set<string> };
type Entry = CachedStructure & { bytes: number };

const entries = new Map<string, Entry>();
let totalBytes = 0;

/**
 * The structure of a form in this version or a newer one; undefined when there is none. Reads it only if the cached one
 * is older.
 */
export async function loadStructure(
  table: Table,
  formId: string,
  version: number,
): Promise<CachedStructure | undefined> {
  const cached = entries.get(formId);
  if (cached && cached.structure.version >= version) {
    // A Map keeps insertion order: the most recently used entry is the last.
    entries.delete(formId);
    entries.set(formId, cached);
    return cached;
  }
  const [structureItem, answeredItem] = await table.read([keys.formStructure(formId), keys.formAnswered(formId)]);
  const structure = structureOf(structureItem);
  if (!structure || structure.formId !== formId) return undefined;
  const bytes = String(structureItem?.data).length;
  return store(formId, { structure, answered: new Set(answeredOf(answeredItem).ids), bytes });
}

function store(formId: string, entry: Entry): Entry {
  totalBytes += entry.bytes - (entries.get(formId)?.bytes ?? 0);
  entries.delete(formId);
  entries.set(formId, entry);
  for (const [oldest, { bytes }] of entries) {
    if (totalBytes <= MAX_BYTES || oldest === formId) break;
    entries.delete(oldest);
    totalBytes -= bytes;
  }
  return entry;
}
