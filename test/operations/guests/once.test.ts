/** Forms to which each person starts one response: exact from any number of requests, and while indexes lag. */
import { describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { newAddressed } from '#test/support/addresses.ts';
import { measureCost } from '#test/support/cost.ts';
import { expectProblem, newForm, type Person, send } from '#test/support/fixtures.ts';
import { newInvited } from '#test/support/invitations.ts';
import { LAGS, withLaggingIndex } from '#test/support/lagging-index.ts';
import { castAt, respond, start, submit, text } from '#test/support/responses.ts';

const { alice, bob, dave, erin, slug } = await castAt();

type Audience = 'ACCOUNT' | 'EMAIL' | 'INVITED';

/** Somebody who may respond to a form: a new guest, or somebody with an account. */
async function newPerson(audience: Audience, formId: string, person: Person): Promise<Person> {
  if (audience === 'ACCOUNT') return person;
  return audience === 'EMAIL' ? newAddressed(formId) : (await newInvited({ formId, member: bob })).guest;
}

async function formOnce(audience: Audience, oncePerPerson = true) {
  const kinds = [{ type: 'SHORT_TEXT' as const }];
  const settings = { audience, visibility: 'PRIVATE' as const, oncePerPerson };
  const { formId, questionIds } = await newForm(alice, slug, [kinds], settings);
  const form = { formId, questionId: questionIds[0] ?? '', params: { formId } };
  return { ...form, person: await newPerson(audience, formId, dave) };
}

const startRaw = (person: Person, formId: string, body?: object) =>
  send('POST', `/api/forms/${formId}/responses`, {
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : '',
  });
const idOf = async (response: Response): Promise<string> => ((await response.json()) as { id: string }).id;
const countOf = async (formId: string): Promise<number> =>
  (await bob.client.responses.listResponses({ params: { formId } })).body.totalCount;

test('once each is 400 for a form that anyone may answer, in any order', async () => {
  const { formId } = await newForm(alice, slug, [[]], { visibility: 'PRIVATE' });
  const update = (body: object) => alice.client.forms.updateForm({ params: { formId }, body });
  const refused = { status: 400, errors: [{ pointer: '/body/oncePerPerson' }] };
  expect(await expectProblem(update({ audience: 'ANYONE', oncePerPerson: true }))).toMatchObject(refused);
  await update({ oncePerPerson: true });
  expect(await expectProblem(update({ audience: 'ANYONE' }))).toMatchObject(refused);
  const { body } = await update({ oncePerPerson: null });
  expect(body.oncePerPerson).toBe(false);
});

describe.for(['ACCOUNT', 'EMAIL', 'INVITED'] as const)('with the audience %s', (audience) => {
  test('a second start returns the first response, and with answers it is refused', async () => {
    const { formId, questionId, person } = await formOnce(audience);
    const first = await startRaw(person, formId);
    const id = await idOf(first);
    expect(first.status).toBe(201);
    const second = await startRaw(person, formId);
    expect([second.status, await idOf(second), second.headers.get('etag')]).toEqual([200, id, '"1"']);
    for (const body of [{ answers: [text(questionId, 'Clear')] }, { answers: [], submit: true }]) {
      const refused = await startRaw(person, formId, body);
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({ code: 'already_started', detail: expect.stringContaining(id) });
    }
    await submit(person, id, [text(questionId, 'Clear water')]);
    const afterwards = await startRaw(person, formId);
    expect([afterwards.status, await idOf(afterwards)]).toEqual([200, id]);
    expect(await countOf(formId)).toBe(1);
  });

  test('of many starts at once one is made', async () => {
    const { formId, questionId, person } = await formOnce(audience);
    const bodies = [undefined, { answers: [text(questionId, 'Clear')], submit: true }];
    const requests = Array.from({ length: 12 }, (_, index) => startRaw(person, formId, bodies[index % 2]));
    const statuses = (await Promise.all(requests)).map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
    expect(await countOf(formId)).toBe(1);
  });

  test.for(LAGS)('while entries of indexes are %s', async (lag) => {
    const { formId, questionId, person } = await formOnce(audience);
    await withLaggingIndex(lag, async () => {
      const id = await idOf(await startRaw(person, formId));
      const second = await startRaw(person, formId);
      expect([second.status, await idOf(second)]).toEqual([200, id]);
      expect((await startRaw(person, formId, { answers: [text(questionId, 'Clear')] })).status).toBe(409);
      // One that was deleted is not in the way, although an index still has it.
      await person.client.responses.deleteResponse({ params: { formId, responseId: id } });
      const other = await startRaw(person, formId, { answers: [text(questionId, 'Clear')], submit: true });
      const otherId = await idOf(other);
      expect(other.status).toBe(201);
      expect(otherId).not.toBe(id);
      expect(await idOf(await startRaw(person, formId))).toBe(otherId);
    });
  });

  test('deleting the response, by whomever, allows another', async () => {
    const { formId, questionId, person } = await formOnce(audience);
    for (let round = 0; round < 2; round += 1) {
      const responseId = await respond(person, formId, [text(questionId, 'Clear water')]);
      await alice.client.responses.deleteResponse({ params: { formId, responseId } });
    }
    expect((await startRaw(person, formId)).status).toBe(201);
  });

  test('a response that is older than the setting counts', async () => {
    const { formId, questionId, person, params } = await formOnce(audience, false);
    const id = await respond(person, formId, [text(questionId, 'Clear water')]);
    await alice.client.forms.updateForm({ params, body: { oncePerPerson: true } });
    const second = await startRaw(person, formId);
    expect([second.status, await idOf(second)]).toEqual([200, id]);
    await alice.client.responses.deleteResponse({ params: { formId, responseId: id } });
    expect((await startRaw(person, formId)).status).toBe(201);
  });

  test('what was deleted without its claim is not started again', async () => {
    const { formId, questionId, person } = await formOnce(audience);
    const id = await respond(person, formId, [text(questionId, 'Clear water')]);
    await app().table.write([{ remove: keys.response(id) }]);
    const refused = await startRaw(person, formId);
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'already_started' }]);
  });

  test('a repeated request with its key returns what it has started', async () => {
    const { formId, questionId, person } = await formOnce(audience);
    const body = JSON.stringify({ answers: [text(questionId, 'Clear')], submit: true });
    const post = () =>
      send('POST', `/api/forms/${formId}/responses`, {
        headers: {
          authorization: `Bearer ${person.token}`,
          'content-type': 'application/json',
          'idempotency-key': 'a',
        },
        body,
      });
    const [first, second] = [await post(), await post()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.json()).toEqual(await first.json());
  });
});

test('two people start one each', async () => {
  const { formId } = await formOnce('ACCOUNT');
  await start(dave, formId);
  await start(erin, formId);
  expect(await countOf(formId)).toBe(2);
});

test.for([
  'EMAIL',
  'INVITED',
] as const)('a guest of %s has three responses where the form allows several, and one draft', async (audience) => {
  const { formId, questionId, person } = await formOnce(audience, false);
  await withLaggingIndex('missing', async () => {
    const draftId = await start(person, formId);
    expect(await expectProblem(start(person, formId))).toMatchObject({ code: 'already_started' });
    await submit(person, draftId, [text(questionId, 'one')]);
    for (const value of ['two', 'three']) await respond(person, formId, [text(questionId, value)]);
    expect(await expectProblem(start(person, formId))).toMatchObject({ status: 400, code: 'too_many_responses' });
  });
});

test('a start costs four write units more at most, and what an invited guest does afterwards one read unit', async () => {
  const units = async (audience: Audience, oncePerPerson: boolean) => {
    const { formId, questionId, person } = await formOnce(audience, oncePerPerson);
    // The first answer to a question is recorded once for all.
    const first = await newPerson(audience, formId, erin);
    await respond(first, formId, [text(questionId, 'Muddy')]);
    let responseId = '';
    const started = await measureCost(async () => {
      responseId = await start(person, formId);
    });
    const submitted = await measureCost(() => submit(person, responseId));
    return [started.cost.capacityUnits, submitted.cost.capacityUnits];
  };
  const [start0 = 0, submit0 = 0] = await units('ACCOUNT', false);
  const [startOnce = 0, submitOnce = 0] = await units('ACCOUNT', true);
  const [startEmail = 0, submitEmail = 0] = await units('EMAIL', true);
  const [startInvited = 0, submitInvited = 0] = await units('INVITED', true);
  expect(startOnce - start0).toBeLessThanOrEqual(4);
  expect(submitOnce).toBe(submit0);
  expect([startEmail, startInvited].map((units) => units - start0).filter((units) => units > 5)).toEqual([]);
  expect([submitEmail, submitInvited].map((units) => units - submit0).filter((units) => units > 1)).toEqual([]);
});
