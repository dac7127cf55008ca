/** Stores what was posted in a section: the answers, then files. A script and a form without scripts post the same. */
import type { RequestApp } from '#core/http/app.ts';
import type { OpenedResponse } from '#core/responses/change.ts';
import { type Editable, type PendingEdit, viewEdited } from '#core/responses/pending-edit.ts';
import type { PageContext } from '../shell/context.ts';
import type { FormFields } from '../shell/form-fields.ts';
import { findSectionOnPath, type PageSection } from './navigation.ts';
import { type Action, applyAction, parseAction, touchesFiles } from './section-actions.ts';
import type { Unsaved } from './section-fields.ts';
import { actOnFiles } from './section-files.ts';
import { parsePostedAnswers, savePosted } from './section-save.ts';

export type SectionPost = {
  app: RequestApp;
  /** The response as it is stored, and the edit that waits beside it. */
  opened: OpenedResponse;
  edit: PendingEdit;
  params: Record<'responseId' | 'sectionId', string>;
  posted: FormFields;
  context: PageContext;
  fromScript: boolean;
};

/** The response with its pending edit, and the section, as they are stored now, and what of the post is not. */
export type StoredPost = {
  current: OpenedResponse;
  editable: Editable;
  section: PageSection;
  action: Action;
  unsaved: Unsaved;
};

/** Stores a posted section; undefined if it is not on the path, before or after that. */
export async function storePosted({
  app,
  opened,
  edit,
  params,
  posted: { fields, files },
  context,
  fromScript,
}: SectionPost): Promise<StoredPost | undefined> {
  const shown = findSectionOnPath(viewEdited({ opened, edit }), params.sectionId);
  if (!shown) return undefined;
  const action = parseAction(fields);
  const posted = applyAction(parsePostedAnswers(shown.questions, fields), action, fields);
  const acts = touchesFiles(action, files);
  const sends = action.name === 'next' && !acts;
  const saved = await savePosted(app, { opened, edit }, { posted, fromScript, sends });
  const { outcome } = saved;
  // Files are stored in the response itself, also while an edit waits.
  const {
    current: stored,
    fileErrors,
    problem = outcome.problem,
  } = acts && !outcome.problem
    ? await actOnFiles(app, saved.editable.opened, { context, action, files })
    : { current: saved.editable.opened, fileErrors: new Map<string, string>() };
  const editable = { ...saved.editable, opened: stored };
  const current = viewEdited(editable);
  const section = findSectionOnPath(current, shown.id);
  if (!section) return undefined;
  // Nothing is demanded of answers that could not be stored.
  const demandsAll = action.name === 'next' && !problem;
  const unsaved = { posted, outcome: { ...outcome, ...(problem && { problem }) }, demandsAll, fileErrors };
  return { current, editable, section, action, unsaved };
}
