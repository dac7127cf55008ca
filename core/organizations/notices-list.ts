/** The list of the members who get mails about new responses to a form, as it is stored. */
import { decode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item } from '#core/db/table.ts';
import type { NoticeFrequency } from '#core/jobs/notices.ts';
import type { Language } from '#core/schema/format.ts';
import type { NoticesDocument } from './notices-model.ts';

/** How a member gets mails. `since`: when they asked for them; `language`: in which they did, if it is known. */
export type Subscription = { frequency: NoticeFrequency; since: string; language: Language | null };
export type Members = Readonly<Record<string, Subscription>>;
/** The members who get mails about a form. `version`: counts the changes. */
export type Subscriptions = { orgId: string; members: Members; version: number };

/** Parses the members of an item; undefined when nobody ever got mails about the form. */
export const parseSubscriptions = (item: Item | undefined): Subscriptions | undefined =>
  item && { ...decode<Omit<Subscriptions, 'version'>>(item), version: Number(item.version) };

/** Shows how often a user gets mails about new responses to a form. */
export async function showNotices(
  { table }: Pick<Ports, 'table'>,
  formId: string,
  userId: string,
): Promise<NoticesDocument> {
  const [item] = await table.read([keys.notices(formId)]);
  return { frequency: parseSubscriptions(item)?.members[userId]?.frequency ?? 'OFF' };
}
