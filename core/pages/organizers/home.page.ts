/** Shows the forms to answer and the organizations of the reader. */
import type { Caller } from '#core/access/access.ts';
import { loadAccount, signedIn } from '#core/accounts/accounts.ts';
import type { Account } from '#core/accounts/model.ts';
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { type FormState, getFormState } from '#core/forms/gate.ts';
import { listFormEntries } from '#core/forms/lists.ts';
import { FormStatus } from '#core/forms/model.ts';
import { MAX_TITLE } from '#core/forms/settings.ts';
import { mayCreateOrganizations } from '#core/organizations/service.ts';
import { loadOrganizations } from '#core/organizations/store.ts';
import { listOwnForms, type OwnForm } from '#core/responses/form-summaries.ts';
import { listAnsweredSections } from '#core/responses/preview.ts';
import { parseResponse } from '#core/responses/store.ts';
import { loadStructure } from '#core/structure/store.ts';
import type { PageContext } from '../shell/context.ts';
import { doneNotice, hiddenFields } from '../shell/controls.ts';
import { LIST, signedInReader } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { layout, menu } from '../shell/layout.ts';
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
  show: async ({ app, caller, query, context }) => {
    const search = (query.get('search') ?? '').trim().slice(0, MAX_TITLE);
    const data = await loadHomePage(app, caller, { after: query.get('after') ?? undefined, search });
    return {
      html: renderHomePage(context, { ...data, mayCreate: mayCreateOrganizations(app, caller), newId: app.uuid() }),
    };
  },
});

type HomeForm = Pick<OwnForm, 'gate' | 'status'> & {
  /** How many sections of the newest draft are complete. */
  progress?: { done: number; all: number } | undefined;
};

type Organization = { name: string; slug: string };

type HomePage = {
  name: string;
  /** Whether the reader has chosen names. */
  isOnboarded: boolean;
  /** Whether the reader may create organizations. */
  mayCreate: boolean;
  /** The hidden field `id` of the first organization. */
  newId: string;
  /** What the titles of the shown forms of organizations contain; empty for their newest forms. */
  search: string;
  forms: readonly HomeForm[];
  /** The organizations of the reader whose newest forms are shown. */
  organizations: readonly (Organization & { forms: readonly OrganizationForm[] })[];
  /** The other organizations of the reader. */
  furtherOrganizations: readonly Organization[];
  /** The position after which the forms to answer continue; null at the end. */
  next: string | null;
  isFirst: boolean;
};

/**
 * Renders the page: the forms of the reader's organizations, or a welcome to somebody who has none, then the forms that the
 * reader was asked to answer.
 */
function renderHomePage(context: PageContext, data: HomePage): Html {
  const { t } = context;
  const { name, forms, organizations, next, isFirst, mayCreate, search } = data;
  const isMember = organizations.length > 0;
  const isWelcome = !isMember && mayCreate && isFirst;
  const isSearch = isMember && search !== '';
  return layout(
    { ...context, readerName: name },
    {
      title: '',
      width: isWelcome ? 'reading' : 'list',
      frame: { crumbs: [] },
      main: html`${doneNotice(context, getOrganizersTexts(context).done)}
${isMember && ownForms(context, data)}
${isWelcome && welcome(context, data)}
${isMember || isWelcome ? !isSearch && html`<h2 class="section-heading">${t.home.toAnswer}</h2>` : html`<h1>${t.home.toAnswer}</h1>`}
${
  !isSearch &&
  (forms.length === 0
    ? html`<div class="empty"><p>${t.home.nothing}</p><p>${t.home.nothingHint}</p></div>`
    : html`<ul class="rows">${forms.map((form) => formRow(context, form, isMember || isWelcome ? 3 : 2))}</ul>`)
}
<div class="actions paging">
${(!isFirst || isSearch) && html`<a class="button secondary" href="/">${isSearch ? t.home.allOwnForms : t.organization.first}</a>`}
${next !== null && !isSearch && html`<a class="button secondary" href="/?after=${encodeURIComponent(next)}">${t.home.more}</a>`}
</div>
${isMember && mayCreate && !isSearch && html`<p class="section-heading"><a class="button secondary" href="/orgs/new">${getOrganizersTexts(context).create.title}</a></p>`}`,
    },
  );
}

/** One button to the first form: the organization that owns it is made on the way, with a name that can be changed. */
function welcome(context: PageContext, { name, isOnboarded, newId }: HomePage): Html {
  const { create, welcome: texts } = getOrganizersTexts(context);
  const organization = texts.organization(name);
  return html`<div class="card welcome"><h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
${
  isOnboarded
    ? html`<form method="post" action="/orgs/new" data-once>${hiddenFields({ id: newId, name: organization, for: 'form' })}
<p class="actions"><button class="large">${texts.submit}</button></p></form>
<p class="muted small">${texts.hint(organization)} <a href="/orgs/new">${create.title}</a></p>`
    : html`<p class="actions"><a class="button large" href="/onboarding">${texts.submit}</a></p>`
}</div>`;
}

/** The forms of the reader's organizations, with one search over all of them and the way to a new form. */
function ownForms(context: PageContext, { organizations, furtherOrganizations, search }: HomePage): Html {
  const { home, organization: texts } = context.t;
  const query = search === '' ? '' : `?search=${encodeURIComponent(search)}`;
  const link = ({ name, slug }: Organization): Html => html`<a href="${organizationHref(slug)}" dir="auto">${name}</a>`;
  const shown = search === '' ? organizations : organizations.filter(({ forms }) => forms.length > 0);
  return html`<div class="page-title"><h1>${home.ownForms}</h1>${createForm(context, [...organizations, ...furtherOrganizations])}</div>
<form method="get" action="/" class="search" role="search" aria-label="${texts.search}">
<label for="search">${texts.search}</label>
<input dir="auto" id="search" name="search" type="search" value="${search}" autocomplete="off"><button class="secondary">${texts.searchSubmit}</button>
</form>
${shown.length === 0 && html`<div class="empty"><p>${home.noneFound(search)}</p></div>`}
${shown.map(
  ({ forms, ...organization }) => html`<section class="organization"><h2>${link(organization)}</h2>
${forms.length === 0 ? noForms(context, organization.slug, home.noForms) : organizationForms(context, forms, { level: 3 })}
<p class="actions"><a class="button quiet" href="${organizationHref(organization.slug)}${query}">${home.allForms}<span class="visually-hidden"> ${organization.name}</span></a></p>
</section>`,
)}
${
  furtherOrganizations.length > 0 &&
  html`<section class="organization"><h2>${home.furtherOrganizations}</h2><ul class="rows">${furtherOrganizations.map(
    ({ name, slug }) =>
      html`<li><div class="row-text"><h3><a class="row-link" dir="auto" href="${organizationHref(slug)}${query}">${name}</a></h3></div></li>`,
  )}</ul></section>`
}`;
}

/** Leads to a new form; who is in several organizations chooses one. */
function createForm(context: PageContext, organizations: readonly Organization[]): Html {
  const { submit } = getOrganizersTexts(context).welcome;
  const [first] = organizations;
  if (organizations.length === 1 && first)
    return html`<a class="button" href="${organizationHref(first.slug)}/new">${submit}</a>`;
  return menu(
    html`${submit}`,
    organizations.map(({ name, slug }) => html`<a href="${organizationHref(slug)}/new" dir="auto">${name}</a>`),
    'create-menu',
  );
}

function formRow(context: PageContext, form: HomeForm, level: 2 | 3): Html {
  const { home } = context.t;
  const state = getFormState(form.gate, context.now);
  const link = html`<a class="row-link" dir="auto" href="/f/${form.gate.formId}">${form.gate.title}</a>`;
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
async function loadHomePage(
  app: Ports,
  caller: Caller,
  { after, search }: { after: string | undefined; search: string },
): Promise<Omit<HomePage, 'mayCreate' | 'newId'>> {
  const isFirst = after === undefined;
  const [{ forms, next }, { name, isOnboarded, organizations }] = await Promise.all([
    listFormsToAnswer(app, caller.id, after),
    loadOwnOrganizations(app.table, caller.id, { isFirst, search }),
  ]);
  return {
    ...{ name, isOnboarded, forms, next, isFirst, search },
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
async function loadOwnOrganizations(
  table: Table,
  userId: string,
  { isFirst, search }: { isFirst: boolean; search: string },
) {
  const account = await loadAccount(table, userId);
  const orgIds = isFirst ? Object.keys(account?.memberships ?? {}).sort() : [];
  const [loaded, newestForms] = await Promise.all([
    loadOrganizations(table, orgIds.slice(0, MAX_LINKED_ORGANIZATIONS)),
    loadNewestForms(table, orgIds.slice(0, MAX_ORGANIZATIONS), { reader: account, search }),
  ]);
  const formsById = new Map(newestForms);
  return {
    name: account?.name ?? '',
    isOnboarded: account?.onboarded === true,
    organizations: loaded.map(({ id, name, slug }) => ({ name, slug, forms: formsById.get(id) })),
  };
}

/**
 * Loads the newest forms of each organization, with its id: the index first, then all of them at once. A search looks at the
 * titles of up to 1,000 forms of each, also of archived ones.
 */
async function loadNewestForms(
  table: Table,
  orgIds: readonly string[],
  { reader, search }: { reader: Account | undefined; search: string },
): Promise<[orgId: string, OrganizationForm[]][]> {
  const statuses = search === '' ? NEWEST_STATUSES : FormStatus().options;
  const request = { limit: MAX_ORGANIZATION_FORMS, after: undefined, status: statuses, search };
  const lists = await Promise.all(
    orgIds.map(async (orgId) => ({
      orgId,
      statuses,
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
