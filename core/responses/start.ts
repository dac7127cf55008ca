/** Starts a response, with answers or as a complete submission, in one write with the deliveries that it makes due. */
import { change } from '#core/db/change.ts';
import { idWithin, keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { type Gate, parseGate, requireOpen } from '#core/forms/gate.ts';
import { loadStructureFor } from '#core/forms/open.ts';
import { problems, requireFound } from '#core/problems/problems.ts';
import { requireComplete } from './answers.ts';
import { presentResponseSummary, recordFirstAnswers } from './change.ts';
import { queueDeliveries } from './deliveries.ts';
import { newResponse, saveAnswers, submit } from './edits.ts';
import { type AnswerInput, MAX_OWN_RESPONSES, type ResponseSummary } from './model.ts';
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
 * Starts a response to an open form. Returns the id, of a submission the summary, with the version as `etag`. Throws 400 for
 * a form that is not open, more than 100 responses of this user, invalid answers, or an incomplete submission; 404 when the
 * form was deleted; 413 when the response would become too large.
 */
export async function startResponse(
  app: ChangePorts,
  { gate, userId, ownCount, answers, isSubmission }: Start,
): Promise<{ body: { id: string } | ResponseSummary; etag: number }> {
  const now = app.now();
  requireOpen(gate, now);
  if (ownCount >= MAX_OWN_RESPONSES) throw problems.tooManyResponses(MAX_OWN_RESPONSES);
  const time = now.toISOString();
  const draft = newResponse(idWithin(gate.formId, app.uuid()), gate.formId, userId, time);
  if (answers.length === 0 && !isSubmission) {
    const result = { body: { id: draft.id }, etag: draft.version };
    return change(app, { reload: async () => draft, decide: () => ({ writes: [createResponse(draft)], result }) });
  }
  return change(app, {
    loaded: await withStructure(app, gate),
    reload: async () => withStructure(app, await reloadGate(app, gate.formId)),
    decide: async ({ gate: current, structure, answered }) => {
      const saved = saveAnswers({ response: draft, structure }, answers, time);
      const response = isSubmission ? requireComplete({ response: submit(saved, time), structure }) : saved;
      const { records, onWritten } = await recordFirstAnswers(app, { response, structure, answered });
      const body = isSubmission ? presentResponseSummary(response) : { id: response.id };
      return {
        writes: [createResponse(response), ...queueDeliveries(app, current, response)],
        firstWrites: records,
        result: { body, etag: response.version },
        onWritten,
      };
    },
  });
}

const withStructure = async ({ table }: ChangePorts, gate: Gate) => ({
  gate,
  ...(await loadStructureFor(table, gate)),
});

const reloadGate = async ({ table }: ChangePorts, formId: string): Promise<Gate> =>
  requireFound(parseGate((await table.read([keys.formGate(formId)]))[0]));
