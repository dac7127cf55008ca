/** Leads to the file of an export; one that is not available leads to the page of the export, which says why. */
import { reviewPages } from '#core/api/review-pages.ts';
import { stateAt } from '#core/exports/model.ts';
import { openExport, signExportDownload } from '#core/exports/service.ts';
import { page } from '#core/pages/shell/page.ts';
import { problems } from '#core/problems/problems.ts';

export const handler = page(reviewPages.downloadExport, openExport, async ({ app, job, params, context }) => {
  if (job.formId !== params.formId) throw problems.notFound();
  if (stateAt(job, context.now) !== 'DONE') return { location: `/review/${job.formId}/export/${job.id}` };
  return { location: (await signExportDownload(app, job)).url };
});
