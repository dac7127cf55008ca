/** The forms of an organization, for its members: as a list on the home page, and all of them on a page of their own. */
import { parseAccount } from '#core/accounts/accounts.ts';
import type { Account } from '#core/accounts/model.ts';
import { countAllForList, counterKeys, parseCounters } from '#core/counts/counters.ts';
import { COUNT_SHARDS, keys } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { getFormState, type Opening, parseGate } from '#core/forms/gate.ts';
import type { FormEntry } from '#core/forms/lists.ts';
import type { FormStatus } from '#core/forms/model.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import { type Html, html } from '../shell/html.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import { organizationHref } from './frame.ts';
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
    const link = html`<a class="row-link" dir="auto" href="${status === 'DRAFT' ? '/build' : '/f'}/${id}">${title}</a>`;
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

/** Renders the field that searches the forms of an organization, of those with a status. */
export const formSearch = (
  { t }: PageContext,
  slug: string,
  { status, search }: Pick<OrganizationForms, 'status' | 'search'>,
): Html =>
  html`<form method="get" action="${organizationHref(slug)}" class="search" role="search" aria-label="${t.organization.search}">
${status !== undefined && hiddenFields({ status })}
<label for="search">${t.organization.search}</label>
<input dir="auto" id="search" name="search" type="search" value="${search}" autocomplete="off"><button class="secondary">${t.organization.searchSubmit}</button>
</form>`;

/** Forms of the index of an organization, and the statuses that they must still have. */
type Listed = { orgId: string; entries: readonly FormEntry[]; statuses: readonly FormStatus[] };

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
