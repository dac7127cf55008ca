/** Deleting a response: who may, and that it is gone from everywhere. */
import { expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { type Cast, newForm, newOrganization, type Person, problemOf } from '#test/support/fixtures.ts';
import { castAt, respond, save, start, tableOf, text } from '#test/support/responses.ts';

const cast = castAt();

const questions = [[{ type: 'SHORT_TEXT' as const }]];
const remove = ({ client }: Pick<Person, 'client'>, formId: string, responseId: string) =>
  client.responses.deleteResponse({ params: { formId, responseId } });

/** A form made by bob, a member, with a submitted response of dave's. */
async function bobsForm({ bob, dave, slug }: Cast) {
  const { formId, questionIds } = await newForm(bob, slug, questions);
  const [questionId = ''] = questionIds;
  return { formId, questionId, responseId: await respond(dave, formId, [text(questionId, 'hello')]) };
}

test('an admin deletes a response: 204, and a second time 404', async () => {
  const { alice } = cast();
  const { formId, responseId } = await bobsForm(cast());
  expect((await remove(alice, formId, responseId)).status).toBe(204);
  expect((await problemOf(remove(alice, formId, responseId))).status).toBe(404);
});

test('the member who created the form deletes a response', async () => {
  const { bob } = cast();
  const { formId, responseId } = await bobsForm(cast());
  expect((await remove(bob, formId, responseId)).status).toBe(204);
});

test('another member gets 403, and nothing is deleted', async () => {
  const { alice, bob, dave, slug } = cast();
  const { formId } = await newForm(alice, slug, questions);
  const responseId = await respond(dave, formId, []);
  expect(await problemOf(remove(bob, formId, responseId))).toMatchObject({ status: 403, title: 'Forbidden' });
  expect((await bob.client.responses.getResponse({ params: { formId, responseId } })).status).toBe(200);
});

test('the owner of the response gets 403', async () => {
  const { formId, responseId } = await bobsForm(cast());
  expect((await problemOf(remove(cast().dave, formId, responseId))).status).toBe(403);
});

test('the response is not visible to the creator of the form who is no longer a member', async () => {
  const { dave, erin, oscar } = cast();
  const org = await newOrganization(oscar, erin);
  const { formId } = await newForm(erin, org.slug, questions);
  const responseId = await respond(dave, formId, []);
  await app().table.write([
    { remove: keys.member(org.orgId, erin.id) },
    { update: keys.account(erin.id), unset: [`memberships.${org.orgId}`] },
  ]);
  expect((await problemOf(remove(erin, formId, responseId))).status).toBe(404);
});

test('others get 404, those not signed in 401', async () => {
  const { chelsea, nobody } = cast();
  const { formId, responseId } = await bobsForm(cast());
  expect((await problemOf(remove(chelsea, formId, responseId))).status).toBe(404);
  expect((await problemOf(remove({ client: nobody }, formId, responseId))).status).toBe(401);
});

test('a response is not found under another form', async () => {
  const { alice, slug } = cast();
  const { responseId } = await bobsForm(cast());
  const other = await newForm(alice, slug, questions);
  expect((await problemOf(remove(alice, other.formId, responseId))).status).toBe(404);
});

test('a deleted response is gone from lists, counts, preview, answers, table, summary and storage', async () => {
  const { alice, dave } = cast();
  const { formId, questionId, responseId } = await bobsForm(cast());
  const kept = await start(dave, formId);
  await remove(alice, formId, responseId);
  const { client } = dave;
  const mine = (await client.responses.listMyResponses({ params: { formId } })).body;
  expect(mine).toMatchObject({ totalCount: 1, draftCount: 1, submittedCount: 0, responses: [{ id: kept }] });
  const all = (await alice.client.responses.listResponses({ params: { formId } })).body;
  expect(all).toMatchObject({ totalCount: 1, draftCount: 1, submittedCount: 0, responses: [{ id: kept }] });
  expect((await tableOf(alice, formId, [questionId])).rows).toEqual([]);
  const summary = (await client.forms.listMyForms()).body.find(({ id }) => id === formId);
  expect(summary).toMatchObject({ status: 'IN_PROGRESS', responseIds: [kept] });
  for (const call of [
    () => client.responses.getResponse({ params: { formId, responseId } }),
    () => client.responses.getAnswer({ params: { responseId, questionId } }),
    () => client.responses.cancelResponse({ params: { responseId } }),
    () => save(dave, responseId, [text(questionId, 'again')]),
  ]) {
    expect((await problemOf(call())).status).toBe(404);
  }
  expect(await app().table.read([keys.response(responseId)])).toEqual([undefined]);
});
