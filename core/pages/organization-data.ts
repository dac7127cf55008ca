/** Reads the forms of organizations with the numbers of their responses. */
import type { Ports } from '#core/db/ports.ts';
import { listOrganizationForms } from '#core/forms/lists.ts';
import { FormStatus } from '#core/forms/model.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import { loadCounters } from '#core/responses/counters.ts';
import { countResponses } from '#core/responses/counts.ts';
import type { OrganizationForm, OrganizationPage } from './organization.ts';

const PAGE_FORMS = 20;

type Range = Parameters<typeof listOrganizationForms>[2];

/** A page of forms with their counts, newest first, and the position of the next page. */
export async function countedForms(
  app: Pick<Ports, 'table' | 'now'>,
  orgId: string,
  range: Range,
): Promise<{ forms: OrganizationForm[]; last: string | null }> {
  const { items, last } = await listOrganizationForms(app, orgId, range);
  const forms = await Promise.all(
    items.map(async ({ id, title, status }) => {
      const counters = await loadCounters(app.table, id);
      const { submittedCount: submitted, draftCount: drafts } = await countResponses(app.table, id, counters);
      return { id, title, status, submitted, drafts };
    }),
  );
  return { forms, last };
}

/** The page of an organization at an address. Throws 404 without the organization, 400 for a cursor of another list. */
export async function organizationPageOf(
  app: Pick<Ports, 'table' | 'now'>,
  orgId: string,
  query: URLSearchParams,
): Promise<OrganizationPage> {
  const status = FormStatus().safeParse(query.get('status')).data;
  const cursor = query.get('cursor') ?? undefined;
  const list = ['forms of an organization', orgId, status];
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const statuses = status ? [status] : FormStatus().options;
  const [organization, { forms, last }] = await Promise.all([
    loadOrganization(app.table, orgId),
    countedForms(app, orgId, { limit: PAGE_FORMS, after, status: statuses }),
  ]);
  if (!organization) throw problems.notFound();
  const { name, slug } = organization;
  const next = last === null ? null : encodeCursor(list, last);
  return { name, slug, status, forms, next, isFirst: cursor === undefined };
}
