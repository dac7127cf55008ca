/** The forms of an organization, for its members: as a list on the home page, and all of them on a page of their own. */

import { parseAccount } from '#core/accounts/accounts.ts';
import type { Account } from '#core/accounts/model.ts';
import { countAllForList, counterKeys, parseCounters } from '#core/counts/counters.ts';
import { COUNT_SHARDS, keys } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { getFormState, type Opening, parseGate } from '#core/forms/gate.ts';
import { countForms, type FormEntry, listFormEntries } from '#core/forms/lists.ts';
import { FormStatus } from '#core/forms/model.ts';
import { MAX_TITLE } from '#core/forms/settings.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import { type OrganizationHead, organizationHref, organizationLayout } from './frame.ts';
import { memberName } from './members.ts';

/** A form with the numbers of its responses, and who edited it last; undefined for a deleted account. */
export type OrganizationForm = Opening & {
  id: string;
  title: string;
  submitted: number;
  drafts: number;
  editor: Account | undefined;
};

/** What can be done in a list: copies for everybody, the archive for admins. `to`: the address of the list. */
type ListActions = { newId: string; to: string; isAdmin: boolean };

/** The form that the buttons of all rows send, to the form of their row. */
const ACTIONS_FORM = 'form-actions';

/** Renders forms as rows whose titles are headings of a level. */
export function organizationForms(
  context: PageContext,
  forms: readonly OrganizationForm[],
  { level, actions }: { level: 2 | 3; actions?: ListActions },
): Html {
  const { home } = context.t;
  return html`<ul class="rows">${forms.map((form) => {
    const { id, title, status, submitted, drafts, editor } = form;
    // Nobody can answer a draft.
    const link = html`<a class="row-link" href="${status === 'DRAFT' ? '/build' : '/f'}/${id}">${title}</a>`;
    const ofForm = html`<span class="visually-hidden"> ${title}</span>`;
    const facts = [
      html`${home.formStatus[status]}`,
      html`${home.responses(submitted, drafts)}`,
      openingText(context, form),
      editor && html`${getOrganizersTexts(context).forms.editedBy(memberName(context, editor))}`,
    ];
    return html`<li><div class="row-text">
${level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
<p class="muted small">${facts.filter((fact) => fact !== undefined).map((fact, index) => html`${index > 0 && ' · '}${fact}`)}</p>
</div><div class="row-side"><a class="button secondary" href="/build/${id}">${home.build}${ofForm}</a><a class="button secondary" href="/review/${id}">${home.review}${ofForm}</a>${
      actions && rowActions(context, form, actions)
    }</div></li>`;
  })}</ul>${
    actions &&
    html`<form method="post" id="${ACTIONS_FORM}" data-once>${hiddenFields({ id: actions.newId, to: actions.to })}</form>`
  }`;
}

/** Renders when a form opens, or until or since when it takes responses; undefined if it has no such times. */
export function openingText(context: PageContext, opening: Opening): Html | undefined {
  const { home, landing } = context.t;
  const { publishTime, deadline } = opening;
  const state = getFormState(opening, context.now);
  if (state === 'not-yet' && publishTime !== null)
    return html`${landing.opens} ${renderTime(context, publishTime, 'zone')}`;
  if (deadline === null || state === 'archived') return undefined;
  return html`${state === 'closed' ? home.closed : home.closes} ${renderTime(context, deadline, 'zone')}`;
}

function rowActions(context: PageContext, { id, title, status }: OrganizationForm, { isAdmin }: ListActions): Html {
  const { forms: texts } = getOrganizersTexts(context);
  const button = (action: 'duplicate' | 'archive' | 'unarchive'): Html =>
    html`<button class="quiet" form="${ACTIONS_FORM}" formaction="/build/${id}" name="do" value="${action}">${texts[action]}<span class="visually-hidden"> ${title}</span></button>`;
  return html`<details><summary>${texts.more}<span class="visually-hidden"> ${title}</span></summary>
<div class="actions">${button('duplicate')}${isAdmin && button(status === 'ARCHIVED' ? 'unarchive' : 'archive')}</div></details>`;
}

/** Offers the ways to the first form, where there is none. */
export const noForms = (context: PageContext, slug: string, text: string): Html => {
  const { newForm, forms } = getOrganizersTexts(context);
  const href = `${organizationHref(slug)}/new`;
  return html`<div class="empty"><p>${text}</p><p class="actions"><a class="button" href="${href}">${newForm}</a><a class="button secondary" href="${href}#templates">${forms.fromTemplate}</a></p></div>`;
};

export type OrganizationForms = {
  /** The status of the listed forms; undefined for all. */
  status: FormStatus | undefined;
  /** What the titles contain; empty for all forms. */
  search: string;
  forms: readonly OrganizationForm[];
  /** How many forms have each status, counted to `MAX_COUNT`. */
  counts: Readonly<Record<FormStatus, number>>;
  /** The cursor of the next page; null at the end. */
  next: string | null;
  isFirst: boolean;
};

/** Forms are counted up to this number. */
const MAX_COUNT = 100;
const STATUSES = ['PUBLISHED', 'DRAFT', 'ARCHIVED'] as const;

/** Renders the page of an organization's forms, newest first. */
export function renderOrganizationPage(
  context: PageContext,
  head: OrganizationHead,
  { newId, ...data }: OrganizationForms & { newId: string },
): Html {
  const { organization, home } = context.t;
  const { status, search, forms, counts, next, isFirst } = data;
  const href = (query: Record<string, string | undefined>): string => {
    const definedEntries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
    const text = new URLSearchParams(definedEntries).toString();
    return organizationHref(head.org.slug) + (text === '' ? '' : `?${text}`);
  };
  const tab = (tabStatus: FormStatus | undefined, label: string, count: number): Html =>
    html`<li><a href="${href({ status: tabStatus, search })}"${attribute('aria-current', tabStatus === status && 'page')}>${label} <span class="muted">${count > MAX_COUNT ? `${MAX_COUNT}+` : count}</span></a></li>`;
  const total = STATUSES.reduce((sum, formStatus) => sum + counts[formStatus], 0);
  const isEmpty = total === 0 && forms.length === 0 && isFirst && status === undefined && search === '';
  return organizationLayout(context, head, {
    current: 'forms',
    title: organization.title,
    main: html`<h1>${head.org.name}</h1>
${head.org.description !== '' && html`<p class="lead pre-line">${head.org.description}</p>`}
${
  isEmpty
    ? noForms(context, head.org.slug, organization.noForms)
    : html`<p class="actions"><a class="button" href="${organizationHref(head.org.slug)}/new">${getOrganizersTexts(context).newForm}</a></p>
${formSearch(context, head.org.slug, { status, search })}
<nav class="tabs" aria-label="${organization.statuses}"><ul>${tab(undefined, organization.all, total)}${STATUSES.map((formStatus) => tab(formStatus, home.formStatus[formStatus], counts[formStatus]))}</ul></nav>
${
  forms.length > 0
    ? organizationForms(context, forms, {
        level: 2,
        actions: { newId, to: href({ status, search }), isAdmin: head.isAdmin },
      })
    : html`<div class="empty"><p>${next === null ? organization.none : organization.noneYet}</p></div>`
}
<div class="actions paging">
${!isFirst && html`<a class="button secondary" href="${href({ status, search })}">${organization.first}</a>`}
${next !== null && html`<a class="button secondary" href="${href({ status, search, cursor: next })}">${organization.next}</a>`}
</div>`
}`,
  });
}

/** Renders the field that searches the forms of an organization, of those with a status. */
export const formSearch = (
  { t }: PageContext,
  slug: string,
  { status, search }: Pick<OrganizationForms, 'status' | 'search'>,
): Html =>
  html`<form method="get" action="${organizationHref(slug)}" class="search" role="search" aria-label="${t.organization.search}">
${status !== undefined && hiddenFields({ status })}
<label for="search">${t.organization.search}</label>
<input id="search" name="search" type="search" value="${search}" autocomplete="off"><button class="secondary">${t.organization.searchSubmit}</button>
</form>`;

// Reads the forms of organizations with the numbers of their responses.

const PAGE_FORMS = 20;

/** Forms of the index of an organization, and the statuses that they must still have. */
export type Listed = { orgId: string; entries: readonly FormEntry[]; statuses: readonly FormStatus[] };

/**
 * Reads the gates, last editors and counters of forms of the index of several organizations, in one round trip; one more for those
 * whose counters are not complete. Leaves out those that have none of the statuses any more. `reader`: an account that was read.
 */
export async function countListedForms(
  table: Table,
  lists: readonly Listed[],
  reader?: Account,
): Promise<OrganizationForm[][]> {
  const entries = lists.flatMap((list) => list.entries);
  const editorIds = [...new Set(entries.map(({ lastEditorId }) => lastEditorId))].filter(
    (id) => id !== '' && id !== reader?.id,
  );
  const items = await table.read([
    ...editorIds.map(keys.account),
    ...entries.flatMap(({ id }) => [keys.formGate(id), ...counterKeys(id)]),
  ]);
  const editors = new Map(editorIds.map((id, index) => [id, parseAccount(items[index])]));
  if (reader) editors.set(reader.id, reader);
  const read = new Map(
    entries.map(({ id }, index) => {
      const [gate, ...counters] = items.slice(editorIds.length + index * ITEMS, editorIds.length + (index + 1) * ITEMS);
      return [id, { gate: parseGate(gate), counters: parseCounters(counters) }];
    }),
  );
  // Indexes lag: the form may have another status by now, or be deleted.
  const forms = lists.flatMap(({ orgId, entries: listed, statuses }) =>
    listed.flatMap(({ id, lastEditorId }) => {
      const { gate, counters } = read.get(id) ?? {};
      if (gate?.orgId !== orgId || !statuses.includes(gate.status)) return [];
      return [{ orgId, formId: id, gate, counters, editor: editors.get(lastEditorId) }];
    }),
  );
  const counts = await countAllForList(table, forms);
  const shown = forms.map(({ orgId, formId: id, gate, editor }, index) => {
    const { title, status, publishTime, deadline } = gate;
    return { orgId, form: { id, title, status, publishTime, deadline, ...(counts[index] ?? NONE), editor } };
  });
  return lists.map(({ orgId }) => shown.filter((each) => each.orgId === orgId).map(({ form }) => form));
}

/** The gate of a form and its counters. */
const ITEMS = 1 + COUNT_SHARDS;
const NONE = { drafts: 0, submitted: 0 };

/** What the index has of the forms of an organization for an address. */
type FormList = Omit<OrganizationForms, 'forms'> & { entries: readonly FormEntry[]; statuses: readonly FormStatus[] };

/**
 * Lists the forms of an organization for an address, newest first, as new as the index. A search looks at the titles of up
 * to 1,000 forms and continues on the next page. Throws 400 for a cursor of another list.
 */
export async function listForms(table: Table, orgId: string, query: URLSearchParams): Promise<FormList> {
  const status = FormStatus().safeParse(query.get('status')).data;
  const search = (query.get('search') ?? '').trim().slice(0, MAX_TITLE);
  const cursor = query.get('cursor') ?? undefined;
  const list = ['forms of an organization', orgId, status, search];
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const statuses = status ? [status] : STATUSES;
  const [{ entries, last }, ...counted] = await Promise.all([
    listFormEntries(table, orgId, { limit: PAGE_FORMS, after, status: statuses, search }),
    ...STATUSES.map((formStatus) => countForms(table, orgId, formStatus, MAX_COUNT + 1)),
  ]);
  const counts = Object.fromEntries(STATUSES.map((formStatus, index) => [formStatus, counted[index] ?? 0]));
  return {
    status,
    statuses,
    search,
    entries,
    counts: counts as Record<FormStatus, number>,
    next: last === null ? null : encodeCursor(list, last),
    isFirst: cursor === undefined,
  };
}

/** Adds to the forms of the index what else is shown of them. */
export async function loadForms(
  table: Table,
  orgId: string,
  { entries, statuses, ...list }: FormList,
): Promise<OrganizationForms> {
  const [forms = []] = await countListedForms(table, [{ orgId, entries, statuses }]);
  return { ...list, forms };
}
