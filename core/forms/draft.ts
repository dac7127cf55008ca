/**
 * The questions of a form as its authors edit them: those of a DRAFT are edited directly, those of a published form in a
 * copy that replaces them when it is published.
 */
import { type Opener, parsePathId } from '#core/access/access.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { Problem, requireFound } from '#core/problems/problems.ts';
import {
  draftStructure,
  type EditDraft,
  type EditedDraft,
  editQuestions,
  parseChanges,
  parseDraftGate,
  reloadDraft,
} from '#core/structure/changes.ts';
import { parseStructure, type StoredStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { type OpenedForm, type OpenedGate, openEdit, openHead, requireNamed } from './open.ts';

/** `stored`: what is edited. */
export type OpenedDraft = OpenedGate & { draft: EditedDraft; stored: StoredStructure };

/** Opens the questions of the form of `{formId}`, whether or not what else the path names still exists. */
export const openDraft: Opener<OpenedDraft> = async (call) => {
  const formId = parsePathId(call.params, 'formId');
  const { opened, gateItem, rest } = await openEdit(call, formId, 'form', [keys.formChanges(formId)]);
  const draft = { gate: parseDraftGate(gateItem), live: opened.resource.stored, changes: parseChanges(rest[0]) };
  return { ...opened, resource: { ...opened.resource, draft, stored: draftStructure(draft) } };
};

/** Like `openDraft`; the section of the path is in it. */
export const openDraftSection: Opener<OpenedDraft> = async (call) => {
  const opened = await openDraft(call);
  requireNamed(call, opened.resource.stored.structure);
  return opened;
};

/**
 * Applies `edit` to the questions of a form; a deletion or move can be undone. Returns the body of the edit. Throws like
 * `editQuestions`.
 */
export const editDraft = <B>(
  app: ChangePorts,
  { gate, draft, caller }: Pick<OpenedDraft, 'gate' | 'draft' | 'caller'>,
  edit: EditDraft<B>,
): Promise<B> => editQuestions(app, { draft, formId: gate.formId, editorId: caller.id }, edit);

/** Like `editDraft`. Returns the problem with which the edit was refused: 400, as for a place that was deleted, or 413. */
export const tryEditDraft = <B extends object | string>(
  ...edit: Parameters<typeof editDraft<B>>
): Promise<B | Problem> =>
  editDraft(...edit).catch((error: unknown) => {
    if (error instanceof Problem && (error.status === 400 || error.status === 413)) return error;
    throw error;
  });

/** Reads what is edited as it is stored now. Throws 404 when the form was deleted. */
export const reloadEdited = async ({ table }: Pick<ChangePorts, 'table'>, formId: string): Promise<StoredStructure> =>
  draftStructure(await reloadDraft(table, formId));

/** Opens the settings of the form of `{formId}` with the structure that is edited, and whether that is one of changes. */
export const openFormWithDraft: Opener<OpenedForm & { structure: Structure; hasChanges: boolean }> = async (call) => {
  const formId = parsePathId(call.params, 'formId');
  const { opened, rest } = await openHead(call, [keys.formStructure(formId), keys.formChanges(formId)]);
  const changes = parseChanges(rest[1]);
  const structure = changes?.structure ?? requireFound(parseStructure(rest[0]));
  return { ...opened, resource: { ...opened.resource, structure, hasChanges: changes !== undefined } };
};
