/** How often a member may send the copy of a submission again. */
import { expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { requestAs } from '#test/support/building.ts';
import { clientWith, newForm, type Person, person } from '#test/support/fixtures.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { cancel, castAt, pass, respond, submit, text } from '#test/support/responses.ts';
import { runSweep } from '#test/support/sweeps.ts';

const cast = await castAt();
const ownMail = ownSes();
const MINUTE = 60;

/** A person with a token of now: tokens work for an hour. */
async function current({ id, email }: Person): Promise<Person> {
  const token = await app().tokens.sign({ id, roles: ['USER'] }, app().now());
  return { id, email, token, client: clientWith(token) };
}

/** A submission whose copy was sent, of a respondent of its own. */
async function sentCopy(email?: string) {
  const alice = await current(cast.alice);
  const respondent = await person('dave', email === undefined ? {} : { email });
  const { formId, questionIds } = await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  await alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true } });
  const responseId = await respond(respondent, formId, [text(questionIds[0] ?? '', 'Loch Ness')]);
  await runSweep();
  return { formId, responseId, respondent };
}

const pathOf = ({ formId, responseId }: { formId: string; responseId: string }): string =>
  `/api/forms/${formId}/responses/${responseId}/deliveries/email/retry`;

/** Requests the copy again as bob; the status of the response. */
const retry = async (copy: { formId: string; responseId: string }, by = cast.bob): Promise<number> =>
  (await requestAs(await current(by), 'POST', pathOf(copy))).status;

test('a copy that was sent is sent again once an hour, three times in all', async () => {
  const copy = await sentCopy();
  for (let count = 1; count <= 3; count += 1) {
    expect(await retry(copy)).toBe(202);
    await runSweep();
    expect(mailsTo(ownMail(), copy.respondent)).toHaveLength(1 + count);
    pass(59 * MINUTE);
    expect(await retry(copy)).toBe(429);
    pass(MINUTE);
  }
  pass(30 * 24 * 60 * MINUTE);
  expect(await retry(copy)).toBe(429);
  await runSweep();
  expect(mailsTo(ownMail(), copy.respondent)).toHaveLength(4);
});

test('a refused request says when to repeat it', async () => {
  const copy = await sentCopy();
  await retry(copy);
  await runSweep();
  pass(10 * MINUTE);
  const { status, body, headers } = await requestAs(await current(cast.bob), 'POST', pathOf(copy));
  expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'too_many_requests', String(50 * MINUTE)]);
});

test('a copy that failed is sent again at any time', async () => {
  const copy = await sentCopy(`bounce+${app().uuid()}@simulator.amazonses.com`);
  for (let count = 0; count < 5; count += 1) {
    await receiveEvents(ownMail());
    expect(await retry(copy)).toBe(202);
    await runSweep();
  }
  expect(mailsTo(ownMail(), copy.respondent)).toHaveLength(6);
});

test('two members at once send one copy', async () => {
  const copy = await sentCopy();
  const statuses = await Promise.all([retry(copy), retry(copy, cast.alice)]);
  expect(statuses.toSorted()).toEqual([202, 409]);
  await runSweep();
  expect(mailsTo(ownMail(), copy.respondent)).toHaveLength(2);
});

test('the copies of a later submission are counted from zero', async () => {
  const copy = await sentCopy();
  await retry(copy);
  await runSweep();
  pass(1);
  await cancel(copy.respondent, copy.responseId);
  await submit(copy.respondent, copy.responseId);
  await runSweep();
  expect(await retry(copy)).toBe(202);
});
