/** Forms with questions that connect accounts, and ways to close them. */

import { type Cast, newForm } from './fixtures.ts';
import { branchedForm, save, start, text } from './responses.ts';

/** A mapping of claims that never says that an address is verified. */
export const NAMES = { subject: 'sub', username: 'name', email: 'email', emailVerified: '', avatarUrl: 'picture' };

/** A form with an account and a text question, and a response of dave to it. */
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

/** A form with an account question off the path of dave's response. */
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
