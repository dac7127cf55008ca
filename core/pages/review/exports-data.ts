/** Reads what the export page shows. */
import type { Caller, Role } from '#core/access/access.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Gate } from '#core/forms/gate.ts';
import { countUpTo } from '#core/responses/store.ts';
import { showExport } from '#core/review/export-model.ts';
import { pageExports } from '#core/review/export-store.ts';
import type { Views } from '#core/review/view-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { ExportsPage } from './exports.ts';

/** Earlier exports on the page. */
const MAX_EARLIER = 20;

type Opened = { gate: Gate; structure: Structure; views: Views; caller: Caller; roles: readonly Role[] };

/** The page: admins see all exports of the form, other members their own. */
export async function exportsPageOf(
  app: Pick<Ports, 'table' | 'now'>,
  { gate, structure, views: { views }, caller, roles }: Opened,
  { viewId, isEmpty }: { viewId: string | undefined; isEmpty: boolean },
): Promise<ExportsPage> {
  const userId = roles.includes('admin') ? undefined : caller.id;
  const [{ jobs }, submitted] = await Promise.all([
    pageExports(app.table, gate.formId, { limit: MAX_EARLIER, after: undefined, userId }),
    countUpTo(app.table, gate.formId, 'SUBMITTED', 1),
  ]);
  const current = views.find(({ id }) => id === viewId);
  const earlier = jobs.map((job) => showExport(job, app.now(), ''));
  return { gate, structure, views, current, hasResponses: submitted > 0, earlier, isEmpty };
}
