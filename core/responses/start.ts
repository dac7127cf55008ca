/** Starts a response, with answers or as a complete submission, in one write. */
import { idWithin, keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import { type Gate, parseGate, requireOpen } from '#core/forms/gate.ts';
import { loadStructureFor } from '#core/forms/open.ts';
import { problems } from '#core/problems/problems.ts';
import { commitResponse } from './change.ts';
import { queueDeliveries } from './deliveries.ts';
import { newResponse, requireComplete, saveAnswers, submit } from './edits.ts';
import { type AnswerInput, MAX_OWN_RESPONSES, type Response } from './model.ts';
import { createResponse } from './store.ts';

/** `ownCount`: how many responses to the form the person has. */
type Start = {
  gate: Gate;
  userId: string;
  ownCount: number;
  answers: readonly AnswerInput[];
  isSubmission: boolean;
};

/**
 * Starts a response to an open form and returns `result` of it. Throws 400 for a form that is not open, more than 100
 * responses of this user, invalid answers, or an incomplete submission; 404 when the form was deleted; 413 when the
 * response would become too large.
 */
export async function startResponse<R>(
  app: ChangePorts,
  { gate, userId, ownCount, answers, isSubmission }: Start,
  result: (response: Response) => R,
): Promise<R> {
  const now = app.now();
  requireOpen(gate, now);
  if (ownCount >= MAX_OWN_RESPONSES) throw problems.tooManyResponses(MAX_OWN_RESPONSES);
  const time = now.toISOString();
  const draft = newResponse(idWithin(gate.formId, app.uuid()), gate.formId, userId, time);
  if (answers.length === 0 && !isSubmission) {
    return untilWritten(() => app.commit([createResponse(draft)], result(draft)));
  }
  const opened = await loadStructureFor(app.table, gate);
  return untilWritten(async (first) => {
    const current = first ? gate : await reloadGate(app, gate.formId);
    const { structure, answered } = first ? opened : await loadStructureFor(app.table, current);
    const saved = saveAnswers({ response: draft, structure }, answers, time);
    const response = isSubmission ? requireComplete({ response: submit(saved, time), structure }) : saved;
    const writes = [createResponse(response), ...queueDeliveries(app, current, response)];
    return commitResponse(app, { response, structure, answered }, writes, result(response));
  });
}

async function reloadGate({ table }: ChangePorts, formId: string): Promise<Gate> {
  const [item] = await table.read([keys.formGate(formId)]);
  const gate = parseGate(item);
  if (!gate) throw problems.notFound();
  return gate;
}
