/** Shows the forms to answer and the organizations of the reader. */
import type { Caller } from '#core/access/access.ts';
import { loadAccount, signedIn } from '#core/accounts/accounts.ts';
import type { Account } from '#core/accounts/model.ts';
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { type FormState, getFormState } from '#core/forms/gate.ts';
import { listFormEntries } from '#core/forms/lists.ts';
import { loadOrganizations } from '#core/organizations/store.ts';
import { listOwnForms, type OwnForm } from '#core/responses/form-summaries.ts';
import { listAnsweredSections } from '#core/responses/preview.ts';
import { parseResponse } from '#core/responses/store.ts';
import { loadStructure } from '#core/structure/store.ts';
import type { PageContext } from '../shell/context.ts';
import { doneNotice } from '../shell/controls.ts';
import { LIST, signedInReader } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import { organizationHref } from './frame.ts';
import { countListedForms, noForms, type OrganizationForm, openingText, organizationForms } from './organization.ts';

export const page = definePage({
  name: 'home',
  audience: 'organizers',
  path: '/',
  access: signedInReader,
  needs: LIST,
  open: signedIn,
  show: async ({ app, caller, query, context }) => ({
    html: renderHomePage(context, await loadHomePage(app, caller, query.get('after') ?? undefined)),
  }),
});

type HomeForm = Pick<OwnForm, 'gate' | 'status'> & {
  /** How many sections of the newest draft are complete. */
  progress?: { done: number; all: number } | undefined;
};

type Organization = { name: string; slug: string };

type HomePage = {
  name: string;
  forms: readonly HomeForm[];
  /** The organizations of the reader whose newest forms are shown. */
  organizations: readonly (Organization & { forms: readonly OrganizationForm[] })[];
  /** The other organizations of the reader. */
  furtherOrganizations: readonly Organization[];
  /** The position after which the forms to answer continue; null at the end. */
  next: string | null;
  isFirst: boolean;
};

/** Renders the page. For members, the forms of their organizations come first. */
function renderHomePage(context: PageContext, data: HomePage): Html {
  const { t } = context;
  const { name, forms, organizations, next, isFirst } = data;
  const isMember = organizations.length > 0;
  return layout(
    { ...context, readerName: name },
    {
      title: '',
      frame: { crumbs: [] },
      main: html`${doneNotice(context, getOrganizersTexts(context).done)}
${isMember && ownOrganizations(context, data)}
${isMember ? html`<h2 class="section-heading">${t.home.toAnswer}</h2>` : html`<h1>${t.home.toAnswer}</h1>`}
${
  forms.length === 0
    ? html`<div class="empty"><p>${t.home.nothing}</p><p>${t.home.nothingHint}</p></div>`
    : html`<ul class="rows">${forms.map((form) => formRow(context, form, isMember ? 3 : 2))}</ul>`
}
<div class="actions paging">
${!isFirst && html`<a class="button secondary" href="/">${t.organization.first}</a>`}
${next !== null && html`<a class="button secondary" href="/?after=${encodeURIComponent(next)}">${t.home.more}</a>`}
</div>
${isFirst && html`<p class="section-heading"><a class="button secondary" href="/orgs/new">${getOrganizersTexts(context).create.title}</a></p>`}
<p class="section-heading muted small">${name !== '' && html`${t.home.signedInAs(name)} `}<a href="/onboarding">${t.home.changeNames}</a></p>`,
    },
  );
}

const ownOrganizations = (context: PageContext, { organizations, furtherOrganizations }: HomePage): Html => {
  const { home } = context.t;
  const link = ({ name, slug }: Organization): Html => html`<a href="${organizationHref(slug)}">${name}</a>`;
  return html`<h1>${home.organizations}</h1>
${organizations.map(
  ({ forms, ...organization }) => html`<section class="organization"><h2>${link(organization)}</h2>
${forms.length === 0 ? noForms(context, organization.slug, home.noForms) : organizationForms(context, forms, { level: 3 })}
<p class="actions"><a class="button secondary" href="${organizationHref(organization.slug)}">${home.allForms}<span class="visually-hidden"> ${organization.name}</span></a></p>
</section>`,
)}
${
  furtherOrganizations.length > 0 &&
  html`<section class="organization"><h2>${home.furtherOrganizations}</h2><ul class="rows">${furtherOrganizations.map(
    ({ name, slug }) =>
      html`<li><div class="row-text"><h3><a class="row-link" href="${organizationHref(slug)}">${name}</a></h3></div></li>`,
  )}</ul></section>`
}`;
};

function formRow(context: PageContext, form: HomeForm, level: 2 | 3): Html {
  const { home } = context.t;
  const state = getFormState(form.gate, context.now);
  const link = html`<a class="row-link" href="/f/${form.gate.formId}">${form.gate.title}</a>`;
  // A draft that cannot be submitted is not in progress.
  const isStuck = form.status === 'IN_PROGRESS' && state !== 'open';
  const tone = { NOT_STARTED: '', IN_PROGRESS: isStuck ? '' : 'active', COMPLETED: 'good' }[form.status];
  return html`<li><div class="row-text">
${level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
<p class="muted small">${stateText(context, form, state)}${
    form.progress && !isStuck && html` · ${home.sections(form.progress.done, form.progress.all)}`
  }</p>
</div><div class="row-side"><span class="tag ${tone}">${isStuck ? home.notSubmitted : home.status[form.status]}</span></div></li>`;
}

/** Renders until or since when a form accepts responses, or why it accepts none. */
function stateText(context: PageContext, { gate }: HomeForm, state: FormState): Html | string {
  const { home, landing } = context.t;
  if (state === 'archived') return landing.archived;
  if (state === 'draft') return landing.notYet;
  return openingText(context, gate) ?? home.noDeadline;
}

// Reads what the home page shows.

const MAX_FORMS = 20;

/** Organizations with their newest forms on the home page, and those that are linked. */
const MAX_ORGANIZATIONS = 10;

const MAX_LINKED_ORGANIZATIONS = 100;

/** Forms of an organization on the home page, newest first. */
const MAX_ORGANIZATION_FORMS = 10;

const NEWEST_STATUSES = ['DRAFT', 'PUBLISHED'] as const;

/**
 * Loads the data of the page: forms to answer; on the first page also the newest forms of the reader's organizations. Three
 * round trips: forms to answer take the reader's responses and the listings, their gates, and the drafts; organizations take
 * the reader's account, the index, and gates with counts.
 */
async function loadHomePage(app: Ports, caller: Caller, after: string | undefined): Promise<HomePage> {
  const isFirst = after === undefined;
  const [{ forms, next }, { name, organizations }] = await Promise.all([
    listFormsToAnswer(app, caller.id, after),
    loadOwnOrganizations(app.table, caller.id, isFirst),
  ]);
  return {
    ...{ name, forms, next, isFirst },
    organizations: organizations.flatMap(({ forms: newest, ...organization }) =>
      newest ? [{ ...organization, forms: newest }] : [],
    ),
    furtherOrganizations: organizations.filter(({ forms: newest }) => newest === undefined),
  };
}

async function listFormsToAnswer(app: Ports, userId: string, after: string | undefined) {
  const { forms, next } = await listOwnForms(app, userId, { limit: MAX_FORMS, after });
  return { forms: await Promise.all(forms.map((form) => addProgress(app, form))), next };
}

/** Loads the name of a reader, and on the first page their organizations, the first ones with their newest forms. */
async function loadOwnOrganizations(table: Table, userId: string, isFirst: boolean) {
  const account = await loadAccount(table, userId);
  const orgIds = isFirst ? Object.keys(account?.memberships ?? {}).sort() : [];
  const [loaded, newestForms] = await Promise.all([
    loadOrganizations(table, orgIds.slice(0, MAX_LINKED_ORGANIZATIONS)),
    loadNewestForms(table, orgIds.slice(0, MAX_ORGANIZATIONS), account),
  ]);
  const formsById = new Map(newestForms);
  return {
    name: account?.name ?? '',
    organizations: loaded.map(({ id, name, slug }) => ({ name, slug, forms: formsById.get(id) })),
  };
}

/** Loads the newest forms of each organization, with its id: the index first, then all of them at once. */
async function loadNewestForms(
  table: Table,
  orgIds: readonly string[],
  reader: Account | undefined,
): Promise<[orgId: string, OrganizationForm[]][]> {
  const request = { limit: MAX_ORGANIZATION_FORMS, after: undefined, status: NEWEST_STATUSES };
  const lists = await Promise.all(
    orgIds.map(async (orgId) => ({
      orgId,
      statuses: NEWEST_STATUSES,
      entries: (await listFormEntries(table, orgId, request)).entries,
    })),
  );
  const forms = await countListedForms(table, lists, reader);
  return orgIds.map((orgId, index) => [orgId, forms[index] ?? []]);
}

/** Adds how many sections of the newest draft are complete. */
async function addProgress({ table }: Ports, form: OwnForm): Promise<HomeForm> {
  const { gate, newestDraftId } = form;
  if (newestDraftId === undefined) return form;
  const [[item], cached] = await Promise.all([
    table.read([keys.response(newestDraftId)]),
    loadStructure(table, gate.formId, gate.structureVersion),
  ]);
  const response = parseResponse(item);
  // Indexes lag: the draft may be submitted by now, or deleted.
  if (response?.progress !== 'DRAFT' || !cached) return form;
  const sections = listAnsweredSections({ response, structure: cached.structure });
  const done = sections.filter(({ progress }) => progress === 'COMPLETED').length;
  return { ...form, progress: { done, all: sections.length } };
}
