/** How many people may begin a form without an account in a minute, and what the next ones do. */
import { describe, expect, test } from 'vitest';
import { StorageBusy } from '#core/db/table.ts';
import { sha256 } from '#core/schema/hash.ts';
import { withTable } from '#test/support/faults.ts';
import { clientWith, newForm, send } from '#test/support/fixtures.ts';
import { fieldsOf, textOf } from '#test/support/pages.ts';
import { manyNewGuests } from '#test/support/prepared.ts';
import { castAt, pass } from '#test/support/responses.ts';

const { alice, slug } = await castAt();
const ORIGIN = 'http://127.0.0.1:3000';

const formForAnyone = async () =>
  (await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { audience: 'ANYONE' })).formId;

const become = (formId: string, proof?: { challenge: string; solution: string }) =>
  send('POST', `/api/forms/${formId}/guests`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ proof }),
  });

/** The challenge of a form that many people begin. */
async function challengeOf(formId: string): Promise<string> {
  await manyNewGuests(formId);
  const response = await become(formId);
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await response.json()).toMatchObject({ code: 'proof_needed' });
  return response.headers.get('guest-challenge') ?? '';
}

/** Finds the number whose hash begins with 16 zero bits, which are four zeros. */
function solve(challenge: string): string {
  for (let number = 0; ; number += 1) {
    if (sha256(`${challenge}.${number}`, 'hex').startsWith('0000')) return String(number);
  }
}

test('60 people begin a form in a minute, and the next one is asked for a proof until the minute ends', async () => {
  const formId = await formForAnyone();
  for (let count = 0; count < 60; count += 1) expect((await become(formId)).status).toBe(201);
  expect((await become(formId)).status).toBe(429);
  expect((await become(await formForAnyone())).status).toBe(201);
  pass(60);
  expect((await become(formId)).status).toBe(201);
});

describe('a proof of work', () => {
  test('admits one guest, once', async () => {
    const formId = await formForAnyone();
    const challenge = await challengeOf(formId);
    const proof = { challenge, solution: solve(challenge) };
    const statuses = await Promise.all([1, 2, 3].map(async () => (await become(formId, proof)).status));
    expect(statuses.toSorted()).toEqual([201, 429, 429]);
  });

  test('is refused that is wrong, of another form, forged or older than ten minutes', async () => {
    const [formId, other] = [await formForAnyone(), await formForAnyone()];
    const challenge = await challengeOf(formId);
    const foreign = await challengeOf(other);
    const solution = solve(challenge);
    const wrong = String(Number(solution) + 1);
    for (const proof of [
      { challenge, solution: sha256(`${challenge}.${wrong}`, 'hex').startsWith('0000') ? '' : wrong },
      { challenge, solution: '' },
      { challenge, solution: ` ${solution}` },
      { challenge: foreign, solution: solve(foreign) },
      { challenge: `${challenge}x`, solution: solve(`${challenge}x`) },
    ]) {
      expect((await become(formId, proof)).status).toBe(429);
    }
    pass(601);
    await manyNewGuests(formId);
    expect((await become(formId, { challenge, solution })).status).toBe(429);
  });
});

test('busy storage of the count refuses nobody', async () => {
  const formId = await formForAnyone();
  const busy = () => ({
    write: async () => {
      throw new StorageBusy(new Error('throttled'));
    },
  });
  expect(await withTable(busy, async () => (await become(formId)).status)).toBe(201);
});

test('without scripts somebody waits 20 seconds, of whom 60 a minute begin', async () => {
  const formId = await formForAnyone();
  await manyNewGuests(formId);
  const post = (fields: readonly [string, string][]) =>
    send('POST', `/f/${formId}/start`, {
      headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  const wait = async () => {
    const response = await post([['keep', 'on']]);
    expect(response.status).toBe(429);
    return response.text();
  };
  const page = await wait();
  expect(textOf(page)).toContain('Please wait 20 seconds, then press the button.');
  const fields = fieldsOf(page);
  expect(fields).toContainEqual(['keep', 'on']);
  expect((await post(fields)).status).toBe(429);
  pass(21);
  await manyNewGuests(formId);
  const started = await post(fields);
  expect([started.status, started.headers.getSetCookie().length]).toEqual([303, 1]);
  // Each waits for themselves.
  expect((await post(fields)).status).toBe(429);
  const { body } = await alice.client.responses.listResponses({ params: { formId } });
  expect(body.totalCount).toBe(1);
});

test('a solved challenge begins at once on the page', async () => {
  const formId = await formForAnyone();
  const challenge = await challengeOf(formId);
  const response = await send('POST', `/f/${formId}/start`, {
    headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ challenge, solution: solve(challenge) }).toString(),
  });
  expect(response.status).toBe(303);
});

test('people with an account are not counted', async () => {
  const formId = await formForAnyone();
  await manyNewGuests(formId);
  expect((await clientWith(alice.token).responses.startResponse({ params: { formId } })).status).toBe(201);
});
