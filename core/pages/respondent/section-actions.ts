/** The buttons of a section, `do=<action>:<question>:<detail>`, and what they do to the posted answers before they are saved. */
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

/** Whether a post does something with files or a connected account. */
export const touchesFiles = ({ name }: Action, files: FormFields['files']): boolean =>
  files.length > 0 || name === 'remove' || name === 'clear' || name === 'attach';
