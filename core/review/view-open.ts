/** Opener of the views of a form, for its members. */
import { type Opener, pathId, signedInCaller } from '#core/access/access.ts';
import { accountOf } from '#core/accounts/store.ts';
import { keys } from '#core/db/keys.ts';
import { gateOf } from '#core/forms/gate.ts';
import { admitToGate, type OpenedStructure, structureFor } from '#core/forms/open.ts';
import { requireQuestions } from './query.ts';
import { requireView } from './view-edits.ts';
import type { Views } from './view-model.ts';
import { viewsOf } from './view-store.ts';

type OpenedViews = OpenedStructure & { views: Views };

/**
 * The views and the structure of the form of `{formId}`. For members, throws 404 for an unknown view or question in the
 * path.
 */
export const openViews: Opener<OpenedViews> = async (call) => {
  const formId = pathId(call.params, 'formId');
  const itemKeys = [keys.formGate(formId), keys.formViews(formId), keys.account(signedInCaller(call.user).id)];
  const [gateItem, viewsItem, accountItem] = await call.app.table.read(itemKeys);
  const gate = gateOf(gateItem);
  const opened = await admitToGate(call, gate?.formId === formId ? gate : undefined, accountOf(accountItem));
  const { structure } = await structureFor(call.app.table, opened.resource.gate);
  const views = viewsOf(viewsItem, formId);
  // Other callers get 403 from the role check, whether or not the view exists.
  if (opened.resource.editor) {
    if ('viewId' in call.params) requireView(views, pathId(call.params, 'viewId'));
    if ('questionId' in call.params) requireQuestions(structure, [pathId(call.params, 'questionId')]);
  }
  return { ...opened, resource: { ...opened.resource, structure, views } };
};
