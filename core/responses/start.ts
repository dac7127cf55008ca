/** Starts a response, with answers or as a complete submission, in one write with the deliveries that it makes due. */
import type { Caller } from '#core/access/access.ts';
import { addToInvitation, loadInvitation, toInvited } from '#core/accounts/invitation.ts';
import { change } from '#core/db/change.ts';
import { idWithin, keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Write } from '#core/db/table.ts';
import { type Gate, parseGate, requireOpen } from '#core/forms/gate.ts';
import { loadStructureFor } from '#core/forms/open.ts';
import { type Problem, problems, requireFound } from '#core/problems/problems.ts';
import { requireComplete } from './answers.ts';
import {
  countInvited,
  type OwnResponses,
  presentResponseSummary,
  recordFirstAnswers,
  reservePlaces,
} from './change.ts';
import { queueDeliveries } from './deliveries.ts';
import { newResponse, saveAnswers, submit } from './edits.ts';
import {
  type AnswerInput,
  MAX_GUEST_RESPONSES,
  MAX_OWN_RESPONSES,
  type Response,
  type ResponseSummary,
} from './model.ts';
import { createResponse, listOwnEntries, loadResponses, parseResponse } from './store.ts';

/**
 * `ownCount` and `draftId`: the responses to the form that the person has. `id`: of the response, for a request that can come twice; the
 * second one returns the response of the first. One that was deleted is started with another id.
 */
type Start = OwnResponses & {
  id?: string;
  gate: Gate;
  caller: Caller;
  answers: readonly AnswerInput[];
  isSubmission: boolean;
};

/**
 * Starts a response to an open form; what an invitation says for hidden questions stands whatever is sent. Returns the id, of a submission the summary, with the version as `etag`; where each person
 * starts one response, the one that there is. Throws 400 for a form that is not open, more than 100 responses of this user or 3 of this
 * guest, invalid answers, or an incomplete submission; 401 for a guest whose invitation was revoked meanwhile; 404 when the form was
 * deleted; 409 when the guest has a draft, when a submission finds no place left, and for answers to a second response where each person starts one; 413 when the response would
 * become too large.
 */
export async function startResponse(
  app: ChangePorts,
  { id: givenId, gate, caller, ownCount, draftId, answers, isSubmission }: Start,
): Promise<StartResult> {
  const isBare = answers.length === 0 && !isSubmission;
  const now = app.now();
  requireOpen(gate, now);
  const randomId = () => idWithin(gate.formId, app.uuid());
  const find = async (): Promise<Started> =>
    givenId === undefined ? { id: randomId() } : findUse(app, givenId, randomId);
  const time = now.toISOString();
  const start = (id: string): Response => ({
    ...newResponse(id, gate.formId, caller.id, time),
    ...(gate.oncePerPerson && { isOnce: true }),
  });
  /** What was started before, by this request or, where that counts, by another one. Throws why nothing more can be started. */
  const findStarted = async (own: OwnResponses): Promise<Started> => {
    const started = await find();
    if (started.existing) return started;
    if (gate.oncePerPerson) {
      const claimed = own.ownCount > 0 ? await findOnlyResponse(app, gate.formId, caller) : undefined;
      if (claimed && !isBare) throw problems.alreadyStarted(claimed.id);
      return { ...started, ...(claimed && { claimed }) };
    }
    const obstacle = findObstacle(caller, own);
    if (obstacle) throw obstacle;
    return started;
  };
  const reload = async (): Promise<Started> => findStarted(await countClaims(app, gate, caller, { ownCount, draftId }));
  const hasStarted = gate.oncePerPerson ? ownCount > 0 : findObstacle(caller, { ownCount, draftId }) !== undefined;
  const loaded = hasStarted ? await findStarted({ ownCount, draftId }) : { id: givenId ?? randomId() };
  const { prefill = {} } = caller.invited ?? {};
  const isPrefilled = Object.keys(prefill).length > 0;
  if (isBare && !isPrefilled) {
    return change<Started, StartResult>(app, {
      loaded,
      reload,
      decide: (started) => {
        const found = presentStarted(started);
        if (found) return { writes: [], result: found };
        const { id } = started;
        const draft = start(id);
        const writes = [createResponse(draft), ...claim(gate, caller, draft)];
        return { writes, result: { body: { id }, etag: draft.version } };
      },
    });
  }
  return change<Started & Awaited<ReturnType<typeof withStructure>>, StartResult>(app, {
    loaded: { ...(await withStructure(app, gate)), ...loaded },
    reload: async () => ({ ...(await withStructure(app, await reloadGate(app, gate.formId))), ...(await reload()) }),
    decide: async (started) => {
      const found = presentStarted(started);
      if (found) return { writes: [], result: found };
      const { id, gate: current, structure, answered } = started;
      // Loaded for invited guests only.
      const given = isPrefilled
        ? (await import('./invited-answers.ts')).decideHidden(structure, prefill, answers, time)
        : answers;
      const saved = saveAnswers({ response: start(id), structure }, given, time, { isStart: true });
      const complete = isSubmission ? requireComplete({ response: submit(saved, time), structure }) : saved;
      const form = { gate: current, structure };
      const { next: response, reserve } = await reservePlaces(app, form, { before: undefined, next: complete });
      const { records, onWritten } = await recordFirstAnswers(app, { response, structure, answered });
      const body = isSubmission ? presentResponseSummary(response) : { id: response.id };
      return {
        writes: [
          createResponse(response),
          ...claim(gate, caller, response),
          ...queueDeliveries(app, { gate: current, structure, response }),
        ],
        firstWrites: records,
        reserve,
        result: { body, etag: response.version },
        onWritten,
      };
    },
  });
}

/** Finds why somebody can start no other response, as far as it is known. */
function findObstacle({ guestOf }: Caller, { ownCount, draftId }: OwnResponses): Problem | undefined {
  if (draftId !== undefined) return problems.alreadyStarted(draftId);
  const max = guestOf === undefined ? MAX_OWN_RESPONSES : MAX_GUEST_RESPONSES;
  return ownCount >= max ? problems.tooManyResponses(max) : undefined;
}

// Each person starts one response: the start claims it in the same transaction, so that no index that lags decides. An invited guest
// has an item that lists what they have started; for an account a claim is put, unless there is one.

/** Builds the writes by which a new response is the only one of its person, or one of the few of an invited guest. */
function claim({ formId, oncePerPerson }: Gate, { id: userId, invited }: Caller, response: Response): Write[] {
  if (invited) return [addToInvitation(userId, invited, response, oncePerPerson ? 1 : MAX_GUEST_RESPONSES)];
  if (!oncePerPerson) return [];
  return [{ put: { ...keys.once(formId, userId), responseId: response.id }, when: { absent: true } }];
}

/** Counts what somebody has claimed by now, after a start was refused. Throws 401 for a guest who is not invited any more. */
async function countClaims(
  { table }: ChangePorts,
  { formId, oncePerPerson }: Gate,
  { id, invited }: Caller,
  own: OwnResponses,
): Promise<OwnResponses> {
  if (invited) {
    const current = toInvited(await loadInvitation(table, id), invited.generation);
    if (!current) throw problems.unauthorized();
    return countInvited(table, current);
  }
  if (!oncePerPerson) return own;
  const [item] = await table.read([keys.once(formId, id)]);
  return { ownCount: item ? 1 : own.ownCount };
}

/**
 * Finds the response of somebody who starts one only: the one that is claimed, or one that is older than the setting. Undefined when
 * there is none, whatever an index says. Throws 409 when the claimed one is gone without its claim.
 */
async function findOnlyResponse(app: ChangePorts, formId: string, caller: Caller): Promise<Response | undefined> {
  const claimedIds = await listClaimed(app, formId, caller);
  const ids = claimedIds.length > 0 ? claimedIds : await listOlder(app, formId, caller);
  const [only] = await loadResponses(app.table, ids);
  if (only || claimedIds.length === 0) return only;
  // A deletion takes the claim with it, unless what was submitted is deleted because of its age.
  const [claimedId] = await listClaimed(app, formId, caller);
  if (claimedId !== undefined) throw problems.alreadyStarted(claimedId);
  return undefined;
}

async function listClaimed({ table }: ChangePorts, formId: string, { id, invited }: Caller): Promise<string[]> {
  if (invited) return Object.keys((await loadInvitation(table, id))?.responses ?? {});
  const [item] = await table.read([keys.once(formId, id)]);
  return item ? [String(item.responseId)] : [];
}

async function listOlder({ table }: ChangePorts, formId: string, { id, invited }: Caller): Promise<string[]> {
  if (invited) return [];
  const entries = await listOwnEntries(table, id, MAX_OWN_RESPONSES, formId);
  return [...new Set(entries.map((entry) => entry.id))];
}

type StartResult = { body: { id: string } | ResponseSummary; etag: number; isAlternative?: true };

/** The response that a request has started before, or the only one of its person, or the id of the one to start. */
type Started = { existing?: Response; claimed?: Response; id: string };

/** Presents the response that was started before; undefined if there is none. */
function presentStarted({ existing, claimed }: Started): StartResult | undefined {
  const response = existing ?? claimed;
  return response && { body: { id: response.id }, etag: response.version, ...(!existing && { isAlternative: true }) };
}

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
