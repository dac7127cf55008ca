/** The number of a user's files, a counter that changes in the transaction of every change of files. */
import { expect, test } from 'vitest';
import { requestAs } from '#test/support/building.ts';
import { interruptedAtEveryStep } from '#test/support/deletion.ts';
import { announced, attached, clearFiles, formForFiles, local, uploaded } from '#test/support/files.ts';
import { newCast, person } from '#test/support/fixtures.ts';
import { start } from '#test/support/responses.ts';
import { finishDeletions } from '#test/support/sweeps.ts';

const cast = await newCast();

test('total stays exact through every way in which files come and go', async () => {
  const who = await person('dora');
  const { formId, questionIds } = await formForFiles(cast.alice, cast.slug, 3);
  const [first = '', second = '', third = ''] = questionIds;
  const responseId = await start(who, formId);
  const at = (questionId: string) => ({ responseId, questionId });
  const total = async () => (await who.client.files.listFiles()).body.total;
  await uploaded(who, at(first), local('a.txt'), local('b.txt'), local('c.txt'));
  await attached(who, at(second), local('d.txt'), local('e.txt'));
  expect(await total()).toBe(5);
  await uploaded(who, at(first), local('f.txt'));
  await attached(who, at(second), local('g.txt'), local('h.txt'), local('i.txt'));
  expect(await total()).toBe(4);
  const [fileId = ''] = await uploaded(who, at(third), local('j.txt'));
  await Promise.allSettled([1, 2, 3].map(() => who.client.files.deleteFile({ params: { fileId } })));
  expect(await total()).toBe(4);
  await clearFiles(who, at(first));
  expect(await total()).toBe(3);
  await announced(who, at(first), local('k.txt'));
  expect(await total()).toBe(3);
  const other = await formForFiles(cast.alice, cast.slug);
  for (const _ of [1, 2]) {
    const responseId = await start(who, other.formId);
    await uploaded(who, { responseId, questionId: other.questionId }, 'l.txt', 'm.txt');
  }
  expect(await total()).toBe(7);
  const removing = () => cast.alice.client.responses.deleteResponse({ params: { formId, responseId } });
  await Promise.allSettled([removing(), removing()]);
  expect(await total()).toBe(4);
  const removingForm = () => cast.alice.client.forms.deleteForm({ params: { formId: other.formId } });
  await Promise.allSettled([removingForm(), removingForm()]);
  await finishDeletions();
  expect((await who.client.files.listFiles()).body).toMatchObject({ total: 0, files: [] });
});

test.for([
  'response',
  'form',
] as const)('total stays exact when the worker is interrupted during the deletion of a %s', async (what) => {
  const who = await person('dora');
  const create = async () => {
    const { formId, questionId } = await formForFiles(cast.alice, cast.slug);
    const responseId = await start(who, formId);
    await uploaded(who, { responseId, questionId }, 'a.txt', 'b.txt');
    return what === 'form' ? `/api/forms/${formId}` : `/api/forms/${formId}/responses/${responseId}`;
  };
  const remove = async (path: string) => (await requestAs(cast.alice, 'DELETE', path)).status;
  const expectGone = async () => {
    expect((await who.client.files.listFiles()).body).toMatchObject({ total: 0, files: [] });
  };
  expect(await interruptedAtEveryStep('table', { create, remove, expectGone })).toBeGreaterThanOrEqual(2);
});
