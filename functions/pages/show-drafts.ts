/** Shows the responses that were started and not submitted yet. */
import { reviewPages } from '#core/api/review-pages.ts';
import { listAllResponses, readListedEntries } from '#core/counts/lists.ts';
import { openGate } from '#core/forms/open.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import { renderDraftsPage } from '#core/pages/review/drafts.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

const ROWS = 50;

export const handler = page(reviewPages.showDrafts, openGate, async ({ app, gate, query, context }) => {
  const list = { drafts: gate.formId };
  const cursor = query.get('cursor') ?? undefined;
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const [head, listed] = await Promise.all([
    loadGateHead(app, gate),
    readListedEntries(app.table, gate.formId, { limit: ROWS, after, progress: 'DRAFT' }),
  ]);
  const { body, next } = await listAllResponses(app, gate.formId, listed);
  const drafts = { gate, responses: body.responses, next: next === null ? null : encodeCursor(list, next) };
  return { html: renderDraftsPage(context, head, { ...drafts, isFirst: cursor === undefined }) };
});
