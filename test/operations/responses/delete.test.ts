/** Deleting a response: that it is gone from everywhere. Who may: `permission-matrix.test.ts`. */
import { expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { expectProblem, newForm, newOrganization, type Person } from '#test/support/fixtures.ts';
import { castAt, readTable, respond, save, start, text } from '#test/support/responses.ts';

const cast = await castAt();
const questions = [[{ type: 'SHORT_TEXT' as const }]];
const remove = ({ client }: Pick<Person, 'client'>, formId: string, responseId: string) =>
  client.responses.deleteResponse({ params: { formId, responseId } });

test('the response is not visible to the creator of the form who is no longer a member', async () => {
  const { dave, erin, oscar } = cast;
  const org = await newOrganization(oscar, erin);
  const { formId } = await newForm(erin, org.slug, questions);
  const responseId = await respond(dave, formId, []);
  await app().table.write([
    { remove: keys.member(org.orgId, erin.id) },
    { update: keys.account(erin.id), unset: [`memberships.${org.orgId}`] },
  ]);
  expect((await expectProblem(remove(erin, formId, responseId))).status).toBe(404);
});

test('a deleted response is gone from lists, counts, preview, answers, table, summary and storage', async () => {
  const { alice, dave, slug } = cast;
  const { formId, questionIds } = await newForm(alice, slug, questions);
  const [questionId = ''] = questionIds;
  const responseId = await respond(dave, formId, [text(questionId, 'hello')]);
  const kept = await start(dave, formId);
  const other = await newForm(alice, slug, questions);
  expect((await expectProblem(remove(alice, other.formId, responseId))).status).toBe(404);
  expect((await remove(alice, formId, responseId)).status).toBe(204);
  const { client } = dave;
  const params = { formId };
  const counts = { totalCount: 1, draftCount: 1, submittedCount: 0, responses: [{ id: kept }] };
  expect((await client.responses.listMyResponses({ params })).body).toMatchObject(counts);
  expect((await alice.client.responses.listResponses({ params })).body).toMatchObject(counts);
  expect((await readTable(alice, formId, [questionId])).rows).toEqual([]);
  const summary = (await client.forms.listMyForms()).body.find(({ id }) => id === formId);
  expect(summary).toMatchObject({ status: 'IN_PROGRESS', responseIds: [kept] });
  for (const call of [
    () => remove(alice, formId, responseId),
    () => client.responses.getResponse({ params: { formId, responseId } }),
    () => client.responses.getAnswer({ params: { responseId, questionId } }),
    () => client.responses.cancelResponse({ params: { responseId } }),
    () => save(dave, responseId, [text(questionId, 'again')]),
  ]) {
    expect((await expectProblem(call())).status).toBe(404);
  }
  expect(await app().table.read([keys.response(responseId)])).toEqual([undefined]);
});
