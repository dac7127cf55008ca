/** Deleting a form, or an organization, with files under it. */
import { describe, expect, test } from 'vitest';
import { objects } from '#core/db/bucket.ts';
import { formKey, idWithin } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { requestAs } from '#test/support/building.ts';
import { uploadImage } from '#test/support/covers.ts';
import { interruptedAtEveryStep, listTraces } from '#test/support/deletion.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { announceFile, answerWithFile, formForFiles, local, upload, uploaded } from '#test/support/files.ts';
import { expectProblem, newCast, newOrganization } from '#test/support/fixtures.ts';
import { start, submit } from '#test/support/responses.ts';
import { objectKeys } from '#test/support/stored.ts';
import { finishDeletions, isInterrupted } from '#test/support/sweeps.ts';
import { webp } from '#test/support/webp.ts';

const cast = await newCast();

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
  await uploaded(dave, { responseId: submitted, questionId }, 'a.txt', 'b.txt');
  await submit(dave, submitted);
  const draft = await start(erin, formId);
  await answerWithFile(erin, draft, questionId);
  await (await announceFile(erin, draft, questionId)).put();
  await announceFile(erin, draft, questionId);
  // The bytes of a file that a failed request left behind, of a response that exists and of one that does not.
  for (const responseId of [draft, idWithin(formId, app().uuid())]) {
    await put(objects.file(responseId, idWithin(formId, app().uuid())));
  }
  return formId;
}

test('covers, files and uploads of a form are removed with it, even those that no item names; another form keeps its own', async () => {
  const formId = await fullForm();
  const other = await fullForm();
  const kept = await listTraces(formKey(other));
  expect((await objectKeys()).filter((key) => key.includes(formKey(formId)))).toHaveLength(7);
  expect(await removeForm(formId)).toBe(204);
  await finishDeletions();
  expect(await listTraces(formKey(formId))).toEqual([]);
  expect(await listTraces(formKey(other))).toEqual(kept);
  expect(await removeForm(formId)).toBe(404);
});

test.for([
  'table',
  'bucket',
] as const)('a worker that is interrupted by the %s at any step continues later', async (of) => {
  const expectGone = async (formId: string) => expect(await listTraces(formKey(formId))).toEqual([]);
  const interruptions = await interruptedAtEveryStep(of, { create: () => fullForm(), remove: removeForm, expectGone });
  expect(interruptions).toBeGreaterThanOrEqual(2);
});

test('a response that was deleted right before its form leaves nothing', async () => {
  const { formId, questionId } = await formForFiles(cast.alice, cast.slug);
  const responseId = await start(cast.dave, formId);
  await answerWithFile(cast.dave, responseId, questionId);
  expect((await requestAs(cast.alice, 'DELETE', `/api/forms/${formId}/responses/${responseId}`)).status).toBe(204);
  expect(await removeForm(formId)).toBe(204);
  await finishDeletions();
  expect(await listTraces(formKey(formId))).toEqual([]);
});

test('an upload that is sent after the first pass is removed by the second', async () => {
  const { formId, questionId } = await formForFiles(cast.alice, cast.slug);
  const responseId = await start(cast.dave, formId);
  const announced = await announceFile(cast.dave, responseId, questionId);
  expect(await removeForm(formId)).toBe(204);
  expect(await isInterrupted()).toBe(false);
  await announced.put();
  expect(await objectKeys(objects.file(responseId, ''))).toHaveLength(1);
  await finishDeletions();
  expect(await listTraces(formKey(formId))).toEqual([]);
});

test('an upload that is attached while the worker removes the form is removed too', async () => {
  const { formId, questionId } = await formForFiles(cast.alice, cast.slug);
  const responseId = await start(cast.dave, formId);
  await uploaded(cast.dave, { responseId, questionId }, local('a.txt'));
  const late = () => upload(cast.dave, { responseId, questionId }, [local('b.txt')]);
  const removing = async () => {
    expect(await removeForm(formId)).toBe(204);
    expect(await isInterrupted()).toBe(false);
  };
  expect(await expectProblem(beforeFirstWrite(late, removing))).toMatchObject({ status: 404 });
  await finishDeletions();
  expect(await listTraces(formKey(formId))).toEqual([]);
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
    expect(await listTraces(orgId)).toEqual([]);
    for (const formId of formIds) expect(await listTraces(formKey(formId))).toEqual([]);
  };

  test('the files and covers of all its forms are removed', async () => {
    const made = await create(fullForm);
    expect(await remove(made)).toBe(204);
    await finishDeletions();
    await expectGone(made);
  });

  test('they are removed in the end when the bucket interrupts the worker at any step', async () => {
    const interruptions = await interruptedAtEveryStep('bucket', {
      create: () => create(smallForm),
      remove,
      expectGone,
    });
    expect(interruptions).toBeGreaterThanOrEqual(2);
  });
});
