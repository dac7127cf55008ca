/** Files that are visible to nobody; who sees a file that is attached is in `permission-matrix.test.ts`. */
import { expect, test } from 'vitest';
import { requestAs } from '#test/support/building.ts';
import { announceFile, answerWithFile, formForFiles } from '#test/support/files.ts';
import { newCast, newOrganization, type Person } from '#test/support/fixtures.ts';
import { start } from '#test/support/responses.ts';
import { isInterrupted } from '#test/support/sweeps.ts';

const cast = await newCast();

/** A file of somebody's to a new form of an organization. */
async function newFile(who: Person, slug = cast.slug) {
  const { formId, questionId } = await formForFiles(cast.alice, slug);
  const responseId = await start(who, formId);
  return { formId, questionId, responseId, fileId: await answerWithFile(who, responseId, questionId) };
}

const readInfo = async (who: Person, fileId: string) =>
  (await requestAs(who, 'GET', `/api/files/${fileId}/info`)).status;

/** The file is 404 to those who would know it, in every operation, and in no list of theirs. */
async function expectHidden(fileId: string): Promise<void> {
  for (const who of [cast.dave, cast.bob, cast.alice, cast.oscar]) {
    expect(await readInfo(who, fileId)).toBe(404);
    for (const method of ['GET', 'DELETE']) {
      expect((await requestAs(who, method, `/api/files/${fileId}`)).status).toBe(404);
    }
    const { files } = (await who.client.files.listFiles({ query: { limit: 100 } })).body;
    const ids = [...files, ...(await who.client.files.listMyFiles()).body].map(({ id }) => id);
    expect(ids).not.toContain(fileId);
  }
}

test('an upload that is not attached is visible to nobody, sent or not', async () => {
  const { responseId, questionId } = await newFile(cast.dave);
  const { fileId, put } = await announceFile(cast.dave, responseId, questionId);
  await expectHidden(fileId);
  expect((await put()).status).toBe(200);
  await expectHidden(fileId);
});

test('a former member sees no files of the organization but their own', async () => {
  const { alice, bob, dave } = cast;
  const { slug } = await newOrganization(alice, bob);
  const [bobs, daves] = [await newFile(bob, slug), await newFile(dave, slug)];
  expect(await readInfo(bob, daves.fileId)).toBe(200);
  await alice.client.orgs.removeMember({ params: { slug, memberId: bob.id } });
  expect([await readInfo(bob, daves.fileId), await readInfo(bob, bobs.fileId)]).toEqual([404, 200]);
});

test('a file whose response, form or organization is deleted is visible to nobody at once', async () => {
  const { alice, dave } = cast;
  const { slug } = await newOrganization(alice, dave);
  const ofResponse = await newFile(dave);
  const { formId, responseId } = ofResponse;
  await alice.client.responses.deleteResponse({ params: { formId, responseId } });
  await expectHidden(ofResponse.fileId);
  const ofForm = await newFile(dave);
  await alice.client.forms.deleteForm({ params: { formId: ofForm.formId } });
  await expectHidden(ofForm.fileId);
  const ofOrganization = await newFile(dave, slug);
  await alice.client.orgs.deleteOrganization({ params: { slug } });
  // The forms of a deleted organization are removed by the worker.
  await isInterrupted();
  await expectHidden(ofOrganization.fileId);
});
