/**
 * Versions of a form: the structures that were published, and those that a publication replaced without being published. A
 * list with who, when and what changed is one item; each structure is an item of its own, so that the list is small to read.
 * In addition, changes that were not published are archived for 30 days (the attribute `aside`).
 */
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { epochSeconds } from '#core/schema/format.ts';
import type { Difference } from './changes-model.ts';
import { presentNode } from './condition-rule.ts';
import { listDifferences } from './differences.ts';
import { presentSection } from './documents.ts';
import { sectionsInOrder } from './path.ts';
import { type Answered, parseAnswered, parseStructure } from './store.ts';
import type { Structure } from './structure.ts';
import { ASIDE_DAYS, type FormVersionContent, MAX_ASIDE, MAX_VERSIONS, type VersionKind } from './versions-model.ts';

/** The number of differences that the list has of a version, and the characters of each title: 100 versions are one item. */
const MAX_DIFFERENCES = 10;
const MAX_TITLE_CHARACTERS = 60;

/** A version in the list. `by`: the id of who published or replaced it. */
export type KeptVersion = {
  version: number;
  kind: VersionKind;
  at: string;
  by: string;
  differences: Difference[];
  moreDifferences: number;
};

/**
 * Changes that were archived: `DISCARDED`, `REPLACED` by a version that was restored, or `OVERRULED` where the live
 * structure was edited in the same places. The differences are from the live structure at that time; `expiresAt` in epoch
 * seconds.
 */
export type ArchivedChanges = {
  id: string;
  reason: 'DISCARDED' | 'REPLACED' | 'OVERRULED';
  at: string;
  by: string;
  differences: Difference[];
  moreDifferences: number;
  expiresAt: number;
};

/** The lists, newest first; `revision` counts their changes, 0 while there is none. */
export type Versions = { entries: readonly KeptVersion[]; aside: readonly ArchivedChanges[]; revision: number };

/** Parses the list of versions of an item; an empty one when there is none. */
export const parseVersions = (item: Item | undefined): Versions => ({
  ...(item ? decode<Omit<Versions, 'revision'>>(item) : { entries: [], aside: [] }),
  revision: Number(item?.version ?? 0),
});

/** Lists the archived changes that have not expired; the TTL deletes the others later. */
export const listArchived = ({ aside }: Pick<Versions, 'aside'>, now: Date): ArchivedChanges[] =>
  aside.filter(({ expiresAt }) => expiresAt > epochSeconds(now));

/** Who published or discarded changes, and when; `by`: the id of the person. */
export type Ending = { as: 'PUBLISHED' | 'DISCARDED'; at: string; by: string };

/**
 * Finds who published or discarded changes that had this revision when they were seen; undefined when nobody did, or when they
 * were discarded without a difference.
 */
export function findEnding({ entries, aside }: Versions, revision: number): Ending | undefined {
  const endings: Ending[] = [
    ...entries.flatMap(({ kind, at, by }) => (kind === 'PUBLISHED' ? [{ as: kind, at, by }] : [])),
    ...aside.flatMap(({ reason, at, by }) => (reason === 'DISCARDED' ? [{ as: reason, at, by }] : [])),
  ];
  // A revision is the time of the first edit, plus a millisecond for each further edit. Later endings are of later changes.
  return endings.filter(({ at }) => Date.parse(at) >= revision).sort((a, b) => a.at.localeCompare(b.at))[0];
}

/** Reads the structure of archived changes; undefined when it is no longer kept. */
export async function loadArchived(
  table: Table,
  formId: string,
  { id }: ArchivedChanges,
): Promise<Structure | undefined> {
  const [item] = await table.read([keys.formAside(formId, id)]);
  return parseStructure(item);
}

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

/** What is kept: a structure, and the one that it is compared with; none for the first version. */
type Kept = { structure: Structure; kind: VersionKind; from: Structure | undefined };

type Keeping = {
  /** What the live structure is kept as; undefined: it stays live, only changes are archived. */
  as?: VersionKind;
  /** The changes to archive; `id` is new. */
  archive?: Pick<ArchivedChanges, 'id' | 'reason'> & { structure: Structure };
  /** The structure that is published in its place. */
  next?: Structure;
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
  { as, archive, next, earlier, by, at }: Keeping,
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
  const archiveDifferences = archive ? listDifferences({ structure: live, answered }, archive.structure) : [];
  if (kept.length === 0 && archiveDifferences.length === 0) return [];
  const added = kept.map(({ structure, kind, from }): KeptVersion => {
    const differences = from ? listDifferences({ structure: from, answered }, structure) : [];
    return { version: structure.version, kind, at, by, ...shorten(differences) };
  });
  const { entries, dropped } = addVersions(versions.entries, added);
  const when = versions.revision === 0 ? { absent: true } : { equals: { version: versions.revision } };
  const expiresAt = epochSeconds(new Date(at)) + ASIDE_DAYS * 24 * 3_600;
  const archived =
    archive && archiveDifferences.length > 0
      ? [{ id: archive.id, reason: archive.reason, at, by, ...shorten(archiveDifferences), expiresAt }]
      : [];
  const allArchived = [...archived, ...listArchived(versions, new Date(at))];
  const lists = { entries, aside: allArchived.slice(0, MAX_ASIDE) };
  return [
    { put: { ...keys.formVersions(formId), ...encode(lists), version: versions.revision + 1 }, when },
    ...archived.map(({ id }) => ({
      put: { ...keys.formAside(formId, id), ...encode(archive?.structure ?? live), version, expiresAt },
    })),
    ...allArchived.slice(MAX_ASIDE).map(({ id }) => ({ remove: keys.formAside(formId, id) })),
    ...kept.map(({ structure }) => ({
      put: { ...keys.formVersion(formId, structure.version), ...encode(structure), version: structure.version },
    })),
    ...dropped.map((entry) => ({ remove: keys.formVersion(formId, entry.version) })),
  ];
}

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

/** A version that was found for a requested number. */
export type FoundVersion = { structure: Structure; isExact: boolean; isLive: boolean };

/**
 * Finds the structure of a version: the live one, a kept one, or the nearest earlier one that was kept. Undefined when there
 * is none. `live`: the live structure; `versions`: the list.
 */
export async function findVersion(
  table: Table,
  { live, versions }: { live: Structure; versions: Versions },
  version: number,
): Promise<FoundVersion | undefined> {
  if (version === live.version) return { structure: live, isExact: true, isLive: true };
  const kept = version < live.version ? findKept(versions, version) : undefined;
  const structure = kept && (await loadVersion(table, live.formId, kept.version));
  return structure && { structure, isExact: structure.version === version, isLive: false };
}

/** Presents the content of a version as the API returns it. */
export const presentVersion = ({ structure, isExact, isLive }: FoundVersion): FormVersionContent => ({
  version: structure.version,
  isExact,
  isLive,
  sections: sectionsInOrder(structure).map((section) => presentSection(structure, section)),
  workflow: structure.nodes.map((node) => presentNode(structure, node)),
});
