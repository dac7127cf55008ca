/** Reads and writes the heads of forms: their settings and where they stand in lists. */
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, keys, NEVER, partitions } from '#core/db/keys.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import type { Form } from './model.ts';

/** The form of an item, or undefined when there is none, it is another one's, or it is being deleted. */
export function formOf(item: Item | undefined, formId: string): Form | undefined {
  const form = storedFormOf(item, formId);
  return form?.deleting ? undefined : form;
}

/** As `formOf`, but answers forms under deletion too. */
export function storedFormOf(item: Item | undefined, formId: string): Form | undefined {
  if (!item) return undefined;
  const form: Form = { ...decode<Omit<Form, 'version'>>(item), version: Number(item.version) };
  return form.id === formId ? form : undefined;
}

/**
 * Where a form stands among others as its respondents sort them, as a text that sorts: by deadline, none last, then
 * by title. The title ends in a character below all others, so that a title sorts before its continuations.
 */
export const deadlinePlace = (form: Pick<Form, 'id' | 'deadline' | 'title'>): string =>
  `${form.deadline ?? NEVER}#${form.title}\u0001#${form.id}`;

/** Where a form stands in the list of those open to all; undefined for a form that is not listed. */
export function listingOf(form: Form): string | undefined {
  if (form.status !== 'PUBLISHED' || form.visibility !== 'PUBLIC' || form.deleting) return undefined;
  return deadlinePlace(form);
}

/** The item of a form's head. */
export function formItem(form: Form): Item {
  const { version, ...data } = form;
  const listing = listingOf(form);
  return {
    ...keys.formHead(form.id),
    ...indexKeys.form(form),
    ...(listing === undefined ? {} : indexKeys.publicForm(listing)),
    ...encode(data),
    version,
  };
}

/** The write that replaces a head of the version before it. */
export const replaceForm = (next: Form, before: Form): Write => ({
  put: formItem(next),
  when: { equals: { version: before.version } },
});

/** One page of the ids of an organization's forms, oldest first, with the position of each. */
export async function pageFormIds(table: Table, orgId: string, limit: number, after: string | undefined) {
  const page = await table.page({ ...partitions.formsOf(orgId), limit, ...(after ? { after } : {}) });
  return pageOf(
    page.items.map((item) => item.gsi1sk ?? ''),
    page.last,
  );
}

/** One page of the ids of the forms open to all, by deadline; those whose deadline is behind `after` only. */
export async function pagePublicFormIds(table: Table, limit: number, after: string) {
  const page = await table.page({ ...partitions.publicForms(), limit, after });
  return pageOf(
    page.items.map((item) => item.gsi2sk ?? ''),
    page.last,
  );
}

/** The forms of a page of an index by its sort keys, which end in their ids. */
function pageOf(sortKeys: readonly string[], last: string | null) {
  const positions = new Map(sortKeys.map((sortKey) => [lastPart(sortKey), sortKey]));
  return { formIds: [...positions.keys()], last, positions };
}

/** The forms of some ids (100 at most) by id; absent ones and those under deletion are left out. */
export async function loadForms(table: Table, formIds: readonly string[]): Promise<Map<string, Form>> {
  const ids = [...new Set(formIds)];
  const items = await table.read(ids.map(keys.formHead));
  const forms = ids.map((id, index) => formOf(items[index], id)).filter((form) => form !== undefined);
  return new Map(forms.map((form) => [form.id, form]));
}

const lastPart = (sortKey: string): string => sortKey.slice(sortKey.lastIndexOf('#') + 1);

/** The forms of some ids (100 at most), those under deletion too; absent ones are left out. */
export async function loadStoredForms(table: Table, formIds: readonly string[]): Promise<Form[]> {
  const items = await table.read(formIds.map(keys.formHead));
  return formIds.map((id, index) => storedFormOf(items[index], id)).filter((form) => form !== undefined);
}
