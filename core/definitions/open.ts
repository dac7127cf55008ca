/** Opener of a form with everything that a copy or a definition of it contains, for the members of its organization. */
import { type Opener, pathId } from '#core/access/access.ts';
import { keys } from '#core/db/keys.ts';
import { type OpenedForm, openHead } from '#core/forms/open.ts';
import { problems } from '#core/problems/problems.ts';
import { viewsOf } from '#core/review/view-store.ts';
import { structureOf } from '#core/structure/store.ts';
import type { CompleteForm } from './copies.ts';

/** The form of `{formId}` with its structure and views, in one round trip. */
export const openCompleteForm: Opener<OpenedForm & { complete: CompleteForm }> = async (call) => {
  const formId = pathId(call.params, 'formId');
  const { opened, rest } = await openHead(call, [keys.formStructure(formId), keys.formViews(formId)]);
  const structure = structureOf(rest[0]);
  if (!structure) throw problems.notFound();
  const complete = { form: opened.resource.form, structure, views: viewsOf(rest[1], formId) };
  return { ...opened, resource: { ...opened.resource, complete } };
};
