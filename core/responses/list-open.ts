/** Opener of the list of a form's responses. */
import { type Opener, pathId } from '#core/access/access.ts';
import { type OpenedGate, openGate } from '#core/forms/open.ts';
import { type ListedEntries, readListedEntries } from './lists.ts';
import { ResponseListQuery } from './model.ts';

/**
 * The gate of the form of `{formId}`, and the requested page of all its responses: for members only, but read before it
 * is known whether the caller is one. `listed` is undefined for others.
 */
export const openListedResponses: Opener<OpenedGate & { listed: ListedEntries | undefined }> = async (call) => {
  const formId = pathId(call.params, 'formId');
  const query = ResponseListQuery().safeParse(call.input?.query).data;
  const [opened, listed] = await Promise.all([
    openGate(call),
    query && readListedEntries(call.app.table, formId, { ...query, after: call.input?.after }),
  ]);
  return { ...opened, resource: { ...opened.resource, listed: opened.resource.editor ? listed : undefined } };
};
