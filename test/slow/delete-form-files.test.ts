/** Deleting a form, or an organization, with files under it. */
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { formKey, idWithin } from '#core/db/keys.ts';
import { objects } from '#core/db/objects.ts';
import type { Table } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { requestAs } from '#test/support/building.ts';
import { uploadImage } from '#test/support/covers.ts';
import { dyingAfter, withTable } from '#test/support/faults.ts';
import {
  announce,
  answerWithFile,
  answerWithFiles,
  failingAtEveryStep,
  formForFiles,
  tracesOf,
  tracesOfForm,
} from '#test/support/file-access.ts';
import { local, upload, uploaded, whileWaiting } from '#test/support/files.ts';
import { type Cast, newCast, newOrganization } from '#test/support/fixtures.ts';
import { objectKeys } from '#test/support/objects.ts';
import { start, submit } from '#test/support/responses.ts';
import { webp } from '#test/support/webp.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const removeForm = async (formId: string) => (await requestAs(cast.alice, 'DELETE', `/api/forms/${formId}`)).status;
const removeOrganization = async (slug: string) => (await requestAs(cast.alice, 'DELETE', `/api/orgs/${slug}`)).status;
const put = (key: string) => app().bucket.put(key, Buffer.from('bytes'), 'image/webp');

/** A form with everything in the bucket that can be under one. */
async function fullForm(slug = cast.slug): Promise<string> {
  const { alice, dave, erin } = cast;
  const { formId, questionId } = await formForFiles(alice, slug);
  await uploadImage(alice, formId, webp(30, 20));
  // A cover that is not the form's, as a failed request leaves it behind.
  await put(objects.cover(formId, app().uuid()));
  const submitted = await start(dave, formId);
  await answerWithFiles(dave, submitted, questionId, 'a.txt', 'b.txt');
  await submit(dave, submitted);
  const draft = await start(erin, formId);
  await answerWithFile(erin, draft, questionId);
  await (await announce(erin, draft, questionId)).put();
  await announce(erin, draft, questionId);
  // The bytes of a file that a failed request left behind, of a response that exists and of one that does not.
  for (const responseId of [draft, idWithin(formId, app().uuid())]) {
    await put(objects.file(responseId, idWithin(formId, app().uuid())));
  }
  return formId;
}

test('covers, files and uploads of a form are removed with it, even those that no item names; another form keeps its own', async () => {
  const formId = await fullForm();
  const other = await fullForm();
  const kept = await tracesOfForm(other);
  expect((await objectKeys()).filter((key) => key.includes(formKey(formId)))).toHaveLength(7);
  expect(await removeForm(formId)).toBe(204);
  expect(await tracesOfForm(formId)).toEqual([]);
  expect(await tracesOfForm(other)).toEqual(kept);
  expect(await removeForm(formId)).toBe(404);
});

test.for([
  'table',
  'bucket',
] as const)('a deletion during which the %s fails at any step can be repeated', async (of) => {
  const expectGone = async (formId: string) => expect(await tracesOfForm(formId)).toEqual([]);
  const failures = await failingAtEveryStep(of, { create: () => fullForm(), remove: removeForm, expectGone });
  expect(failures).toBeGreaterThanOrEqual(2);
});

test('the files of a form whose deletion failed half-way are visible to nobody', async () => {
  const { formId, questionId } = await formForFiles(cast.alice, cast.slug);
  const fileId = await answerWithFile(cast.dave, await start(cast.dave, formId), questionId);
  expect(await withTable(dyingAfter(1), () => removeForm(formId))).toBe(500);
  for (const who of [cast.dave, cast.bob, cast.alice, cast.oscar]) {
    for (const path of [`/api/files/${fileId}`, `/api/files/${fileId}/info`]) {
      expect((await requestAs(who, 'GET', path)).status).toBe(404);
    }
    expect((await requestAs(who, 'DELETE', `/api/files/${fileId}`)).status).toBe(404);
  }
});

test('a response whose own deletion failed half-way is removed with its form', async () => {
  const { formId, questionId } = await formForFiles(cast.alice, cast.slug);
  const responseId = await start(cast.dave, formId);
  await answerWithFile(cast.dave, responseId, questionId);
  const path = `/api/forms/${formId}/responses/${responseId}`;
  const { status } = await withTable(dyingAfter(1), () => requestAs(cast.alice, 'DELETE', path));
  expect(status).toBe(500);
  expect(await removeForm(formId)).toBe(204);
  expect(await tracesOfForm(formId)).toEqual([]);
});

test.for([
  2, 3,
])('an upload that is attached just before write %i of the deletion is removed with the form', async (nth) => {
  const { formId, questionId } = await formForFiles(cast.alice, cast.slug);
  const responseId = await start(cast.dave, formId);
  const at = { responseId, questionId };
  await uploaded(cast.dave, at, local('a.txt'));
  let removing: Promise<number> | undefined;
  const uploading = whileWaiting(
    'put',
    () => upload(cast.dave, at, [local('b.txt')]),
    async () => {
      let writes = 0;
      const meeting = (table: Table): Partial<Table> => ({
        write: async (...args) => {
          writes += 1;
          if (writes === nth) await uploading.catch(() => undefined);
          await table.write(...args);
        },
      });
      const attempt = withTable(meeting, () => removeForm(formId));
      removing = attempt;
      await setTimeout(50);
    },
  );
  expect((await uploading).status).toBe(201);
  expect(await removing).toBe(204);
  expect(await tracesOfForm(formId)).toEqual([]);
  const { total, files } = (await cast.dave.client.files.listFiles({ query: { limit: 100 } })).body;
  expect(total).toBe(files.length);
});

describe('with an organization', () => {
  type Made = { slug: string; orgId: string; formIds: string[] };
  const create = async (newForm: (slug: string) => Promise<string>): Promise<Made> => {
    const { slug, orgId } = await newOrganization(cast.alice, cast.bob);
    return { slug, orgId, formIds: [await newForm(slug), await newForm(slug)] };
  };
  const smallForm = async (slug: string) => {
    const { formId, questionId } = await formForFiles(cast.alice, slug);
    await answerWithFile(cast.dave, await start(cast.dave, formId), questionId);
    return formId;
  };
  const remove = ({ slug }: Made) => removeOrganization(slug);
  const expectGone = async ({ orgId, formIds }: Made) => {
    expect(await tracesOf(orgId)).toEqual([]);
    for (const formId of formIds) expect(await tracesOfForm(formId)).toEqual([]);
  };

  test('the files and covers of all its forms are removed', async () => {
    const made = await create(fullForm);
    expect(await remove(made)).toBe(204);
    await expectGone(made);
  });

  test('they are removed in the end when the bucket fails at any step', async () => {
    const failures = await failingAtEveryStep('bucket', { create: () => create(smallForm), remove, expectGone });
    expect(failures).toBeGreaterThanOrEqual(2);
  });
});
