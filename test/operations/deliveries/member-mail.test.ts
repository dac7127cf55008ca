/** The mail to a person who was added to an organization. */
import { describe, expect, test } from 'vitest';
import { loadAccount } from '#core/accounts/accounts.ts';
import { keys } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { deletePerson } from '#core/deletion/person.ts';
import { app } from '#core/http/app.ts';
import { parseJob } from '#core/jobs/job.ts';
import { memberMails } from '#core/mail/member-mail.ts';
import type { MemberMail } from '#core/organizations/model.ts';
import { addMember } from '#core/organizations/service.ts';
import { SesError } from '#stacks/local/mail/ses-query.ts';
import { muteErrors } from '#test/support/console.ts';
import { listTraces } from '#test/support/deletion.ts';
import { dyingAfter, withTable } from '#test/support/faults.ts';
import { newOrganization, type Person, person, send, writingApp } from '#test/support/fixtures.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { castAt, pass } from '#test/support/responses.ts';
import { itemsMentioning } from '#test/support/stored.ts';
import { finishDeletions, runSweep, sweepIn } from '#test/support/sweeps.ts';

const cast = await castAt();
const ownMail = ownSes();
muteErrors();

const { alice } = cast;
const add = (slug: string, { email }: Person, headers: Record<string, string> = {}) =>
  alice.client.orgs.addMember({ params: { slug }, body: { email }, headers });
const remove = (slug: string, { id }: Person) => alice.client.orgs.removeMember({ params: { slug, memberId: id } });

/** An organization of alice, and a person who is to be added to it. */
async function invited() {
  return { ...(await newOrganization(alice)), member: await person('erin') };
}

const loadItem = async (orgId: string, { id }: Person) => (await app().table.read([keys.memberMail(orgId, id)]))[0];

/** Sweeps for half an hour, in which all events of SES arrive. */
async function sendAll(): Promise<void> {
  for (const seconds of [0, 20 * 60, 30 * 60]) {
    await sweepIn(seconds);
    await receiveEvents(ownMail());
  }
}

const subjectsTo = (member: Person): string[] => mailsTo(ownMail(), member).map(({ subject }) => subject);

test('goes to the person once, names the organization and who added them, and leaves nothing behind', async () => {
  const { slug, orgId, member } = await invited();
  await add(slug, member);
  await sendAll();
  const [mail, ...others] = mailsTo(ownMail(), member);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('You were added to Rivers');
  expect(mail?.text).toMatch(/^alice\w* added you to this organization\./m);
  expect(mail?.text).toContain(`Open the organization: http://127.0.0.1:3000/o/${slug}\n`);
  expect(textOf(await pagesOf(member).show(`/o/${slug}`))).toContain('Rivers');
  const signedOut = await send('GET', `/o/${slug}`, {});
  expect(signedOut.headers.get('location')).toBe(`/sign-in?${new URLSearchParams({ to: `/o/${slug}` })}`);
  expect(await loadItem(orgId, member)).toBeUndefined();
});

test('is in the language of the admin, because that of the person is not known', async () => {
  const { slug, member } = await invited();
  await add(slug, member, { 'accept-language': 'zh-TW' });
  await sendAll();
  expect(subjectsTo(member)).toEqual(['你已加入組織：Rivers']);
});

describe('is sent once', () => {
  test.for<[string, (slug: string, member: Person) => Promise<unknown>]>([
    ['when the person is added again', (slug, member) => add(slug, member)],
    [
      'when they become an admin',
      (slug, { id }) => alice.client.orgs.updateMember({ params: { slug, memberId: id }, body: { role: 'ADMIN' } }),
    ],
    ['when they create an organization of their own', (_, member) => newOrganization(member)],
  ])('%s', async ([, change]) => {
    const { slug, member } = await invited();
    await add(slug, member);
    await change(slug, member);
    await sendAll();
    await change(slug, member);
    await sendAll();
    expect(subjectsTo(member)).toEqual(['You were added to Rivers']);
  });

  test('when several requests add the person at once', async () => {
    const { slug, member } = await invited();
    await Promise.all(Array.from({ length: 5 }, () => add(slug, member)));
    await sendAll();
    expect(subjectsTo(member)).toHaveLength(1);
  });

  test.for([
    {},
    { 'idempotency-key': crypto.randomUUID() },
  ])('when the response of the table is lost, %o', async (headers) => {
    const { slug, member } = await invited();
    const losing = ({ write }: Table): Partial<Table> => ({
      async write(writes) {
        await write(writes);
        if (writes.some((one) => 'put' in one && one.put.sk.startsWith('MEMBER#'))) throw new Error('it was lost');
      },
    });
    await expect(withTable(losing, () => add(slug, member, headers))).rejects.toMatchObject({ status: 500 });
    await sendAll();
    expect((await add(slug, member, headers)).status).toBe(201);
    await sendAll();
    expect(subjectsTo(member)).toHaveLength(1);
  });

  test('when the response of SES is lost', async () => {
    const { slug, orgId, member } = await invited();
    await add(slug, member);
    ownMail().ses.behave({ loseResponse: true });
    await runSweep();
    ownMail().ses.behave({ loseResponse: false });
    await sendAll();
    expect(subjectsTo(member)).toHaveLength(1);
    expect(await loadItem(orgId, member)).toBeUndefined();
  });

  test('when the worker dies after it was sent', async () => {
    const { slug, orgId, member } = await invited();
    await add(slug, member);
    await expect(withTable(dyingAfter(1), () => sweepIn(0))).rejects.toThrow('the process died');
    expect(subjectsTo(member)).toHaveLength(1);
    await sendAll();
    expect(subjectsTo(member)).toHaveLength(1);
    expect(await loadItem(orgId, member)).toBeUndefined();
  });
});

describe('is not sent, and nothing of it stays,', () => {
  test.for<[string, (slug: string, member: Person) => Promise<unknown>]>([
    ['when the person was removed', remove],
    ['when the organization is being deleted', (slug) => alice.client.orgs.deleteOrganization({ params: { slug } })],
    ['when the person was deleted', (_, { id }) => deletePerson(writingApp(), id)],
  ])('%s', async ([, end]) => {
    const { slug, orgId, member } = await invited();
    await add(slug, member);
    const job = parseJob<MemberMail>(await loadItem(orgId, member));
    if (!job) throw new Error('the mail was queued');
    await end(slug, member);
    // A worker may have claimed it before.
    expect(await memberMails.attempt(app(), [job])).toEqual([{ result: 'done' }]);
    await finishDeletions();
    await sendAll();
    expect(subjectsTo(member)).toEqual([]);
    expect(await loadItem(orgId, member)).toBeUndefined();
  });

  test('with the organization, also of a mail that was refused for good', async () => {
    const { slug, orgId, member } = await invited();
    await add(slug, member);
    ownMail().ses.behave({ failWith: new SesError('MessageRejected', 'Address blacklisted.') });
    for (const hours of [0, 1, 74]) await sweepIn(hours * 3_600);
    ownMail().ses.behave({ failWith: null });
    expect(await loadItem(orgId, member)).toMatchObject({ state: 'FAILED', expiresAt: expect.any(Number) });
    await alice.client.orgs.deleteOrganization({ params: { slug } });
    await finishDeletions();
    expect(await listTraces(orgId)).toEqual([]);
  });

  test('with the person, except for the count of their mails, which expires', async () => {
    const { slug, member } = await invited();
    await add(slug, member);
    await deletePerson(writingApp(), member.id);
    expect(await itemsMentioning(member.id)).toEqual([expect.stringMatching(/^RATE#member-mail#/)]);
  });
});

test('is sent ten times a day; then the person is added without one, which the page says', async () => {
  const { slug, orgId, member } = await invited();
  for (let count = 0; count < 10; count += 1) {
    await add(slug, member);
    await runSweep();
    await remove(slug, member);
  }
  expect(subjectsTo(member)).toHaveLength(10);
  const path = `/o/${slug}/members`;
  const post = () =>
    pagesOf(alice).post(path, [
      ['email', member.email],
      ['do', 'add'],
    ]);
  expect((await post()).headers.get('location')).toBe(`${path}?done=memberAdded`);
  await sendAll();
  expect(subjectsTo(member)).toHaveLength(10);
  await remove(slug, member);
  pass(24 * 3_600);
  const account = await loadAccount(app().table, member.id);
  if (!account) throw new Error('the person has an account');
  expect(await addMember(writingApp(), orgId, { account, addedBy: alice.id, maxOrganizations: 50 })).toBe(true);
});
