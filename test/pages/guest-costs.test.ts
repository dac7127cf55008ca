/** What the first page of a form costs people without an account, beside somebody with one, and what each of their requests does. */
import { describe, expect, test } from 'vitest';
import { formKey } from '#core/db/keys.ts';
import { newAddressed } from '#test/support/addresses.ts';
import { type Cost, measureCost } from '#test/support/cost.ts';
import { newCast, newForm, newGuest, type Person, send } from '#test/support/fixtures.ts';
import { newInvited } from '#test/support/invitations.ts';
import { save, start, submit, text } from '#test/support/responses.ts';

const { alice, bob, dave, erin, slug } = await newCast();

type Audience = 'ACCOUNT' | 'ANYONE' | 'EMAIL' | 'INVITED';

/** A form of an audience, in which somebody has answered before, and somebody who has not. */
async function formFor(audience: Audience) {
  const visibility = audience === 'EMAIL' || audience === 'INVITED' ? 'PRIVATE' : 'PUBLIC';
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { audience, visibility });
  const person = async (account: Person): Promise<Person> => {
    if (audience === 'ANYONE') return newGuest(formId);
    if (audience === 'EMAIL') return newAddressed(formId);
    return audience === 'INVITED' ? (await newInvited({ formId, member: bob })).guest : account;
  };
  // The first answer to a question is recorded once for all, and functions keep what they have read of the form.
  const before = await person(erin);
  const answers = [text(questionIds[0] ?? '', 'Muddy')];
  const responseId = await start(before, formId);
  await save(before, responseId, answers);
  await submit(before, responseId);
  return {
    formId,
    person: await person(dave),
    answers,
    cookieName: audience === 'ACCOUNT' ? 'access_token' : `guest_${formKey(formId)}`,
  };
}

/** What the first page of a form costs, by what the reader has begun. */
async function measureLanding(audience: Audience): Promise<{ fresh: Cost; begun: Cost }> {
  const { formId, person, cookieName } = await formFor(audience);
  const show = async () => {
    const { status } = await send('GET', `/f/${formId}`, { headers: { cookie: `${cookieName}=${person.token}` } });
    expect(status).toBe(200);
  };
  await show();
  const fresh = (await measureCost(show)).cost;
  await start(person, formId);
  return { fresh, begun: (await measureCost(show)).cost };
}

describe('the first page of a form', async () => {
  const account = await measureLanding('ACCOUNT');

  test.for([
    'ANYONE',
    'EMAIL',
    'INVITED',
  ] as const)('costs a guest of %s one round trip more at most', async (audience) => {
    const { fresh, begun } = await measureLanding(audience);
    expect(fresh.roundTrips - account.fresh.roundTrips).toBeLessThanOrEqual(1);
    expect(begun.roundTrips - account.begun.roundTrips).toBeLessThanOrEqual(1);
    // The item of the guest.
    expect(fresh.capacityUnits - account.fresh.capacityUnits).toBeLessThanOrEqual(1);
    expect(begun.capacityUnits - account.begun.capacityUnits).toBeLessThanOrEqual(1);
  });

  test('costs a stranger no more, who has no credential yet', async () => {
    const { formId } = await formFor('ANYONE');
    const show = () => send('GET', `/f/${formId}`);
    await show();
    const { cost, result } = await measureCost(show);
    expect(result.status).toBe(200);
    expect(cost.roundTrips).toBeLessThanOrEqual(account.fresh.roundTrips);
    expect(cost.capacityUnits).toBeLessThanOrEqual(account.fresh.capacityUnits);
  });
});

describe('a guest', async () => {
  const measure = async (audience: Audience) => {
    const { formId, person, answers } = await formFor(audience);
    let responseId = '';
    const started = await measureCost(async () => {
      responseId = await start(person, formId);
    });
    const saved = await measureCost(() => save(person, responseId, answers));
    const submitted = await measureCost(() => submit(person, responseId));
    return { start: started.cost, save: saved.cost, submit: submitted.cost };
  };
  const account = await measure('ACCOUNT');

  test('of a form for anyone costs what somebody with an account costs', async () => {
    expect(await measure('ANYONE')).toEqual(account);
  });

  test.for([
    'EMAIL',
    'INVITED',
  ] as const)('of %s costs a read unit and a round trip more to save and to submit', async (audience) => {
    const guest = await measure(audience);
    for (const step of ['save', 'submit'] as const) {
      expect(guest[step].capacityUnits - account[step].capacityUnits).toBeLessThanOrEqual(1);
      expect(guest[step].roundTrips - account[step].roundTrips).toBeLessThanOrEqual(1);
    }
    // Three write units for what the guest has begun, a read unit for their item, and as many round trips as for anyone, and one.
    expect(guest.start.capacityUnits - account.start.capacityUnits).toBeLessThanOrEqual(5);
    expect(guest.start.roundTrips - account.start.roundTrips).toBeLessThanOrEqual(1);
  });
});
