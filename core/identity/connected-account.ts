/** What connecting an account makes of a response, and whether it may be begun. Pure (contract sections 7 and 10). */
import type { Profile } from '#core/identity/profile.ts';
import { problems } from '#core/problems/problems.ts';
import { setInPlace } from '#core/responses/edit.ts';
import type { ConnectedAccount, Response } from '#core/responses/model.ts';
import { type Opened, requireEditable } from '#core/responses/service.ts';
import type { ConnectProvider } from '#core/structure/question-model.ts';
import { findQuestion } from '#core/structure/structure.ts';

/** An account as an answer keeps it. One without a username is shown by what else tells it apart for certain. */
export const accountFrom = (
  provider: ConnectProvider,
  { subject, username, email, emailVerified, avatarUrl }: Profile,
): ConnectedAccount => ({
  provider,
  providerId: subject,
  username: username || (emailVerified ? email : '') || subject,
  email,
  avatar_url: avatarUrl,
  avatarUrl,
});

export type Connecting = { userId: string; questionId: string; account: ConnectedAccount };

/**
 * The response with an account as the answer to a question; the same response when it is that already. Throws 400 unless
 * it is this user's and the question, on its path, asks for an account of that provider; 403 when the response is
 * submitted and may not be edited; 400 when it is and would not be complete any more.
 */
export function connectAccount(opened: Opened, { userId, questionId, account }: Connecting, now: string): Response {
  const { response, stored } = opened;
  const question = findQuestion(stored.structure, questionId)?.question;
  const isAsked = question?.type === 'OAUTH_CONNECT' && question.oauthConnect === account.provider;
  if (!isAsked || response.userId !== userId) {
    throw problems.invalid([{ pointer: '/path/questionId', detail: 'does not ask for this account any more' }]);
  }
  const content = { type: question.type, value: account };
  return setInPlace({ response, structure: stored.structure, questionId, content, now }, () => requireEditable(opened));
}

/**
 * Throws what `connectAccount` would for any account of a provider. Whether a submitted response stays complete depends
 * on the account, so that is not asked yet: the rehearsal is on a draft.
 */
export function rehearse(
  opened: Opened,
  asked: { userId: string; questionId: string; provider: ConnectProvider },
): void {
  const { userId, questionId, provider } = asked;
  const anybody = accountFrom(provider, { subject: '', username: '', email: '', emailVerified: false, avatarUrl: '' });
  const draft: Response = { ...opened.response, progress: 'DRAFT' };
  connectAccount({ ...opened, response: draft }, { userId, questionId, account: anybody }, draft.updatedAt);
  requireEditable(opened);
}
