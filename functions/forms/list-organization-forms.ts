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
    const range = { limit: query.limit, after, status: query.status };
    const page = fitBatch(await listOrganizationForms(app, orgId, range));
    return { body: page.items, next: page.last };
  },
);
