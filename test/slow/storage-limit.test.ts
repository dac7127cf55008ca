/** The bytes that an organization may store: counted by the worker, refused where files and covers are sent. */
import { expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { loadStoredBytes } from '#core/organizations/store.ts';
import { muteErrors } from '#test/support/console.ts';
import { announceCover } from '#test/support/covers.ts';
import { withConfig } from '#test/support/faults.ts';
import {
  type At,
  about,
  announce,
  attached,
  clearFiles,
  complete,
  formForFiles,
  pdf,
  refusals,
  sentDirectly,
  upload,
  uploaded,
} from '#test/support/files.ts';
import { newCast, newOrganization } from '#test/support/fixtures.ts';
import { cancel, start, submit } from '#test/support/responses.ts';
import { finishDeletions } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await newCast();
muteErrors();

/** An organization of its own with a form that asks twice for files. */
async function newPlace() {
  const { alice, dave } = cast;
  const { slug, orgId } = await newOrganization(alice);
  const { formId, questionIds } = await formForFiles(alice, slug, 2);
  const [first = '', second = ''] = questionIds;
  const newResponse = async (): Promise<[At, At]> => {
    const responseId = await start(dave, formId);
    return [
      { responseId, questionId: first },
      { responseId, questionId: second },
    ];
  };
  return { slug, orgId, formId, newResponse };
}

/** What an organization stores, once the worker has handled all changes: each batch twice and out of order. */
async function storedIn(orgId: string): Promise<number | undefined> {
  await deliverStream({ twice: true, shuffle: 'all', random: () => 0.3 });
  return loadStoredBytes(app().table, orgId);
}

test('counts the files of answers as they come and go, and nothing else', async () => {
  const { dave } = cast;
  const { orgId, newResponse } = await newPlace();
  expect(await storedIn(orgId)).toBe(0);
  const [first, second] = await newResponse();
  await uploaded(dave, first, pdf('a.pdf', 1_000), pdf('b.pdf', 200));
  expect(await storedIn(orgId)).toBe(1_200);
  await attached(dave, second, pdf('c.pdf', 30));
  expect(await storedIn(orgId)).toBe(1_230);
  // Announced and sent, but not attached.
  await sentDirectly(dave, second, pdf('d.pdf', 5_000));
  expect(await storedIn(orgId)).toBe(1_230);
  await submit(dave, first.responseId);
  await cancel(dave, first.responseId);
  expect(await storedIn(orgId)).toBe(1_230);
  await uploaded(dave, first, pdf('e.pdf', 400));
  expect(await storedIn(orgId)).toBe(430);
  await clearFiles(dave, second);
  expect(await storedIn(orgId)).toBe(400);
});

test('gives the bytes back when a response or a form is deleted, whether or not the worker ran before', async () => {
  const { alice, dave } = cast;
  const { slug, orgId, formId, newResponse } = await newPlace();
  const [[one], [two]] = [await newResponse(), await newResponse()];
  await uploaded(dave, one, pdf('a.pdf', 1_000));
  await uploaded(dave, two, pdf('b.pdf', 200));
  const other = await formForFiles(alice, slug);
  const responseId = await start(dave, other.formId);
  await uploaded(dave, { responseId, questionId: other.questionId }, pdf('c.pdf', 30));
  expect(await storedIn(orgId)).toBe(1_230);
  await alice.client.responses.deleteResponse({ params: { formId, responseId: one.responseId } });
  expect(await storedIn(orgId)).toBe(230);
  const [three] = await newResponse();
  await uploaded(dave, three, pdf('d.pdf', 7));
  await alice.client.forms.deleteForm({ params: { formId } });
  await finishDeletions();
  expect(await storedIn(orgId)).toBe(30);
  await alice.client.orgs.deleteOrganization({ params: { slug } });
  await finishDeletions();
  expect(await storedIn(orgId)).toBeUndefined();
});

test('counts each file once though the worker dies at any of its calls', async () => {
  const { dave } = cast;
  const { orgId, newResponse } = await newPlace();
  let expected = 0;
  for (const when of ['before', 'after'] as const) {
    for (let call = 1; call <= 6; call += 1) {
      const [at] = await newResponse();
      await uploaded(dave, at, pdf('a.pdf', 100 + call));
      expected += 100 + call;
      await deliverStream({ only: ['tally'], kill: { call, when } });
      expect(await storedIn(orgId)).toBe(expected);
    }
  }
});

test('refuses with 413 what would be beyond the limit, and takes what fits', async () => {
  const { alice, dave } = cast;
  const { orgId, formId, newResponse } = await newPlace();
  const [first, second] = await newResponse();
  await uploaded(dave, first, pdf('a.pdf', 900));
  expect(await storedIn(orgId)).toBe(900);
  await withConfig({ maxStoredBytes: 1_000 }, async () => {
    const large = pdf('b.pdf', 101);
    const cover = new Uint8Array(101);
    const refused = await refusals([
      () => upload(dave, second, [large]),
      () => announce(dave, second, [about(large)]),
      () => announceCover(alice, formId, cover),
    ]);
    for (const problem of refused) expect(problem).toMatchObject({ status: 413, code: 'storage_full' });
    // Another organization has room, and so has this one for a smaller file.
    const other = await newPlace();
    await uploaded(dave, (await other.newResponse())[0], large);
    const fileIds = await sentDirectly(dave, second, pdf('c.pdf', 100));
    await complete(dave, second, fileIds);
    expect(await storedIn(orgId)).toBe(1_000);
    // Removing a file makes room.
    await clearFiles(dave, first);
    expect(await storedIn(orgId)).toBe(100);
    expect((await upload(dave, first, [large])).status).toBe(201);
  });
});
