/** Forms as they are returned, with their creator and last editor, and changes of their settings. */
import { showShortUser } from '#core/accounts/model.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { Write } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { renderHtml } from '#core/rich-text/html.ts';
import { previewOf } from '#core/rich-text/text.ts';
import { isOpen } from './gate.ts';
import type { Form, FormView } from './model.ts';
import { loadRelated, type Related } from './related.ts';
import { loadForm, replaceForm } from './store.ts';

/** The length of a preview message generated from the description, in graphemes. */
const PREVIEW_CHARACTERS = 25;

/** The reader of a form: an editor, or a respondent who may have started a response. */
export type FormReader = { editor: boolean; hasStarted: boolean };

/** A form as a reader sees it. Respondents get no `spreadsheetUrl`, and `allowEditResponse` as it applies to them. */
export function viewForm(form: Form, { people, statuses }: Related, reader: FormReader, now: Date): FormView {
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
    spreadsheet: reader.editor ? (statuses.get(form.id) ?? null) : null,
    visibility: form.visibility,
    allowEditResponse: reader.editor ? form.allowEditResponse : mayEditResponse,
    createdAt: form.createdAt,
    updatedAt: form.updatedAt,
  };
}

type Readers = Pick<Ports, 'table' | 'now'>;

export const EDITOR: FormReader = { editor: true, hasStarted: false };

/** A form as its editors see it, as the result of an operation. */
export async function showToEditor({ table, now }: Readers, form: Form): Promise<{ body: FormView; etag: number }> {
  const related = await loadRelated(table, [form]);
  return { body: viewForm(form, related, EDITOR, now()), etag: form.version };
}

/**
 * Applies `change` to a form's settings and stores the result; after a concurrent change it is applied to the newest
 * version. `also` returns further writes of the same transaction. Throws what these two throw, 404 when the form is
 * gone, 409 for a stale `If-Match`.
 */
export async function changeForm(
  app: ChangePorts,
  opened: Form,
  change: (form: Form) => Form,
  also: (next: Form, before: Form) => Promise<readonly Write[]> | readonly Write[] = () => [],
): Promise<Form> {
  return untilWritten(async (first) => {
    const before = first ? opened : await loadForm(app.table, opened.id);
    if (!before) throw problems.notFound();
    app.ifMatch(before.version);
    const next = { ...change(before), version: before.version + 1 };
    await app.table.write([...replaceForm(next, before), ...(await also(next, before))]);
    return next;
  });
}
