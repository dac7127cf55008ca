/** Opens the views of a form for its members, and the one that a path names (contract section 9). */

import { pathId } from '#core/access/path.ts';
import { present } from '#core/accounts/open.ts';
import { accountOf } from '#core/accounts/store.ts';
import { keys } from '#core/db/keys.ts';
import { admitToForm, type OpenedStructure } from '#core/forms/open.ts';
import { formOf } from '#core/forms/store.ts';
import type { Opener } from '#core/http/operation.ts';
import { problems } from '#core/problems/problems.ts';
import { structureOf } from '#core/structure/store.ts';
import { requireQuestions } from './query.ts';
import { requireView } from './view-edits.ts';
import type { Views } from './view-model.ts';
import { viewsOf } from './view-store.ts';

export type OpenedViews = OpenedStructure & { views: Views };

/** The views of the form of `{formId}`, with its structure; the view of `{viewId}` is among them for a member. */
export const formViews: Opener<OpenedViews> = async (call) => {
  const formId = pathId(call.params, 'formId');
  const wanted = [
    keys.formHead(formId),
    keys.formStructure(formId),
    keys.formViews(formId),
    keys.account(present(call.user).id),
  ];
  const [headItem, structureItem, viewsItem, accountItem] = await call.app.table.read(wanted);
  const opened = await admitToForm(call, formOf(headItem, formId), accountOf(accountItem));
  const stored = structureOf(structureItem);
  if (!stored) throw problems.notFound();
  const views = viewsOf(viewsItem, formId);
  // Who is no member is refused for that (403), whether or not there is such a view.
  if ('viewId' in call.params && opened.thing.editor) requireView(views, pathId(call.params, 'viewId'));
  if ('questionId' in call.params && opened.thing.editor) {
    requireQuestions(stored.structure, [pathId(call.params, 'questionId')]);
  }
  return { ...opened, thing: { ...opened.thing, stored, views } };
};
