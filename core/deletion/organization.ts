/**
 * Deletes an organization: one transaction removes it, releases its slug and queues its deletion, so that its settings
 * are gone and nothing can be created in it. The worker removes its forms, units and memberships.
 */
import type { ChangePorts } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import { loadOrganization, removeOrganization, type StoredOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import { queueDeletion } from './queue.ts';

/** Deletes an organization. Throws 404 when it is gone. */
export const deleteOrganization = (app: ChangePorts, opened: StoredOrganization): Promise<void> =>
  untilWritten(async (first) => {
    const org = first ? opened : await loadOrganization(app.table, opened.id);
    if (!org) throw problems.notFound();
    const now = app.now();
    await app.table.write([
      ...removeOrganization(org, now.toISOString()),
      queueDeletion({ type: 'organization', id: org.id }, now),
    ]);
  });
