/** Deleting a response: that it is gone from everywhere. Who may: `permission-matrix.test.ts`. */
import { describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { expectProblem, newForm, newOrganization, type Person } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { castAt, readTable, respond, save, start, text } from '#test/support/responses.ts';
import { finishDeletions } from '#test/support/sweeps.ts';

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
  // Nothing but the mark that its id is in use.
  const key = keys.response(responseId);
  expect(await app().table.read([key])).toEqual([{ ...key, progress: 'DELETED', writeId: expect.any(String) }]);
  await finishDeletions();
  expect(await app().table.read([key])).toEqual([undefined]);
});

describe('the owner of a draft', () => {
  test('deletes it, also when the form is archived, and not what is submitted or of others', async () => {
    const { alice, dave, erin, slug } = cast;
    const { formId } = await newForm(alice, slug, questions);
    const [draft, other, submitted] = [
      await start(dave, formId),
      await start(erin, formId),
      await respond(dave, formId),
    ];
    await alice.client.forms.archiveForm({ params: { formId } });
    expect((await remove(dave, formId, draft)).status).toBe(204);
    expect((await expectProblem(remove(dave, formId, other))).status).toBe(404);
    expect((await expectProblem(remove(dave, formId, submitted))).status).toBe(403);
  });

  test('who is an admin too deletes also what is submitted', async () => {
    const { alice, slug } = cast;
    const { formId } = await newForm(alice, slug, questions);
    expect((await remove(alice, formId, await respond(alice, formId))).status).toBe(204);
  });

  test('does not delete what is submitted at the same time', async () => {
    const { alice, dave, slug } = cast;
    const { formId } = await newForm(alice, slug, questions);
    const submit = (responseId: string) =>
      dave.client.responses.submitResponse({ params: { responseId }, body: { answers: [] } });
    const [byCall, byPage] = [await start(dave, formId), await start(dave, formId)];
    const refused = beforeFirstWrite(
      () => expectProblem(remove(dave, formId, byCall)),
      () => submit(byCall),
    );
    expect((await refused).status).toBe(403);
    const shown = await beforeFirstWrite(
      () => pagesOf(dave).post(`/r/${byPage}/delete`),
      () => submit(byPage),
    );
    expect(shown.headers.get('location')).toBe(`/r/${byPage}/done`);
    const { body } = await dave.client.responses.listMyResponses({ params: { formId } });
    expect(body).toMatchObject({ submittedCount: 2, draftCount: 0 });
  });

  test.for([
    ['en', 'Your answers and files in it are deleted for good', 'The draft was deleted.'],
    ['zh-TW', '草稿中的答案和檔案會永久刪除', '草稿已刪除。'],
  ] as const)('is asked before on a page, in %s', async ([language, lead, done]) => {
    const { alice, dave, slug } = cast;
    const { formId } = await newForm(alice, slug, questions);
    const draft = await start(dave, formId);
    const pages = pagesOf(dave, { 'accept-language': language });
    const path = `/r/${draft}/delete`;
    for (const page of [`/f/${formId}`, `/r/${draft}/check`])
      expect(await pages.show(page)).toContain(`href="${path}"`);
    expect(await pages.show(path)).toContain(lead);
    const deleted = await pages.post(path);
    expect(deleted.headers.get('location')).toBe(`/f/${formId}?done=draftDeleted`);
    expect(await pages.show(`/f/${formId}?done=draftDeleted`)).toContain(done);
    expect((await pages.get(`/r/${draft}`)).status).toBe(404);
  });
});

test('Start on a page from before opens the response in every state, and another one once it was deleted', async () => {
  const { alice, dave, slug } = cast;
  const { formId } = await newForm(alice, slug, questions);
  const pages = pagesOf(dave);
  const [, id = ''] = /name="id" value="([^"]+)"/.exec(await pages.show(`/f/${formId}`)) ?? [];
  const press = async () => (await pages.post(`/f/${formId}/start`, [['id', id]])).headers.get('location');
  const first = (await press()) ?? '';
  const responseId = first.slice('/r/'.length);
  await dave.client.responses.submitResponse({ params: { responseId }, body: { answers: [] } });
  expect(await press()).toBe(first);
  expect((await pages.get(first)).headers.get('location')).toBe(`${first}/done`);
  await remove(alice, formId, responseId);
  expect(await press()).not.toBe(first);
});
