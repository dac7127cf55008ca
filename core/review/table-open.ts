/** Opener of a page of the table of a form, for its members. */
import { type Opener, pathId } from '#core/access/access.ts';
import { type OpenedStructure, openStructure } from '#core/forms/open.ts';
import { type EntryPage, pageEntries } from '#core/responses/store.ts';
import { PageQuery } from '#core/schema/schema.ts';

const NOTHING: EntryPage = { entries: [], last: null, positions: new Map() };

/**
 * The structure of the form of `{formId}`, and the index entries of the requested page of its submitted responses. Both
 * are read at the same time, so the entries may be shown only after the role of the caller was checked.
 */
export const openTable: Opener<OpenedStructure & { listed: EntryPage }> = async (call) => {
  const formId = pathId(call.params, 'formId');
  const query = PageQuery().safeParse(call.input?.query).data;
  const range = query && { limit: query.limit, after: call.input?.after };
  const [opened, listed] = await Promise.all([
    openStructure(call),
    range ? pageEntries(call.app.table, formId, ['SUBMITTED'], range) : NOTHING,
  ]);
  return { ...opened, resource: { ...opened.resource, listed } };
};
