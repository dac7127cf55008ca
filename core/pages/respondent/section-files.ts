/** Stores and removes the files of a section, and clears connected accounts, after the typed answers have been saved. */
import type { ChangePorts } from '#core/db/ports.ts';
import { completeUploads } from '#core/files/complete.ts';
import { storeUploads } from '#core/files/upload.ts';
import type { StorageLimit } from '#core/organizations/store.ts';
import { Problem } from '#core/problems/problems.ts';
import { answerLookup } from '#core/responses/answers.ts';
import { changeResponse, type OpenedResponse } from '#core/responses/change.ts';
import { clearAnswer, removeFile } from '#core/responses/edits.ts';
import type { Response } from '#core/responses/model.ts';
import { formatList } from '#core/schema/format.ts';
import { isId } from '#core/schema/schema.ts';
import { FIELDS } from '../fields/fields.ts';
import { attachFaultText, faultText } from '../fields/invalid.ts';
import type { PageContext } from '../shell/context.ts';
import type { FormFields } from '../shell/form-fields.ts';
import type { Action } from './section-actions.ts';

/** The response after files were stored and removed, the errors of their questions, and why nothing could be done. */
export type FileResult = {
  current: OpenedResponse;
  fileErrors: ReadonlyMap<string, string>;
  problem?: Problem;
};

/** Stores and removes files; refused files are errors of their question. */
export async function actOnFiles(
  app: ChangePorts & StorageLimit,
  saved: OpenedResponse,
  { context, action, files }: { context: PageContext; action: Action; files: FormFields['files'] },
): Promise<FileResult> {
  try {
    const attached = await attachIfRequested(app, await removeIfRequested(app, saved, action), action);
    const stored = await storeFiles(app, attached.opened, files);
    const questions = saved.structure.sections.flatMap(({ questions: sectionQuestions }) => sectionQuestions);
    const errors = questions.flatMap((question): [string, string][] => {
      const names = stored.refused.get(question.id);
      if (names) {
        const list = formatList(context, names);
        return [[question.id, context.t.section.invalid.notAttached(list, faultText(context, question))]];
      }
      const fault = question.id === action.questionId ? attached.refused : undefined;
      return fault === undefined ? [] : [[question.id, attachFaultText(context, question, fault)]];
    });
    return { current: stored.opened, fileErrors: new Map(errors) };
  } catch (error) {
    if (error instanceof Problem && error.status === 400)
      return { current: saved, fileErrors: new Map(), problem: error };
    throw error;
  }
}

/** Removes a file, or clears a connected account, if that is the action. Returns the updated response. */
async function removeIfRequested(app: ChangePorts, opened: OpenedResponse, action: Action): Promise<OpenedResponse> {
  const { name, questionId, detail } = action;
  if (name !== 'remove' && name !== 'clear') return opened;
  const type = answerLookup(opened.response.answers)(questionId)?.type;
  const removeOrClear = (current: OpenedResponse, now: string): Response => {
    if (name === 'remove') return removeFile(current, detail, now);
    return type && FIELDS[type].hasClearButton ? clearAnswer(current, questionId, now) : current.response;
  };
  const changed = await changeResponse(app, opened, (current, now) => ({
    next: removeOrClear(current, now),
    body: undefined,
  }));
  return changed.opened;
}

/**
 * Attaches an upload that a script sent to storage, in addition to the attached files, if that is the action. Returns the
 * updated response, and why the upload was refused: there were too many files, or its content differs.
 */
async function attachIfRequested(
  app: ChangePorts,
  opened: OpenedResponse,
  { name, questionId, detail }: Action,
): Promise<{ opened: OpenedResponse; refused?: 'too_many_files' | 'content' }> {
  if (name !== 'attach') return { opened };
  if (!isId(detail)) return { opened, refused: 'content' };
  try {
    return { opened: (await completeUploads(app, { opened, questionId, added: true }, [detail])).opened };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error;
    return {
      opened,
      refused: error.errors.some(({ code }) => code === 'too_many_files') ? 'too_many_files' : 'content',
    };
  }
}

/**
 * Stores the files of a form in addition to the attached ones, except those that their question does not accept. Returns
 * the updated response, and the names of the refused files by question.
 */
async function storeFiles(
  app: ChangePorts & StorageLimit,
  opened: OpenedResponse,
  files: FormFields['files'],
): Promise<{ opened: OpenedResponse; refused: ReadonlyMap<string, readonly string[]> }> {
  const refused = new Map<string, readonly string[]>();
  let current = opened;
  const byQuestion = Map.groupBy(files, ({ name }) => name.replace(/^q\./, ''));
  // One after the other: each changes the response.
  for (const [questionId, sentFiles] of byQuestion) {
    const stored = await storeAccepted(app, { opened: current, questionId }, sentFiles);
    current = stored.opened;
    if (stored.refused.length > 0) {
      const names = stored.refused.map(({ filename }) => filename);
      refused.set(questionId, names);
    }
  }
  return { opened: current, refused };
}

type SentFiles = FormFields['files'];

/** Stores files of a question; if some are at fault, the others. */
async function storeAccepted(
  app: ChangePorts & StorageLimit,
  { opened, questionId }: { opened: OpenedResponse; questionId: string },
  files: SentFiles,
): Promise<{ opened: OpenedResponse; refused: SentFiles }> {
  try {
    return { opened: (await storeUploads(app, { opened, questionId, added: true }, files)).opened, refused: [] };
  } catch (error) {
    if (!(error instanceof Problem) || !REFUSED_CODES.has(error.code)) throw error;
    const faulty = new Set(error.errors.map(({ pointer }) => Number(/^\/body\/files\/(\d+)/.exec(pointer)?.[1] ?? -1)));
    const accepted = files.filter((_, index) => !faulty.has(index));
    // Without a file at fault, there are too many or they are too large together.
    if (accepted.length === 0 || accepted.length === files.length) return { opened, refused: files };
    const stored = await storeAccepted(app, { opened, questionId }, accepted);
    return { ...stored, refused: files.filter((file) => !accepted.includes(file) || stored.refused.includes(file)) };
  }
}

const REFUSED_CODES: ReadonlySet<string> = new Set(['invalid_request', 'content_too_large']);
