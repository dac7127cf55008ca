/** Starts a response, with answers or as a complete submission, in one write with the deliveries that it makes due. */
import { change } from '#core/db/change.ts';
import { idWithin, isGuestId, keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { type Gate, parseGate, requireOpen } from '#core/forms/gate.ts';
import { loadStructureFor } from '#core/forms/open.ts';
import { type Problem, problems, requireFound } from '#core/problems/problems.ts';
import { requireComplete } from './answers.ts';
import { type OwnResponses, presentResponseSummary, recordFirstAnswers } from './change.ts';
import { queueDeliveries } from './deliveries.ts';
import { newResponse, saveAnswers, submit } from './edits.ts';
import {
  type AnswerInput,
  MAX_GUEST_RESPONSES,
  MAX_OWN_RESPONSES,
  type Response,
  type ResponseSummary,
} from './model.ts';
import { createResponse, parseResponse } from './store.ts';

/**
 * `ownCount` and `draftId`: the responses to the form that the person has. `id`: of the response, for a request that can come twice; the
 * second one returns the response of the first. One that was deleted is started with another id.
 */
type Start = OwnResponses & {
  id?: string;
  gate: Gate;
  userId: string;
  answers: readonly AnswerInput[];
  isSubmission: boolean;
};

/**
 * Starts a response to an open form. Returns the id, of a submission the summary, with the version as `etag`. Throws 400 for
 * a form that is not open, more than 100 responses of this user or 3 of this guest, invalid answers, or an incomplete
 * submission; 404 when the form was deleted; 409 when the guest has a draft; 413 when the response would become too large.
 */
export async function startResponse(
  app: ChangePorts,
  { id: givenId, gate, userId, ownCount, draftId, answers, isSubmission }: Start,
): Promise<StartResult> {
  const now = app.now();
  requireOpen(gate, now);
  const randomId = () => idWithin(gate.formId, app.uuid());
  const find = async (): Promise<Started> =>
    givenId === undefined ? { id: randomId() } : findUse(app, givenId, randomId);
  const obstacle = findObstacle(userId, { ownCount, draftId });
  if (obstacle) {
    const { existing } = await find();
    if (existing) return presentExisting(existing);
    throw obstacle;
  }
  const time = now.toISOString();
  const loaded: Started = { id: givenId ?? randomId() };
  if (answers.length === 0 && !isSubmission) {
    return change<Started, StartResult>(app, {
      loaded,
      reload: find,
      decide: ({ existing, id }) => {
        if (existing) return { writes: [], result: presentExisting(existing) };
        const draft = newResponse(id, gate.formId, userId, time);
        return { writes: [createResponse(draft)], result: { body: { id }, etag: draft.version } };
      },
    });
  }
  return change<Started & Awaited<ReturnType<typeof withStructure>>, StartResult>(app, {
    loaded: { ...(await withStructure(app, gate)), ...loaded },
    reload: async () => ({ ...(await withStructure(app, await reloadGate(app, gate.formId))), ...(await find()) }),
    decide: async ({ existing, id, gate: current, structure, answered }) => {
      if (existing) return { writes: [], result: presentExisting(existing) };
      const draft = newResponse(id, gate.formId, userId, time);
      const saved = saveAnswers({ response: draft, structure }, answers, time, { isStart: true });
      const response = isSubmission ? requireComplete({ response: submit(saved, time), structure }) : saved;
      const { records, onWritten } = await recordFirstAnswers(app, { response, structure, answered });
      const body = isSubmission ? presentResponseSummary(response) : { id: response.id };
      return {
        writes: [createResponse(response), ...queueDeliveries(app, { gate: current, structure, response })],
        firstWrites: records,
        result: { body, etag: response.version },
        onWritten,
      };
    },
  });
}

/** Finds why somebody can start no other response, as far as the index knows. */
function findObstacle(userId: string, { ownCount, draftId }: OwnResponses): Problem | undefined {
  if (draftId !== undefined) return problems.alreadyStarted(draftId);
  const max = isGuestId(userId) ? MAX_GUEST_RESPONSES : MAX_OWN_RESPONSES;
  return ownCount >= max ? problems.tooManyResponses(max) : undefined;
}

type StartResult = { body: { id: string } | ResponseSummary; etag: number };

/** The response that a request has started before, or the id of the one to start. */
type Started = { existing?: Response; id: string };

const presentExisting = ({ id, version }: Response): StartResult => ({ body: { id }, etag: version });

async function findUse({ table }: ChangePorts, id: string, randomId: () => string): Promise<Started> {
  const [item] = await table.read([keys.response(id)]);
  const existing = parseResponse(item);
  return { ...(existing && { existing }), id: item ? randomId() : id };
}

const withStructure = async ({ table }: ChangePorts, gate: Gate) => ({
  gate,
  ...(await loadStructureFor(table, gate)),
});

const reloadGate = async ({ table }: ChangePorts, formId: string): Promise<Gate> =>
  requireFound(parseGate((await table.read([keys.formGate(formId)]))[0]));
