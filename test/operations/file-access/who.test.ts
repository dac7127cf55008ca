/** Who may know a file (contract section 8, column "Who"; section 1, "Somebody who may not know that a thing exists"). */
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { ask } from '#test/support/building.ts';
import { announce, answerWithFile, formForFiles } from '#test/support/file-access.ts';
import { start } from '#test/support/responses.ts';
import { type Cast, newCast, newOrganization, type Person, person } from '#test/support/world.ts';

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

const infoOf = (who: Person, fileId: string) => ask(who, 'GET', `/api/files/${fileId}/info`);
const statusOfDownload = async (who: Person, fileId: string) => (await ask(who, 'GET', `/api/files/${fileId}`)).status;

describe.for(STATUSES)('a file of a %s form', (status) => {
  test('is described to, and can be downloaded by, its uploader, the members, the admins and operators', async () => {
    const { alice, bob, dave, oscar } = cast;
    const { fileId } = await daveFile(status);
    for (const who of [dave, bob, alice, oscar]) {
      const { status: answered, body } = await infoOf(who, fileId);
      expect([answered, body]).toEqual([
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

  test('is to everybody else, on every route, exactly what a file is that never was', async () => {
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

/** A 404 without what names the request. */
async function refusal(who: Person, method: string, path: string, body?: unknown) {
  const answer = await ask(who, method, path, body);
  expect(answer.status).toBe(404);
  const { instance: _, ...said } = answer.body;
  return said;
}

test('a file of somebody else’s response is to respondents, outsiders and strangers one of a response that never was', async () => {
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

test('members who are not the respondent get 403 for uploading, completing and clearing', async () => {
  const { responseId, questionId, fileId } = await daveFile();
  const path = `/api/responses/${responseId}/questions/${questionId}/files`;
  for (const who of [cast.bob, cast.alice]) {
    expect((await ask(who, 'POST', path, { files: [] })).status).toBe(403);
    expect((await ask(who, 'POST', `${path}/complete`, { fileIds: [fileId] })).status).toBe(403);
    expect((await ask(who, 'DELETE', path)).status).toBe(403);
  }
});

test('who is not signed in gets 401, and a malformed id is 400', async () => {
  const { fileId } = await daveFile();
  for (const path of [`/api/files/${fileId}`, `/api/files/${fileId}/info`, '/api/files', '/api/files/me']) {
    expect((await ask(undefined, 'GET', path)).status).toBe(401);
  }
  expect((await ask(undefined, 'DELETE', `/api/files/${fileId}`)).status).toBe(401);
  expect((await ask(cast.dave, 'GET', '/api/files/no-id')).status).toBe(400);
  expect((await ask(cast.dave, 'DELETE', '/api/files/no-id')).status).toBe(400);
});

test('an upload that was never attached is nobody’s file, sent or not', async () => {
  const { dave, bob, alice, oscar } = cast;
  const { responseId, questionId } = await daveFile();
  const { fileId, put } = await announce(dave, responseId, questionId);
  const judge = async () => {
    for (const who of [dave, bob, alice, oscar]) {
      expect((await infoOf(who, fileId)).status).toBe(404);
      expect(await statusOfDownload(who, fileId)).toBe(404);
      expect((await ask(who, 'DELETE', `/api/files/${fileId}`)).status).toBe(404);
    }
  };
  await judge();
  expect((await put()).status).toBe(200);
  await judge();
});

test('who leaves the organization may know its files no more, and who uploaded one still may', async () => {
  const org = await newOrganization(cast.alice, cast.bob);
  const { formId, questionId } = await formForFiles(cast.alice, org.slug);
  const bobs = await answerWithFile(cast.bob, await start(cast.bob, formId), questionId);
  const daves = await answerWithFile(cast.dave, await start(cast.dave, formId), questionId);
  expect((await infoOf(cast.bob, daves)).status).toBe(200);
  await cast.alice.client.orgs.removeMember({ params: { slug: org.slug, memberId: cast.bob.id } });
  expect((await infoOf(cast.bob, daves)).status).toBe(404);
  expect((await infoOf(cast.bob, bobs)).status).toBe(200);
});

test('once its response, its form or its organization is gone, a file is known to nobody', async () => {
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
  for (const fileId of [byResponse.fileId, byForm.fileId, byOrganization]) {
    for (const who of [dave, alice, oscar]) {
      expect((await infoOf(who, fileId)).status).toBe(404);
      expect(await statusOfDownload(who, fileId)).toBe(404);
      expect((await ask(who, 'DELETE', `/api/files/${fileId}`)).status).toBe(404);
    }
  }
});
