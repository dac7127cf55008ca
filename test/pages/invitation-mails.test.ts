/** The page that sends invitations by mail: the preview, what is sent, twice and again, why not, and the page that changes one. */
import { beforeEach, expect, test, vi } from 'vitest';
import { app } from '#core/http/app.ts';
import { findSlugOwner } from '#core/organizations/store.ts';
import { muteErrors } from '#test/support/console.ts';
import { newForm, newOrganization } from '#test/support/fixtures.ts';
import { newInvitation, newInvited } from '#test/support/invitations.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { pauseMails } from '#test/support/prepared.ts';
import { castAt, NOW, pass, start } from '#test/support/responses.ts';
import { locationOf } from '#test/support/visitor.ts';
import { deliverStream, runWorker } from '#test/support/workers.ts';

const { alice, bob } = await castAt();
const ownMail = ownSes();
const [admin, member] = [pagesOf(alice), pagesOf(bob)];
muteErrors();

let slug: string;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  slug = (await newOrganization(alice, bob)).slug;
});

/** A form for invited guests, with addresses of its own. */
async function formWith(count: number) {
  const { formId } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], {
    ...{ audience: 'INVITED', visibility: 'PRIVATE', title: 'Lakes' },
  });
  const emails = Array.from({ length: count }, () => `guest-${app().uuid().slice(0, 8)}@example.org`);
  for (const email of emails) await newInvitation({ formId, member: alice }, { email });
  return { formId, emails, path: `/build/${formId}/invitation-mails` };
}

type Fields = readonly (readonly [string, string])[];

const changed = (fields: Fields, changes: Record<string, string>): Fields => [
  ...fields.filter(([name]) => !(name in changes)),
  ...Object.entries(changes),
];

async function work(): Promise<void> {
  await deliverStream();
  await receiveEvents(ownMail());
  pass(61);
  await runWorker('sweep');
}

test('shows the mail and how many get it, and sends it at the second press of a button, once', async () => {
  const { formId, emails, path } = await formWith(2);
  await newInvitation({ formId, member: alice }, { label: 'On paper' });
  const page = await admin.show(path);
  expect(textOf(page)).toContain('Your organization may send 50 such mails a day; 0 were sent or queued today (UTC).');
  const typed = changed(fieldsOf(page), { subject: 'Your lake', text: 'Please <answer>.\r\nThank you', do: 'preview' });
  expect(Object.fromEntries(fieldsOf(page))).toMatchObject({ to: 'ALL', subject: 'Lakes' });
  const preview = await (await admin.post(path, typed)).text();
  expect(textOf(preview)).toContain('It goes to 2 people.');
  expect(preview).toContain('Rivers asks you to fill in “Lakes”.');
  expect(preview).toContain('Please &lt;answer&gt;.\nThank you');
  const fields = fieldsOf(preview);
  const change = await (await admin.post(path, changed(fields, { do: 'edit' }))).text();
  expect(Object.fromEntries(fieldsOf(change))).toMatchObject({
    subject: 'Your lake',
    text: 'Please <answer>.\nThank you',
  });
  const send = changed(fields, { do: 'send' });
  for (let press = 0; press < 2; press += 1)
    expect(locationOf(await admin.post(path, send))).toBe(`${path}?done=invitationsSent`);
  await work();
  expect(emails.map((email) => mailsTo(ownMail(), { email }).length)).toEqual([1, 1]);
  const after = textOf(await admin.show(path));
  expect(after).toContain('Your lake');
  expect(after).toContain('The mails of this form were sent within a day. They can be sent again from');
  // Back, another text: nothing is sent, and what was typed is not lost before the next day.
  const again = await admin.post(path, changed(send, { subject: 'Another' }));
  expect(again.status).toBe(429);
  expect(textOf(await again.text())).toContain('within a day');
  const list = textOf(await admin.show(`/build/${formId}/invitations`));
  expect(list.match(/· Sent/g)).toHaveLength(2);
});

test('offers a reminder on the next day', async () => {
  const { emails, path } = await formWith(1);
  await admin.post(path, [...Object.entries({ to: 'ALL', subject: 'Your lake', text: 'Please answer', do: 'send' })]);
  await work();
  pass(24 * 3_600);
  const later = pagesOf({ token: await app().tokens.sign({ id: alice.id, roles: ['USER'] }, app().now()) });
  const fields = fieldsOf(await later.show(path));
  expect(Object.fromEntries(fields)).toMatchObject({
    ...{ to: 'NOT_ANSWERED', subject: 'Reminder: Your lake', text: 'Please answer' },
  });
  await later.post(path, changed(fields, { do: 'send' }));
  await work();
  expect(mailsTo(ownMail(), { email: emails[0] ?? '' }).map(({ subject }) => subject)).toEqual([
    'Your lake',
    'Reminder: Your lake',
  ]);
});

test('says what is wrong with a text, beside it', async () => {
  const { path } = await formWith(1);
  for (const action of ['preview', 'send']) {
    const wrong = { to: 'ALL', subject: 'two\nlines', text: ' ', do: action };
    const response = await admin.post(path, Object.entries(wrong));
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain('href="#subject"');
    expect(page).toContain('href="#text"');
  }
});

test('is sent, stopped and resumed by admins; members see how far it is, and why it is paused', async () => {
  const { path } = await formWith(1);
  const fields = Object.entries({ to: 'ALL', subject: 'Lakes', text: 'Please answer' });
  expect(textOf(await member.show(path))).toContain('Admins of the organization send the mails.');
  for (const action of ['preview', 'send', 'stop', 'resume'])
    expect((await member.post(path, [...fields, ['do', action]])).status).toBe(403);
  await admin.post(path, [...fields, ['do', 'send']]);
  expect(await member.show(path)).not.toContain('value="stop"');
  expect(await admin.show(path)).toContain('value="stop"');
  for (let press = 0; press < 2; press += 1)
    expect(locationOf(await admin.post(path, [['do', 'stop']]))).toBe(`${path}?done=sendingStopped`);
  expect(textOf(await admin.show(path))).toContain('Stopped');
  await pauseMails(slug);
  const paused = textOf(await member.show(path));
  expect(paused).toContain('Somebody has reported a mail of your organization as unwanted.');
  expect(paused).toContain('An admin of the organization can resume them.');
  for (let press = 0; press < 2; press += 1)
    expect(locationOf(await admin.post(path, [['do', 'resume']]))).toBe(`${path}?done=mailsResumed`);
  expect(textOf(await member.show(path))).not.toContain('reported');
  expect(await findSlugOwner(app().table, slug)).toBeDefined();
});

test('says why nothing can be sent', async () => {
  const { formId, path } = await formWith(0);
  expect(textOf(await admin.show(path))).toContain('Nobody is invited yet.');
  await newInvitation({ formId, member: alice });
  const preview = await admin.post(path, Object.entries({ to: 'ALL', subject: 'Lakes', text: 'Hi', do: 'preview' }));
  const text = await preview.text();
  expect(textOf(text)).toContain('Nobody would get it.');
  expect(text).not.toContain('value="send"');
  await alice.client.forms.updateForm({ params: { formId }, body: { audience: 'ACCOUNT' } });
  expect(textOf(await admin.show(path))).toContain('The form takes no responses from invited people now');
});

test('an invitation is changed: its label, and its address until its guest has begun', async () => {
  const { formId } = await formWith(0);
  const { id, code } = await newInvitation({ formId, member: alice }, { label: 'Ms Lin' });
  const path = `/build/${formId}/invitations/${id}`;
  const saved = await member.post(
    path,
    Object.entries({ label: 'Ms Lin, row 3', email: 'lin@example.org', do: 'save' }),
  );
  const moved = locationOf(saved).split('?')[0] ?? '';
  expect(moved).not.toBe(path);
  const page = await member.show(moved);
  expect(page).toContain('value="Ms Lin, row 3"');
  expect(textOf(page)).not.toContain(code);
  // A second press finds the invitation under its new id no more, and nothing is lost.
  expect((await member.post(path, Object.entries({ label: 'x', email: '', do: 'save' }))).status).toBe(404);
  const wrong = await member.post(moved, Object.entries({ label: 'x'.repeat(101), email: 'no address', do: 'save' }));
  const shown = await wrong.text();
  expect([wrong.status, shown.includes('href="#label"'), shown.includes('href="#email"')]).toEqual([400, true, true]);
  expect(shown).toContain('value="no address"');
  const { guest } = await newInvited({ formId, member: alice }, { email: 'wu@example.org' });
  await start(guest, formId);
  const begun = await member.post(
    `/build/${formId}/invitations/${guest.id}`,
    Object.entries({ label: 'Mr Wu', email: 'other@example.org', do: 'save' }),
  );
  expect(begun.status).toBe(400);
  expect(textOf(await begun.text())).toContain('The address stays as it was');
});
