/**
 * Many people without an account respond to one form at once, press twice, lose replies and repeat requests: in the end each
 * has exactly the response that they submitted, and each is counted once. And a form with all of them leaves nothing.
 */
import { expect, test } from 'vitest';
import { createAddressed } from '#core/accounts/invitation.ts';
import { loadCounters } from '#core/counts/counters.ts';
import { formKey, idWithin, invitedIdWithin } from '#core/db/keys.ts';
import type { Write } from '#core/db/table.ts';
import { type App, app } from '#core/http/app.ts';
import { renewGuest } from '#core/identity/guests.ts';
import { queueGuestLink } from '#core/jobs/guest-link.ts';
import { countOwnResponses, countUpTo, loadResponses } from '#core/responses/store.ts';
import { become, linkIn, newAddress, newAddressed, personIn, tokenIn } from '#test/support/addresses.ts';
import { withApp } from '#test/support/faults.ts';
import { newCast, newForm, newGuest, newOrganization, type Person, send } from '#test/support/fixtures.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { fieldsOf } from '#test/support/pages.ts';
import { newProof } from '#test/support/prepared.ts';
import { type Contents, draftOf, store, submissionOf, text, writeWhenFree } from '#test/support/responses.ts';
import { itemsMentioning } from '#test/support/stored.ts';
import { finishDeletions, sweepIn } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';

const { alice, slug } = await newCast();
const ownMail = ownSes();
const ORIGIN = 'http://127.0.0.1:3000';

const GUESTS = 64;
/** How long they go on: one after the other, each somebody new, or as one who begins again and again. */
const STORM_SECONDS = Number(process.env.STORM_SECONDS ?? 30);
/** How many begin on the page: each press counts, repeated ones too, and those after the 60th in a minute need a proof. */
const BY_PAGE = 10;

const range = (length: number): number[] => Array.from({ length }, (_, n) => n);

type Settings = Parameters<typeof newForm>[3];
const newFormWith = (settings: Settings) => newForm(alice, slug, [[{ type: 'SHORT_TEXT', required: true }]], settings);
const newAnyoneForm = () => newFormWith({ audience: 'ANYONE' });
const newOnceForm = () => newFormWith({ audience: 'EMAIL', visibility: 'PRIVATE', oncePerPerson: true });

/** Sends a request as often as storage is too busy for it. */
async function persistently(request: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await request();
    if (response.status !== 503) return response;
  }
}

const call = ({ token }: Pick<Person, 'token'>, method: string, path: string, body: object, key?: string) =>
  persistently(() =>
    send(method, path, {
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key && { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    }),
  );

/** Does something twice at once, as a double press does. Both must have the same outcome. */
async function twice<T>(act: () => Promise<T>): Promise<T> {
  const [one, other] = await Promise.all([act(), act()]);
  expect(other).toEqual(one);
  return one;
}

/** Starts by the API, with the same key twice. */
async function startByApi(formId: string, guest: Pick<Person, 'token'>, status = 201): Promise<Begun> {
  const key = crypto.randomUUID();
  const id = await twice(async () => {
    const response = await call(guest, 'POST', `/api/forms/${formId}/responses`, {}, key);
    expect(response.status).toBe(status);
    return ((await response.json()) as { id: string }).id;
  });
  return { token: guest.token, id };
}

/** Starts on the page, whose button is pressed twice before the first response arrives. */
async function startByPage(formId: string, fields: readonly (readonly [string, string])[]): Promise<Begun> {
  const press = () =>
    persistently(() =>
      send('POST', `/f/${formId}/start`, {
        headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
      }),
    );
  const responses = await Promise.all([press(), press()]);
  expect(responses.map(({ status }) => status)).toEqual([303, 303]);
  const [id = '', again] = responses.map(({ headers }) => headers.get('location')?.slice('/r/'.length));
  expect(again).toBe(id);
  const cookie = responses[1]?.headers.getSetCookie()[0] ?? '';
  return { token: cookie.slice(cookie.indexOf('=') + 1).split(';')[0] ?? '', id };
}

type Begun = { token: string; id: string };

/** Saves a text that nobody else writes and submits twice. Returns the id of the response with the text. */
async function answer(begun: Begun, questionId: string, written: string): Promise<readonly [string, string]> {
  const path = `/api/responses/${begun.id}`;
  const answers = [text(questionId, written)];
  expect((await call(begun, 'PATCH', `${path}/answers`, { answers })).status).toBe(200);
  const key = crypto.randomUUID();
  await twice(async () => {
    const { status } = await call(begun, 'POST', `${path}/submit`, { answers }, key);
    expect(status).toBe(201);
    return status;
  });
  return [begun.id, written];
}

/** Somebody who has confirmed an address, on another device each time: there is one response, however often they begin. */
async function insist(formId: string, { token: first }: Person, response: string, end: number): Promise<void> {
  const credential = await app().tokens.verifyGuest(first, app().now());
  if (!credential) throw new Error('the credential is not that of a guest');
  while (performance.now() < end) {
    const { token } = await renewGuest(app(), credential);
    expect((await startByApi(formId, { token }, 200)).id).toBe(response);
    const refused = await call({ token }, 'POST', `/api/forms/${formId}/responses`, { submit: true });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'already_started' }]);
  }
}

test(`64 people for ${STORM_SECONDS} seconds: no response is lost or doubled, and once each is exact`, async () => {
  const { formId, questionIds } = await newAnyoneForm();
  const form = { formId, questionId: questionIds[0] ?? '' };
  const once = await newOnceForm();
  const shown = await Promise.all(range(BY_PAGE).map(async () => (await send('GET', `/f/${formId}`)).text()));
  const begin = async (guest: number, round: number) => {
    const page = round === 0 ? shown[guest] : undefined;
    return page === undefined ? startByApi(formId, await newGuest(formId)) : startByPage(formId, fieldsOf(page));
  };
  // The buttons are pressed some seconds after the pages were shown.
  const later = ({ now }: App) => ({ now: () => new Date(now().getTime() + 5_000) });
  const [many, single] = await withApp(later, () => {
    const end = performance.now() + STORM_SECONDS * 1_000;
    const forAnyone = range(GUESTS / 2).map(async (guest) => {
      const responses: (readonly [string, string])[] = [];
      for (let round = 0; round === 0 || performance.now() < end; round += 1) {
        const begun = await begin(guest, round);
        responses.push(await answer(begun, form.questionId, `guest ${guest}, round ${round}`));
      }
      return responses;
    });
    const onceEach = range(GUESTS / 2).map(async () => {
      const guest = await newAddressed(once.formId);
      const begun = await startByApi(once.formId, guest);
      const insisting = insist(once.formId, guest, begun.id, end);
      const answered = await answer(begun, once.questionIds[0] ?? '', guest.email);
      await insisting;
      return answered;
    });
    return Promise.all([Promise.all(forAnyone), Promise.all(onceEach)]);
  });
  await expectEachOnce(form, many.flat());
  expect(single).toHaveLength(GUESTS / 2);
  await expectEachOnce({ formId: once.formId, questionId: once.questionIds[0] ?? '' }, single);
});

test('64 people with an address at once: each gets a link, and has one response', async () => {
  const { formId, questionIds } = await newOnceForm();
  const addresses = range(GUESTS).map(newAddress);
  // Browsers work before they ask; here one process does, for all of them.
  const proofs = await Promise.all(range(2 * GUESTS).map(() => newProof(formId)));
  const asked = proofs.map((proof, n) => become(formId, { email: addresses[n % GUESTS], proof }));
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(proofs.map(() => 202));
  await sweepIn(0);
  await receiveEvents(ownMail());
  const done = await Promise.all(
    addresses.map(async (email) => {
      const [mail, ...others] = mailsTo(ownMail(), { email });
      expect([email, others]).toEqual([email, []]);
      const link = tokenIn(linkIn(mail?.text));
      const come = async () => personIn(await persistently(() => become(formId, { link })));
      const [guest, again] = await Promise.all([come(), come()]);
      expect(again.id).toBe(guest.id);
      const begun = await startByApi(formId, guest);
      // Another device finds what was begun.
      expect((await startByApi(formId, again, 200)).id).toBe(begun.id);
      return answer(begun, questionIds[0] ?? '', email);
    }),
  );
  expect(done).toHaveLength(GUESTS);
  await expectEachOnce({ formId, questionId: questionIds[0] ?? '' }, done);
});

/** Expects that a form has exactly these submissions, by id with what was written, each of another guest, and counts each once. */
async function expectEachOnce(
  { formId, questionId }: { formId: string; questionId: string },
  done: readonly (readonly [string, string])[],
): Promise<void> {
  const expected = new Map(done);
  const count = done.length;
  expect(expected.size).toBe(count);
  const stored = await loadResponses(app().table, [...expected.keys()]);
  expect(stored.map(({ progress }) => progress)).toEqual(stored.map(() => 'SUBMITTED'));
  expect(new Map(stored.map(({ id, answers }) => [id, answers[questionId]?.value]))).toEqual(expected);
  expect(new Set(stored.map(({ userId }) => userId)).size).toBe(count);
  const { table } = app();
  expect(await countUpTo(table, formId, 'SUBMITTED', 10_000)).toBe(count);
  expect(await countUpTo(table, formId, 'DRAFT', 10_000)).toBe(0);
  const own = await Promise.all(stored.map(({ userId }) => countOwnResponses(table, userId, formId, 10)));
  expect(own).toEqual(stored.map(() => 1));
  await deliverStream({ twice: true });
  expect(await loadCounters(table, formId)).toMatchObject({ drafts: 0, submitted: count });
}

/** Stores guests who have confirmed an address, with what they have begun; `count` of them, half with a submission. */
async function storeAddressed(form: { formId: string; sectionIds: string[] }, count: number, contents: Contents) {
  const { now, uuid } = app();
  const at = now().toISOString();
  const expiresAt = Math.floor(now().getTime() / 1_000) + 30 * 86_400;
  const guests = range(count).map((n) => ({ id: invitedIdWithin(form.formId, uuid().replaceAll('-', ''), true), n }));
  const submissions = guests.filter(({ n }) => n % 2 === 0).map(({ id }) => submissionOf(form, id, at, contents));
  const begun = new Map(submissions.map((response) => [response.userId, response]));
  const writes = guests.flatMap(({ id }): Write[] => {
    const write = createAddressed({ id, email: newAddress(), generation: 1, linksFrom: 1 }, { now: now(), expiresAt });
    const response = begun.get(id);
    return 'put' in write ? [{ put: { ...write.put, ...(response && { responses: { [response.id]: 3 } }) } }] : [];
  });
  for (let from = 0; from < writes.length; from += 100) await writeWhenFree(writes.slice(from, from + 100));
  await store(submissions);
}

test.for([
  'form',
  'organization',
] as const)('deleting the %s of 10,000 guests with an address, and of others, leaves nothing of them', async (deleted) => {
  const own = await newOrganization(alice);
  const { formId, questionIds, sectionIds } = await newForm(alice, own.slug, [[{ type: 'SHORT_TEXT' }]], {
    ...{ audience: 'EMAIL', visibility: 'PRIVATE', oncePerPerson: true },
  });
  const form = { formId, sectionIds };
  const at = app().now().toISOString();
  const contents = { [questionIds[0] ?? '']: { type: 'SHORT_TEXT' as const, value: 'Clear water' } };
  await storeAddressed(form, 10_000, contents);
  // The audience was another one before.
  const guest = () => idWithin(formId, app().uuid());
  await store([
    ...range(500).map(() => submissionOf(form, guest(), at, contents)),
    ...range(500).map(() => draftOf(form, guest(), at, contents)),
  ]);
  // Mails with links wait to be sent.
  await writeWhenFree(range(50).map(() => queueGuestLink(app(), formId, newAddress())));
  expect(await itemsMentioning(formKey(formId))).not.toEqual([]);
  if (deleted === 'form') await alice.client.forms.deleteForm({ params: { formId } });
  else await alice.client.orgs.deleteOrganization({ params: { slug: own.slug } });
  await finishDeletions();
  expect(await itemsMentioning(formKey(formId))).toEqual([]);
  // Who has had a slug, and when, is kept.
  if (deleted === 'organization')
    expect(await itemsMentioning(own.orgId)).toEqual([expect.stringMatching(/^SLUG#\S+ USAGE#/)]);
});
