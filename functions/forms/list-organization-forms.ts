/** Lists the forms of an organization for its members. */
import { forms } from '#core/api/forms.ts';
import { listOrganizationForms } from '#core/forms/lists.ts';
import { operation } from '#core/http/operation.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { fitBatch } from '#core/schema/page-size.ts';

export const handler = operation(
  forms.listOrganizationForms,
  openOrganization,
  async ({ orgId, query, after, app }) => {
    const request = { limit: query.limit, after, status: query.status };
    const batch = fitBatch(await listOrganizationForms(app, orgId, request));
    return { body: batch.items, next: batch.last };
  },
);
