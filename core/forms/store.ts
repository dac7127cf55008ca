/** Reads and writes the heads of forms (their settings), their gates, and their list entries. */
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, keys, NEVER, partitions } from '#core/db/keys.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { createGate, removeGate, updateGate } from './gate.ts';
import type { Form } from './model.ts';

/** The form of an item; undefined when there is none, or it is another form's. */
export function formOf(item: Item | undefined, formId: string): Form | undefined {
  if (!item) return undefined;
  const form: Form = { ...decode<Omit<Form, 'version'>>(item), version: Number(item.version) };
  return form.id === formId ? form : undefined;
}

/** The form of an id, or undefined. */
export async function loadForm(table: Table, formId: string): Promise<Form | undefined> {
  const [item] = await table.read([keys.formHead(formId)]);
  return formOf(item, formId);
}

function headItem(form: Form): Item {
  const { version, ...data } = form;
  const shown = { ...shownAttributes(form), title: form.title };
  return { ...keys.formHead(form.id), ...indexKeys.form(form), ...shown, ...encode(data), version };
}

/** From these attributes of index entries follows what lists show with a form. */
const shownAttributes = ({ creatorId, lastEditorId, spreadsheetUrl }: Form) => ({
  creatorId,
  lastEditorId,
  ...(spreadsheetUrl === null ? {} : { hasSpreadsheet: true }),
});

/**
 * The order of open forms for respondents, as a text: by deadline, none last, then by title. The title ends in a
 * character below all others, so that it sorts before longer titles that begin with it.
 */
export const deadlineOrder = (form: Pick<Form, 'deadline' | 'title'> & { formId: string }): string =>
  `${form.deadline ?? NEVER}#${form.title}\u0001#${form.formId}`;

/** Whether a form is in the list of all signed-in users. */
export const isListed = (form: Pick<Form, 'status' | 'visibility'>): boolean =>
  form.status === 'PUBLISHED' && form.visibility === 'PUBLIC';

const listingItem = (form: Form): Item | undefined =>
  isListed(form)
    ? {
        ...keys.formListing(form.id),
        ...indexKeys.listing(form, deadlineOrder({ ...form, formId: form.id })),
        ...shownAttributes(form),
        publishTime: form.publishTime,
      }
    : undefined;

/** The writes that create a form with the first version of its structure, beside the structure itself. */
export const createForm = (form: Form): Write[] => [
  { put: headItem(form), when: { absent: true } },
  createGate(form, 1),
];

/**
 * The writes that replace a form of the previous version, with its gate and listing where they change. With
 * `structureVersion`, only if the structure still has that version.
 */
export function replaceForm(next: Form, before: Form, structureVersion?: number): Write[] {
  const listing = listingItem(next);
  const isListingChanged = JSON.stringify(listing) !== JSON.stringify(listingItem(before));
  const listingWrite: Write = listing ? { put: listing } : { remove: keys.formListing(next.id) };
  return [
    { put: headItem(next), when: { equals: { version: before.version } } },
    ...updateGate(next, before, structureVersion),
    ...(isListingChanged ? [listingWrite] : []),
  ];
}

/**
 * The writes that remove a form of this version: from then on it is visible to nobody, in no list, and takes no
 * responses or edits. Its other items are left to its deletion.
 */
export const removeForm = ({ id, version }: Pick<Form, 'id' | 'version'>): Write[] => [
  { remove: keys.formHead(id), when: { equals: { version } } },
  removeGate(id),
  { remove: keys.formListing(id) },
];

/** The keys of the forms to which a user started a response, of the newest 1,000 responses by form. */
export async function startedForms(table: Table, userId: string): Promise<ReadonlySet<string>> {
  const page = await table.page({ ...partitions.responsesOfUser(userId), limit: 1_000, descending: true });
  return new Set(page.items.map(({ gsi1sk = '' }) => gsi1sk.slice(0, gsi1sk.indexOf('#'))));
}

/** Whether a user started a response to a form. */
export async function hasStarted(table: Table, userId: string, formId: string): Promise<boolean> {
  const page = await table.page({ ...partitions.responsesOfUserTo(userId, formId), limit: 1 });
  return page.items.length > 0;
}
