/**
 * Versions of a form: the structures that were published, those that a publication replaced without being published, and,
 * for 30 days, changes that were archived instead of being published. A list with who, when and what changed is one item;
 * each structure is an item of its own, so that the list is small to read. The live structure from which changes were begun
 * is kept as a version too, as long as they need it, whether or not it is in the list.
 */
import { decode, encode } from '#core/db/codec.ts';
import { keys, olderKeys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { epochSeconds } from '#core/schema/format.ts';
import type { Difference } from './changes-model.ts';
import { presentNode } from './condition-rule.ts';
import { listDifferences } from './differences.ts';
import { presentSection } from './documents.ts';
import { sectionsInOrder } from './path.ts';
import { type Answered, parseAnswered, parseStructure } from './store.ts';
import type { Structure } from './structure.ts';
import {
  ARCHIVED_DAYS,
  type FormVersionContent,
  MAX_ARCHIVED,
  MAX_VERSIONS,
  type VersionKind,
} from './versions-model.ts';

/** The number of differences that the list has of a version, and the characters of each title: 100 versions are one item. */
const MAX_DIFFERENCES = 10;
const MAX_TITLE_CHARACTERS = 60;

/** Why changes were archived; `RESTORED_OVER`: a version was restored in their place. */
export type ArchiveKind = 'DISCARDED' | 'OVERRULED' | 'RESTORED_OVER';

/** A version in a list. `by`: the id of who published, replaced or archived it. */
type Listed<K> = {
  version: number;
  kind: K;
  at: string;
  by: string;
  differences: Difference[];
  moreDifferences: number;
};

export type KeptVersion = Listed<VersionKind>;

/**
 * Changes that were archived: their number is the revision that they had, which no version of the live structure has. The
 * differences are from the live structure at that time; `expiresAt` in epoch seconds. `asideId`: of what older code archived.
 */
export type ArchivedChanges = Listed<ArchiveKind> & { expiresAt: number; asideId?: string };

/** The lists, newest first; `revision` counts their changes, 0 while there is none. */
export type Versions = { entries: readonly KeptVersion[]; archived: readonly ArchivedChanges[]; revision: number };

/** Archived changes as items have them that were written before those were numbered. */
type OlderArchived = Omit<ArchivedChanges, 'version' | 'kind' | 'asideId'> & {
  id: string;
  reason: 'DISCARDED' | 'OVERRULED' | 'REPLACED';
};

const readOlder = ({ id, reason, ...archived }: OlderArchived): ArchivedChanges => ({
  ...archived,
  kind: reason === 'REPLACED' ? 'RESTORED_OVER' : reason,
  version: Date.parse(archived.at),
  asideId: id,
});

/** Parses the lists of an item; empty ones when there is none. */
export function parseVersions(item: Item | undefined): Versions {
  type Stored = Pick<Versions, 'entries'> & { archived?: ArchivedChanges[]; aside?: OlderArchived[] };
  const { entries = [], archived = [], aside = [] }: Partial<Stored> = item ? decode<Stored>(item) : {};
  return { entries, archived: [...archived, ...aside.map(readOlder)], revision: Number(item?.version ?? 0) };
}

/** Lists the archived changes that have not expired; the TTL deletes the others later. */
export const listArchived = ({ archived }: Pick<Versions, 'archived'>, now: Date): ArchivedChanges[] =>
  archived.filter(({ expiresAt }) => expiresAt > epochSeconds(now));

/** Who published or discarded changes, and when; `by`: the id of the person. */
export type Ending = { as: 'PUBLISHED' | 'DISCARDED'; at: string; by: string };

/**
 * Finds who published or discarded changes that had this revision when they were seen; undefined when nobody did, or when they
 * were discarded without a difference.
 */
export function findEnding({ entries, archived }: Versions, revision: number): Ending | undefined {
  const endings: Ending[] = [
    ...entries.flatMap(({ kind, at, by }) => (kind === 'PUBLISHED' ? [{ as: kind, at, by }] : [])),
    ...archived.flatMap(({ kind, at, by }) => (kind === 'DISCARDED' ? [{ as: kind, at, by }] : [])),
  ];
  // A revision is the time of the first edit, plus a millisecond for each further edit. Later endings are of later changes.
  return endings.filter(({ at }) => Date.parse(at) >= revision).sort((a, b) => (a.at > b.at ? 1 : -1))[0];
}

/** Where the structure of a version in the lists is stored. */
const bodyKey = (formId: string, { version, asideId }: Pick<ArchivedChanges, 'version' | 'asideId'>) =>
  asideId === undefined ? keys.formVersion(formId, version) : olderKeys.formAside(formId, asideId);

/** Reads the structure of a kept version; undefined when it is not kept. */
export async function loadVersion(table: Table, formId: string, version: number): Promise<Structure | undefined> {
  const [item] = await table.read([keys.formVersion(formId, version)]);
  return parseStructure(item);
}

/** The list of versions of a form, and which questions were answered, to say what changed. */
export type ReadVersions = { versions: Versions; answered: Answered };

/** Reads what `keepVersions` needs, at the same time as other things. */
export async function readVersions(table: Table, formId: string): Promise<ReadVersions> {
  const [item, answeredItem] = await table.read([keys.formVersions(formId), keys.formAnswered(formId)]);
  return { versions: parseVersions(item), answered: parseAnswered(answeredItem) };
}

/** Finds the version that was kept at a number, or the nearest earlier one. */
export const findKept = ({ entries }: Versions, version: number): KeptVersion | undefined =>
  entries.find((entry) => entry.version <= version);

/** Whether a number in a path is one of archived changes: a time in milliseconds. */
export const isArchivedNumber = (version: string): boolean => /^\d{13}$/.test(version);

/** Finds archived changes that have not expired. */
const findArchived = (versions: Versions, version: number, now: Date): ArchivedChanges | undefined =>
  listArchived(versions, now).find((changes) => changes.version === version);

/** A structure to keep, and the one that it is compared with; none for the first version. */
type Kept = { structure: Structure; kind: VersionKind; from: Structure | undefined };

export type Keeping = {
  /** What the live structure is kept as; undefined: it stays live, only changes are archived. */
  as?: VersionKind;
  /** The changes to archive. */
  archive?: { kind: ArchiveKind; structure: Structure; revision: number } | undefined;
  /** The structure that is published in its place. */
  next?: Structure;
  /** The version from which changes were begun that need it no longer: it goes unless it is in the list. */
  formerBase?: number | undefined;
  /** An earlier structure, if it was read already. */
  earlier?: Structure | undefined;
  by: string;
  at: string;
};

/**
 * Builds the writes that keep the live structure, if it is not kept yet, the one that is published in its place, and changes
 * to archive, if they differ from it; in the transaction in which that happens. They are refused when the list has changed
 * meanwhile.
 */
export async function keepVersions(
  table: Table,
  { versions, answered }: ReadVersions,
  live: Structure,
  { as, archive, next, formerBase, earlier, by, at }: Keeping,
): Promise<Write[]> {
  const { formId, version } = live;
  const [newest] = versions.entries;
  const isKept = !as || versions.entries.some((entry) => entry.version === version);
  const isAtHand = newest?.version === earlier?.version;
  const previous =
    isKept || !newest ? undefined : isAtHand ? earlier : await loadVersion(table, formId, newest.version);
  const kept: Kept[] = [
    ...(isKept ? [] : [{ structure: live, kind: as, from: previous }]),
    ...(next ? [{ structure: next, kind: 'PUBLISHED' as const, from: live }] : []),
  ];
  const added = kept.map(({ structure, kind, from }): KeptVersion => {
    const differences = from ? listDifferences({ structure: from, answered }, structure) : [];
    return { version: structure.version, kind, at, by, ...shorten(differences) };
  });
  const differences = archive ? listDifferences({ structure: live, answered }, archive.structure) : [];
  const expiresAt = epochSeconds(new Date(at)) + ARCHIVED_DAYS * 24 * 3_600;
  const archived: ArchivedChanges[] =
    archive && differences.length > 0
      ? [{ version: archive.revision, kind: archive.kind, at, by, ...shorten(differences), expiresAt }]
      : [];
  const { entries, dropped } = addVersions(versions.entries, added);
  const allArchived = [...archived, ...listArchived(versions, new Date(at))];
  const lists = { entries, archived: allArchived.slice(0, MAX_ARCHIVED) };
  const isBaseListed = [...entries, ...dropped].some((entry) => entry.version === formerBase);
  const unlisted = [
    ...[...dropped, ...allArchived.slice(MAX_ARCHIVED)].map((entry) => bodyKey(formId, entry)),
    ...(formerBase === undefined || isBaseListed ? [] : [keys.formVersion(formId, formerBase)]),
  ];
  if (added.length + archived.length + unlisted.length === 0) return [];
  const key = keys.formVersions(formId);
  const when = versions.revision === 0 ? { absent: true } : { equals: { version: versions.revision } };
  return [
    added.length + archived.length === 0
      ? { check: key, when }
      : { put: { ...key, ...encode(lists), version: versions.revision + 1 }, when },
    ...kept.map(({ structure }) => ({
      put: { ...keys.formVersion(formId, structure.version), ...encode(structure), version: structure.version },
    })),
    ...archived.map((entry) => ({
      put: { ...bodyKey(formId, entry), ...encode(archive?.structure ?? live), version: entry.version, expiresAt },
    })),
    ...unlisted.map((body) => ({ remove: body })),
  ];
}

/** Builds the write that keeps the live structure for changes that begin with it, without listing it. */
export const keepBase = (live: Structure): Write => ({
  put: { ...keys.formVersion(live.formId, live.version), ...encode(live), version: live.version },
});

/** Adds versions to a list, newest first; `dropped`: those beyond the number that is kept. Pure. */
export function addVersions(
  entries: readonly KeptVersion[],
  added: readonly KeptVersion[],
): { entries: KeptVersion[]; dropped: KeptVersion[] } {
  const all = [...added, ...entries].sort((a, b) => b.version - a.version);
  return { entries: all.slice(0, MAX_VERSIONS), dropped: all.slice(MAX_VERSIONS) };
}

const shorten = (differences: readonly Difference[]) => ({
  differences: differences.slice(0, MAX_DIFFERENCES).map(({ kind, title, isAnswered }) => {
    const characters = [...title];
    const isLong = characters.length > MAX_TITLE_CHARACTERS;
    const short = isLong ? `${characters.slice(0, MAX_TITLE_CHARACTERS - 1).join('')}…` : title;
    return { kind, title: short, isAnswered };
  }),
  moreDifferences: Math.max(0, differences.length - MAX_DIFFERENCES),
});

/** A version that was found for a requested number; `kept`: its entry in the lists. */
export type FoundVersion = {
  structure: Structure;
  kept: KeptVersion | ArchivedChanges | undefined;
  isExact: boolean;
  isLive: boolean;
};

/**
 * Finds the structure of a version: the live one, a kept one, archived changes, or the nearest earlier version that was
 * kept. Undefined when there is none. `live`: the live structure; `versions`: the lists.
 */
export async function findVersion(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  { live, versions }: { live: Structure; versions: Versions },
  version: number,
): Promise<FoundVersion | undefined> {
  const kept = version > live.version ? findArchived(versions, version, now()) : findKept(versions, version);
  if (version === live.version) {
    return { structure: live, kept: kept?.version === version ? kept : undefined, isExact: true, isLive: true };
  }
  if (!kept) return undefined;
  const [item] = await table.read([bodyKey(live.formId, kept)]);
  const structure = parseStructure(item);
  if (!structure) return undefined;
  const isExact = kept.version === version;
  return { structure: { ...structure, version: kept.version }, kept, isExact, isLive: false };
}

/** Presents the content of a version as the API returns it. */
export const presentVersion = ({ structure, isExact, isLive }: FoundVersion): FormVersionContent => ({
  version: structure.version,
  isExact,
  isLive,
  sections: sectionsInOrder(structure).map((section) => presentSection(structure, section)),
  workflow: structure.nodes.map((node) => presentNode(structure, node)),
});
