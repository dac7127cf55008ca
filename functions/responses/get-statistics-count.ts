/** Returns the statistics that were counted for the current user, or how far that is. */
import { responseLists } from '#core/api/response-lists.ts';
import { loadOwnCount, loadResult, presentCount } from '#core/exports/counts.ts';
import { openGate } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(responseLists.getStatisticsCount, openGate, async ({ gate, caller, app }) => {
  const count = await loadOwnCount(app, { formId: gate.formId, userId: caller.id });
  const result = count?.state === 'DONE' ? await loadResult(app, count) : undefined;
  // A result that was removed has expired.
  return { body: presentCount(count?.state === 'DONE' && !result ? undefined : count, result) };
});
