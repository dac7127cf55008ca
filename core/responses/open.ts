/**
 * Openers of responses. A response is visible to its owner and to the members of the form's organization. The id of a
 * response contains the form key, so the response and the gate of its form are one read.
 */
import { type Call, type Caller, type Opener, parsePathId, type Role, requireCaller } from '#core/access/access.ts';
import { loadAccount } from '#core/accounts/accounts.ts';
import { keys } from '#core/db/keys.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import { formRoles, openGateToRespond } from '#core/forms/open.ts';
import { problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';
import { findQuestion } from '#core/structure/structure.ts';
import { type OpenedResponse, readResponse } from './change.ts';
import { DeliveryTarget, MAX_OWN_RESPONSES, type Response } from './model.ts';
import { countOwnResponses, parseResponse } from './store.ts';

/** Opens the gate of the form of `{formId}` to start a response, with the number of the caller's responses in parallel. */
export const openGateToStart: Opener<{ caller: Caller; gate: Gate; ownCount: number }> = async (call) => {
  const { id } = requireCaller(call.user);
  const formId = parsePathId(call.params, 'formId');
  const [opened, ownCount] = await Promise.all([
    openGateToRespond(call),
    countOwnResponses(call.app.table, id, formId, MAX_OWN_RESPONSES),
  ]);
  return { ...opened, resource: { ...opened.resource, ownCount } };
};

/**
 * Opens the response of `{responseId}`; if the path has a `{formId}`, of this form. Throws 404 for an unknown `{questionId}`.
 */
export const openResponse: Opener<{ caller: Caller; opened: OpenedResponse }> = async (call) => {
  const caller = requireCaller(call.user);
  const formId = 'formId' in call.params ? parsePathId(call.params, 'formId') : undefined;
  const opened = await readResponse(call.app.table, parsePathId(call.params, 'responseId'));
  if (!opened || (formId !== undefined && formId !== opened.gate.formId)) throw problems.notFound();
  const roles = await loadRoles(call, opened.response, opened.gate, caller);
  if (roles.length === 0) throw problems.notFound();
  requireNamedQuestion(call, opened);
  return { resource: { caller, opened }, roles };
};

/**
 * Opens the response of `{responseId}`, and where its delivery of `{kind}` goes: undefined for another kind, which is reported
 * after the caller's role was checked.
 */
export const openDelivery: Opener<{ opened: OpenedResponse; target: DeliveryTarget | undefined }> = async (call) => {
  const { resource, roles } = await openResponse(call);
  const target = DeliveryTarget().safeParse(call.params.kind).data;
  return { resource: { opened: resource.opened, target }, roles };
};

/** Opens the response of `{responseId}` to the form of `{formId}`, to delete it: without the structure. */
export const openResponseToDelete: Opener<{ caller: Caller; response: Response; gate: Gate }> = async (call) => {
  const caller = requireCaller(call.user);
  const formId = parsePathId(call.params, 'formId');
  const responseId = parsePathId(call.params, 'responseId');
  const [item, gateItem] = await call.app.table.read([keys.response(responseId), keys.formGate(responseId)]);
  const response = parseResponse(item);
  const gate = parseGate(gateItem);
  if (!response || gate?.formId !== formId || response.formId !== formId) throw problems.notFound();
  const roles = await loadRoles(call, response, gate, caller);
  if (roles.length === 0) throw problems.notFound();
  return { resource: { caller, response, gate }, roles };
};

/** Loads the roles of a caller for a response; empty when it is not visible to them. */
async function loadRoles(call: Call, response: Response, gate: Gate, caller: Caller): Promise<Role[]> {
  const owner: Role[] = response.userId === caller.id ? ['owner'] : [];
  // The account is not read if being the owner is sufficient.
  const needsAccount = call.access.roles !== undefined && !call.access.roles.includes('owner');
  if (owner.length > 0 && !needsAccount) return owner;
  const roles = formRoles(await loadAccount(call.app.table, caller.id), gate, caller);
  return roles.includes('member') ? [...owner, ...roles] : owner;
}

/** Throws 404 for a question that is neither in the form nor answered in the response. */
function requireNamedQuestion({ params }: Call, { response, structure }: OpenedResponse): void {
  const { questionId } = params;
  // A malformed id is reported after the caller's role was checked.
  if (questionId === undefined || !isId(questionId)) return;
  if (findQuestion(structure, questionId) || Object.hasOwn(response.answers, questionId)) return;
  throw problems.notFound();
}
