/** The pages of the members of an organization: add, change a role, remove. */
import type { Caller } from '#core/access/access.ts';
import { loadAccounts } from '#core/accounts/accounts.ts';
import type { Account } from '#core/accounts/model.ts';
import type { Ports } from '#core/db/ports.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import { countAdmins, listMemberIds } from '#core/organizations/store.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, pageTitle, textField } from '../shell/controls.ts';
import { type Html, html } from '../shell/html.ts';
import type { PageResult } from '../shell/result.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import {
  loadHead,
  type OrganizationHead,
  type OrganizationRequest,
  organizationHref,
  organizationLayout,
} from './frame.ts';

/** Members on one page, by id. */
const PAGE_MEMBERS = 50;

/** `admins`: how many the organization has. */
type Members = { accounts: readonly Account[]; admins: number; next: string | null; isFirst: boolean };

/** Reads the ids of the first page of members. */
export const listFirstMembers = (table: Ports['table'], orgId: string) =>
  listMemberIds(table, orgId, { limit: PAGE_MEMBERS, after: undefined });

/**
 * Reads one page of members; `readFirst` reads the ids of the first one. Throws 400 for a cursor of another list.
 */
export async function loadMembers(
  { table }: Pick<Ports, 'table'>,
  orgId: string,
  cursor: string | null,
  readFirst = () => listFirstMembers(table, orgId),
): Promise<Members> {
  const list = ['members of an organization', orgId];
  const listPage = async () => {
    const { items, last } =
      cursor === null
        ? await readFirst()
        : await listMemberIds(table, orgId, { limit: PAGE_MEMBERS, after: decodeCursor(list, cursor) });
    return { items, last, accounts: await loadAccounts(table, items) };
  };
  const [{ items, last, accounts }, admins] = await Promise.all([listPage(), countAdmins(table, orgId)]);
  return {
    accounts: items.flatMap((id) => accounts.get(id) ?? []),
    admins,
    next: last === null ? null : encodeCursor(list, last),
    isFirst: cursor === null,
  };
}

/** Returns the name of a member, or else their username or e-mail address. */
export const memberName = (context: PageContext, { name, username, emails }: Account): string =>
  name || username || emails[0] || getOrganizersTexts(context).members.unnamed;

type MembersPage = Members & {
  readerId: string;
  /** The typed address of a new member, and what is wrong with it. */
  typed?: { email: string; error: string };
  /** Why a change of a member was refused. */
  refusal?: string;
};

/** Loads and renders the first members again, with why a change was refused. */
export async function showRefused(
  { app, context, ...opened }: OrganizationRequest & { caller: Caller },
  refused: Pick<MembersPage, 'typed' | 'refusal'>,
): Promise<PageResult> {
  const [head, members] = await Promise.all([loadHead(app, opened), loadMembers(app, opened.orgId, null)]);
  const data = { ...members, readerId: opened.caller.id, ...refused };
  return { html: renderMembersPage(context, head, data), status: 400 };
}

/** Renders the list of members, on which admins add people, change roles and remove members. */
export function renderMembersPage(context: PageContext, head: OrganizationHead, data: MembersPage): Html {
  const { members: texts, readOnly } = getOrganizersTexts(context);
  const href = `${organizationHref(head.org.slug)}/members`;
  const { typed, refusal, accounts, next, isFirst } = data;
  return organizationLayout(context, head, {
    current: 'members',
    isTab: true,
    title: pageTitle(context, texts.title, typed !== undefined),
    width: 'list',
    main: html`${errorSummary(context, typed ? [{ target: 'email', message: typed.error }] : [])}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
<p class="muted">${head.isAdmin ? texts.roleHint : readOnly}</p>
${head.isAdmin && newMember(context, href, typed)}
<ul class="rows section-heading">${accounts.map((account) => memberRow(context, head, account, data))}</ul>
<div class="actions paging">
${!isFirst && html`<a class="button secondary" href="${href}">${context.t.organization.first}</a>`}
${next !== null && html`<a class="button secondary" href="${href}?cursor=${encodeURIComponent(next)}">${texts.more}</a>`}
</div>`,
  });
}

/** Renders the field that adds a member by their address. */
export function newMember(context: PageContext, href: string, typed: MembersPage['typed']): Html {
  const { members: texts } = getOrganizersTexts(context);
  return html`<form method="post" action="${href}" class="card field-button" novalidate data-once>
${textField(context, { name: 'email', label: texts.email, hint: texts.emailHint, value: typed?.email ?? '', error: typed?.error, type: 'email', isExact: true, required: true })}
<button name="do" value="add">${texts.submit}</button>
</form>`;
}

/** The only admin is offered nothing: they can neither go nor become a member before somebody else is an admin. */
function memberRow(
  context: PageContext,
  { org, isAdmin }: OrganizationHead,
  account: Account,
  { readerId, admins }: Pick<MembersPage, 'readerId' | 'admins'>,
): Html {
  const { members: texts } = getOrganizersTexts(context);
  const role = account.memberships[org.id] ?? 'MEMBER';
  const name = memberName(context, account);
  const href = `${organizationHref(org.slug)}/members`;
  const otherRole = role === 'ADMIN' ? 'MEMBER' : 'ADMIN';
  const isOnlyAdmin = role === 'ADMIN' && admins === 1;
  return html`<li id="m-${account.id}"><div class="row-text"><h2><bdi>${name}</bdi>${account.id === readerId && html` <span class="muted small">(${texts.you})</span>`}</h2>
<p class="muted small">${account.emails.join(', ')}</p>${isAdmin && isOnlyAdmin && html`<p class="muted small">${texts.lastAdmin}</p>`}</div>
<div class="row-side"><span class="tag${role === 'ADMIN' && ' active'}">${texts.roles[role]}</span>
${
  isAdmin &&
  !isOnlyAdmin &&
  html`<form method="post" action="${href}"><button class="secondary" name="do" value="${otherRole}:${account.id}">${
    otherRole === 'ADMIN' ? texts.makeAdmin : texts.makeMember
  }<span class="visually-hidden"> ${name}</span></button></form>
<a class="button danger" href="${href}/${account.id}/remove" data-dialog>${texts.remove}<span class="visually-hidden"> ${name}</span></a>`
}</div></li>`;
}
