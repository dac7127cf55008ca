/** What tests of connecting accounts start from: forms that ask for one, and the states that forms come into. */
import { branchedForm, save, start, text } from './responses.ts';
import { type Cast, newForm } from './world.ts';

/** A mapping of claims in which everything is read but the verification of addresses. */
export const NAMES = { subject: 'sub', username: 'name', email: 'email', emailVerified: '', avatarUrl: 'picture' };

/** A form that asks for an account and for a text, and a response of dave to it. */
export async function accountForm(cast: Cast, options: { allowEditResponse?: boolean } = {}) {
  const built = await newForm(
    cast.alice,
    cast.slug,
    [[{ type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' }, { type: 'SHORT_TEXT' }]],
    options,
  );
  const [one = '', other = ''] = built.questionIds;
  return { ...built, one, other, responseId: await start(cast.dave, built.formId) };
}

/** A form whose second section asks for an account, but only those who say yes; dave has not. */
export async function branchedAccountForm(cast: Cast) {
  const { formId, asked, yes } = await branchedForm(
    { person: cast.alice, slug: cast.slug },
    { first: [{ type: 'SHORT_TEXT' }], yes: [{ type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' }], no: [] },
  );
  const responseId = await start(cast.dave, formId);
  await save(cast.dave, responseId, [text(asked, 'no')]);
  return { formId, asked, responseId, off: yes[0] ?? '' };
}

export const CLOSED_STATES = ['draft', 'archived', 'not yet open', 'closed'] as const;

/** Brings an open form into another state. */
export async function bring({ alice }: Cast, formId: string, state: (typeof CLOSED_STATES)[number]): Promise<void> {
  const { client } = alice;
  const params = { formId };
  const at = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
  if (state === 'not yet open') await client.forms.updateForm({ params, body: { publishTime: at(3_600) } });
  else if (state === 'closed') await client.forms.updateForm({ params, body: { deadline: at(-60) } });
  else await client.forms.archiveForm({ params });
  if (state === 'draft') await client.forms.unarchiveForm({ params });
}
