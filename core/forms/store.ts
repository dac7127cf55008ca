/** Reads and writes the heads of forms (their settings), their gates, and their list entries. */
import { change, type Edit } from '#core/db/change.ts';
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, keys, NEVER, partitions } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { requireFound } from '#core/problems/problems.ts';
import { createGate, removeGate, updateGate } from './gate.ts';
import type { Form } from './model.ts';
import { fillSettings } from './settings.ts';

/** Parses the form of an item; undefined when there is none, or it is another form's. */
export function parseForm(item: Item | undefined, formId: string): Form | undefined {
  if (!item) return undefined;
  const form: Form = { ...fillSettings(decode<Omit<Form, 'version'>>(item)), version: Number(item.version) };
  return form.id === formId ? form : undefined;
}

/** Reads the form with an id; undefined when there is none. */
export async function loadForm(table: Table, formId: string): Promise<Form | undefined> {
  const [item] = await table.read([keys.formHead(formId)]);
  return parseForm(item, formId);
}

/** Like `loadForm`. Throws 404 when there is none. */
export async function reloadForm({ table }: { table: Table }, formId: string): Promise<Form> {
  return requireFound(await loadForm(table, formId));
}

function toHeadItem(form: Form): Item {
  const { version, ...data } = form;
  const attributes = { ...relatedAttributes(form), title: form.title };
  return { ...keys.formHead(form.id), ...indexKeys.form(form), ...attributes, ...encode(data), version };
}

/** The attributes of index entries from which lists find the related data of a form. */
const relatedAttributes = ({ creatorId, lastEditorId, spreadsheetUrl }: Form) => ({
  creatorId,
  lastEditorId,
  ...(spreadsheetUrl === null ? {} : { hasSpreadsheet: true }),
});

/**
 * Builds the order of open forms for respondents, as a text: by deadline, none last, then by title. The title ends in a
 * character below all others, so that it sorts before longer titles that begin with it.
 */
export const deadlineOrder = (form: Pick<Form, 'deadline' | 'title'> & { formId: string }): string =>
  `${form.deadline ?? NEVER}#${form.title}\u0001#${form.formId}`;

/** Whether a form is in the list of all signed-in users. */
export const isListed = (form: Pick<Form, 'status' | 'visibility'>): boolean =>
  form.status === 'PUBLISHED' && form.visibility === 'PUBLIC';

const toListingItem = (form: Form): Item | undefined =>
  isListed(form)
    ? {
        ...keys.formListing(form.id),
        ...indexKeys.listing(form, deadlineOrder({ ...form, formId: form.id })),
        ...relatedAttributes(form),
        publishTime: form.publishTime,
      }
    : undefined;

/** Builds the writes that create a form with the first version of its structure, except the structure itself. */
export const createFormWrites = (form: Form): Write[] => [
  { put: toHeadItem(form), when: { absent: true } },
  createGate(form, 1),
];

/**
 * Builds the writes that replace a form of the previous version, with its gate and listing where they change. With
 * `structureVersion`, only if the structure still has that version.
 */
export function replaceForm(next: Form, before: Form, structureVersion?: number): Write[] {
  const listing = toListingItem(next);
  const isListingChanged = JSON.stringify(listing) !== JSON.stringify(toListingItem(before));
  const listingWrite: Write = listing ? { put: listing } : { remove: keys.formListing(next.id) };
  return [
    { put: toHeadItem(next), when: { equals: { version: before.version } } },
    ...updateGate(next, before, structureVersion),
    ...(isListingChanged ? [listingWrite] : []),
  ];
}

/**
 * Applies `edit` to the settings of a form and stores them with `alsoWrites`, further writes of the same transaction.
 * Throws what `edit` throws, 404 when the form was deleted, 409 for a stale `If-Match`.
 */
export const changeForm = (
  app: ChangePorts,
  opened: Form,
  edit: (form: Form) => Promise<FormEdit> | FormEdit,
): Promise<Form> =>
  change(app, {
    loaded: opened,
    reload: () => reloadForm(app, opened.id),
    decide: async (before) => {
      app.ifMatch(before.version);
      const { next: form, alsoWrites = [] } = await edit(before);
      const next = { ...form, version: before.version + 1 };
      return { writes: [...replaceForm(next, before), ...alsoWrites], result: next };
    },
  });

type FormEdit = Omit<Edit<Form>, 'body'>;

/**
 * Builds the writes that remove a form of this version: from then on it is visible to nobody, in no list, and takes no
 * responses or edits. Its other items are left to its deletion.
 */
export const removeForm = ({ id, version }: Pick<Form, 'id' | 'version'>): Write[] => [
  { remove: keys.formHead(id), when: { equals: { version } } },
  removeGate(id),
  { remove: keys.formListing(id) },
];

/** Reads the keys of the forms to which a user started a response, of the newest 1,000 responses by form. */
export async function listStartedForms(table: Table, userId: string): Promise<ReadonlySet<string>> {
  const batch = await table.list({ ...partitions.responsesOfUser(userId), limit: 1_000, descending: true });
  return new Set(batch.items.map(({ gsi1sk = '' }) => gsi1sk.slice(0, gsi1sk.indexOf('#'))));
}

/** Whether a user started a response to a form. */
export async function hasStarted(table: Table, userId: string, formId: string): Promise<boolean> {
  const batch = await table.list({ ...partitions.responsesOfUserTo(userId, formId), limit: 1 });
  return batch.items.length > 0;
}
