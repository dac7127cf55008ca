/** Lists of forms, newest first: those of an organization, and all that a user can see. */
import type { Account } from '#core/accounts/model.ts';
import { formKey, lastPart, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Page, Table } from '#core/db/table.ts';
import type { ListPage } from '#core/schema/page-size.ts';
import type { Form, FormStatus, FormView } from './model.ts';
import { loadListed } from './related.ts';
import { EDITOR, viewForm } from './service.ts';
import { isListed, startedForms } from './store.ts';

/** The statuses of a list when none is requested. */
const DEFAULT_STATUSES: readonly FormStatus[] = ['DRAFT', 'PUBLISHED'];

type Readers = Pick<Ports, 'table' | 'now'>;
type Range = { limit: number; after: string | undefined; status?: readonly FormStatus[] | undefined };
/** `search`: what the titles contain, ignoring case. */
type SearchRange = Range & { search?: string };

/** How many forms a search looks at before it returns what it has found. */
const MAX_SEARCHED = 1_000;

/** How many forms of an organization have a status, counted up to `limit`; as new as the index. */
export const countForms = (table: Table, orgId: string, status: FormStatus, limit: number): Promise<number> =>
  table.count({ ...partitions.formsOf(orgId, status), limit });

/** One page of an organization's forms as its members see them. */
export async function listOrganizationForms(
  app: Readers,
  orgId: string,
  range: SearchRange,
): Promise<ListPage<FormView>> {
  const statuses = statusesOf(range);
  const sources = statuses.map((status) => partitions.formsOf(orgId, status));
  const { forms, related, ...page } = await mergedForms(app.table, sources, range);
  // Indexes lag: an entry may still be in the partition of the previous status.
  const shown = forms.filter((form) => form.orgId === orgId && statuses.includes(form.status));
  return { ...page, items: shown.map((form) => viewForm(form, related, EDITOR, app.now())) };
}

/**
 * One page of the forms that a user can see: those of their organizations and the public ones. One Query for each
 * organization and status, in parallel.
 */
export async function listVisibleForms(
  app: Readers,
  account: Account | undefined,
  range: Range,
): Promise<ListPage<FormView>> {
  const statuses = statusesOf(range);
  const memberships = account?.memberships ?? {};
  const sources = [
    ...Object.keys(memberships).flatMap((orgId) => statuses.map((status) => partitions.formsOf(orgId, status))),
    ...(statuses.includes('PUBLISHED') ? [partitions.publicForms()] : []),
  ];
  const [{ forms, related, ...page }, started] = await Promise.all([
    mergedForms(app.table, sources, range),
    account ? startedForms(app.table, account.id) : new Set<string>(),
  ]);
  const isEditor = (form: Form): boolean => Object.hasOwn(memberships, form.orgId);
  const shown = forms.filter((form) => statuses.includes(form.status) && (isEditor(form) || isListed(form)));
  const readerOf = (form: Form) => ({ editor: isEditor(form), hasStarted: started.has(formKey(form.id)) });
  return { ...page, items: shown.map((form) => viewForm(form, related, readerOf(form), app.now())) };
}

/** The requested statuses, each once: every one is a Query per organization. */
const statusesOf = ({ status }: Range): readonly FormStatus[] =>
  status?.length ? [...new Set(status)] : DEFAULT_STATUSES;

type Source = { index: string; pk: string };

/** One page of several partitions merged by age, newest first. A position is valid in every partition. */
async function mergedForms(table: Table, sources: readonly Source[], { limit, after, search = '' }: SearchRange) {
  // Titles are part of the index, so that a search reads no forms that it does not show.
  const looked = search === '' ? limit : MAX_SEARCHED;
  const pages: Page[] = await Promise.all(
    sources.map((source) => table.page({ ...source, limit: looked, after, descending: true })),
  );
  // A form can have an entry of its organization and one of the public list, of which the first has more.
  const entries = new Map(
    pages.flatMap(({ items }) => items.map((item) => [item.gsi1sk ?? '', item] as const)).reverse(),
  );
  // Every partition is known down to this position, if not to its end.
  const bound = pages
    .flatMap(({ last }) => last ?? [])
    .sort()
    .at(-1);
  const wanted = search.toLocaleLowerCase();
  const found = [...entries]
    .filter(([position]) => bound === undefined || position >= bound)
    .filter(([, { title }]) => search === '' || String(title).toLocaleLowerCase().includes(wanted))
    .map(([position]) => position)
    .sort()
    .reverse();
  const taken = found.slice(0, limit);
  const last = found.length > limit ? taken.at(-1) : bound;
  const listed = taken.flatMap((position) => entries.get(position) ?? []);
  return {
    ...(await loadListed(table, listed)),
    last: last ?? null,
    positions: new Map(taken.map((position) => [lastPart(position), position])),
  };
}
