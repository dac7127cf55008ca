/** Lists the exports of a form: all for admins of the organization, their own for other members. */
import { exportOperations } from '#core/api/exports.ts';
import { presentExport } from '#core/exports/model.ts';
import { listExportJobs } from '#core/exports/service.ts';
import { openGate } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(
  exportOperations.listExports,
  openGate,
  async ({ gate, caller, roles, query, after, app }) => {
    const userId = roles.includes('admin') ? undefined : caller.id;
    const { jobs, last } = await listExportJobs(app.table, gate.formId, { limit: query.limit, after, userId });
    return { body: { exports: jobs.map((job) => presentExport(job, app.now(), app.config.publicUrl)) }, next: last };
  },
);
