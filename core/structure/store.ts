/** Reads and writes the structure of a form, and which of its questions were ever answered. */
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { problems, requireFound } from '#core/problems/problems.ts';
import { type Renames, renameInText } from './names.ts';
import type { Structure } from './structure.ts';

/**
 * The questions of a form that were ever answered. The set only grows, so an old copy may lack ids but has no wrong
 * ones. `revision` counts its changes; 0 when there is no item yet.
 */
export type Answered = { ids: ReadonlySet<string>; revision: number };

/** A structure with the questions that were ever answered. */
export type StoredStructure = { structure: Structure; answered: Answered };

/** Parses the structure of an item; undefined when there is none. */
export const parseStructure = (item: Item | undefined): Structure | undefined =>
  item ? { ...decode<Omit<Structure, 'version'>>(item), version: Number(item.version) } : undefined;

/** Parses the answered questions of an item; none when there is no item. */
export const parseAnswered = (item: Item | undefined): Answered => ({
  ids: item?.ids instanceof Set ? item.ids : new Set(),
  revision: Number(item?.revision ?? 0),
});

/** Reads the ids of the questions of a form that were ever answered. */
export async function readAnswered(table: Table, formId: string): Promise<ReadonlySet<string>> {
  const [item] = await table.read([keys.formAnswered(formId)]);
  return parseAnswered(item).ids;
}

/** Builds the write that creates a structure. */
export function createStructure(structure: Structure): Write {
  const { version, ...data } = structure;
  return { put: { ...keys.formStructure(structure.formId), ...encode(data), version }, when: { absent: true } };
}

/**
 * Builds the writes that replace a structure of the previous version. The gate has the current version; it is absent, and the
 * writes are refused, while the form is being deleted. With `gate`, also when the status or settings in it changed.
 */
export function replaceStructure(next: Structure, gate?: { data: string }): Write[] {
  const { formId, version, ...data } = next;
  return [
    {
      update: keys.formStructure(formId),
      set: { ...encode({ formId, ...data }), version },
      when: { equals: { version: version - 1 } },
    },
    {
      update: keys.formGate(formId),
      set: { structureVersion: version },
      when: { equals: { structureVersion: version - 1, ...(gate && { data: gate.data }) } },
    },
  ];
}

/** Builds the condition that this is still the current version of the structure. */
const checkStructureVersion = ({ formId, version }: Structure): Write => ({
  check: keys.formGate(formId),
  when: { equals: { structureVersion: version } },
});

/** Builds the writes that record the first answers to questions, on the condition that the structure is still current. */
export const recordAnswered = (structure: Structure, questionIds: readonly string[]): Write[] => [
  { update: keys.formAnswered(structure.formId), add: { ids: new Set(questionIds), revision: 1 } },
  checkStructureVersion(structure),
];

/** Builds the condition that no further question has been answered. */
export const checkAnswered = (formId: string, { revision }: Answered): Write => ({
  check: keys.formAnswered(formId),
  when: revision === 0 ? { absent: true } : { equals: { revision } },
});

/** Reads the structure of a form as it is stored now. Throws 404 when the form was deleted. */
export async function reloadStructure(table: Table, formId: string): Promise<StoredStructure> {
  const itemKeys = [keys.formGate(formId), keys.formStructure(formId), keys.formAnswered(formId)];
  const [gateItem, item, answeredItem] = await table.read(itemKeys);
  const structure = parseStructure(item);
  // Deleting a form removes the gate first and the structure at the end.
  if (!gateItem || !structure) throw problems.notFound();
  return { structure, answered: parseAnswered(answeredItem) };
}

/**
 * Builds the writes that give the closing message of a form the new names of its questions; refused when a setting was changed
 * meanwhile, which can bring an old name into it. None without new names. Throws 404 when the form was deleted.
 */
export async function renameInClosingMessage(table: Table, formId: string, renames: Renames): Promise<Write[]> {
  if (renames.size === 0) return [];
  const key = keys.formHead(formId);
  const item = requireFound((await table.read([key]))[0]);
  const settings = decode<{ messageAfterSubmission: string | null }>(item);
  const when = { equals: { version: Number(item.version) } };
  const message = settings.messageAfterSubmission;
  const messageAfterSubmission = message && renameInText(message, renames);
  if (messageAfterSubmission === message) return [{ check: key, when }];
  const set = { ...encode({ ...settings, messageAfterSubmission }), version: Number(item.version) + 1 };
  return [{ update: key, set, when }];
}

// Caches structures in a warm function: requests of respondents read the small gate of a form, and its structure only
// if the gate has a newer version. Bounded in size; the least recently used structure is evicted first.

const MAX_BYTES = 32 * 1_024 * 1_024;

/** A structure, and the questions known to be answered; the set may lack recent ones. */
export type CachedStructure = { structure: Structure; answered: Set<string> };
type Entry = CachedStructure & { bytes: number };

const entries = new Map<string, Entry>();
let totalBytes = 0;

/**
 * Loads the structure of a form in this version or a newer one; undefined when there is none. Reads it only if the cached one
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
  const structure = parseStructure(structureItem);
  if (!structure || structure.formId !== formId) return undefined;
  const bytes = String(structureItem?.data).length;
  return cacheEntry(formId, { structure, answered: new Set(parseAnswered(answeredItem).ids), bytes });
}

function cacheEntry(formId: string, entry: Entry): Entry {
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
