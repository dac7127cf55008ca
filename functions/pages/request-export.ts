/** Exports submitted responses: a few directly as a file, many as a job whose progress is shown. */
import { reviewPages } from '#core/api/review-pages.ts';
import { exportFileName } from '#core/exports/model.ts';
import { canExportDirectly, requestExport } from '#core/exports/service.ts';
import { writeSmallWorkbook } from '#core/exports/workbook.ts';
import { contentDisposition } from '#core/files/download.ts';
import { loadExportsPage, renderExportsPage } from '#core/pages/review/exports.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { listColumns } from '#core/table/table.ts';
import { openViews } from '#core/views/views.ts';

export const handler = page(
  reviewPages.requestExport,
  openViews,
  async ({ app, gate, structure, views, caller, roles, posted, context }) => {
    const chosen = new Set(posted.fields.getAll('column'));
    // A question that was deleted meanwhile is left out.
    const columns = listColumns(structure).filter(({ id }) => chosen.has(id));
    if (columns.length === 0) {
      const opened = { gate, structure, views, caller, roles };
      const [head, data] = await Promise.all([
        loadGateHead(app, gate),
        loadExportsPage(app, opened, { viewId: undefined, isEmpty: true }),
      ]);
      return { html: renderExportsPage(context, head, data), status: 400 };
    }
    const { title, formId } = gate;
    const bytes = (await canExportDirectly(app, formId))
      ? await writeSmallWorkbook(app, { title, structure, columns })
      : undefined;
    if (bytes) {
      const { XLSX_TYPE } = await import('#core/exports/xlsx.ts');
      return { file: { bytes, contentType: XLSX_TYPE, disposition: contentDisposition(exportFileName(title)) } };
    }
    const job = await requestExport(app, { gate, structure, columns, userId: caller.id });
    return { location: `/review/${formId}/export/${job.id}` };
  },
);
