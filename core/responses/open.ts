/**
 * Opens the response that a path names, with its form and structure, in one round trip: the id of a response
 * begins with the key of its form. Its owner may know it, and the members of the form's organization (contract
 * section 7); for everybody else it is not there.
 */

import { pathId } from '#core/access/path.ts';
import { present } from '#core/accounts/open.ts';
import { loadAccount } from '#core/accounts/store.ts';
import type { Role } from '#core/api/declare.ts';
import type { Form } from '#core/forms/model.ts';
import { formRoles } from '#core/forms/open.ts';
import type { Call, Opened, Opener } from '#core/http/operation.ts';
import type { Caller } from '#core/identity/tokens.ts';
import { problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';
import type { StoredStructure } from '#core/structure/store.ts';
import { findQuestion } from '#core/structure/structure.ts';
import { type Loaded, loadResponse } from './load.ts';
import type { Response } from './model.ts';
import { responseOf, storedResponseOf } from './store.ts';

export type OpenedResponse = Loaded & { user: Caller };

/** The response of `{responseId}`, of the form of `{formId}` when the path names one. */
export const response: Opener<OpenedResponse> = (call) => openResponse(call, responseOf);

/** The same even while it is being deleted, so that a deletion can be run to its end. */
export const responseToDelete: Opener<OpenedResponse> = (call) => openResponse(call, storedResponseOf);

async function openResponse(call: Call, read: typeof responseOf): Promise<Opened<OpenedResponse>> {
  const user = present(call.user);
  const formId = 'formId' in call.params ? pathId(call.params, 'formId') : undefined;
  const responseId = pathId(call.params, 'responseId');
  const loaded = await loadResponse(call.app.table, responseId, read);
  if (!loaded || (formId !== undefined && formId !== loaded.form.id)) throw problems.notFound();
  const { response: found, form, stored } = loaded;
  const roles = await rolesTo(call, found, form, user);
  if (roles.length === 0 || (found.deleting && !mayGoOn(call, roles))) throw problems.notFound();
  requireKnownQuestion(call, found, stored);
  return { thing: { user, response: found, form, stored }, roles };
}

/** A response in deletion is there for those alone who may run the deletion to its end. */
const mayGoOn = ({ access }: Call, roles: readonly Role[]): boolean =>
  access.roles?.some((role) => roles.includes(role)) ?? false;

/** What a caller is to a response; nothing for those who may not know it. */
async function rolesTo(call: Call, found: Response, form: Form, user: Caller): Promise<Role[]> {
  const owner: Role[] = found.userId === user.id ? ['owner'] : [];
  if (owner.length > 0 && !asksForMember(call)) return owner;
  const roles = formRoles(await loadAccount(call.app.table, user.id), form, user);
  return roles.includes('member') ? [...owner, ...roles] : owner;
}

/** An owner's rights are known without reading their account, unless the operation is for editors. */
const asksForMember = (call: Call): boolean => call.access.roles !== undefined && !call.access.roles.includes('owner');

/** A question that the path names is one of the form, or one that was removed while answered: 404 else. */
function requireKnownQuestion(call: Call, found: Response, { structure }: StoredStructure): void {
  const { questionId } = call.params;
  // A malformed id waits for its turn: the caller's role comes first.
  if (questionId === undefined || !isId(questionId)) return;
  if (findQuestion(structure, questionId) || Object.hasOwn(found.answers, questionId)) return;
  throw problems.notFound();
}
