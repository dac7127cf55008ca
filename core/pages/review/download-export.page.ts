/** Leads to the file of an export; one that is not available leads to the page of the export, which says why. */
import { stateAt } from '#core/exports/model.ts';
import { openExport, signExportDownload } from '#core/exports/service.ts';
import { problems } from '#core/problems/problems.ts';
import { exporter } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';

export const page = definePage({
  name: 'downloadExport',
  audience: 'reviewers',
  path: '/review/{formId}/export/{exportId}/file',
  access: exporter,
  needs: ['table:read', 'exports:read'],
  open: openExport,
  show: async ({ app, job, params, context }) => {
    if (job.formId !== params.formId) throw problems.notFound();
    if (stateAt(job, context.now) !== 'DONE') return { location: `/review/${job.formId}/export/${job.id}` };
    return { location: (await signExportDownload(app, job)).url };
  },
});
