/**
 * What the buttons of a section do, after what was typed has been saved: `do=<action>:<question>:<detail>`.
 */
import type { ChangePorts } from '#core/db/ports.ts';
import { completeUploads } from '#core/files/complete.ts';
import { storeUploads } from '#core/files/upload.ts';
import type { StorageLimit } from '#core/organizations/store.ts';
import { Problem } from '#core/problems/problems.ts';
import { changeResponse, type OpenedResponse, reopenResponse } from '#core/responses/change.ts';
import { answerLookup, clearAnswer, removeFile } from '#core/responses/edits.ts';
import { isId } from '#core/schema/schema.ts';
import { moved, type RankMove } from '../fields/ranking.ts';
import type { FormFields } from '../shell/form-fields.ts';
import type { Posted } from './section-save.ts';

/** A button: what to do, with which question, and a further detail such as a choice or a file. */
export type Action = { name: string; questionId: string; detail: string };

/** The action of a form; scripts send none, which saves. */
export function actionOf(fields: URLSearchParams): Action {
  const [name = '', questionId = '', detail = '', more = ''] = (fields.get('do') ?? 'save').split(':');
  return name === 'rank'
    ? { name: `rank:${questionId}`, questionId: detail, detail: more }
    : { name, questionId, detail };
}

/**
 * The posted answers after an action that changes them: a choice is moved, the conflicting answer is used, or the typed
 * one replaces the conflicting answer that was shown.
 */
export function afterAction(
  posted: readonly Posted[],
  { name, questionId, detail }: Action,
  fields: URLSearchParams,
): Posted[] {
  if (name === 'take') return posted.filter(({ question }) => question.id !== questionId);
  if (name === 'keep') {
    const stamp = fields.get(`k.${questionId}`);
    return posted.map((each) => (each.question.id === questionId && stamp !== null ? { ...each, stamp } : each));
  }
  const move = MOVES.find((each) => name === `rank:${each}`);
  if (!move) return [...posted];
  return posted.map((each) =>
    each.question.id === questionId
      ? { ...each, state: { ...each.state, values: moved(each.state.values, detail, move) } }
      : each,
  );
}

const MOVES: readonly RankMove[] = ['add', 'up', 'down', 'remove'];

/** Removes a file, or clears a connected account, if that is the action. Returns the response as it is then. */
export async function removeIfAsked(app: ChangePorts, opened: OpenedResponse, action: Action): Promise<OpenedResponse> {
  const { name, questionId, detail } = action;
  if (name !== 'remove' && name !== 'clear') return opened;
  const type = answerLookup(opened.response.answers)(questionId)?.type;
  return changeResponse(
    app,
    opened,
    (current, now) => {
      const { response } = current;
      if (name === 'remove') return removeFile(response, detail, now);
      return type === 'OAUTH_CONNECT' ? clearAnswer(current, questionId, now) : response;
    },
    (response) => ({ ...opened, response }),
  );
}

/**
 * Attaches an upload that a script sent to storage, beside the files that are attached already, if that is the action.
 * Returns the response as it is then, and why the upload was refused: there were too many files, or its content differs.
 */
export async function attachIfAsked(
  app: ChangePorts,
  opened: OpenedResponse,
  { name, questionId, detail }: Action,
): Promise<{ opened: OpenedResponse; refused?: 'tooMany' | 'content' }> {
  if (name !== 'attach') return { opened };
  if (!isId(detail)) return { opened, refused: 'content' };
  try {
    await completeUploads(app, { opened, questionId, added: true }, [detail]);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error;
    return { opened, refused: error.errors.some(({ pointer }) => pointer === '/body/fileIds') ? 'tooMany' : 'content' };
  }
  return { opened: await reopenResponse(app.table, opened.response.id) };
}

/**
 * Stores the files of a form beside those that are attached already. Returns the response as it is then, and the
 * questions whose files were refused.
 */
export async function storeFiles(
  app: ChangePorts & StorageLimit,
  opened: OpenedResponse,
  files: FormFields['files'],
): Promise<{ opened: OpenedResponse; refused: ReadonlySet<string> }> {
  const refused = new Set<string>();
  let current = opened;
  const byQuestion = Map.groupBy(files, ({ name }) => name.replace(/^q\./, ''));
  // One after the other: each changes the response.
  for (const [questionId, sent] of byQuestion) {
    try {
      await storeUploads(app, { opened: current, questionId, added: true }, sent);
      current = await reopenResponse(app.table, opened.response.id);
    } catch (error) {
      if (!(error instanceof Problem) || !REFUSED.has(error.code)) throw error;
      refused.add(questionId);
    }
  }
  return { opened: current, refused };
}

const REFUSED: ReadonlySet<string> = new Set(['invalid_request', 'content_too_large']);
