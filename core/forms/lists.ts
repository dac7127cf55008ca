/** Lists forms, newest first: those of an organization, and all that a user can see. */
import type { Account } from '#core/accounts/model.ts';
import { formKey, lastPart, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, ItemBatch, Table } from '#core/db/table.ts';
import type { ListBatch } from '#core/schema/page-size.ts';
import type { Form, FormDocument, FormStatus } from './model.ts';
import { loadListed } from './related.ts';
import { EDITOR, presentForm } from './service.ts';
import { isListed, listStartedForms } from './store.ts';

/** The statuses of a list when none is requested. */
const DEFAULT_STATUSES: readonly FormStatus[] = ['DRAFT', 'PUBLISHED'];

type ReadPorts = Pick<Ports, 'table' | 'now'>;
type ListRequest = { limit: number; after: string | undefined; status?: readonly FormStatus[] | undefined };
/** `search`: what the titles contain, ignoring case. */
type SearchRange = ListRequest & { search?: string };

/** How many forms a search looks at before it returns what it has found. */
const MAX_SEARCHED = 1_000;

/** How many forms of an organization have a status, counted up to `limit`; as new as the index. */
export const countForms = (table: Table, orgId: string, status: FormStatus, limit: number): Promise<number> =>
  table.count({ ...partitions.formsOf(orgId, status), limit });

/** Lists a batch of an organization's forms for its members. */
export async function listOrganizationForms(
  app: ReadPorts,
  orgId: string,
  range: SearchRange,
): Promise<ListBatch<FormDocument>> {
  const statuses = requestedStatuses(range);
  const sources = statuses.map((status) => partitions.formsOf(orgId, status));
  const { forms, related, ...batch } = await readMergedForms(app.table, sources, range);
  // Indexes lag: an entry may still be in the partition of the previous status.
  const visible = forms.filter((form) => form.orgId === orgId && statuses.includes(form.status));
  return { ...batch, items: visible.map((form) => presentForm(form, related, EDITOR, app.now())) };
}

/** A form in a list of its organization: `lastEditorId` is that of the index. */
export type FormEntry = { id: string; title: string; lastEditorId: string };

/**
 * Lists a batch of an organization's forms, as new as the index; `last` is the position after which the list continues.
 * What is read with the ids says which of the forms still have a requested status.
 */
export async function listFormEntries(
  table: Table,
  orgId: string,
  range: SearchRange,
): Promise<{ entries: FormEntry[]; last: string | null }> {
  const sources = requestedStatuses(range).map((status) => partitions.formsOf(orgId, status));
  const { entries, last } = await readMergedEntries(table, sources, range);
  const toEntry = ({ gsi1sk = '', title = '', lastEditorId = '' }: Item): FormEntry => ({
    id: lastPart(gsi1sk),
    title: String(title),
    lastEditorId: String(lastEditorId),
  });
  return { entries: entries.map(toEntry), last };
}

/**
 * Lists a batch of the forms that a user can see: those of their organizations and the public ones. One Query for each
 * organization and status, in parallel.
 */
export async function listVisibleForms(
  app: ReadPorts,
  account: Account | undefined,
  request: ListRequest,
): Promise<ListBatch<FormDocument>> {
  const statuses = requestedStatuses(request);
  const memberships = account?.memberships ?? {};
  const sources = [
    ...Object.keys(memberships).flatMap((orgId) => statuses.map((status) => partitions.formsOf(orgId, status))),
    ...(statuses.includes('PUBLISHED') ? [partitions.publicForms()] : []),
  ];
  const [{ forms, related, ...batch }, started] = await Promise.all([
    readMergedForms(app.table, sources, request),
    account ? listStartedForms(app.table, account.id) : new Set<string>(),
  ]);
  const isEditor = (form: Form): boolean => Object.hasOwn(memberships, form.orgId);
  const visible = forms.filter((form) => statuses.includes(form.status) && (isEditor(form) || isListed(form)));
  const toReader = (form: Form) => ({ editor: isEditor(form), hasStarted: started.has(formKey(form.id)) });
  return { ...batch, items: visible.map((form) => presentForm(form, related, toReader(form), app.now())) };
}

/** Returns the requested statuses, each once: every one is a Query per organization. */
const requestedStatuses = ({ status }: ListRequest): readonly FormStatus[] =>
  status?.length ? [...new Set(status)] : DEFAULT_STATUSES;

type Source = { index: string; pk: string };

/** Reads the forms of a batch of several partitions merged by age, newest first. */
async function readMergedForms(table: Table, sources: readonly Source[], range: SearchRange) {
  const { entries, last } = await readMergedEntries(table, sources, range);
  return {
    ...(await loadListed(table, entries)),
    last,
    positions: new Map(entries.map(({ gsi1sk = '' }) => [lastPart(gsi1sk), gsi1sk])),
  };
}

/** Reads entries of several partitions merged by age, newest first. A position is valid in every partition. */
async function readMergedEntries(
  table: Table,
  sources: readonly Source[],
  { limit, after, search = '' }: SearchRange,
): Promise<{ entries: Item[]; last: string | null }> {
  // Titles are part of the index, so that a search reads no forms that it does not show.
  const looked = search === '' ? limit : MAX_SEARCHED;
  const batches: ItemBatch[] = await Promise.all(
    sources.map((source) => table.list({ ...source, limit: looked, after, descending: true })),
  );
  // A form can have an entry of its organization and one of the public list, of which the first has more.
  const entries = new Map(
    batches.flatMap(({ items }) => items.map((item) => [item.gsi1sk ?? '', item] as const)).reverse(),
  );
  // Every partition is known down to this position, if not to its end.
  const bound = batches
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
  const selected = found.slice(0, limit);
  const last = found.length > limit ? selected.at(-1) : bound;
  return { entries: selected.flatMap((position) => entries.get(position) ?? []), last: last ?? null };
}
