/** Reads what the home page shows. */
import type { Caller } from '#core/access/access.ts';
import type { Account } from '#core/accounts/model.ts';
import type { Ports } from '#core/db/ports.ts';
import { loadOrganizations } from '#core/organizations/store.ts';
import { listOwnForms } from '#core/responses/form-summaries.ts';
import { previewOf } from '#core/responses/preview.ts';
import { readResponse } from '#core/responses/service.ts';
import type { Home, HomeForm } from './home.ts';
import type { OrganizationForm } from './organization.ts';
import { countedForms } from './organization-data.ts';

const MAX_FORMS = 20;
/** Organizations with their newest forms on the home page, and those that are linked. */
const MAX_ORGANIZATIONS = 10;
const MAX_LINKED_ORGANIZATIONS = 100;
/** Forms of an organization on the home page, newest first. */
const MAX_ORGANIZATION_FORMS = 10;

type Reader = { caller: Caller; account: Account | undefined; after: string | undefined };

/** The data of the page: a page of the reader's forms; on the first one, also the newest forms of their organizations. */
export async function homeOf(app: Ports, { caller, account, after }: Reader): Promise<Home> {
  const isFirst = after === undefined;
  const orgIds = isFirst ? Object.keys(account?.memberships ?? {}).sort() : [];
  const [{ forms, next }, loaded, newest] = await Promise.all([
    formsToAnswer(app, caller.id, after),
    loadOrganizations(app.table, orgIds.slice(0, MAX_LINKED_ORGANIZATIONS)),
    Promise.all(orgIds.slice(0, MAX_ORGANIZATIONS).map((orgId) => newestForms(app, orgId))),
  ]);
  const formsByOrganization = new Map(newest);
  const isShown = ({ id }: { id: string }): boolean => formsByOrganization.has(id);
  const organizations = loaded.map(({ id, name, slug }) => ({
    ...{ id, name, slug },
    forms: formsByOrganization.get(id) ?? [],
  }));
  return {
    name: account?.name ?? '',
    forms,
    organizations: organizations.filter(isShown),
    furtherOrganizations: organizations.filter((organization) => !isShown(organization)),
    next,
    isFirst,
  };
}

async function formsToAnswer(app: Ports, userId: string, after: string | undefined) {
  const { body, gates, next } = await listOwnForms(app, userId, { limit: MAX_FORMS, after });
  const openings = new Map(gates.map((gate) => [gate.formId, gate]));
  const forms = body.flatMap((form) => {
    const opening = openings.get(form.id);
    return opening ? [withProgress(app, { ...form, opening })] : [];
  });
  return { forms: await Promise.all(forms), next };
}

async function newestForms(app: Ports, orgId: string): Promise<[orgId: string, forms: OrganizationForm[]]> {
  const { forms } = await countedForms(app, orgId, { limit: MAX_ORGANIZATION_FORMS, after: undefined });
  return [orgId, forms];
}

/** A form with how much of the newest draft is complete. */
async function withProgress({ table }: Ports, form: HomeForm): Promise<HomeForm> {
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
