/** Reads what the home page shows. */
import type { Caller } from '#core/access/access.ts';
import type { Account } from '#core/accounts/model.ts';
import type { Ports } from '#core/db/ports.ts';
import { listOrganizationForms } from '#core/forms/lists.ts';
import type { FormSummary } from '#core/forms/model.ts';
import { loadOrganizations } from '#core/organizations/store.ts';
import { loadCounters } from '#core/responses/counters.ts';
import { countResponses } from '#core/responses/counts.ts';
import { listOwnForms } from '#core/responses/form-summaries.ts';
import { previewOf } from '#core/responses/preview.ts';
import { readResponse } from '#core/responses/service.ts';
import type { Home, HomeForm, HomeOrganization } from './home.ts';

const MAX_FORMS = 20;
const MAX_ORGANIZATIONS = 10;
/** Forms of an organization on the home page, newest first. */
const MAX_ORGANIZATION_FORMS = 10;

type Reader = { caller: Caller; account: Account | undefined; after: string | undefined };

/** The data of the page: a page of the reader's forms, and the newest forms of their organizations. */
export async function homeOf(app: Ports, { caller, account, after }: Reader): Promise<Home> {
  const orgIds = Object.keys(account?.memberships ?? {}).sort();
  const [{ body, next }, organizations] = await Promise.all([
    listOwnForms(app, caller.id, { limit: MAX_FORMS, after }),
    loadOrganizations(app.table, orgIds.slice(0, MAX_ORGANIZATIONS)),
  ]);
  const [forms, withForms] = await Promise.all([
    Promise.all(body.map((form) => withProgress(app, form))),
    Promise.all(organizations.map((organization) => withNewestForms(app, organization))),
  ]);
  return { name: account?.name ?? '', forms, organizations: withForms, next };
}

/** A form with how much of the newest draft is complete. */
async function withProgress({ table }: Ports, form: FormSummary): Promise<HomeForm> {
  const opened = form.status === 'IN_PROGRESS' ? await newestDraft(table, form.responseIds) : undefined;
  if (!opened) return form;
  const sections = previewOf(opened, undefined).sections.filter(({ progress }) => progress !== 'SKIPPED');
  const done = sections.filter(({ progress }) => progress === 'COMPLETED').length;
  return { ...form, progress: { done, all: sections.length } };
}

/** Submitted responses come first in a summary, then drafts, each newest first. */
async function newestDraft(table: Ports['table'], responseIds: readonly string[]) {
  const opened = await Promise.all(responseIds.slice(-3).map((id) => readResponse(table, id)));
  return opened.find((each) => each?.response.progress === 'DRAFT');
}

async function withNewestForms(app: Ports, { id, name }: { id: string; name: string }): Promise<HomeOrganization> {
  const { items } = await listOrganizationForms(app, id, { limit: MAX_ORGANIZATION_FORMS, after: undefined });
  const forms = await Promise.all(
    items.map(async (form) => {
      const counters = await loadCounters(app.table, form.id);
      const { submittedCount: submitted, draftCount: drafts } = await countResponses(app.table, form.id, counters);
      return { id: form.id, title: form.title, status: form.status, submitted, drafts };
    }),
  );
  return { id, name, forms };
}
