/**
 * Connecting an account as the answer to a question: the owner of a response authorizes at the provider that the
 * question names, and the profile becomes the answer.
 */
import * as z from 'zod';
import type { Caller } from '#core/access/access.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { type Fault, Problem, problems } from '#core/problems/problems.ts';
import type { Current } from '#core/responses/answers.ts';
import { allowedEdit, changeResponse, type OpenedResponse, reopenResponse } from '#core/responses/change.ts';
import { setAnswer } from '#core/responses/edits.ts';
import type { Response } from '#core/responses/model.ts';
import { Id, type Infer, schema } from '#core/schema/schema.ts';
import { escapeHtml } from '#core/schema/text.ts';
import { findQuestion } from '#core/structure/structure.ts';
import type { ConnectedAccount } from '#core/structure/types/content.ts';
import type { ConnectProvider } from '#core/structure/types/oauth-connect.ts';
import { type Callback, finishAuthorization, type Redirect, startAuthorization } from './authorization.ts';
import type { IdentityPorts } from './ports.ts';
import type { Profile } from './profile.ts';
import { parseConnectTarget, type RedirectOutcome } from './redirects.ts';

/** The answer for which the account is connected, and where the browser is redirected afterwards. */
const ConnectPayload = schema(() =>
  z.object({ responseId: Id(), questionId: Id(), userId: Id(), target: z.string().optional() }),
);
type ConnectPayload = Infer<typeof ConnectPayload>;

/**
 * Redirects to the provider of a question. Throws 400 when the question connects no account, is off the path, or its
 * provider is not configured, when `r` is not allowed, and when the form is not open; 403 when the response is submitted
 * and may not be edited; 503 while the provider cannot be reached.
 */
export async function startConnection(
  app: IdentityPorts,
  { caller, opened }: { caller: Caller; opened: OpenedResponse },
  questionId: string,
  r: string | undefined,
): Promise<Redirect> {
  const faults: Fault[] = [];
  const provider = findProvider(opened, questionId);
  const addFault = (detail: string): number => faults.push({ pointer: '/path/questionId', detail });
  if (!provider) addFault('is not a question to which an account is connected');
  else if (!app.config.providers[provider]) addFault(`asks for ${provider}, which is not configured`);
  const { target, fault } = r === undefined ? {} : parseConnectTarget(r, app.config);
  if (fault) faults.push(fault);
  if (!provider || faults.length > 0) throw problems.invalid(faults);
  requireConnectable(app, opened, questionId, provider);
  const payload = { responseId: opened.response.id, questionId, userId: caller.id, ...(target ? { target } : {}) };
  return startAuthorization(app, 'connect', provider, payload);
}

/**
 * Throws what storing any account as the answer would. Whether a submitted response stays complete depends on the
 * account, so the change is tried on a draft.
 */
function requireConnectable(
  app: IdentityPorts,
  opened: OpenedResponse,
  questionId: string,
  provider: ConnectProvider,
): void {
  const { response, gate } = opened;
  const account = toConnectedAccount(provider, {
    subject: '',
    username: '',
    email: '',
    emailVerified: false,
    avatarUrl: '',
  });
  const draft: OpenedResponse = { ...opened, response: { ...response, progress: 'DRAFT' } };
  const connection = { questionId, userId: response.userId };
  const connect = (current: Current, now: string) => ({ next: connectAccount(current, connection, account, now) });
  allowedEdit(draft, connect, app.now());
  if (response.progress === 'SUBMITTED' && !gate.allowEditResponse) throw problems.responseSubmitted();
}

/** The result of a connection: the redirect target, if any, the outcome, and the cookies to set. */
export type ConnectionResult = { target: string | undefined; outcome: RedirectOutcome; cookies: string[] };

/** Stores the account that the provider confirms as the answer. Throws 400 for an unusable state. */
export async function finishConnection(
  app: IdentityPorts & ChangePorts,
  provider: ConnectProvider,
  callback: Callback,
): Promise<ConnectionResult> {
  const { payload, cookies, outcome } = await finishAuthorization(app, 'connect', provider, callback, ConnectPayload);
  const error =
    'error' in outcome
      ? outcome.error
      : await storeAccount(app, payload, toConnectedAccount(provider, outcome.profile));
  return { target: payload.target, outcome: error ? { status: 'error', error } : { status: 'success' }, cookies };
}

/** Stores an account as the answer. Returns an error code when the response does not accept it any more. */
async function storeAccount(
  app: ChangePorts,
  connection: ConnectPayload,
  account: ConnectedAccount,
): Promise<'not_editable' | undefined> {
  try {
    const opened = await reopenResponse(app.table, connection.responseId);
    await changeResponse(app, opened, (current, now) => ({
      next: connectAccount(current, connection, account, now),
      body: undefined,
    }));
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return 'not_editable';
    throw error;
  }
}

/** Stores an account as the answer in a response. Throws 400 unless the user's question asks for such an account. */
function connectAccount(
  current: Current,
  { questionId, userId }: Pick<ConnectPayload, 'questionId' | 'userId'>,
  account: ConnectedAccount,
  now: string,
): Response {
  if (findProvider(current, questionId) !== account.provider || current.response.userId !== userId) {
    throw problems.invalid([{ pointer: '/path/questionId', detail: 'does not ask for this account any more' }]);
  }
  return setAnswer(current, questionId, { type: 'OAUTH_CONNECT', value: account }, now);
}

/** Finds the provider whose account a question asks for. */
function findProvider({ structure }: Current, questionId: string): ConnectProvider | undefined {
  const question = findQuestion(structure, questionId)?.question;
  return question?.type === 'OAUTH_CONNECT' ? question.oauthConnect : undefined;
}

/** Converts a profile to an answer. Only a verified e-mail address is kept; it or the id replaces a missing username. */
function toConnectedAccount(
  provider: ConnectProvider,
  { subject, username, avatarUrl, ...profile }: Profile,
): ConnectedAccount {
  const email = profile.emailVerified ? profile.email : null;
  return {
    provider,
    providerId: subject,
    username: username || email || subject,
    email,
    avatar_url: avatarUrl,
    avatarUrl,
  };
}

// The page that shows the outcome of connecting an account when there is no page to return to.

const STYLE = `body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem; color: #1b2733; background: #fff; }
@media (prefers-color-scheme: dark) { body { color: #e8edf2; background: #10161c; } }`;

/** Explains the error codes of this service to the respondent. */
const MEANINGS: Readonly<Record<string, string>> = {
  access_denied: 'You did not allow the connection.',
  missing_code: 'The other service sent you back without saying who you are.',
  exchange_failed: 'The other service did not confirm who you are.',
  profile_failed: 'The other service did not tell who you are.',
  not_editable: 'The answer cannot be changed any more: the form is closed, or the question is gone.',
};

/** Renders the page as HTML. */
export function renderOutcomePage({ status, error = '' }: RedirectOutcome): string {
  if (status === 'success') {
    return renderPage(
      'Account connected',
      '<p>Your account is the answer now. You can close this page and continue with the form.</p>',
    );
  }
  const meaning = Object.hasOwn(MEANINGS, error) ? MEANINGS[error] : undefined;
  return renderPage(
    'Account not connected',
    `<p>${escapeHtml(meaning ?? 'The other service refused the connection.')} Close this page, go back to the form and try again.</p>
<p>Error code: <code>${escapeHtml(error)}</code></p>`,
  );
}

const renderPage = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
