/** Stores what was posted in a section: the answers, then files. A script and a form without scripts post the same. */
import type { RequestApp } from '#core/http/app.ts';
import type { OpenedResponse } from '#core/responses/change.ts';
import type { PageContext } from '../shell/context.ts';
import type { FormFields } from '../shell/form-fields.ts';
import { findSectionOnPath, type PageSection } from './navigation.ts';
import { type Action, applyAction, parseAction, touchesFiles } from './section-actions.ts';
import type { Unsaved } from './section-fields.ts';
import { actOnFiles } from './section-files.ts';
import { parsePostedAnswers, savePosted } from './section-save.ts';

export type SectionPost = {
  app: RequestApp;
  opened: OpenedResponse;
  params: Record<'responseId' | 'sectionId', string>;
  posted: FormFields;
  context: PageContext;
  fromScript: boolean;
};

/** The response and the section as they are stored now, and what of the post is not. */
export type StoredPost = { current: OpenedResponse; section: PageSection; action: Action; unsaved: Unsaved };

/** Stores a posted section; undefined if it is not on the path, before or after that. */
export async function storePosted({
  app,
  opened,
  params,
  posted: { fields, files },
  context,
  fromScript,
}: SectionPost): Promise<StoredPost | undefined> {
  const shown = findSectionOnPath(opened, params.sectionId);
  if (!shown) return undefined;
  const action = parseAction(fields);
  const posted = applyAction(parsePostedAnswers(shown.questions, fields), action, fields);
  const outcome = await savePosted(app, opened, { posted, fromScript });
  const saved = { ...opened, response: outcome.response };
  const acts = !outcome.problem && touchesFiles(action, files);
  const {
    current,
    fileErrors,
    problem = outcome.problem,
  } = acts
    ? await actOnFiles(app, saved, { context, action, files })
    : { current: saved, fileErrors: new Map<string, string>() };
  const section = findSectionOnPath(current, shown.id);
  if (!section) return undefined;
  // Nothing is demanded of answers that could not be stored.
  const demandsAll = action.name === 'next' && !problem;
  const unsaved = { posted, outcome: { ...outcome, ...(problem && { problem }) }, demandsAll, fileErrors };
  return { current, section, action, unsaved };
}
