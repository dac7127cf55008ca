/** The pages of invitations, as browsers without scripts request them: a guest with a code, and the members who invite. */
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { loadResponses } from '#core/responses/store.ts';
import { withConfig } from '#test/support/faults.ts';
import { newCast, newForm, send } from '#test/support/fixtures.ts';
import { guestWith, newInvitation } from '#test/support/invitations.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { start } from '#test/support/responses.ts';
import { everythingStored } from '#test/support/stored.ts';
import { locationOf, newBrowser } from '#test/support/visitor.ts';

const ORIGIN = 'http://127.0.0.1:3000';
const cast = await newCast();
const { alice, bob, dave, slug } = cast;

async function formForInvited(settings: { oncePerPerson?: boolean } = {}) {
  const { formId, questionIds } = await newForm(
    alice,
    slug,
    [[{ type: 'SHORT_TEXT', required: true, title: 'Which lake?' }]],
    { audience: 'INVITED', visibility: 'PRIVATE', title: 'Lakes', ...settings },
  );
  return { formId, questionId: questionIds[0] ?? '', member: bob };
}

describe('a guest with a code', () => {
  test('goes from the link to the form, and the code stays in no address', async () => {
    const form = await formForInvited();
    const { formId } = form;
    const { link, code } = await newInvitation(form, { label: 'Ms Lin' });
    const browser = newBrowser();
    const before = await everythingStored();
    const opened = await browser.get(link.replace(ORIGIN, ''));
    expect([opened.status, locationOf(opened)]).toEqual([303, `/f/${formId}/code`]);
    expect(opened.headers.get('referrer-policy')).toBe('no-referrer');
    expect(opened.headers.get('x-robots-tag')).toBe('noindex');
    expect(opened.headers.getSetCookie()).toEqual([
      `invitation_code=${code}; Max-Age=600; Path=/f/${formId}/code; HttpOnly; SameSite=Lax`,
    ]);
    const page = await browser.show(`/f/${formId}/code`);
    expect(fieldsOf(page)).toEqual([['code', code]]);
    expect(textOf(page)).not.toContain('Lakes');
    // A program that opens the link in a mail changes nothing.
    expect(await everythingStored()).toEqual(before);
    const entered = await browser.post(`/f/${formId}/code`, fieldsOf(page));
    expect([entered.status, locationOf(entered)]).toEqual([303, `/f/${formId}`]);
    expect([...browser.jar.keys()]).toEqual([`guest_${formId.slice(0, 18)}`]);
    const landing = await browser.show(`/f/${formId}`);
    expect(textOf(landing)).toContain('You respond with an invitation');
    expect(landing).not.toContain('/sign-in');
    const started = await browser.post(`/f/${formId}/start`, fieldsOf(landing));
    expect(locationOf(started)).toMatch(/^\/r\//);
  });

  test('types it, is told of a wrong one, and finds the same draft on another device', async () => {
    const form = await formForInvited();
    const { formId } = form;
    const { code } = await newInvitation(form);
    const [one, other] = [newBrowser(), newBrowser()];
    // Without a credential the form itself says nothing but that it asks for a code.
    expect(locationOf(await one.get(`/f/${formId}`))).toBe(`/f/${formId}/code`);
    const wrong = await one.post(`/f/${formId}/code`, [['code', '0001-AAAA-AAAA-AAA']]);
    const page = await wrong.text();
    expect([wrong.status, one.jar.size]).toEqual([400, 0]);
    expect(textOf(page)).toContain('This is not the code of an invitation to this form');
    expect(fieldsOf(page)).toEqual([['code', '0001-AAAA-AAAA-AAA']]);
    await one.post(`/f/${formId}/code`, [['code', code.toLowerCase()]]);
    const draft = locationOf(await one.post(`/f/${formId}/start`, fieldsOf(await one.show(`/f/${formId}`))));
    await other.post(`/f/${formId}/code`, [
      ['code', code],
      ['keep', 'on'],
    ]);
    expect(await other.show(`/f/${formId}`)).toContain(`href="${draft}"`);
  });

  test('sees of a submission on another device its reference and time, and cannot start again where each responds once', async () => {
    const form = await formForInvited({ oncePerPerson: true });
    const { formId, questionId } = form;
    const { code } = await newInvitation(form);
    const [one, other] = [newBrowser(), newBrowser()];
    await one.post(`/f/${formId}/code`, [['code', code]]);
    const token = [...one.jar.values()][0]?.value ?? '';
    const answers = [{ questionId, questionType: 'SHORT_TEXT', value: 'Loch Ness' }];
    const submitted = await send('POST', `/api/forms/${formId}/responses`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ answers, submit: true }),
    });
    const { id } = (await submitted.json()) as { id: string };
    expect(await one.show(`/f/${formId}`)).toContain(`href="/r/${id}/done"`);
    const { now } = app();
    const later = new Date(now().getTime() + 5_000);
    await other.post(`/f/${formId}/code`, [['code', code]]);
    const guest = await app().tokens.verifyGuest([...other.jar.values()][0]?.value ?? '', now());
    const link = await app().tokens.signGuest(
      {
        ...guest,
        id: guest?.id ?? '',
        roles: [],
        guestOf: formId.slice(0, 18),
        codeAt: Math.floor(later.getTime() / 1_000),
      },
      now(),
    );
    other.jar.set(`guest_${formId.slice(0, 18)}`, { value: link, path: '/' });
    const landing = await other.show(`/f/${formId}`);
    expect(textOf(landing)).toContain('Reference: ');
    expect(textOf(landing)).toContain('Each person responds once.');
    expect(landing).not.toContain(`/r/${id}`);
    expect(landing).not.toContain(`/f/${formId}/start`);
    expect((await other.get(`/r/${id}/done`)).status).not.toBe(200);
  });

  test('begins with the answers that the invitation fills in, and those of the link first', async () => {
    const form = await formForInvited();
    const { formId, questionId } = form;
    const { code } = await newInvitation(form, { prefill: { [`q.${questionId}`]: 'Loch Ness' } });
    const browser = newBrowser();
    await browser.post(`/f/${formId}/code`, [['code', code]]);
    expect(fieldsOf(await browser.show(`/f/${formId}`))).toContainEqual([`q.${questionId}`, 'Loch Ness']);
    const other = fieldsOf(await browser.show(`/f/${formId}?q.${questionId}=Windermere`));
    expect(other.filter(([name]) => name.startsWith('q.'))).toEqual([[`q.${questionId}`, 'Windermere']]);
  });
});

test('what an invitation says for a hidden question stays, whatever a link or a form says', async () => {
  const { formId, questionIds } = await newForm(
    alice,
    slug,
    [
      [
        { type: 'SHORT_TEXT', title: 'From', name: 'source', hidden: true },
        { type: 'SHORT_TEXT', title: 'Which lake?' },
      ],
    ],
    { audience: 'INVITED', visibility: 'PRIVATE' },
  );
  const [hiddenId = '', shownId = ''] = questionIds;
  const prefill = { 'q.Source': 'poster', [`q.${shownId}`]: 'Loch Ness' };
  const { code } = await newInvitation({ formId, member: bob }, { prefill });
  const browser = newBrowser();
  await browser.post(`/f/${formId}/code`, [['code', code]]);
  const landing = await browser.show(`/f/${formId}?q.${hiddenId}=forged&q.${shownId}=Windermere`);
  const started = await browser.post(`/f/${formId}/start`, fieldsOf(landing));
  const responseId = /\/r\/([^/]+)/.exec(locationOf(started))?.[1] ?? '';
  const { answers } = (await loadResponses(app().table, [responseId]))[0] ?? {};
  expect([answers?.[hiddenId]?.value, answers?.[shownId]?.value]).toEqual(['poster', 'Windermere']);
});

test('somebody who is signed in without an invitation is asked for a code, and responds as the guest once they have it', async () => {
  const form = await formForInvited();
  const { formId } = form;
  const { code, id } = await newInvitation(form);
  const browser = newBrowser({ session: dave });
  const landing = await browser.show(`/f/${formId}`);
  expect(landing).toContain(`href="/f/${formId}/code"`);
  expect(landing).not.toContain(`/f/${formId}/start`);
  expect((await browser.post(`/f/${formId}/start`)).status).toBe(403);
  await browser.post(`/f/${formId}/code`, [['code', code]]);
  const started = await browser.post(`/f/${formId}/start`, fieldsOf(await browser.show(`/f/${formId}`)));
  expect(started.status).toBe(303);
  const { body } = await bob.client.responses.listResponses({ params: { formId } });
  expect(body.responses.map(({ submittedBy }) => submittedBy)).toEqual([id]);
});

test('a form that takes no guests leads to sign-in from the page of codes, as an unknown one does', async () => {
  const { formId } = await newForm(alice, slug, [[]]);
  for (const unknown of [formId, crypto.randomUUID()]) {
    const path = `/f/${unknown}/code`;
    expect(locationOf(await newBrowser().get(path))).toBe(`/sign-in?to=${encodeURIComponent(path)}`);
  }
  const invited = await formForInvited();
  await withConfig({ guests: false }, async () => {
    expect(locationOf(await newBrowser().get(`/f/${invited.formId}`))).toContain('/sign-in');
    // Whoever has begun may come back with the code, and nobody else.
    const [begun, late] = [await newInvitation(invited), await newInvitation(invited)];
    await withConfig({ guests: true }, async () => start(await guestWith(invited.formId, begun.code), invited.formId));
    const enter = async (code: string) =>
      (await newBrowser().post(`/f/${invited.formId}/code`, [['code', code]])).status;
    expect([await enter(begun.code), await enter(late.code)]).toEqual([303, 401]);
  });
});

describe('a member', () => {
  const pages = pagesOf(bob);

  test('chooses invited people on the page Share, which makes the form private, and once each', async () => {
    const { formId } = await newForm(alice, slug, [[]], { visibility: 'PUBLIC' });
    const choose = (fields: [string, string][]) =>
      pages.post(`/build/${formId}/share`, [['do', 'audience'], ...fields]);
    const read = async () => {
      const { body } = await alice.client.forms.getForm({ params: { formId } });
      return [body.audience, body.visibility, body.oncePerPerson];
    };
    expect(
      (
        await choose([
          ['audience', 'INVITED'],
          ['once', 'on'],
        ])
      ).status,
    ).toBe(303);
    expect(await read()).toEqual(['INVITED', 'PRIVATE', true]);
    const page = textOf(await pages.show(`/build/${formId}/share`));
    expect(page).toContain('People whom you invite');
    expect(page).toContain('only invited people respond');
    // Of strangers nobody knows how often they respond.
    expect(
      (
        await choose([
          ['audience', 'ANYONE'],
          ['once', 'on'],
        ])
      ).status,
    ).toBe(303);
    expect(await read()).toEqual(['ANYONE', 'PRIVATE', false]);
  });

  test('invites pasted lines, and sees each with its state', async () => {
    const { formId } = await formForInvited();
    const path = `/build/${formId}/invitations`;
    const shown = await pages.show(path);
    const lines = 'lin@example.org\tMs Lin\r\n\r\nMr Wu\nchen@example.org\n\tNumber 7\t room 2';
    const posted = await pages.post(path, [...fieldsOf(shown).filter(([name]) => name === 'id'), ['guests', lines]]);
    expect(locationOf(posted)).toBe(`${path}?done=invited`);
    const { body } = await bob.client.invitations.listInvitations({ params: { formId } });
    expect(body.invitations.map(({ email, label }) => [email, label])).toEqual([
      ['lin@example.org', 'Ms Lin'],
      [null, 'Mr Wu'],
      ['chen@example.org', null],
      [null, 'Number 7 room 2'],
    ]);
    const list = textOf(await pages.show(path));
    for (const text of ['Ms Lin', 'lin@example.org', 'Mr Wu', 'Not started', body.invitations[0]?.code ?? '?'])
      expect(list).toContain(text);
  });

  test('is told which lines are wrong, and keeps what was typed', async () => {
    const { formId } = await formForInvited();
    const path = `/build/${formId}/invitations`;
    for (const [lines, message] of [
      ['lin@\tMs Lin\nMr Wu\n@', 'Correct these lines: 1 “lin@ Ms Lin”, 3 “@”.'],
      [' \n', 'Enter a line for each person'],
      [Array.from({ length: 901 }, (_, index) => `Nr ${index}`).join('\n'), 'Enter at most 900 lines at once'],
    ] as const) {
      const refused = await pages.post(path, [['guests', lines]]);
      const page = await refused.text();
      expect(refused.status).toBe(400);
      expect(textOf(page)).toContain(message);
      expect(new Map(fieldsOf(page)).get('guests')).toBe(lines);
    }
    const { body } = await bob.client.invitations.listInvitations({ params: { formId } });
    expect(body.invitations).toEqual([]);
  });

  test('invites more people than one request takes, once, however often the button is pressed', async () => {
    const { formId } = await formForInvited();
    const path = `/build/${formId}/invitations`;
    const id = fieldsOf(await pages.show(path)).filter(([name]) => name === 'id');
    const guests = Array.from({ length: 200 }, (_, index) => `Nr ${index + 1}`).join('\n');
    for (let press = 0; press < 2; press += 1) await pages.post(path, [...id, ['guests', guests]]);
    const csv = await (await pages.get(`/build/${formId}/invitation-links`)).text();
    const rows = csv.trimEnd().split('\r\n');
    expect(rows).toHaveLength(201);
    expect(rows.at(-1)).toContain('"200","Nr 200"');
    const first = await pages.show(path);
    expect(first).toContain('?cursor=');
  });

  test('replaces a code, revokes, and deletes as an admin', async () => {
    const form = await formForInvited();
    const { formId } = form;
    const { id, code, link } = await newInvitation(form, { label: 'Ms Lin' });
    const path = `/build/${formId}/invitations/${id}`;
    const page = await pages.show(path);
    expect(textOf(page)).toContain(code);
    expect(page).toContain(link.replaceAll('&', '&amp;'));
    expect(page).not.toContain(`${path}/delete`);
    expect(locationOf(await pages.post(path, [['do', 'newCode']]))).toBe(`${path}?done=codeReplaced`);
    expect(textOf(await pages.show(path))).not.toContain(code);
    expect(locationOf(await pages.post(path, [['do', 'revoke']]))).toBe(`${path}?done=invitationRevoked`);
    expect(textOf(await pages.show(path))).toContain('This invitation is revoked');
    expect((await pages.post(`${path}/delete`)).status).toBe(403);
    const admin = pagesOf(alice);
    expect(textOf(await admin.show(`${path}/delete`))).toContain('Delete Ms Lin?');
    for (let press = 0; press < 2; press += 1)
      expect(locationOf(await admin.post(`${path}/delete`))).toBe(
        `/build/${formId}/invitations?done=invitationDeleted`,
      );
    expect((await admin.get(path)).status).toBe(404);
  });

  test('downloads the links, of which no cell is a formula', async () => {
    const form = await formForInvited();
    const { link, code } = await newInvitation(form, { email: 'lin@example.org', label: '=1+1 "x"' });
    const file = await pages.get(`/build/${form.formId}/invitation-links`);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toContain('Lakes.csv');
    const text = Buffer.from(await file.arrayBuffer()).toString();
    expect(text).toBe(
      `\ufeff"Number","Label","Address","Code","Link","State"\r\n"1","'=1+1 ""x""","lin@example.org","${code}","${link}","Not started"\r\n`,
    );
  });

  test('prints the codes of those who are not revoked, with pictures of their links', async () => {
    const form = await formForInvited();
    const { formId } = form;
    const [stays, gone] = [await newInvitation(form, { label: '<Lin>' }), await newInvitation(form)];
    await bob.client.invitations.updateInvitation({ params: { formId, guestId: gone.id }, body: { revoked: true } });
    const page = await pages.show(`/build/${formId}/invitation-sheet`);
    expect(page).toContain(stays.code);
    expect(page).not.toContain(gone.code);
    expect(page).toContain('&lt;Lin&gt;');
    expect(page.match(/role="img"/g)).toHaveLength(1);
    expect(page).toContain('<svg');
  });
});
