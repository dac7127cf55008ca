/** Who may know a file. */
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { requestAs } from '#test/support/building.ts';
import { announceFile, answerWithFile, formForFiles } from '#test/support/files.ts';
import { type Cast, newCast, newOrganization, type Person, person } from '#test/support/fixtures.ts';
import { start } from '#test/support/responses.ts';
import { isInterrupted } from '#test/support/sweeps.ts';

let cast: Cast;
let stranger: Person;
beforeAll(async () => {
  cast = await newCast();
  stranger = await person('gina');
  await newOrganization(stranger);
});

const STATUSES = ['PUBLISHED', 'DRAFT', 'ARCHIVED'] as const;

/** A file of dave's to a form in some status, to which erin has a response with a file too. */
async function daveFile(status: (typeof STATUSES)[number] = 'PUBLISHED') {
  const { alice, dave, erin, slug } = cast;
  const { formId, questionId } = await formForFiles(alice, slug);
  const responseId = await start(dave, formId);
  const fileId = await answerWithFile(dave, responseId, questionId);
  await answerWithFile(erin, await start(erin, formId), questionId);
  if (status !== 'PUBLISHED') await alice.client.forms.archiveForm({ params: { formId } });
  if (status === 'DRAFT') await alice.client.forms.unarchiveForm({ params: { formId } });
  return { formId, questionId, responseId, fileId };
}

const infoOf = (who: Person, fileId: string) => requestAs(who, 'GET', `/api/files/${fileId}/info`);
const statusOfDownload = async (who: Person, fileId: string) =>
  (await requestAs(who, 'GET', `/api/files/${fileId}`)).status;

describe.for(STATUSES)('a file of a %s form', (status) => {
  test('is visible to and can be downloaded by its uploader, the members, the admins and operators', async () => {
    const { alice, bob, dave, oscar } = cast;
    const { fileId } = await daveFile(status);
    for (const who of [dave, bob, alice, oscar]) {
      const { status: infoStatus, body } = await infoOf(who, fileId);
      expect([infoStatus, body]).toEqual([
        200,
        {
          id: fileId,
          originalFilename: 'river.txt',
          contentType: 'text/plain',
          size: 17,
          uploadedBy: dave.id,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        },
      ]);
      expect(await statusOfDownload(who, fileId)).toBe(302);
    }
  });

  test('gives everybody else, in every operation, the 404 of a missing file', async () => {
    const { chelsea, erin } = cast;
    const { fileId } = await daveFile(status);
    for (const who of [erin, chelsea, stranger]) {
      for (const [method, rest] of [
        ['GET', ''],
        ['GET', '/info'],
        ['DELETE', ''],
      ] as const) {
        expect(await refusal(who, method, `/api/files/${fileId}${rest}`)).toEqual(
          await refusal(who, method, `/api/files/${app().uuid()}${rest}`),
        );
      }
    }
    expect((await infoOf(cast.dave, fileId)).status).toBe(200);
  });
});

/** A 404 without the members that name the request. */
async function refusal(who: Person, method: string, path: string, body?: unknown) {
  const response = await requestAs(who, method, path, body);
  expect(response.status).toBe(404);
  const { instance: _, ...problem } = response.body;
  return problem;
}

test('file operations on the response of somebody else give respondents and outsiders the 404 of a missing response', async () => {
  const { chelsea, dave, erin } = cast;
  const { responseId, questionId, fileId } = await daveFile();
  const body = { fileIds: [fileId] };
  const upload = { files: [{ filename: 'a.txt', contentType: 'text/plain', size: 1, sha256: 'a'.repeat(64) }] };
  const requests = [
    ['POST', '', upload],
    ['POST', '', {}],
    ['POST', '/complete', body],
    ['DELETE', '', undefined],
  ] as const;
  for (const who of [erin, chelsea, stranger]) {
    for (const [method, rest, sent] of requests) {
      const at = (id: string) => `/api/responses/${id}/questions/${questionId}/files${rest}`;
      expect(await refusal(who, method, at(responseId), sent)).toEqual(
        await refusal(who, method, at(app().uuid()), sent),
      );
    }
  }
  expect((await infoOf(dave, fileId)).status).toBe(200);
});

test('members who are not the owner get 403 for uploading, completing and clearing', async () => {
  const { responseId, questionId, fileId } = await daveFile();
  const path = `/api/responses/${responseId}/questions/${questionId}/files`;
  for (const who of [cast.bob, cast.alice]) {
    expect((await requestAs(who, 'POST', path, { files: [] })).status).toBe(403);
    expect((await requestAs(who, 'POST', `${path}/complete`, { fileIds: [fileId] })).status).toBe(403);
    expect((await requestAs(who, 'DELETE', path)).status).toBe(403);
  }
});

test('without a credential it is 401, with a malformed id 400', async () => {
  const { fileId } = await daveFile();
  for (const path of [`/api/files/${fileId}`, `/api/files/${fileId}/info`, '/api/files', '/api/files/me']) {
    expect((await requestAs(undefined, 'GET', path)).status).toBe(401);
  }
  expect((await requestAs(undefined, 'DELETE', `/api/files/${fileId}`)).status).toBe(401);
  expect((await requestAs(cast.dave, 'GET', '/api/files/no-id')).status).toBe(400);
  expect((await requestAs(cast.dave, 'DELETE', '/api/files/no-id')).status).toBe(400);
});

test('an upload that is not attached is visible to nobody, sent or not', async () => {
  const { dave, bob, alice, oscar } = cast;
  const { responseId, questionId } = await daveFile();
  const { fileId, put } = await announceFile(dave, responseId, questionId);
  const expectHidden = async () => {
    for (const who of [dave, bob, alice, oscar]) {
      expect((await infoOf(who, fileId)).status).toBe(404);
      expect(await statusOfDownload(who, fileId)).toBe(404);
      expect((await requestAs(who, 'DELETE', `/api/files/${fileId}`)).status).toBe(404);
    }
  };
  await expectHidden();
  expect((await put()).status).toBe(200);
  await expectHidden();
});

test('a former member sees no files of the organization but their own', async () => {
  const org = await newOrganization(cast.alice, cast.bob);
  const { formId, questionId } = await formForFiles(cast.alice, org.slug);
  const bobs = await answerWithFile(cast.bob, await start(cast.bob, formId), questionId);
  const daves = await answerWithFile(cast.dave, await start(cast.dave, formId), questionId);
  expect((await infoOf(cast.bob, daves)).status).toBe(200);
  await cast.alice.client.orgs.removeMember({ params: { slug: org.slug, memberId: cast.bob.id } });
  expect((await infoOf(cast.bob, daves)).status).toBe(404);
  expect((await infoOf(cast.bob, bobs)).status).toBe(200);
});

test('a file whose response, form or organization is deleted is visible to nobody', async () => {
  const { alice, dave, oscar } = cast;
  const org = await newOrganization(alice, dave);
  const elsewhere = await formForFiles(alice, org.slug);
  const [byResponse, byForm, byOrganization] = [
    await daveFile(),
    await daveFile(),
    await answerWithFile(dave, await start(dave, elsewhere.formId), elsewhere.questionId),
  ];
  await alice.client.responses.deleteResponse({
    params: { formId: byResponse.formId, responseId: byResponse.responseId },
  });
  await alice.client.forms.deleteForm({ params: { formId: byForm.formId } });
  await alice.client.orgs.deleteOrganization({ params: { slug: org.slug } });
  // The forms of a deleted organization are removed by the worker.
  await isInterrupted();
  for (const fileId of [byResponse.fileId, byForm.fileId, byOrganization]) {
    for (const who of [dave, alice, oscar]) {
      expect((await infoOf(who, fileId)).status).toBe(404);
      expect(await statusOfDownload(who, fileId)).toBe(404);
      expect((await requestAs(who, 'DELETE', `/api/files/${fileId}`)).status).toBe(404);
    }
  }
});
