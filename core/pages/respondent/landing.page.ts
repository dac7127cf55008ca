/** Shows a form to its respondents before they start. */
import { openForm } from '#core/forms/open.ts';
import { openToShow } from '#core/forms/show.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import { MAX_OWN_RESPONSES } from '#core/responses/model.ts';
import { listOwnEntries } from '#core/responses/store.ts';
import { formVisitor } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { isPrefillTooLarge, listPrefillFields } from '../shell/prefill-link.ts';
import { renderLandingPage } from './landing.ts';

const open = openToShow(openForm, ({ form }) => form);

export const page = definePage({
  name: 'landing',
  audience: 'respondents',
  path: '/f/{formId}',
  access: formVisitor,
  needs: ['table:read', 'table:list', 'covers:read'],
  open: open,
  show: async ({ app, caller, form, query, context }) => {
    const [responses, organization] = await Promise.all([
      // Indexes lag: a response may briefly have two entries.
      listOwnEntries(app.table, caller.id, 2 * MAX_OWN_RESPONSES, form.id),
      loadOrganization(app.table, form.orgId, 'eventual'),
    ]);
    const answers = listPrefillFields(query);
    const prefill = isPrefillTooLarge(answers) ? 'too-large' : answers;
    const hasDeletedDraft = query.get('done') === 'draftDeleted';
    const mayStart = responses.length < MAX_OWN_RESPONSES;
    const started = { responses, mayStart, newId: app.uuid(), hasDeletedDraft };
    return { html: renderLandingPage(context, { form, organization: organization?.name, ...started, prefill }) };
  },
});
