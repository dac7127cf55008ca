/** Shows the progress of an export, and in the end the link to its file. */
import { reviewPages } from '#core/api/review-pages.ts';
import { openExport } from '#core/exports/service.ts';
import { renderExportJobPage } from '#core/pages/review/exports.ts';
import { page } from '#core/pages/shell/page.ts';
import { problems } from '#core/problems/problems.ts';

export const handler = page(reviewPages.showExport, openExport, async ({ job, params, context }) => {
  if (job.formId !== params.formId) throw problems.notFound();
  return { html: renderExportJobPage(context, job) };
});
