/**
 * Forms where they meet other nouns: shown with the people who made them, changed under their version, deleted with
 * all that is under them (contract sections 4 and 9).
 */
import { type Account, showShortUser } from '#core/accounts/model.ts';
import { loadAccounts } from '#core/accounts/store.ts';
import { keys } from '#core/db/keys.ts';
import { objectsOf } from '#core/db/objects.ts';
import { untilWritten } from '#core/db/retry.ts';
import { deleteResponsesOf } from '#core/deletion/response.ts';
import type { App } from '#core/http/app.ts';
import { problems } from '#core/problems/problems.ts';
import { renderHtml } from '#core/rich-text/html.ts';
import { previewOf } from '#core/rich-text/text.ts';
import type { Form, FormView } from './model.ts';
import { isOpen } from './status.ts';
import { formOf, replaceForm, storedFormOf } from './store.ts';

/** How long a form's preview message is when it is taken from the description, in graphemes (interface "Limits"). */
const PREVIEW_CHARACTERS = 25;

/** What the reader of a form is to it: an editor, or a respondent who has started a response or not. */
export type Reader = { editor: boolean; hasStarted: boolean };

/** A form as one reader sees it. */
export function viewForm(form: Form, people: ReadonlyMap<string, Account>, reader: Reader, now: Date): FormView {
  const mayEditResponse = form.allowEditResponse && isOpen(form, now) && reader.hasStarted;
  return {
    id: form.id,
    title: form.title,
    description: form.description,
    descriptionHtml: renderHtml(form.description),
    previewMessage: form.previewMessage ?? previewOf(form.description, PREVIEW_CHARACTERS),
    status: form.status,
    unitId: form.orgId,
    creator: showShortUser(form.creatorId, people.get(form.creatorId)),
    lastEditor: showShortUser(form.lastEditorId, people.get(form.lastEditorId)),
    deadline: form.deadline,
    publishTime: form.publishTime,
    messageAfterSubmission: form.messageAfterSubmission ?? '',
    sendResponseEmail: form.sendResponseEmail,
    dressing: form.dressing,
    coverImage: form.coverImage,
    spreadsheetUrl: reader.editor ? form.spreadsheetUrl : null,
    visibility: form.visibility,
    allowEditResponse: reader.editor ? form.allowEditResponse : mayEditResponse,
    createdAt: form.createdAt,
    updatedAt: form.updatedAt,
  };
}

/** Some forms (50 at most) as one reader sees them, with the people in them read in one go. */
export async function showForms(
  app: App,
  forms: readonly Form[],
  readerOf: (form: Form) => Reader,
): Promise<FormView[]> {
  const people = await loadAccounts(
    app.table,
    forms.flatMap((form) => [form.creatorId, form.lastEditorId]),
  );
  return forms.map((form) => viewForm(form, people, readerOf(form), app.now()));
}

/** A form as one reader sees it, as the answer of an operation; who reads it may be found out meanwhile. */
export async function showForm(
  app: App,
  form: Form,
  reader: Reader | Promise<Reader>,
): Promise<{ body: FormView; etag: number }> {
  const [people, who] = await Promise.all([loadAccounts(app.table, [form.creatorId, form.lastEditorId]), reader]);
  return { body: viewForm(form, people, who, app.now()), etag: form.version };
}

/** A form as its editors see it, as the answer of an operation. */
export const showEdited = (app: App, form: Form): Promise<{ body: FormView; etag: number }> =>
  showForm(app, form, { editor: true, hasStarted: false });

type Changing = { app: App; form: Form; ifMatch: (version: number) => void };

/**
 * Applies `change` to a form's settings and stores the result under its version, again from the newest one when
 * somebody else was faster. Throws what `change` throws, 404 when the form is gone meanwhile, 409 stale.
 */
export async function changeForm({ app, form, ifMatch }: Changing, change: (form: Form) => Form): Promise<Form> {
  return untilWritten(async (first) => {
    const current = first ? form : formOf((await app.table.read([keys.formHead(form.id)]))[0], form.id);
    if (!current) throw problems.notFound();
    ifMatch(current.version);
    const next = { ...change(current), version: current.version + 1 };
    await app.table.write([replaceForm(next, current)]);
    return next;
  });
}

/**
 * Deletes a form and all that is under it. First the head is marked, so that nobody knows the form any more and no
 * response can start; then the responses go page by page, then all bytes, the structure, and the head last. Every step
 * can be done again, so a deletion that was interrupted is finished by asking for it again.
 */
export async function deleteForm({ app, form, ifMatch }: Changing): Promise<void> {
  if (!form.deleting) await markDeleting({ app, form, ifMatch });
  await deleteResponsesOf(app, form.id);
  await Promise.all(objectsOf.form(form.id).map(app.bucket.removeAll));
  const items = [keys.formViews(form.id), keys.formStructure(form.id), keys.formHead(form.id)];
  await app.table.write(items.map((key) => ({ remove: key })));
}

/** Marks a form; nothing to do when somebody else has marked it, or has come to the end, since it was read. */
async function markDeleting({ app, form, ifMatch }: Changing): Promise<void> {
  await untilWritten(async (first) => {
    const current = first ? form : storedFormOf((await app.table.read([keys.formHead(form.id)]))[0], form.id);
    if (!current || current.deleting) return;
    ifMatch(current.version);
    await app.table.write([replaceForm({ ...current, deleting: true, version: current.version + 1 }, current)]);
  });
}
