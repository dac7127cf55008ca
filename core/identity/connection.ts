/**
 * Connecting an account as the answer to a question (contract section 10): the owner of a response is sent to the
 * provider that the question names, and what it says of them is the answer when they come back.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import type { CallbackQuery } from '#core/accounts/model.ts';
import { requireOpen } from '#core/forms/status.ts';
import type { App } from '#core/http/app.ts';
import { arrive, depart } from '#core/identity/authorization.ts';
import { introduce } from '#core/identity/callback.ts';
import { connectTarget, type Outcome } from '#core/identity/redirects.ts';
import { type Fault, Problem, problems } from '#core/problems/problems.ts';
import type { OpenedResponse } from '#core/responses/open.ts';
import { changeResponse, readAgain } from '#core/responses/service.ts';
import { Id, type Infer, schema } from '#core/schema/schema.ts';
import type { ConnectProvider } from '#core/structure/question-model.ts';
import { findQuestion } from '#core/structure/structure.ts';
import { accountFrom, connectAccount, rehearse } from './connected-account.ts';

/** What a connection comes back with: whose answer to what it is, and where it ends. */
const Carried = schema(() =>
  z.object({ responseId: Id(), questionId: Id(), userId: Id(), target: z.string().optional() }),
);

/**
 * Sends the owner of a response to the provider of a question. Throws 400 when the question connects no account, is off
 * the path or its provider is not configured, when `r` is not allowed or the form not open; 403 when the response
 * is submitted and may not be edited; 503 while the provider cannot be used.
 */
export async function startConnection(
  app: App,
  { user, response, form, stored }: OpenedResponse,
  questionId: string,
  r: string | undefined,
): Promise<{ location: string; cookies: string[] }> {
  const faults: Fault[] = [];
  const question = findQuestion(stored.structure, questionId)?.question;
  const provider = question?.type === 'OAUTH_CONNECT' ? question.oauthConnect : undefined;
  const wrong = (detail: string): number => faults.push({ pointer: '/path/questionId', detail });
  if (!provider) wrong('is not a question to which an account is connected');
  else if (!app.config.providers[provider]) wrong(`asks for ${provider}, which is not configured here`);
  const { target, fault } = r === undefined ? {} : connectTarget(r, app.config);
  if (fault) faults.push(fault);
  if (!provider || faults.length > 0) throw problems.invalid(faults);
  requireOpen(form, app.now());
  rehearse({ response, form, stored }, { userId: user.id, questionId, provider });
  const carried = { responseId: response.id, questionId, userId: user.id, ...(target ? { target } : {}) };
  return depart(app, 'connect', { provider, carried });
}

/** How a connection ended: where to say so, if anywhere; what; and the cookies that end it in the browser. */
export type Ended = { target: string | undefined; outcome: Outcome; cookies: string[] };

/** Stores what the provider says of who came back as the answer. Throws 400 for an unusable state. */
export async function finishConnection(
  app: App,
  provider: ConnectProvider,
  query: CallbackQuery,
  event: APIGatewayProxyEventV2,
): Promise<Ended> {
  const arrival = await arrive(app, 'connect', { provider, state: query.state, event });
  const carried = Carried().parse(arrival.carried);
  const ended = (outcome: Outcome): Ended => ({ target: carried.target, outcome, cookies: arrival.cookies });
  const introduced = await introduce(app, provider, arrival, query);
  if ('error' in introduced) return ended({ status: 'error', error: introduced.error });
  const account = accountFrom(provider, introduced.profile);
  const isStored = await store(app, carried, account);
  return ended(isStored ? { status: 'success' } : { status: 'error', error: 'not_editable' });
}

/** Stores an account as the answer, if the response as it is now still takes it. */
async function store(
  app: App,
  { responseId, questionId, userId }: Infer<typeof Carried>,
  account: ReturnType<typeof accountFrom>,
): Promise<boolean> {
  try {
    const opened = await readAgain(app.table, responseId);
    await changeResponse({ app, opened, ifMatch: () => undefined }, (current, now) =>
      connectAccount(current, { userId, questionId, account }, now),
    );
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
