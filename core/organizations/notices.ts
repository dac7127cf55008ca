/**
 * Members of an organization who get mails about new responses to a form. The form has a list of them, and its gate says since when
 * there are any, so that a form without them costs nothing. The item of each member names the forms, of which a job
 * ends the mails when they leave the organization: all three change in one transaction.
 */
import { change } from '#core/db/change.ts';
import { encode } from '#core/db/codec.ts';
import { formKey, keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Item, Write } from '#core/db/table.ts';
import {
  type Arrivals,
  arrivalsKey,
  NOTICE_FREQUENCIES,
  type NoticeFrequency,
  parseArrivals,
  queueNoticeMail,
} from '#core/jobs/notices.ts';
import { problems } from '#core/problems/problems.ts';
import { MAX_NOTICES, MAX_NOTICES_OF_MEMBER } from '#core/schema/limits.ts';
import { type Members, parseSubscriptions, type Subscription, type Subscriptions } from './notices-list.ts';
import type { NoticesDocument } from './notices-model.ts';

type FormOfMember = { formId: string; orgId: string; userId: string };

/** What a change of somebody's mails depends on. `hasGate`: the form exists. `waiting`: new responses that were not mailed yet. */
type State = {
  before: Subscriptions | undefined;
  hasGate: boolean;
  member: Item | undefined;
  waiting: Readonly<Record<NoticeFrequency, Arrivals | undefined>>;
};

async function loadState(
  { table }: Pick<Ports, 'table'>,
  { formId, userId, orgId }: Omit<FormOfMember, 'orgId'> & { orgId?: string },
): Promise<State> {
  const [item, gate, soon, daily] = await table.read([
    keys.notices(formId),
    keys.formGate(formId),
    arrivalsKey(formId, 'SOON'),
    arrivalsKey(formId, 'DAILY'),
  ]);
  const before = parseSubscriptions(item);
  const waiting = { SOON: parseArrivals(soon), DAILY: parseArrivals(daily) };
  const memberOf = orgId ?? before?.orgId;
  const [member] = memberOf === undefined ? [] : await table.read([keys.member(memberOf, userId)]);
  return { before, hasGate: gate !== undefined, member, waiting };
}

/**
 * Chooses how often a member gets mails about new responses to a form. Throws 400 when 50 members get them, or the member gets those of
 * 200 forms; 404 when the form was deleted, or they are no member any more.
 */
export const chooseNotices = (
  app: ChangePorts,
  { formId, orgId, userId }: FormOfMember,
  frequency: NoticesDocument['frequency'],
): Promise<NoticesDocument> =>
  change(app, {
    reload: () => loadState(app, { formId, orgId, userId }),
    decide: (state) => {
      const { before, hasGate, member } = state;
      const result = { frequency };
      if (!hasGate || !member) throw problems.notFound();
      if (frequency === 'OFF') return { writes: endWrites({ formId, userId }, state), result };
      const { [userId]: listed, ...others } = before?.members ?? {};
      const current = isNoted(member, formId, listed) ? listed : undefined;
      const language = app.language ?? null;
      if (current?.frequency === frequency && current.language === language) return { writes: [], result };
      if (!current && Object.keys(others).length >= MAX_NOTICES)
        throw tooMany(MAX_NOTICES, 'members get mails about a form');
      if (!current && countForms(member) >= MAX_NOTICES_OF_MEMBER)
        throw tooMany(MAX_NOTICES_OF_MEMBER, 'forms of an organization mail one member');
      // Who changes how often is still the reader of what was submitted before.
      const since = current?.since ?? app.now().toISOString();
      const next = { ...others, [userId]: { frequency, since, language } };
      const note: Write = current
        ? { check: keys.member(orgId, userId), when: { equals: { [pathTo(formId)]: since } } }
        : noteAtMember({ formId, orgId, userId }, member, since);
      const left = current && current.frequency !== frequency ? state.waiting[current.frequency] : undefined;
      const mail = current && left ? mailWaiting({ formId, userId }, current.frequency, left, app.now()) : [];
      return { writes: [note, ...replaceMembers(formId, { before, orgId, next }), ...mail], result };
    },
  });

/**
 * Builds the writes by which a member gets at once what waited for the mail that they would have got: they are not among its readers any
 * more, and may have been the only one.
 */
const mailWaiting = (
  { formId, userId }: Omit<FormOfMember, 'orgId'>,
  frequency: NoticeFrequency,
  { id, count, responseIds }: Arrivals,
  now: Date,
): Write[] => [
  { check: arrivalsKey(formId, frequency), when: { equals: { id, count } } },
  queueNoticeMail(formId, userId, { count, responseIds }, now),
];

const tooMany = (max: number, what: string) =>
  problems.invalid([{ pointer: '/body/frequency', detail: `must be OFF: at most ${max} ${what}` }]);

/** The forms about which a member gets mails, by their keys: since when. */
const formsOf = (member: Item | undefined): Readonly<Record<string, string>> =>
  (member?.notices ?? {}) as Record<string, string>;

/** The path of a form in the item of a member. */
const pathTo = (formId: string): string => `notices.${formKey(formId)}`;

/** Whether the item of a member names a form, as it does while they get its mails. */
const isNoted = (member: Item | undefined, formId: string, listed: Subscription | undefined): boolean =>
  listed !== undefined && formsOf(member)[formKey(formId)] === listed.since;

/** Builds the write that notes a form at its member, who gets mails about fewer than the most; the first form begins the map. */
const noteAtMember = ({ formId, orgId, userId }: FormOfMember, member: Item, since: string): Write =>
  countForms(member) === 0
    ? {
        update: keys.member(orgId, userId),
        set: { notices: { [formKey(formId)]: since }, noticeCount: 1 },
        when: { absent: false, below: { noticeCount: 1 } },
      }
    : {
        update: keys.member(orgId, userId),
        set: { [pathTo(formId)]: since },
        add: { noticeCount: 1 },
        when: { above: { noticeCount: 0 }, below: { noticeCount: MAX_NOTICES_OF_MEMBER } },
      };

/** Returns about how many forms a member gets mails. */
const countForms = (member: Item): number => Number(member.noticeCount ?? 0);

/** Builds the write that removes a form from its member; refused if it was removed before. */
const removeFromMember = ({ formId, orgId, userId }: FormOfMember, since: string): Write => ({
  update: keys.member(orgId, userId),
  unset: [pathTo(formId)],
  add: { noticeCount: -1 },
  when: { equals: { [pathTo(formId)]: since } },
});

type Replacement = { before: Subscriptions | undefined; orgId: string; next: Members; hasGate?: boolean };

/** Builds the writes that replace the members who get mails, and what the gate says of them. `hasGate`: the form exists. */
function replaceMembers(formId: string, { before, orgId, next, hasGate = true }: Replacement): Write[] {
  const put: Write = {
    put: { ...keys.notices(formId), ...encode({ orgId, members: next }), version: (before?.version ?? 0) + 1 },
    when: before ? { equals: { version: before.version } } : { absent: true },
  };
  if (!hasGate) return [put];
  const had = listFrequencies(before?.members ?? {});
  const has = listFrequencies(next);
  const [gate, when] = [keys.formGate(formId), { absent: false }];
  if (had.join() === has.join()) return [put, { check: gate, when }];
  if (has.length === 0) return [put, { update: gate, unset: ['notices'], when }];
  const notices = Object.fromEntries(has.map((frequency) => [frequency, firstSince(next, frequency)]));
  return [put, { update: gate, set: { notices }, when }];
}

const listFrequencies = (members: Members): NoticeFrequency[] =>
  NOTICE_FREQUENCIES.filter((frequency) => Object.values(members).some((member) => member.frequency === frequency));

/** Returns since when there has been somebody with a frequency of those who have it now. */
const firstSince = (members: Members, frequency: NoticeFrequency): string | undefined =>
  Object.values(members)
    .flatMap((member) => (member.frequency === frequency ? [member.since] : []))
    .sort()[0];

/** Builds the writes that end the mails to a member; none when they get none. */
function endWrites({ formId, userId }: Omit<FormOfMember, 'orgId'>, { before, hasGate, member }: State): Write[] {
  const { [userId]: listed, ...next } = before?.members ?? {};
  if (!before || !listed) return [];
  const { orgId } = before;
  return [
    ...(isNoted(member, formId, listed) ? [removeFromMember({ formId, orgId, userId }, listed.since)] : []),
    ...replaceMembers(formId, { before, orgId, next, hasGate }),
  ];
}

/** Which mails are meant that end: those that somebody has asked for until a time, or since exactly one. */
type Meant = { sentAt?: string; since?: string };

/**
 * Ends the mails about a form to a member; does nothing when they get none. `sentAt`: of the mail that came back, or whose reader has
 * called it unwanted; who asked for mails after it keeps them.
 */
export const endNotices = (
  { table }: Pick<Ports, 'table'>,
  form: { formId: string; userId: string },
  { sentAt, since }: Meant = {},
): Promise<void> =>
  change(
    { table },
    {
      reload: () => loadState({ table }, form),
      decide: (state) => {
        const askedAt = state.before?.members[form.userId]?.since ?? '';
        const isMeant = (sentAt === undefined || askedAt <= sentAt) && (since === undefined || askedAt === since);
        return { writes: isMeant ? endWrites(form, state) : [], result: undefined };
      },
    },
  );

/** Removes a deleted form from the members who got mails about it. */
export async function forgetNotices({ table }: Pick<Ports, 'table'>, formId: string): Promise<void> {
  const subscriptions = parseSubscriptions((await table.read([keys.notices(formId)]))[0]);
  if (!subscriptions) return;
  const { orgId, members } = subscriptions;
  for (const [userId, { since }] of Object.entries(members))
    await wasWritten(table, [removeFromMember({ formId, orgId, userId }, since)]);
}
