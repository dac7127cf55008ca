/**
 * The questions of a form as its authors edit them: those of a DRAFT are edited directly, those of a published form in a
 * copy that replaces them when it is published.
 */
import { type Opener, parsePathId } from '#core/access/access.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { Problem, requireFound } from '#core/problems/problems.ts';
import {
  type EditedForm,
  editedStructure,
  editQuestions,
  parseChanges,
  parseEditedGate,
  type QuestionsEdit,
  reloadEditedForm,
} from '#core/structure/changes.ts';
import { parseStructure, type StoredStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { type OpenedForm, type OpenedGate, openEdit, openHead, requireNamed } from './open.ts';

/** `stored`: what is edited. */
export type OpenedEditedForm = OpenedGate & { edited: EditedForm; stored: StoredStructure };

/** Opens the questions of the form of `{formId}`, whether or not what else the path names still exists. */
export const openEditedForm: Opener<OpenedEditedForm> = async (call) => {
  const formId = parsePathId(call.params, 'formId');
  const { opened, gateItem, rest } = await openEdit(call, formId, 'form', [keys.formChanges(formId)]);
  const edited = { gate: parseEditedGate(gateItem), live: opened.resource.stored, changes: parseChanges(rest[0]) };
  return { ...opened, resource: { ...opened.resource, edited, stored: editedStructure(edited) } };
};

/** Like `openEditedForm`; the section of the path is in it. */
export const openEditedSection: Opener<OpenedEditedForm> = async (call) => {
  const opened = await openEditedForm(call);
  requireNamed(call, opened.resource.stored.structure);
  return opened;
};

/**
 * Applies `edit` to the questions of a form; a deletion or move can be undone. Returns the body of the edit. Throws like
 * `editQuestions`.
 */
export const editForm = <B>(
  app: ChangePorts,
  { gate, edited, caller }: Pick<OpenedEditedForm, 'gate' | 'edited' | 'caller'>,
  edit: QuestionsEdit<B>,
): Promise<B> => editQuestions(app, { edited, formId: gate.formId, editorId: caller.id }, edit);

/** Like `editForm`. Returns the problem with which the edit was refused: 400, as for a place that was deleted, or 413. */
export const tryEditForm = <B extends object | string>(...edit: Parameters<typeof editForm<B>>): Promise<B | Problem> =>
  editForm(...edit).catch((error: unknown) => {
    if (error instanceof Problem && (error.status === 400 || error.status === 413)) return error;
    throw error;
  });

/** Reads what is edited as it is stored now. Throws 404 when the form was deleted. */
export const reloadEdited = async ({ table }: Pick<ChangePorts, 'table'>, formId: string): Promise<StoredStructure> =>
  editedStructure(await reloadEditedForm(table, formId));

/**
 * `structure`: what is edited, the changes of the form if there are any (`hasChanges`), otherwise `live`, which respondents see.
 */
export type OpenedFormWithQuestions = OpenedForm & { structure: Structure; live: Structure; hasChanges: boolean };

/** Opens the settings of the form of `{formId}` with its questions. */
export const openFormWithQuestions: Opener<OpenedFormWithQuestions> = async (call) => {
  const formId = parsePathId(call.params, 'formId');
  const { opened, rest } = await openHead(call, [keys.formStructure(formId), keys.formChanges(formId)]);
  const changes = parseChanges(rest[1]);
  const live = requireFound(parseStructure(rest[0]));
  const structure = changes?.structure ?? live;
  return { ...opened, resource: { ...opened.resource, structure, live, hasChanges: changes !== undefined } };
};
