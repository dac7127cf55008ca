/**
 * The actions of the buttons of a section, after the typed answers have been saved: `do=<action>:<question>:<detail>`.
 */
import type { ChangePorts } from '#core/db/ports.ts';
import { completeUploads } from '#core/files/complete.ts';
import { storeUploads } from '#core/files/upload.ts';
import type { StorageLimit } from '#core/organizations/store.ts';
import { Problem } from '#core/problems/problems.ts';
import { answerLookup } from '#core/responses/answers.ts';
import { changeResponse, type OpenedResponse } from '#core/responses/change.ts';
import { clearAnswer, removeFile } from '#core/responses/edits.ts';
import type { Response } from '#core/responses/model.ts';
import { isId } from '#core/schema/schema.ts';
import { FIELDS } from '../fields/fields.ts';
import { moveChoice, type RankMove } from '../fields/ranking.ts';
import type { FormFields } from '../shell/form-fields.ts';
import type { PostedAnswer } from './section-save.ts';

/** The action of a button, its question, and a further detail such as a choice or a file. */
export type Action = { name: string; questionId: string; detail: string };

/** Parses the action of a form; without one, the action is `save`. */
export function parseAction(fields: URLSearchParams): Action {
  const [name = '', questionId = '', detail = '', furtherDetail = ''] = (fields.get('do') ?? 'save').split(':');
  return name === 'rank'
    ? { name: `rank:${questionId}`, questionId: detail, detail: furtherDetail }
    : { name, questionId, detail };
}

/**
 * Applies an action to the posted answers: moves a choice, uses the conflicting answer, or lets the typed one replace the
 * conflicting answer that was shown.
 */
export function applyAction(
  posted: readonly PostedAnswer[],
  { name, questionId, detail }: Action,
  fields: URLSearchParams,
): PostedAnswer[] {
  if (name === 'useTheirs') return posted.filter(({ question }) => question.id !== questionId);
  if (name === 'keep') {
    const answerHash = fields.get(`k.${questionId}`);
    return posted.map((answer) =>
      answer.question.id === questionId && answerHash !== null ? { ...answer, answerHash } : answer,
    );
  }
  const move = RANK_MOVES.find((candidate) => name === `rank:${candidate}`);
  if (!move) return [...posted];
  return posted.map((answer) =>
    answer.question.id === questionId
      ? { ...answer, state: { ...answer.state, values: moveChoice(answer.state.values, detail, move) } }
      : answer,
  );
}

const RANK_MOVES: readonly RankMove[] = ['add', 'up', 'down', 'remove'];

/** Removes a file, or clears a connected account, if that is the action. Returns the updated response. */
export async function removeIfRequested(
  app: ChangePorts,
  opened: OpenedResponse,
  action: Action,
): Promise<OpenedResponse> {
  const { name, questionId, detail } = action;
  if (name !== 'remove' && name !== 'clear') return opened;
  const type = answerLookup(opened.response.answers)(questionId)?.type;
  const removeOrClear = (current: OpenedResponse, now: string): Response => {
    if (name === 'remove') return removeFile(current.response, detail, now);
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
export async function attachIfRequested(
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
export async function storeFiles(
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
