/**
 * Every change of a response goes through here: the form must be open, a pure function makes the next response, one
 * conditional write stores it, and again from the newest one when two requests meet (contract section 7).
 */
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { Table } from '#core/db/table.ts';
import { requireOpen } from '#core/forms/status.ts';
import { formOf } from '#core/forms/store.ts';
import type { App } from '#core/http/app.ts';
import { problems } from '#core/http/problems.ts';
import { noteAnswered, structureOf } from '#core/structure/store.ts';
import type { Response, ResponseSummary } from './model.ts';
import type { OpenedResponse } from './open.ts';
import { loadResponses, removeResponse, replaceResponse, responseOf } from './store.ts';

type Opened = Pick<OpenedResponse, 'response' | 'form' | 'stored'>;
export type Changing = { app: App; opened: Opened; ifMatch: (version: number) => void };

/**
 * Applies `change` to a response and stores the result; answers it with its new version. `change` throws Problems
 * to refuse, and answers the response it was given to change nothing. Throws 400 unless the form is open, 404 when
 * the response is gone meanwhile, 409 stale, 413 when the response would become too large.
 */
export async function changeResponse(
  { app, opened, ifMatch }: Changing,
  change: (opened: Opened, now: string) => Response,
): Promise<Response> {
  return untilWritten(async (first) => {
    const current = first ? opened : await readAgain(app.table, opened.response.id);
    ifMatch(current.response.version);
    requireOpen(current.form, app.now());
    const changed = change(current, app.now().toISOString());
    if (changed === current.response) return changed;
    const next = { ...changed, version: current.response.version + 1 };
    requireFits(next);
    await store(app.table, next, current);
    return next;
  });
}

/** Stores a response; with the first answer that a question ever gets, also that it has answers now. */
async function store(table: Table, next: Response, { stored }: Opened): Promise<void> {
  const firstAnswers = Object.keys(next.answers).filter((questionId) => !stored.answered.has(questionId));
  const note = firstAnswers.length > 0 ? [noteAnswered(stored.structure, firstAnswers)] : [];
  await table.write([replaceResponse(next), ...note]);
}

async function readAgain(table: Table, responseId: string): Promise<Opened> {
  const wanted = [keys.response(responseId), keys.formHead(responseId), keys.formStructure(responseId)];
  const [responseItem, headItem, structureItem] = await table.read(wanted);
  const response = responseOf(responseItem);
  const form = response && formOf(headItem, response.formId);
  const stored = structureOf(structureItem);
  if (!response || !form || !stored) throw problems.notFound();
  return { response, form, stored };
}

function requireFits(response: Response): void {
  const bytes = entityBytes(response);
  if (bytes <= MAX_ENTITY_BYTES) return;
  throw problems.tooLarge(`A response may have ${MAX_ENTITY_BYTES} bytes; with these answers it would have ${bytes}`);
}

/** Deletes a response. Throws 409 when the caller's `If-Match` names another version; one that is gone already is fine. */
export async function deleteResponse(
  table: Table,
  opened: Response,
  ifMatch: (version: number) => void,
): Promise<void> {
  await untilWritten(async (first) => {
    const [current] = first ? [opened] : await loadResponses(table, [opened.id]);
    if (!current) return;
    ifMatch(current.version);
    await table.write([removeResponse(current)]);
  });
}

/** 403 for a change of a submitted response whose form does not let respondents edit. */
export function requireEditable({ response, form }: Opened): void {
  if (response.progress === 'DRAFT' || form.allowEditResponse) return;
  throw problems.forbidden(
    'The response is submitted and this form does not allow editing: cancel the response to change it',
    'response_submitted',
  );
}

/** A response in the short form that submit and cancel answer. */
export const summaryOf = ({ id, formId, createdAt, submittedAt, progress }: Response): ResponseSummary => ({
  id,
  formId,
  createdAt,
  submittedAt,
  progress,
});
