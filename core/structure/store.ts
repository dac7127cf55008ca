/** Reads and writes the structure of a form: one item, changed by one conditional write. */
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import type { Structure } from './structure.ts';

/** A structure as it is stored, and which of its questions any response has ever answered. */
export type StoredStructure = { structure: Structure; answered: ReadonlySet<string> };

/** The structure of an item; undefined when there is none. */
export function structureOf(item: Item | undefined): StoredStructure | undefined {
  if (!item) return undefined;
  const structure: Structure = { ...decode<Omit<Structure, 'version'>>(item), version: Number(item.version) };
  return { structure, answered: item.answered instanceof Set ? item.answered : new Set() };
}

/** The write that creates a structure. */
export function createStructure(structure: Structure): Write {
  const { version, ...data } = structure;
  return { put: { ...keys.formStructure(structure.formId), ...encode(data), version }, when: { absent: true } };
}

/**
 * The write that replaces a structure of the version before it. With `answered`, only if still exactly these questions
 * have answers: for edits that remove a question or give it another type because nobody has answered it.
 */
export function replaceStructure(next: Structure, answered?: ReadonlySet<string>): Write {
  const { version, ...data } = next;
  return {
    update: keys.formStructure(next.formId),
    set: { ...encode(data), version },
    when: { equals: { version: version - 1 }, ...(answered ? { sameSet: { answered } } : {}) },
  };
}

/** The write that notes which questions have answers now, if the structure is still the one they were judged by. */
export const noteAnswered = (structure: Structure, questionIds: readonly string[]): Write => ({
  update: keys.formStructure(structure.formId),
  add: { answered: new Set(questionIds) },
  when: { equals: { version: structure.version } },
});
