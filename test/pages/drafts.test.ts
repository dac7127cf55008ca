/** What reviewers do with drafts: see how far they are, delete some, and remind their respondents by mail. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { isWithoutMails } from '#core/organizations/guest-mails.ts';
import { loadResponses } from '#core/responses/store.ts';
import { muteErrors } from '#test/support/console.ts';
import { beforeFirstWrite, withConfig } from '#test/support/faults.ts';
import {
  clientWith,
  type FormSettings,
  newForm,
  newGuest,
  newOrganization,
  type Person,
  person,
  send,
} from '#test/support/fixtures.ts';
import { newInvited } from '#test/support/invitations.ts';
import { mailsTo, ownSes, workForMinutes } from '#test/support/mail.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { branchedForm, castAt, NOW, pass, respond, save, start, submit, text } from '#test/support/responses.ts';
import { itemsMentioning } from '#test/support/stored.ts';
import { finishDeletions } from '#test/support/sweeps.ts';

const cast = await castAt();
const ownMail = ownSes();
muteErrors();

/** An organization of its own, so that no test counts the mails of another one; bob is a member, and no admin. */
let place: { slug: string; orgId: string };
beforeEach(async () => {
  vi.setSystemTime(NOW);
  place = await newOrganization(cast.alice, cast.bob);
});

const form = async (settings: FormSettings = {}) => {
  const kinds = [{ type: 'SHORT_TEXT' as const }, { type: 'SHORT_TEXT' as const }];
  const { formId, questionIds } = await newForm(cast.alice, place.slug, [kinds], { title: 'Lakes', ...settings });
  const [first = '', second = ''] = questionIds;
  return { formId, first, second };
};

/** A token lasts an hour. */
const signedIn = async (who: Person): Promise<Person> => {
  const token = await app().tokens.sign({ id: who.id, roles: ['USER'] }, app().now());
  return { ...who, token, client: clientWith(token) };
};
const pages = async (who: Person, headers = {}) => pagesOf(await signedIn(who), headers);
const listed = async (formId: string, who = cast.bob) =>
  textOf(await (await pages(who)).show(`/review/${formId}/drafts`));
const rows = (ids: readonly string[]): [string, string][] => ids.map((id) => ['r', id]);
const isKept = async (id: string) => (await loadResponses(app().table, [id])).length === 1;

/** Presses the button that reminds of some drafts, and returns which notice follows. */
async function remind(formId: string, ids: readonly string[], headers = {}): Promise<string> {
  const alice = await pages(cast.alice, headers);
  const done = await alice.post(`/review/${formId}/drafts`, [...rows(ids), ['do', 'remind']]);
  return (done.headers.get('location') ?? '').replace(`/review/${formId}/drafts?done=`, '');
}
const mailsOf = (who: Pick<Person, 'email'>) =>
  mailsTo(ownMail(), who).filter(({ subject }) => /^(?:Not submitted yet|尚未送出)/.test(subject));

const work = () => workForMinutes(ownMail());

const DAY = 24 * 3_600;

describe('the list', () => {
  test('says how many of the questions on the path are answered and when it was saved last, and no answer', async () => {
    const { formId, first } = await form();
    const id = await start(cast.dave, formId);
    pass(3_600);
    await save(await signedIn(cast.dave), id, [text(first, 'Loch Ness')]);
    const html = await (await pages(cast.bob)).show(`/review/${formId}/drafts`);
    expect(html).toMatch(
      /Started <time datetime="2026-05-01T12:00:00.000Z".*Last saved <time datetime="2026-05-01T13:00:00.000Z"/,
    );
    expect(textOf(html)).toContain('1 of 2 questions answered.');
    expect(textOf(html)).toContain(cast.dave.email);
    expect(html).not.toContain('Loch Ness');
  });

  test('says that more may follow where the path depends on an answer that is missing', async () => {
    const branched = await branchedForm(
      { person: cast.alice, slug: place.slug },
      { first: [{ type: 'SHORT_TEXT', required: true }], yes: [{ type: 'SHORT_TEXT' }], no: [] },
    );
    const id = await start(cast.dave, branched.formId);
    expect(await listed(branched.formId)).toContain('0 of 1 question answered, and more may follow.');
    await save(cast.dave, id, [text(branched.asked, 'yes')]);
    expect(await listed(branched.formId)).toContain('1 of 2 questions answered.');
  });

  test('names guests by their label', async () => {
    const { formId } = await form({ audience: 'INVITED', visibility: 'PRIVATE' });
    const { guest } = await newInvited({ formId, member: cast.alice }, { label: 'Ward 7' });
    await start(guest, formId);
    expect(await listed(formId)).toContain('Ward 7');
  });

  test('has boxes for those who may delete only', async () => {
    const { formId } = await form();
    const id = await start(cast.dave, formId);
    expect(await (await pages(cast.alice)).show(`/review/${formId}/drafts`)).toContain(
      `<input type="checkbox" form="selection" name="r" value="${id}" aria-label="Select dave_1">`,
    );
    const bobs = await (await pages(cast.bob)).show(`/review/${formId}/drafts`);
    expect(bobs).not.toContain('name="r"');
    expect(bobs).not.toContain('Remind selected');
    for (const path of ['drafts', 'delete-selected?of=drafts']) {
      const body: [string, string][] = [
        ...rows([id]),
        ...(path === 'drafts' ? [['do', 'remind'] as [string, string]] : []),
      ];
      expect((await (await pages(cast.bob)).post(`/review/${formId}/${path}`, body)).status).toBe(403);
    }
    expect(await isKept(id)).toBe(true);
  });
});

describe('selected drafts', () => {
  test('are deleted after a question that names their respondents, and the list follows', async () => {
    const { formId } = await form();
    const [first, second] = [await start(cast.dave, formId), await start(cast.erin, formId)];
    const submitted = await respond(cast.erin, formId);
    const alice = await pages(cast.alice);
    const asked = await alice.show(`/review/${formId}/delete-selected?of=drafts&r=${first}&r=${submitted}`);
    expect(textOf(asked)).toContain('Delete 1 draft? This deletes the drafts by dave_1 with all their');
    expect(asked).toContain(`href="/review/${formId}/drafts" data-cancel`);
    expect(fieldsOf(asked)).toEqual([['r', first]]);
    for (const _press of [1, 2]) {
      const done = await alice.post(`/review/${formId}/delete-selected?of=drafts`, rows([first]));
      expect(done.headers.get('location')).toBe(`/review/${formId}/drafts?done=draftsDeleted`);
    }
    expect([await isKept(first), await isKept(second), await isKept(submitted)]).toEqual([false, true, true]);
    const none = await alice.get(`/review/${formId}/delete-selected?of=drafts&r=${first}`);
    expect(none.headers.get('location')).toBe(`/review/${formId}/drafts?done=noneSelected`);
  });

  test('are kept if they are submitted before the answer to the question', async () => {
    const { formId } = await form();
    const id = await start(cast.dave, formId);
    await submit(cast.dave, id);
    const alice = await pages(cast.alice);
    await alice.post(`/review/${formId}/delete-selected?of=drafts`, rows([id]));
    expect(await isKept(id)).toBe(true);
  });
});

describe('a reminder', () => {
  test('has the link to continue, until when, and nothing that was typed; once a day', async () => {
    const { formId, first } = await form({ title: 'Lakes of {{who}}', deadline: '2026-06-01T12:00:00.000Z' });
    const dave = await person('dave');
    const id = await start(dave, formId, [text(first, 'Loch Ness')]);
    expect(await remind(formId, [id])).toBe('reminded');
    expect(await remind(formId, [id])).toBe('noneReminded');
    await work();
    const [mail, ...others] = mailsOf(dave);
    expect(others).toEqual([]);
    const link = app().config.publicUrl.replace(/\/$/, '');
    expect(mail?.text).toContain('You began to fill in “Lakes of” of Rivers on 1 May 2026');
    expect(mail?.text).toContain('It can be submitted until 1 Jun 2026, 12:00 UTC.');
    expect(mail?.text).toContain(`\n${link}/r/${id}\n`);
    expect(mail?.text).toContain('because Rivers reminds those');
    expect(mail?.text).not.toContain('Loch Ness');
    expect(mail).toMatchObject({ html: '', subject: 'Not submitted yet: Lakes of' });
    expect(await listed(formId)).toMatch(/Reminded .*2026/);
    // The link leads to the draft.
    const shown = await (await pages(dave)).get(`/r/${id}`);
    expect([shown.status, shown.headers.get('location')]).toEqual([303, `/r/${id}/check`]);
    pass(DAY - 600);
    expect(await remind(formId, [id])).toBe('noneReminded');
    pass(600);
    expect(await remind(formId, [id])).toBe('reminded');
    await work();
    expect(mailsOf(dave)).toHaveLength(2);
  });

  test('goes to respondents with an address only, in the language of who has pressed the button', async () => {
    const { formId } = await form({ audience: 'ANYONE' });
    const dave = await person('dave');
    const ids = [await start(dave, formId), await start(await newGuest(formId), formId)];
    expect(await remind(formId, ids, { 'accept-language': 'zh-TW' })).toBe('someReminded');
    await work();
    expect(mailsOf(dave).map(({ subject }) => subject)).toEqual(['尚未送出：Lakes']);
    expect(await remind(formId, ids.slice(1))).toBe('noneReminded');
  });

  test('lets an invited guest continue on another device, unless their invitation was revoked', async () => {
    const { formId } = await form({ audience: 'INVITED', visibility: 'PRIVATE' });
    const email = `guest-${app().uuid().slice(0, 8)}@example.org`;
    const { guest, invitation } = await newInvited({ formId, member: cast.alice }, { email });
    const id = await start(guest, formId);
    expect(await remind(formId, [id])).toBe('reminded');
    await work();
    const [mail] = mailsOf({ email });
    const [, path = ''] = /\n[^ ]*(\/f\/[^ \n]+\?guest=[^ \n]+)\n/.exec(mail?.text ?? '') ?? [];
    expect((await send('GET', path, {})).status).toBe(200);
    pass(DAY);
    await (await signedIn(cast.alice)).client.invitations.updateInvitation({
      params: { formId, guestId: invitation.id },
      body: { revoked: true },
    });
    await remind(formId, [id]);
    await work();
    expect(mailsOf({ email })).toHaveLength(1);
  });

  test.each([
    ['submitted', (who: Person, id: string) => submit(who, id)],
    [
      'deleted',
      (who: Person, id: string, formId: string) =>
        who.client.responses.deleteResponse({ params: { formId, responseId: id } }),
    ],
  ] as const)('is not sent of a draft that was %s meanwhile', async (_, act) => {
    const { formId } = await form();
    const dave = await person('dave');
    const id = await start(dave, formId);
    expect(await remind(formId, [id])).toBe('reminded');
    await act(dave, id, formId);
    await work();
    expect(mailsOf(dave)).toEqual([]);
  });

  test('is not queued of a draft that is submitted while it is decided', async () => {
    const { formId } = await form();
    const dave = await person('dave');
    const id = await start(dave, formId);
    const reminded = beforeFirstWrite(
      () => remind(formId, [id]),
      () => submit(dave, id),
    );
    expect(await reminded).toBe('noneReminded');
    expect((await app().table.read([keys.reminder(id)]))[0]).toBeUndefined();
  });

  test('is not sent while the form is closed, nor of drafts of another form', async () => {
    const { formId } = await form();
    const other = await form();
    const id = await start(cast.dave, formId);
    expect(await remind(other.formId, [id])).toBe('noneReminded');
    const alice = await signedIn(cast.alice);
    await alice.client.forms.updateForm({ params: { formId }, body: { deadline: '2026-05-01T11:00:00.000Z' } });
    expect(await remind(formId, [id])).toBe('noneReminded');
    expect(await (await pages(cast.alice)).show(`/review/${formId}/drafts`)).not.toContain('Remind selected');
  });

  test('counts among the mails that an organization sends in a day', async () => {
    const { formId } = await form();
    const people = [await person('ann'), await person('ben'), await person('cat')];
    const ids = await Promise.all(people.map((who) => start(who, formId)));
    await withConfig({ maxGuestMails: 2 }, async () => {
      expect(await remind(formId, ids)).toBe('someReminded');
      expect(await remind(formId, ids)).toBe('noneReminded');
    });
    await work();
    expect(people.flatMap(mailsOf)).toHaveLength(2);
    const { body } = await (await signedIn(cast.alice)).client.orgs.getGuestMails({ params: { slug: place.slug } });
    expect(body).toMatchObject({ today: 2, queued: 2 });
  });

  test('can be ended by its reader, and is followed by none when the address does not exist', async () => {
    const { formId } = await form();
    const [dave, erin] = [
      await person('dave'),
      await person('erin', { email: `bounce+${app().uuid().slice(0, 8)}@simulator.amazonses.com` }),
    ];
    const ids = [await start(dave, formId), await start(erin, formId)];
    await remind(formId, ids);
    await work();
    const [mail] = mailsOf(dave);
    const [, end = ''] = /\n\S*(\/unsubscribe\?\S+)\n/.exec(mail?.text ?? '') ?? [];
    expect(mail?.headers['List-Unsubscribe']).toContain(end);
    expect(
      (await send('POST', end, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' })).status,
    ).toBe(200);
    expect(await isWithoutMails(app().table, place.orgId, dave.email)).toBe(true);
    expect(await listed(formId)).toContain('The reminder could not be sent: The e-mail bounced');
    const { body } = await (await signedIn(cast.alice)).client.orgs.getGuestMails({ params: { slug: place.slug } });
    expect(body).toMatchObject({ queued: 2, bounced: 1 });
    pass(DAY);
    expect(await remind(formId, ids)).toBe('noneReminded');
  });

  test('goes with its response', async () => {
    const { formId } = await form();
    const dave = await person('dave');
    const id = await start(dave, formId);
    await remind(formId, [id]);
    await work();
    await (await signedIn(dave)).client.responses.deleteResponse({ params: { formId, responseId: id } });
    await finishDeletions();
    expect(await itemsMentioning(id)).toEqual([]);
  });
});
