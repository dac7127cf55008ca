/** How many people may begin a form without an account in a minute, and what the next ones do. */
import { describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { StorageBusy } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { sha256 } from '#core/schema/hash.ts';
import { withTable } from '#test/support/faults.ts';
import { PICTURES } from '#test/support/files.ts';
import { clientWith, newForm, send } from '#test/support/fixtures.ts';
import { fieldsOf, textOf } from '#test/support/pages.ts';
import { manyNewGuests, solve } from '#test/support/prepared.ts';
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

  test('is known to be used for 15 minutes, longer than it can be solved', async () => {
    const formId = await formForAnyone();
    const challenge = await challengeOf(formId);
    expect((await become(formId, { challenge, solution: solve(challenge) })).status).toBe(201);
    const { id } = (await app().states.open('guest-proof', challenge, app().now())) ?? {};
    const [used] = await app().table.read([keys.usedState(String(id))]);
    expect(Number(used?.expiresAt) - Math.floor(app().now().getTime() / 1_000)).toBe(900);
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

/** Posts the button of the first page of a form. */
const press = (formId: string, fields: readonly (readonly [string, string])[]) =>
  send('POST', `/f/${formId}/start`, {
    headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
  });

/** The fields of the first page of a form, as somebody without an account sees it. */
const visit = async (formId: string) => fieldsOf(await (await send('GET', `/f/${formId}`)).text());

test('without scripts somebody waits 20 seconds, of whom 60 a minute begin', async () => {
  const formId = await formForAnyone();
  await manyNewGuests(formId);
  const post = (fields: readonly (readonly [string, string])[]) => press(formId, fields);
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

/** Expects the page that asks for a proof, and solves it. */
async function expectProof(formId: string, fields: readonly (readonly [string, string])[]): Promise<void> {
  const asked = await press(formId, fields);
  expect([asked.status, asked.headers.getSetCookie()]).toEqual([429, []]);
  const waiting = fieldsOf(await asked.text()).filter(([name]) => name !== 'solution');
  const challenge = waiting.find(([name]) => name === 'challenge')?.[1] ?? '';
  const begun = await press(formId, [...waiting, ['solution', solve(challenge)]]);
  expect([begun.status, begun.headers.getSetCookie().length]).toEqual([303, 1]);
}

describe('who begins like a program', () => {
  test('is not who has read the page for two seconds, whose browser leaves alone what nobody sees', async () => {
    const formId = await formForAnyone();
    const page = await (await send('GET', `/f/${formId}`)).text();
    expect(page).toContain(
      '<span class="visually-hidden" aria-hidden="true"><input name="website" tabindex="-1" autocomplete="off"></span>',
    );
    expect(fieldsOf(page)).toContainEqual(['website', '']);
    pass(2);
    expect((await press(formId, fieldsOf(page))).status).toBe(303);
  });

  test('gets the page that asks for a proof, and begins with it: who fills in the field that nobody sees', async () => {
    const formId = await formForAnyone();
    const fields = await visit(formId);
    pass(10);
    await expectProof(
      formId,
      fields.map(([name, value]) => [name, name === 'website' ? 'https://example.org' : value]),
    );
  });

  test('too: who presses the button within two seconds', async () => {
    const formId = await formForAnyone();
    const fields = await visit(formId);
    pass(1);
    await expectProof(formId, fields);
  });

  test('too: who brings no time, a forged one or that of another form', async () => {
    const [formId, other] = [await formForAnyone(), await formForAnyone()];
    const [fields, foreign] = [await visit(formId), await visit(other)];
    pass(60);
    const timeOf = (from: readonly (readonly [string, string])[]) => from.find(([name]) => name === 'visit')?.[1] ?? '';
    const withTime = (time: string): [string, string][] =>
      fields.map(([name, value]) => [name, name === 'visit' ? time : value]);
    await expectProof(
      formId,
      fields.filter(([name]) => name !== 'visit'),
    );
    for (const time of ['', `${timeOf(fields)}x`, timeOf(foreign), app().now().toISOString()])
      await expectProof(formId, withTime(time));
  });
});

describe('where files can be stored, everybody needs a proof', () => {
  const formWithFiles = async () =>
    (await newForm(alice, slug, [[{ type: 'UPLOAD_FILE', uploadFile: PICTURES }]], { audience: 'ANYONE' })).formId;

  test('by the API', async () => {
    const formId = await formWithFiles();
    const asked = await become(formId);
    expect(asked.status).toBe(429);
    const challenge = asked.headers.get('guest-challenge') ?? '';
    const proof = { challenge, solution: solve(challenge) };
    expect((await become(formId, proof)).status).toBe(201);
    expect((await become(formId, proof)).status).toBe(429);
  });

  test('by the page, with a computer that works or somebody who waits, once for each challenge', async () => {
    const formId = await formWithFiles();
    const fields = await visit(formId);
    pass(10);
    const wait = async () => {
      const asked = await press(formId, fields);
      expect(asked.status).toBe(429);
      return fieldsOf(await asked.text());
    };
    const waiting = await wait();
    pass(19);
    expect((await press(formId, waiting)).status).toBe(429);
    pass(1);
    expect((await press(formId, waiting)).status).toBe(303);
    expect((await press(formId, waiting)).status).toBe(429);
    const challenge = (await wait()).find(([name]) => name === 'challenge')?.[1] ?? '';
    const solved = [...fields, ['challenge', challenge], ['solution', solve(challenge)]] as const;
    expect((await press(formId, solved)).status).toBe(303);
  });

  test('and who has an account needs none', async () => {
    const formId = await formWithFiles();
    expect((await clientWith(alice.token).responses.startResponse({ params: { formId } })).status).toBe(201);
  });
});

test('a solved challenge begins at once on the page', async () => {
  const formId = await formForAnyone();
  const challenge = await challengeOf(formId);
  const response = await press(formId, [
    ['challenge', challenge],
    ['solution', solve(challenge)],
  ]);
  expect(response.status).toBe(303);
});

test('people with an account are not counted', async () => {
  const formId = await formForAnyone();
  await manyNewGuests(formId);
  expect((await clientWith(alice.token).responses.startResponse({ params: { formId } })).status).toBe(201);
});

test('a page that was opened yesterday leads to a proof too', async () => {
  const formId = await formForAnyone();
  const fields = await visit(formId);
  pass(86_401);
  await expectProof(formId, fields);
});
