/**
 * A pending edit: changes of a submitted response that lead to sections which it never had, whose required questions wait for an
 * answer. On pages such changes are kept beside the submission, which stays as it is until all of them are sent together, in one
 * write. The API refuses them instead: it can send everything at once.
 */
import type { Call, Caller, Opener } from '#core/access/access.ts';
import { change, type Decision, type Edit } from '#core/db/change.ts';
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Consistency, Table, Write } from '#core/db/table.ts';
import { markEdits } from '#core/forms/gate.ts';
import { Problem } from '#core/problems/problems.ts';
import { findQuestion } from '#core/structure/structure.ts';
import { isSetByService } from '#core/structure/types/traits.ts';
import { answerLookup, findMissing, followPath, requireComplete, sameContent } from './answers.ts';
import { decideEdit, type OpenedResponse, openResponse, reopenResponse, requireEditable } from './change.ts';
import { withAnswers } from './edits.ts';
import type { Answer, Response } from './model.ts';

export type PendingEdit = {
  /** Counts the saves; 0 before the first. The condition of every write. */
  version: number;
  /** The version of the response from which the edit was begun. */
  basedOn: number;
  /** When the response was submitted: an edit belongs to one submission, and is void once that was withdrawn. */
  submittedAt: string | null;
  /** The answers that differ, by question id; null for none. */
  answers: Readonly<Record<string, Answer | null>>;
};

/** A response as it is stored, with the edit that waits beside it. */
export type Editable = { opened: OpenedResponse; edit: PendingEdit };

/** Whether an edit of a submitted response waits. */
export const isPending = ({ edit }: Pick<Editable, 'edit'>): boolean => Object.keys(edit.answers).length > 0;

/** Whether the response has changed since its pending edit was begun, so that its respondent should look at both. */
export const isOutdated = ({ opened, edit }: Editable): boolean => edit.basedOn !== opened.response.version;

const noEdit = ({ version, submittedAt }: Response): PendingEdit => ({
  version: 0,
  basedOn: version,
  submittedAt,
  answers: {},
});

/**
 * Reads the edit that waits beside a submitted response. Where none can be, as in a form that never had one, nothing is read.
 * `isLate`: the gate may be a second old and the first edit of the form younger, so that its mark does not count.
 */
export async function loadPendingEdit(
  table: Table,
  { response, gate }: Pick<OpenedResponse, 'response' | 'gate'>,
  { consistency, isLate = false }: { consistency?: Consistency; isLate?: boolean } = {},
): Promise<PendingEdit> {
  const none = noEdit(response);
  if (response.progress === 'DRAFT' || !gate.allowEditResponse || !(gate.hasEdits || isLate)) return none;
  const [item] = await table.read([keys.pendingEdit(response.id)], consistency);
  if (!item) return none;
  const stored = { ...decode<PendingEdit>(item), version: Number(item.version) };
  return stored.submittedAt === response.submittedAt ? stored : { ...none, version: stored.version };
}

/** Opens the response of `{responseId}` like `openResponse`, with its pending edit. */
export const openToEdit: Opener<{ caller: Caller } & Editable> = (call) => openEditable(call, openResponse);

/** Adds the pending edit to what an opener of responses returns; `isLate`: one that reads the gate eventually. */
export async function openEditable(
  call: Call,
  open: Opener<{ caller: Caller; opened: OpenedResponse }>,
  { isLate = false } = {},
): Promise<Awaited<ReturnType<typeof openToEdit>>> {
  const found = await open(call);
  const edit = await loadPendingEdit(call.app.table, found.resource.opened, { isLate });
  return { ...found, resource: { ...found.resource, edit } };
}

/** Returns the response as it would be with its pending edit; answers to questions that the form no longer has stay as they are. */
export function viewEdited({ opened, edit }: Editable): OpenedResponse {
  const { response, structure } = opened;
  const entries = Object.entries(edit.answers).filter(([questionId]) => findQuestion(structure, questionId));
  if (entries.length === 0) return opened;
  const answers = { ...response.answers };
  for (const [questionId, answer] of entries) {
    if (answer === null) delete answers[questionId];
    else answers[questionId] = answer;
  }
  return { ...opened, response: withAnswers(opened, answers, response.updatedAt) };
}

/** Lists the answers in which a response differs from what is stored, by question id; null for none. */
function changedAnswers(stored: Response, next: Response): PendingEdit['answers'] {
  const [before, after] = [answerLookup(stored.answers), answerLookup(next.answers)];
  const ids = new Set([...Object.keys(stored.answers), ...Object.keys(next.answers)]);
  const differs = (id: string): boolean => {
    const [left, right] = [before(id), after(id)];
    return left && right ? !sameContent(left, right) : left !== right;
  };
  return Object.fromEntries([...ids].filter(differs).map((id) => [id, after(id) ?? null]));
}

/** The result of a change: its body, and the response with the edit that waits now. */
export type EditedSubmission<B> = { body: B; editable: Editable };

type Sending<B> = { sends: (body: B) => boolean; seen?: number | undefined };

type EditAnswers<B> = (current: OpenedResponse, now: string) => Edit<Response, B>;

/**
 * Changes answers of a response. What leaves a submitted one complete is stored in it, as `changeResponse` does. What leads it to
 * further sections whose required questions have no answer yet is kept as a pending edit, as is everything that follows until
 * `sends` says of the result that it is to be sent: then all of it is stored, unless something is missing, or the response has changed
 * meanwhile and `seen` is not the version that the respondent has seen. Throws like `changeResponse`: also 400 when what is missing is a
 * file or an account, which cannot be given beside a submission.
 */
export const changeAnswers = <B>(
  app: ChangePorts,
  editable: Editable,
  edit: EditAnswers<B>,
  sending: Sending<B>,
): Promise<EditedSubmission<B>> =>
  change(app, {
    loaded: editable,
    reload: async () => {
      const opened = await reopenResponse(app.table, editable.opened.response.id);
      return { opened, edit: await loadPendingEdit(app.table, opened) };
    },
    decide: (current) => decideAnswers(app, current, edit, sending),
  });

async function decideAnswers<B>(
  app: ChangePorts,
  current: Editable,
  edit: EditAnswers<B>,
  { sends, seen }: Sending<B>,
): Promise<Decision<EditedSubmission<B>>> {
  const { opened } = current;
  if (!isPending(current)) {
    try {
      return await decideToStore(app, current, edit);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'response_incomplete' || !leadsFurther(opened, error))
        throw error;
    }
  }
  const view = viewEdited(current);
  requireEditable(view, app.now());
  const { next, body } = edit(view, app.now().toISOString());
  const edited = { ...opened, response: withAnswers(opened, next.answers, app.now().toISOString()) };
  const missing = findMissing(edited);
  const asked = followPath(opened).questions;
  // A file or an account is given to the submission itself, which does not have the section that asks for it.
  if (missing.some(({ question }) => question && isSetByService(question.type) && !asked.has(question.id)))
    requireComplete(edited);
  const answers = changedAnswers(opened.response, edited.response);
  const isWaiting = Object.keys(answers).length > 0;
  const isSeen = !isOutdated(current) || seen === opened.response.version;
  if (isWaiting && sends(body) && missing.length === 0 && isSeen) {
    const alsoWrites = [removePendingEdit(current)];
    return decideToStore(app, current, () => ({ next: edited.response, body, alsoWrites }));
  }
  const { version, basedOn } = current.edit;
  const kept = { version: version + 1, basedOn, submittedAt: opened.response.submittedAt, answers };
  if (next === view.response) return { writes: [], result: { body, editable: current } };
  if (!isWaiting)
    return {
      writes: [removePendingEdit(current)],
      result: { body, editable: { opened, edit: noEdit(opened.response) } },
    };
  return { writes: keepEdit(opened, kept), result: { body, editable: { opened, edit: kept } } };
}

/** Decides a change that is stored in the response. Throws like `changeResponse`. */
async function decideToStore<B>(
  app: ChangePorts,
  { opened }: Editable,
  edit: EditAnswers<B>,
): Promise<Decision<EditedSubmission<B>>> {
  const { result, ...decision } = await decideEdit(app, opened, edit);
  return {
    ...decision,
    result: { body: result.body, editable: { opened: result.opened, edit: noEdit(result.opened.response) } },
  };
}

/** Whether a change is incomplete because of questions that the response was not asked before. */
const leadsFurther = (opened: OpenedResponse, { faultsByQuestion }: Problem): boolean => {
  const asked = followPath(opened).questions;
  return opened.response.progress === 'SUBMITTED' && [...faultsByQuestion.keys()].some((id) => !asked.has(id));
};

/** Builds the writes that keep an edit beside the response of this version, which must not have been deleted or withdrawn. */
const keepEdit = ({ response, gate }: OpenedResponse, { version, ...edit }: PendingEdit): Write[] => [
  {
    put: { ...keys.pendingEdit(response.id), ...encode(edit), version },
    when: version === 1 ? { absent: true } : { equals: { version: version - 1 } },
  },
  { check: keys.response(response.id), when: { equals: { version: response.version } } },
  ...markEdits(gate),
];

/** Builds the write that removes a pending edit as it was read. */
const removePendingEdit = ({ opened, edit: { version } }: Editable): Write => ({
  remove: keys.pendingEdit(opened.response.id),
  when: { equals: { version } },
});

/** Discards the pending edit of a response; without one, nothing happens. */
export const discardPendingEdit = (app: ChangePorts, { opened }: Editable): Promise<void> =>
  app.table.write([{ remove: keys.pendingEdit(opened.response.id) }]);
