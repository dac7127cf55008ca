/** Opens the versions of a form, and restores one: as changes of a published form, otherwise in its place. */
import { isDeepStrictEqual } from 'node:util';
import { type Opener, parsePathId } from '#core/access/access.ts';
import { parseAccount } from '#core/accounts/accounts.ts';
import { type Account, presentShortUser } from '#core/accounts/model.ts';
import { change } from '#core/db/change.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { problems, requireFound } from '#core/problems/problems.ts';
import { VersionNumber } from '#core/schema/schema.ts';
import {
  buildChangesWrites,
  editedStructure,
  editsCopy,
  isOutdated,
  type LiveAndChanges,
  parseChanges,
  parseEditedGate,
  reloadEditedForm,
} from '#core/structure/changes.ts';
import type { ChangesDocument } from '#core/structure/changes-model.ts';
import { applyChanges, presentEdited } from '#core/structure/publish.ts';
import { buildStructureWrites, requireStructureFits } from '#core/structure/service.ts';
import type { Structure } from '#core/structure/structure.ts';
import {
  type FoundVersion,
  findVersion,
  isArchivedNumber,
  type Keeping,
  keepVersions,
  parseVersions,
  readVersions,
  type Versions,
} from '#core/structure/versions.ts';
import type { FormVersion } from '#core/structure/versions-model.ts';
import type { OpenedEditedForm } from './edited.ts';
import { openEdit } from './open.ts';

export type OpenedVersions = OpenedEditedForm & { versions: Versions };

/** Opens the form of `{formId}` with what is edited and the list of its versions. */
export const openVersions: Opener<OpenedVersions> = async (call) => {
  const formId = parsePathId(call.params, 'formId');
  const further = [keys.formChanges(formId), keys.formVersions(formId)];
  const { opened, gateItem, rest } = await openEdit(call, formId, 'form', further);
  const edited = { gate: parseEditedGate(gateItem), live: opened.resource.stored, changes: parseChanges(rest[0]) };
  const resource = { ...opened.resource, edited, stored: editedStructure(edited), versions: parseVersions(rest[1]) };
  return { ...opened, resource };
};

/** Reads who published the versions of a list, and who archived changes. */
export async function loadPublishers(
  table: Table,
  { entries, archived }: Versions,
): Promise<ReadonlyMap<string, Account>> {
  const ids = [...new Set([...entries, ...archived].map(({ by }) => by))];
  const accounts = (await table.read(ids.map(keys.account))).map(parseAccount);
  return new Map(accounts.flatMap((account) => (account ? [[account.id, account]] : [])));
}

/** Presents the versions of a form as the API returns them, newest first. */
export const presentVersions = ({ entries }: Versions, people: ReadonlyMap<string, Account>): FormVersion[] =>
  entries.map(({ version, kind, at, by, differences, moreDifferences }) => ({
    version,
    kind,
    publishedAt: at,
    publishedBy: presentShortUser(by, people.get(by)),
    differences,
    moreDifferences,
  }));

/** Finds the version of `{version}` in a path. Throws 404 when neither it nor an earlier one was kept. */
export async function requireVersion(
  app: Pick<ChangePorts, 'table' | 'now'>,
  { edited, versions }: Pick<OpenedVersions, 'edited' | 'versions'>,
  version: string,
): Promise<FoundVersion> {
  if (!VersionNumber().safeParse(version).success && !isArchivedNumber(version)) throw problems.notFound();
  return requireFound(await findVersion(app, { live: edited.live.structure, versions }, Number(version)));
}

/** Builds the structure that restoring a version gives. */
export const restoredStructure = ({ live }: LiveAndChanges, { nodes, sections }: Structure): Structure => ({
  ...live.structure,
  nodes,
  sections,
});

/** Whether two structures have the same content, whenever it was edited. */
export const hasSameContent = (a: Structure, b: Structure): boolean =>
  isDeepStrictEqual(pickContent(a), pickContent(b));

const pickContent = ({ nodes, sections }: Structure) => [
  nodes,
  sections.map(({ id, description, questions }) => [
    id,
    description,
    questions.map(({ createdAt: _created, updatedAt: _updated, moves: _moves, ...content }) => content),
  ]),
];

type Restoring = Pick<OpenedEditedForm, 'gate' | 'edited' | 'caller'> & { version: Structure; force: boolean };

/**
 * Restores a version: into the changes if the form is edited in a copy, where it archives those that it replaces, otherwise
 * in place of its structure, which is then kept as a version. Does nothing if the content is the same. Returns what is
 * edited after that, as the API returns it. Throws 409 for a stale `If-Match`, and unless `force` for changes that are not
 * published; 400 for another type of a question that was answered since; 404 when the form was deleted; 413.
 */
export const restoreVersion = (
  app: ChangePorts,
  { gate: { formId }, edited, caller, version, force }: Restoring,
): Promise<{ body: ChangesDocument; etag: number }> =>
  change(app, {
    loaded: edited,
    reload: () => reloadEditedForm(app.table, formId),
    decide: async (current) => {
      const { live, changes, gate: status } = current;
      const restored = restoredStructure(current, version);
      const now = app.now().toISOString();
      app.ifMatch(changes?.revision ?? live.structure.version);
      if (hasSameContent(changes?.structure ?? live.structure, restored)) {
        return { writes: [], result: presentEdited(current) };
      }
      if (changes && !force) throw problems.stale();
      const keep = async (keeping: Pick<Keeping, 'as' | 'archive' | 'formerBase'>) =>
        keepVersions(app.table, await readVersions(app.table, formId), live.structure, {
          ...keeping,
          by: caller.id,
          at: now,
        });
      if (editsCopy(current)) {
        requireStructureFits(restored, changes?.structure ?? live.structure);
        const editing = { edited: current, formId, editorId: caller.id };
        const { next, writes } = buildChangesWrites(editing, restored, { at: now, rebase: true });
        const formerBase = isOutdated(current) ? changes?.basedOn : undefined;
        const kept = changes ? await keep({ archive: { kind: 'RESTORED_OVER', ...changes }, formerBase }) : [];
        return { writes: [...writes, ...kept], result: presentEdited({ live, changes: next }) };
      }
      const { next, writes } = await buildStructureWrites(app, live, applyChanges(live, restored, now), status);
      const kept = await keep({ as: 'REPLACED' });
      return {
        writes: [...writes, ...kept],
        result: presentEdited({ live: { ...live, structure: next }, changes: undefined }),
      };
    },
  });
