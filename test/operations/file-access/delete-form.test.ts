/** Deleting a form, or an organization, with files under it (contract section 9, "Delete means gone"). */
import { beforeAll, describe, expect, test } from 'vitest';
import { formKey, idWithin } from '#core/db/keys.ts';
import { objects } from '#core/db/objects.ts';
import { app } from '#core/http/app.ts';
import { ask, itemsMentioning } from '#test/support/building.ts';
import { uploadImage } from '#test/support/covers.ts';
import { dyingAfter, gate, withApp, withTable } from '#test/support/faults.ts';
import {
  announce,
  answerWithFile,
  answerWithFiles,
  dyingAtEveryStep,
  formForFiles,
  tracesOf,
  tracesOfForm,
} from '#test/support/file-access.ts';
import { objectKeys } from '#test/support/objects.ts';
import { start, submit } from '#test/support/responses.ts';
import { webp } from '#test/support/webp.ts';
import { type Cast, newCast, newOrganization } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const removeForm = async (formId: string) => (await ask(cast.alice, 'DELETE', `/api/forms/${formId}`)).status;
const removeOrganization = async (slug: string) => (await ask(cast.alice, 'DELETE', `/api/orgs/${slug}`)).status;
const put = (key: string) => app().bucket.put(key, Buffer.from('bytes'), 'image/webp');

/** A form with everything in the bucket that can be under one. */
async function fullForm(slug = cast.slug): Promise<string> {
  const { alice, dave, erin } = cast;
  const { formId, questionId } = await formForFiles(alice, slug);
  await uploadImage(alice, formId, webp(30, 20));
  // A cover that a request left behind when it died, and one that was uploaded and never taken.
  await put(objects.cover(formId, app().uuid()));
  await put(objects.pending(objects.cover(formId, app().uuid())));
  const submitted = await start(dave, formId);
  await answerWithFiles(dave, submitted, questionId, 'a.txt', 'b.txt');
  await submit(dave, submitted);
  const draft = await start(erin, formId);
  await answerWithFile(erin, draft, questionId);
  await (await announce(erin, draft, questionId)).put();
  await announce(erin, draft, questionId);
  // The bytes of a file that a request left behind when it died, of a response that is there, and of one that is not.
  for (const responseId of [draft, idWithin(formId, app().uuid())]) {
    await put(objects.file(responseId, idWithin(formId, app().uuid())));
  }
  return formId;
}

test('with a form go its covers, files and uploads, even those that no item names; another form keeps its own', async () => {
  const formId = await fullForm();
  const other = await fullForm();
  const kept = await tracesOfForm(other);
  expect((await objectKeys()).filter((key) => key.includes(formKey(formId)))).toHaveLength(9);
  expect(await removeForm(formId)).toBe(204);
  expect(await tracesOfForm(formId)).toEqual([]);
  expect(await tracesOfForm(other)).toEqual(kept);
  expect(await removeForm(formId)).toBe(404);
});

test('a form takes along more files of a response than one write can', async () => {
  const { formId, questionIds } = await formForFiles(cast.alice, cast.slug, 12);
  const responseId = await start(cast.dave, formId);
  const names = Array.from({ length: 10 }, (_, index) => `${index}.txt`);
  for (const questionId of questionIds) await answerWithFiles(cast.dave, responseId, questionId, ...names);
  expect(await removeForm(formId)).toBe(204);
  expect(await tracesOfForm(formId)).toEqual([]);
});

describe.for(['table', 'bucket'] as const)('when the %s dies while a form is deleted', (of) => {
  test('at whichever step, then asking again ends it and leaves nothing', async () => {
    const deaths = await dyingAtEveryStep(of, {
      make: () => fullForm(),
      remove: removeForm,
      judge: async (formId) => {
        expect(await itemsMentioning(`FORM#${formKey(formId)}`)).not.toEqual([]);
        expect(await removeForm(formId)).toBe(204);
        expect(await tracesOfForm(formId)).toEqual([]);
      },
    });
    expect(deaths).toBe(4);
  });
});

test('the files of a form whose deletion stopped half-way are known to nobody', async () => {
  const { formId, questionId } = await formForFiles(cast.alice, cast.slug);
  const fileId = await answerWithFile(cast.dave, await start(cast.dave, formId), questionId);
  expect(await withTable(dyingAfter(1), () => removeForm(formId))).toBe(500);
  for (const who of [cast.dave, cast.bob, cast.alice, cast.oscar]) {
    for (const path of [`/api/files/${fileId}`, `/api/files/${fileId}/info`]) {
      expect((await ask(who, 'GET', path)).status).toBe(404);
    }
    expect((await ask(who, 'DELETE', `/api/files/${fileId}`)).status).toBe(404);
  }
});

test('a response whose own deletion stopped half-way goes with its form, wherever that stops too', async () => {
  await dyingAtEveryStep('table', {
    make: async () => {
      const { formId, questionId } = await formForFiles(cast.alice, cast.slug);
      const responseId = await start(cast.dave, formId);
      await answerWithFile(cast.dave, responseId, questionId);
      const path = `/api/forms/${formId}/responses/${responseId}`;
      const { status } = await withTable(dyingAfter(1), () => ask(cast.alice, 'DELETE', path));
      if (status !== 500) throw new Error(`the deletion answered ${status}`);
      return formId;
    },
    remove: removeForm,
    judge: async (formId) => {
      expect(await removeForm(formId)).toBe(204);
      expect(await tracesOfForm(formId)).toEqual([]);
    },
  });
});

describe('beside the deletion of a form', () => {
  /** What uploads a file, and waits before its bytes are stored. */
  async function slowUpload(responseId: string, questionId: string) {
    const { reached, open, wait } = gate();
    const upload = await withApp(
      ({ bucket }) => ({ bucket: { ...bucket, put: async (...args) => wait().then(() => bucket.put(...args)) } }),
      async () => {
        const going = answerWithFile(cast.dave, responseId, questionId).then(
          () => 201,
          ({ status }) => status,
        );
        await reached;
        return { going };
      },
    );
    return { open, ended: upload.going };
  }

  test('an upload that comes after it is refused, and its bytes are not left', async () => {
    const { formId, questionId } = await formForFiles(cast.alice, cast.slug);
    const { open, ended } = await slowUpload(await start(cast.dave, formId), questionId);
    expect(await removeForm(formId)).toBe(204);
    open();
    expect(await ended).toBe(404);
    expect(await tracesOfForm(formId)).toEqual([]);
  });

  test.for([2, 3])('an upload that is attached before write %i of it goes along', async (nth) => {
    const { formId, questionId } = await formForFiles(cast.alice, cast.slug);
    const responseId = await start(cast.dave, formId);
    await answerWithFile(cast.dave, responseId, questionId);
    const { open, ended } = await slowUpload(responseId, questionId);
    let writes = 0;
    const meeting = withTable(
      (table) => ({
        write: async (...args) => {
          writes += 1;
          if (writes === nth) {
            open();
            expect(await ended).toBe(201);
          }
          await table.write(...args);
        },
      }),
      () => removeForm(formId),
    );
    expect(await meeting).toBe(204);
    expect(await tracesOfForm(formId)).toEqual([]);
    expect((await cast.dave.client.files.listFiles()).body.files).not.toContainEqual(
      expect.objectContaining({ originalFilename: 'river.txt', id: expect.stringContaining(formKey(formId)) }),
    );
  });
});

describe('with an organization', () => {
  async function fullOrganization() {
    const { slug, orgId } = await newOrganization(cast.alice, cast.bob);
    return { slug, orgId, formIds: [await fullForm(slug), await fullForm(slug)] };
  }

  async function expectGone({ orgId, formIds }: Awaited<ReturnType<typeof fullOrganization>>): Promise<void> {
    expect(await tracesOf(orgId)).toEqual([]);
    for (const formId of formIds) expect(await tracesOfForm(formId)).toEqual([]);
  }

  test('go the files and covers of all its forms', async () => {
    const made = await fullOrganization();
    expect(await removeOrganization(made.slug)).toBe(204);
    await expectGone(made);
  });

  test.for(['table', 'bucket'] as const)('they go in the end, at whichever step the %s dies', async (of) => {
    const deaths = await dyingAtEveryStep(of, {
      make: fullOrganization,
      remove: ({ slug }) => removeOrganization(slug),
      judge: async (made) => {
        expect(await removeOrganization(made.slug)).toBe(204);
        await expectGone(made);
      },
    });
    expect(deaths).toBeGreaterThanOrEqual(8);
  });
});
