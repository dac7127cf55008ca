/** The pages for people who confirm an address, as browsers without scripts request them: from the bare link to the answers. */
import { afterAll, describe, expect, test, vi } from 'vitest';
import { formKey } from '#core/db/keys.ts';
import { askForLink, become, linkIn, newAddress, newAddressed, tokenIn } from '#test/support/addresses.ts';
import { withConfig } from '#test/support/faults.ts';
import { PICTURES } from '#test/support/files.ts';
import { newCast, newForm, send } from '#test/support/fixtures.ts';
import { newInvited } from '#test/support/invitations.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { newProof } from '#test/support/prepared.ts';
import { pass, respond, start, text } from '#test/support/responses.ts';
import { everythingStored } from '#test/support/stored.ts';
import { sweepIn } from '#test/support/sweeps.ts';
import { locationOf, newBrowser, solvedFields } from '#test/support/visitor.ts';
import { deliverStream } from '#test/support/workers.ts';

const ORIGIN = 'http://127.0.0.1:3000';
vi.useFakeTimers({ toFake: ['Date'] });
afterAll(() => {
  vi.useRealTimers();
});
const { alice, bob, dave, slug } = await newCast();
const ownMail = ownSes();

const formForAddresses = async (settings: Parameters<typeof newForm>[3] = {}) =>
  (
    await newForm(alice, slug, [[{ type: 'SHORT_TEXT', title: 'Which lake?' }]], {
      ...{ audience: 'EMAIL', visibility: 'PRIVATE', title: 'Lakes' },
      ...settings,
    })
  ).formId;

/** The path of the newest link that was mailed to an address. */
async function newestLink(email: string): Promise<string> {
  await sweepIn(0);
  await receiveEvents(ownMail());
  return linkIn(mailsTo(ownMail(), { email }).at(-1)?.text);
}

test('somebody begins a form from its bare link by an address, without scripts, and comes back by the link', async () => {
  const formId = await formForAddresses();
  const email = newAddress();
  const browser = newBrowser();
  const entry = locationOf(await browser.get(`/f/${formId}`));
  expect(entry).toBe(`/f/${formId}/address`);
  const asked = await browser.show(entry);
  expect(textOf(asked)).toContain('Rivers asks for your address.');
  // The title is for those who are let in.
  expect(asked).not.toContain('Lakes');
  const waiting = await browser.post(entry, [['email', ` ${email} `]]);
  const page = await waiting.text();
  expect([waiting.status, textOf(page).includes('Please wait 20 seconds, then press the button.')]).toEqual([
    429,
    true,
  ]);
  expect(page).not.toContain('Lakes');
  expect((await browser.post(entry, fieldsOf(page))).status).toBe(429);
  pass(21);
  const sent = await browser.post(entry, fieldsOf(page));
  expect([sent.status, locationOf(sent)]).toEqual([303, `${entry}?done=sent`]);
  const told = await browser.show(locationOf(sent));
  expect(textOf(told)).toContain(`We have sent a link to ${email}`);
  expect(browser.jar.has(`guest_${formKey(formId)}`)).toBe(false);
  const link = await newestLink(email);
  const begun = await browser.post(link.split('?')[0] ?? '', fieldsOf(await browser.show(link)));
  expect(locationOf(begun)).toBe(`/f/${formId}`);
  const landing = await browser.show(`/f/${formId}`);
  expect(textOf(landing)).toContain(`You respond as ${email}: the organization sees this address.`);
  const draft = locationOf(await browser.post(`/f/${formId}/start`, fieldsOf(landing)));
  expect(draft).toMatch(/^\/r\//);
  // Tomorrow, in another browser, by the same link.
  const other = newBrowser();
  const resumed = await other.post(link.split('?')[0] ?? '', fieldsOf(await other.show(link)));
  expect(await other.show(locationOf(resumed))).toContain(`href="${draft}">Continue</a>`);
});

test('a form whose places are all taken says so before it asks for an address, which finds what was begun', async () => {
  const settings = { audience: 'EMAIL', visibility: 'PRIVATE', title: 'Lakes', maxResponses: 1 } as const;
  const { formId, questionIds } = await newForm(
    alice,
    slug,
    [[{ type: 'SHORT_TEXT', title: 'Which lake?' }]],
    settings,
  );
  const path = `/f/${formId}/address`;
  expect(await newBrowser().show(path)).not.toContain('All places are taken');
  await respond(await newAddressed(formId), formId, [text(questionIds[0] ?? '', 'Ness')]);
  const full = textOf(await newBrowser().show(path));
  expect(full).toContain('All places are taken This form takes no more responses, unless somebody withdraws theirs.');
  expect(full).toContain('If you have begun it before, we send you a link with which you find your answers.');
  expect(full).not.toContain('Lakes');
});

test('without scripts the wait says why, and a button that is pressed too early that the wait begins anew', async () => {
  const path = `/f/${await formForAddresses()}/address`;
  const browser = newBrowser();
  const first = await (await browser.post(path, [['email', newAddress()]])).text();
  expect(textOf(first)).toContain('The wait keeps programs from sending this in great numbers.');
  expect(textOf(first)).not.toContain('please wait again');
  const again = await browser.post(path, fieldsOf(first));
  expect([again.status, textOf(await again.text())]).toEqual([
    429,
    expect.stringContaining('It was too soon, or many people are waiting: please wait again.'),
  ]);
});

test('the page of the address is in both languages, in no search engine and no history of other sites', async () => {
  const path = `/f/${await formForAddresses()}/address`;
  for (const [language, title] of [
    ['en', 'Enter your e-mail address'],
    ['zh-TW', '輸入你的電子郵件地址'],
  ] as const) {
    const response = await newBrowser({ language }).get(path);
    expect(textOf(await response.text())).toContain(title);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    expect(response.headers.get('cache-control')).toBe('no-store');
  }
});

test('browsers name no origin from pages whose address is told to nobody; such a form is taken from the same origin only', async () => {
  const path = `/f/${await formForAddresses()}/address`;
  const post = async (site: string) => {
    const headers = { origin: 'null', 'sec-fetch-site': site, 'content-type': 'application/x-www-form-urlencoded' };
    return (await send('POST', path, { headers, body: 'email=ada' })).status;
  };
  expect(await post('same-origin')).toBe(400);
  for (const site of ['cross-site', 'same-site', 'none', '']) expect(await post(site)).toBe(403);
});

test('an address that is none is shown again with what is wrong, and stores nothing', async () => {
  const path = `/f/${await formForAddresses()}/address`;
  const before = await everythingStored();
  for (const typed of ['', 'ada', 'ada@example', 'ada @example.org', '<b>@example.org']) {
    const refused = await newBrowser().post(path, [['email', typed]]);
    const page = await refused.text();
    expect([typed, refused.status, textOf(page).includes('Enter an e-mail address such as')]).toEqual([
      typed,
      400,
      true,
    ]);
    expect(fieldsOf(page)).toContainEqual(['email', typed]);
  }
  expect(await everythingStored()).toEqual(before);
});

test('a lost reply, and the button that sends again, mail again up to three times an hour', async () => {
  const formId = await formForAddresses();
  const path = `/f/${formId}/address`;
  const email = newAddress();
  const browser = newBrowser();
  const ask = async () => {
    const { challenge, solution } = await newProof(formId);
    const sent = await browser.post(path, [
      ...fieldsOf(await browser.show(`${path}?done=sent`)).filter(([name]) => name !== 'email'),
      ['email', email],
      ['challenge', challenge],
      ['solution', solution],
    ]);
    expect(locationOf(sent)).toBe(`${path}?done=sent`);
    await newestLink(email);
  };
  for (let count = 0; count < 5; count += 1) await ask();
  expect(mailsTo(ownMail(), { email })).toHaveLength(3);
  expect(fieldsOf(await browser.show(`${path}?done=sent`))).toEqual([['email', email]]);
  // The address can be corrected.
  expect(fieldsOf(await browser.show(path))).toEqual([['email', email]]);
});

test('the same proof sends one mail', async () => {
  const formId = await formForAddresses();
  const path = `/f/${formId}/address`;
  const email = newAddress();
  const browser = newBrowser();
  const solved = solvedFields(await (await browser.post(path, [['email', email]])).text());
  const statuses = (await Promise.all([1, 2, 3].map(() => browser.post(path, solved)))).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([303, 429, 429]);
});

test('nobody is asked for an address by a form that does not exist, is closed to guests, or asks for none', async () => {
  const formId = await formForAddresses();
  const forAccounts = (await newForm(alice, slug, [[]])).formId;
  const forAnyone = (await newForm(alice, slug, [[]], { audience: 'ANYONE' })).formId;
  const draft = (await newForm(alice, slug, [[]], { audience: 'EMAIL', visibility: 'PRIVATE', publish: false })).formId;
  const visit = async (id: string) => locationOf(await newBrowser().get(`/f/${id}/address`));
  for (const id of [forAccounts, forAnyone, draft, crypto.randomUUID()]) expect(await visit(id)).toMatch(/^\/sign-in/);
  await withConfig({ guests: false }, async () => {
    expect(await visit(formId)).toMatch(/^\/sign-in/);
    expect(locationOf(await newBrowser().get(`/f/${formId}`))).toMatch(/^\/sign-in/);
  });
});

describe('a form that is closed', () => {
  const update = (formId: string, body: object) => alice.client.forms.updateForm({ params: { formId }, body });
  const close = async (formId: string) => {
    await update(formId, { deadline: new Date(Date.now() + 30_000).toISOString() });
    pass(31);
  };

  test('admits nobody again who has confirmed an address and begun nothing', async () => {
    const formId = await formForAddresses();
    const email = newAddress();
    await askForLink(formId, email);
    const link = await newestLink(email);
    expect((await become(formId, { link: tokenIn(link) })).status).toBe(201);
    await close(formId);
    expect(locationOf(await newBrowser().get(link))).toBe(`/f/${formId}`);
    const refused = await become(formId, { link: tokenIn(link) });
    expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ code: 'form_not_open' })]);
  });

  test('says so in place of asking for an address, which leads only those back who have begun', async () => {
    const formId = await formForAddresses();
    const [begun, curious] = [await newAddressed(formId), newAddress()];
    await start(begun, formId);
    await askForLink(formId, curious);
    const link = await newestLink(curious);
    const browser = newBrowser();
    const asked = await browser.show(link);
    await close(formId);
    const page = textOf(await browser.show(`/f/${formId}/address`));
    expect(page).toContain('This form is closed');
    expect(page).toContain('If you have begun it before, we send you a link');
    expect(page).not.toContain('asks for your address');
    expect(textOf(await newBrowser({ language: 'zh-TW' }).show(`/f/${formId}/address`))).toContain(
      '如果你之前已開始填寫',
    );
    // What was mailed before leads to the page that says so, and stores nobody.
    const before = await everythingStored();
    expect(locationOf(await browser.get(link))).toBe(`/f/${formId}`);
    const pressed = await browser.post(link.split('?')[0] ?? '', fieldsOf(asked));
    expect([locationOf(pressed), pressed.headers.getSetCookie()]).toEqual([`/f/${formId}`, []]);
    const refused = await become(formId, { link: tokenIn(link) });
    expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ code: 'form_not_open' })]);
    expect(await everythingStored()).toEqual(before);
    for (const email of [curious, begun.email]) expect((await askForLink(formId, email)).status).toBe(202);
    const back = await newestLink(begun.email);
    expect(mailsTo(ownMail(), { email: curious })).toHaveLength(1);
    expect(textOf(await newBrowser().show(back))).toContain('Continue these answers?');
  });

  test('does so before it opens, and to those who type a code', async () => {
    const formId = await formForAddresses();
    await update(formId, { publishTime: new Date(Date.now() + 3_600_000).toISOString() });
    expect(textOf(await newBrowser().show(`/f/${formId}/address`))).toContain('This form is not open yet');
    const invitedForm = await formForAddresses({ audience: 'INVITED' });
    await close(invitedForm);
    const page = textOf(await newBrowser().show(`/f/${invitedForm}/code`));
    expect(page).toContain('This form is closed');
    expect(page).toContain('If you have begun it before, your code shows');
    expect(page).not.toContain('This form is for invited people.');
  });

  test('makes nobody wait who pressed the button before, and starts nothing', async () => {
    const { formId } = await newForm(alice, slug, [[{ type: 'UPLOAD_FILE', uploadFile: PICTURES }]], {
      audience: 'ANYONE',
    });
    const browser = newBrowser();
    const waiting = await browser.post(`/f/${formId}/start`, fieldsOf(await browser.show(`/f/${formId}`)));
    expect(waiting.status).toBe(429);
    const fields = fieldsOf(await waiting.text());
    await close(formId);
    expect(locationOf(await browser.post(`/f/${formId}/start`, fields))).toBe(`/f/${formId}`);
    expect(textOf(await browser.show(`/f/${formId}`))).toContain('This form is closed');
  });
});

test('whoever is signed in reads the form, and is asked for an address to begin', async () => {
  const formId = await formForAddresses();
  const page = await pagesOf(dave).show(`/f/${formId}`);
  expect(textOf(page)).toContain('Lakes');
  expect(page).toContain(`href="/f/${formId}/address">Enter your e-mail address</a>`);
  expect(page).not.toContain(`action="/f/${formId}/start"`);
  expect((await pagesOf(dave).post(`/f/${formId}/start`, [])).status).toBe(403);
  const guest = await newAddressed(formId);
  const cookie = `access_token=${dave.token}; guest_${formKey(formId)}=${guest.token}`;
  const both = textOf(await (await send('GET', `/f/${formId}`, { headers: { cookie } })).text());
  expect(both).toContain(`You respond as ${guest.email}`);
});

describe('the link to continue later', () => {
  test('is mailed to an address that is known, of guests of both kinds', async () => {
    const formId = await formForAddresses();
    const invitedForm = await formForAddresses({ audience: 'INVITED' });
    const email = newAddress();
    const { guest: invited } = await newInvited({ formId: invitedForm, member: bob }, { email });
    const addressed = await newAddressed(formId);
    for (const [id, guest, address] of [
      [formId, addressed, addressed.email],
      [invitedForm, invited, email],
    ] as const) {
      await start(guest, id);
      const headers = { cookie: `guest_${formKey(id)}=${guest.token}` };
      const landing = await (await send('GET', `/f/${id}`, { headers })).text();
      expect(landing).toContain(`<button class="secondary">Send the link to ${address}</button>`);
      const sent = await send('POST', `/f/${id}/mail-link`, { headers: { ...headers, origin: ORIGIN } });
      expect([sent.status, locationOf(sent)]).toEqual([303, `/f/${id}?done=linkMailed`]);
      const told = await send('GET', locationOf(sent), { headers });
      expect(textOf(await told.text())).toContain('The link is on its way to your address.');
      expect(textOf(await newBrowser().show(await newestLink(address)))).toContain('Continue these answers?');
    }
  });

  test('is mailed to nobody else', async () => {
    const formId = await formForAddresses();
    const { guest } = await newInvited({ formId, member: bob });
    const before = await everythingStored();
    for (const cookie of [
      '',
      `access_token=${dave.token}`,
      `guest_${formKey(formId)}=${guest.token}`,
      `guest_${formKey(formId)}=${(await newAddressed(await formForAddresses())).token}`,
    ]) {
      const headers = { origin: ORIGIN, ...(cookie !== '' && { cookie }) };
      expect([401, 404]).toContain((await send('POST', `/f/${formId}/mail-link`, { headers })).status);
    }
    expect((await everythingStored()).filter((item) => item.includes('LINKMAIL#'))).toEqual(
      before.filter((item) => item.includes('LINKMAIL#')),
    );
  });
});

test('a guest says that an address is not theirs, and is asked for one', async () => {
  const formId = await formForAddresses();
  const email = newAddress();
  await askForLink(formId, email);
  const page = await newBrowser().show(await newestLink(email));
  expect(page).toContain(`href="/f/${formId}">This is not me</a>`);
});

describe('the page of confirmed addresses', () => {
  test('lists who has confirmed one with how far they are, and finds one', async () => {
    const formId = await formForAddresses();
    const path = `/build/${formId}/invitations`;
    const pages = pagesOf(bob);
    expect(textOf(await pages.show(path))).toContain('Nobody yet.');
    const [begun, idle] = [await newAddressed(formId), await newAddressed(formId)];
    await start(begun, formId);
    await deliverStream();
    expect(await pages.show(`/build/${formId}/share`)).toContain(`href="${path}">Confirmed addresses</a>`);
    const page = await pages.show(path);
    const rows = [...page.matchAll(/<li>(.*?)<\/li>/gs)].map(([, row = '']) => textOf(row));
    expect(rows.find((row) => row.includes(begun.email))).toMatch(/Confirmed .* Draft/);
    expect(rows.find((row) => row.includes(idle.email))).toContain('Not started');
    // Nobody is invited to such a form, and nobody has a code.
    for (const absent of ['<textarea', 'invitation-links', 'invitation-sheet', 'invitation-mails'])
      expect(page).not.toContain(absent);
    const found = await pages.show(`${path}?email=${encodeURIComponent(` ${idle.email.toUpperCase()} `)}`);
    expect(textOf(found)).toContain(idle.email);
    expect(textOf(found)).not.toContain(begun.email);
    expect(found).toContain(`href="${path}">Show all</a>`);
    for (const [search, shown] of [
      ['nobody@example.org', 'nobody@example.org'],
      ['<b>ada', '&lt;b&gt;ada'],
    ] as const)
      expect(await pages.show(`${path}?email=${encodeURIComponent(search)}`)).toContain(
        `Nobody has the address ${shown}.`,
      );
  });

  test('leads from page to page', async () => {
    const formId = await formForAddresses();
    const path = `/build/${formId}/invitations`;
    const guests: string[] = [];
    for (let count = 0; count < 51; count += 1) {
      guests.push((await newAddressed(formId)).email);
      pass(1);
    }
    const pages = pagesOf(bob);
    const first = await pages.show(path);
    const more = /href="([^"]+cursor=[^"]+)">More</.exec(first)?.[1] ?? '';
    const second = await pages.show(more);
    const listed = (page: string) => [...page.matchAll(/class="row-link"[^>]*>([^<]+)</g)].map(([, email]) => email);
    expect([...listed(first), ...listed(second)]).toEqual(guests.toReversed());
    expect(second).toContain(`href="${path}">First page</a>`);
  });

  test('leads to a guest, whose links end, who is revoked, and whom an admin deletes with the responses', async () => {
    const formId = await formForAddresses();
    const guest = await newAddressed(formId);
    const responseId = await start(guest, formId);
    const path = `/build/${formId}/invitations/${guest.id}`;
    const pages = pagesOf(bob);
    const page = await pages.show(path);
    expect(textOf(page)).toContain(guest.email);
    // There is neither a code nor a link to show, and a confirmed address stays as it is.
    for (const absent of ['name="email"', 'data-copy', 'New code', `${path}/delete`])
      expect(page).not.toContain(absent);
    const saved = await pages.post(path, [
      ...fieldsOf(page).filter(([name]) => name !== 'label'),
      ['label', 'Ada'],
      ['do', 'save'],
    ]);
    expect(locationOf(saved)).toBe(`${path}?done=invitationChanged`);
    expect(textOf(await pages.show(`/build/${formId}/invitations`))).toContain(`Ada ${guest.email}`);
    expect(locationOf(await pages.post(path, [['do', 'newCode']]))).toBe(`${path}?done=linksEnded`);
    const stale = await send('GET', `/api/forms/${formId}`, { headers: { authorization: `Bearer ${guest.token}` } });
    expect(stale.status).toBe(401);
    await pages.post(path, [['do', 'revoke']]);
    expect(textOf(await pages.show(path))).toContain('This address is revoked');
    expect((await pages.post(`${path}/delete`)).status).toBe(403);
    const admin = pagesOf(alice);
    expect(textOf(await admin.show(`${path}/delete`))).toContain('Delete Ada?');
    for (let press = 0; press < 2; press += 1)
      expect(locationOf(await admin.post(`${path}/delete`))).toBe(
        `/build/${formId}/invitations?done=invitationDeleted`,
      );
    expect((await admin.get(path)).status).toBe(404);
    expect((await admin.get(`/review/${formId}/${responseId}`)).status).toBe(404);
  });

  test('is for members, as that of invitations is', async () => {
    const path = `/build/${await formForAddresses()}/invitations`;
    for (const search of ['', `?email=${encodeURIComponent(newAddress())}`])
      expect((await pagesOf(dave).get(`${path}${search}`)).status).toBe(403);
  });
});

test('the page Share opens a form to people with an address, and takes it out of the lists', async () => {
  const { formId } = await newForm(alice, slug, [[]]);
  const path = `/build/${formId}/share`;
  const saved = await pagesOf(alice).post(path, [
    ['audience', 'EMAIL'],
    ['once', 'on'],
    ['do', 'audience'],
  ]);
  expect(saved.status).toBe(303);
  const { body } = await alice.client.forms.getForm({ params: { formId } });
  expect(body).toMatchObject({ audience: 'EMAIL', visibility: 'PRIVATE', oncePerPerson: true });
  expect(textOf(await pagesOf(alice).show(path))).toContain('only those with a confirmed address respond');
});

describe('what is stored', () => {
  const privacyOf = async (formId: string, cookie = '') =>
    textOf(await (await send('GET', `/f/${formId}/privacy`, { headers: cookie === '' ? {} : { cookie } })).text());

  test('is said before an address is given, for how long, and who asks', async () => {
    const formId = await formForAddresses({ sendResponseEmail: true, oncePerPerson: true });
    expect(await newBrowser().show(`/f/${formId}/address`)).toContain(`href="/f/${formId}/privacy"`);
    const page = await privacyOf(formId);
    for (const said of [
      'Rivers asks these questions',
      'Your e-mail address, from when you use the link',
      '30 days after the last of your responses was deleted',
      'What you do not submit is deleted 30 days after you saved it last.',
      'The network address of your device is not stored.',
      'That you have begun a response',
      'A copy of what you submit is sent to your address.',
      'A cookie that belongs to this form only',
      'Backups are kept for 35 days',
    ]) {
      expect(page).toContain(said);
    }
    expect(page).not.toContain('Lakes');
    for (const unsaid of ['Files', 'Spreadsheet', 'random number', 'fingerprint of your account'])
      expect(page).not.toContain(unsaid);
  });

  test('follows from the audience and the settings of the form', async () => {
    const forAnyone = await newForm(
      alice,
      slug,
      [
        [
          { type: 'SHORT_TEXT', text: { format: 'EMAIL', sendCopy: true } },
          { type: 'UPLOAD_FILE', uploadFile: PICTURES },
        ],
      ],
      { audience: 'ANYONE' },
    );
    const page = await privacyOf(forAnyone.formId);
    for (const said of ['A random number of this form', 'Files They are stored', 'confirms the submission'])
      expect(page).toContain(said);
    // Whom to ask, for what a guest cannot delete.
    expect(page).toContain('For what you have submitted, and for what is stored of you, ask the organization.');
    expect(page).not.toContain('A copy of what you submit');
    const invited = await privacyOf(await formForAddresses({ audience: 'INVITED' }));
    expect(invited).toContain('What the organization has entered with your invitation');
    const forAccounts = await newForm(alice, slug, [[]], { oncePerPerson: true });
    const own = await privacyOf(forAccounts.formId, `access_token=${dave.token}`);
    expect(own).toContain('A fingerprint of your account');
    expect(own).not.toContain('This device');
    expect(locationOf(await send('GET', `/f/${forAccounts.formId}/privacy`))).toMatch(/^\/sign-in/);
    expect(locationOf(await send('GET', `/f/${crypto.randomUUID()}/privacy`))).toMatch(/^\/sign-in/);
  });

  test('says that answers are mailed to members, where an admin has allowed it', async () => {
    const formId = await formForAddresses();
    const said = 'Members of the organization can have what you submit mailed to them.';
    expect(await privacyOf(formId)).not.toContain(said);
    await alice.client.forms.updateForm({ params: { formId }, body: { noticesWithAnswers: true } });
    expect(await privacyOf(formId)).toContain(said);
    expect(await newBrowser({ language: 'zh-TW' }).show(`/f/${formId}/privacy`)).toContain('寄給成員的信件');
  });

  test('is said in Chinese', async () => {
    const page = await newBrowser({ language: 'zh-TW' }).show(`/f/${await formForAddresses()}/privacy`);
    expect(textOf(page)).toContain('儲存了哪些關於你的資料');
    expect(textOf(page)).toContain('最後一份回覆被刪除');
  });
});

test('where the installation takes no guests any more, one finishes and finds no button that begins', async () => {
  const formId = await formForAddresses();
  const guest = await newAddressed(formId);
  const responseId = await start(guest, formId);
  const headers = { cookie: `guest_${formKey(formId)}=${guest.token}` };
  await withConfig({ guests: false }, async () => {
    const begun = await (await send('GET', `/f/${formId}`, { headers })).text();
    expect(begun).toContain(`href="/r/${responseId}">Continue</a>`);
    await guest.client.responses.submitResponse({ params: { responseId }, body: { answers: [] } });
    const done = await (await send('GET', `/f/${formId}`, { headers })).text();
    expect(done).not.toContain(`action="/f/${formId}/start"`);
    expect(done).not.toContain(`/f/${formId}/address`);
    expect(textOf(done)).toContain('This form takes no new responses from you now.');
  });
});
