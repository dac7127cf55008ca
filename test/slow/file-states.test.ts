/**
 * When files may be uploaded, completed and cleared: while the form is open, for file questions on the path, by the
 * owner, in a response that can be edited. Otherwise nothing is left behind.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  about,
  announce,
  attached,
  badRequest,
  clearFiles,
  complete,
  expectTidy,
  filePlace,
  local,
  type Place,
  refusal,
  refusals,
  sentDirectly,
  upload,
  uploaded,
} from '#test/support/files.ts';
import { type Cast, newCast, newForm, type Person, problemOf } from '#test/support/fixtures.ts';
import { branchedForm, cancel, save, start, submit, text } from '#test/support/responses.ts';
import { PICTURES } from '#test/support/scene.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const FILES = { type: 'UPLOAD_FILE' as const, uploadFile: PICTURES };
const file = local('a.txt');

const close = async ({ formId }: Place): Promise<unknown> =>
  cast.alice.client.forms.updateForm({ params: { formId }, body: { deadline: '2020-01-01T00:00:00Z' } });
const reopen = async ({ formId }: Place): Promise<unknown> =>
  cast.alice.client.forms.updateForm({ params: { formId }, body: { deadline: null } });

const WAYS_TO_CLOSE: [string, (at: Place) => Promise<unknown>][] = [
  ['closed', close],
  [
    'not yet open',
    ({ formId }) =>
      cast.alice.client.forms.updateForm({ params: { formId }, body: { publishTime: '2099-01-01T00:00:00Z' } }),
  ],
  ['archived', ({ formId }) => cast.alice.client.forms.archiveForm({ params: { formId } })],
  [
    'draft',
    async ({ formId }) => {
      await cast.alice.client.forms.archiveForm({ params: { formId } });
      return cast.alice.client.forms.unarchiveForm({ params: { formId } });
    },
  ],
];

test.for(
  WAYS_TO_CLOSE,
)('while the form is %s only uploads begun in time are completed, beside the attached files', async ([state, shut]) => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const [first = '', second = ''] = await uploaded(dave, at, local('first.txt'), local('second.txt'));
  const begun = await sentDirectly(dave, at, file);
  await shut(at);
  const calls = [
    () => upload(dave, at, [file]),
    () => announce(dave, at, [about(file)]),
    () => clearFiles(dave, at),
    () => dave.client.files.deleteFile({ params: { fileId: first } }),
    () => complete(dave, at, [first, ...begun]),
    () => complete(dave, at, [second, first]),
    () => complete(dave, at, [second]),
  ];
  const notOpen = { status: 400, code: 'form_not_open', detail: expect.stringMatching(new RegExp(state, 'i')) };
  expect(await refusals(calls)).toMatchObject(calls.map(() => notOpen));
  await complete(dave, at, [first, second, ...begun]);
  await complete(dave, at, [first, second, ...begun]);
  await expectTidy(dave, at, ['first.txt', 'second.txt', 'a.txt']);
});

test('faults of the files are reported before the state of the form', async () => {
  const at = await filePlace(cast);
  await close(at);
  const problem = await refusal(() => upload(cast.dave, at, [local('a.exe')]));
  expect(problem).toMatchObject(badRequest(['/body/files/0/filename', 'must have the extension']));
});

describe('in a submitted response', () => {
  const submitted = async (allowEditResponse: boolean, required = false): Promise<Place & { fileIds: string[] }> => {
    const at = await filePlace(cast, {}, required);
    await cast.alice.client.forms.updateForm({ params: { formId: at.formId }, body: { allowEditResponse } });
    const fileIds = await uploaded(cast.dave, at, local('first.txt'), local('second.txt'));
    await submit(cast.dave, at.responseId);
    return { ...at, fileIds };
  };
  const progressOf = async ({ formId, responseId }: Place) =>
    (await cast.dave.client.responses.getResponse({ params: { formId, responseId } })).body.progress;

  test('that cannot be edited, every change of its files is 403, after the body was checked', async () => {
    const { dave } = cast;
    const at = await submitted(false);
    const [first = '', second = ''] = at.fileIds;
    const forbidden = { status: 403, title: 'Forbidden', code: 'response_submitted' };
    const changes = [
      () => upload(dave, at, [file]),
      () => announce(dave, at, [about(file)]),
      () => complete(dave, at, [second, first]),
      () => complete(dave, at, [first]),
      () => clearFiles(dave, at),
    ];
    expect(await refusals(changes)).toMatchObject(changes.map(() => forbidden));
    const invalid = [
      () => upload(dave, at, [local('a.exe')]),
      () => announce(dave, at, [{ ...about(file), size: 0 }]),
      () => complete(dave, at, [crypto.randomUUID()]),
    ];
    expect(await refusals(invalid)).toMatchObject(invalid.map(() => ({ status: 400 })));
    expect((await complete(dave, at, at.fileIds)).status).toBe(200);
  });

  test('that was submitted between sending and completing, completing is 403; once cancelled it is done', async () => {
    const { alice, dave } = cast;
    const at = await filePlace(cast);
    await alice.client.forms.updateForm({ params: { formId: at.formId }, body: { allowEditResponse: false } });
    const begun = await sentDirectly(dave, at, file);
    await submit(dave, at.responseId);
    expect(await refusal(() => complete(dave, at, begun))).toMatchObject({ status: 403 });
    await cancel(dave, at.responseId);
    await complete(dave, at, begun);
    await expectTidy(dave, at, ['a.txt']);
  });

  test('that can be edited, files are replaced, reordered and cleared, and it stays submitted', async () => {
    const { dave } = cast;
    const at = await submitted(true);
    await complete(dave, at, at.fileIds.toReversed());
    await expectTidy(dave, at, ['second.txt', 'first.txt']);
    await attached(dave, at, local('third.txt'));
    await upload(dave, at, [local('fourth.txt')]);
    await expectTidy(dave, at, ['fourth.txt']);
    expect(await progressOf(at)).toBe('SUBMITTED');
    await clearFiles(dave, at);
    await expectTidy(dave, at, []);
    expect(await progressOf(at)).toBe('SUBMITTED');
  });

  test('a required answer cannot be cleared, nor can its last file be deleted', async () => {
    const { dave } = cast;
    const at = await submitted(true, true);
    const [first = '', second = ''] = at.fileIds;
    const incomplete = { status: 400, code: 'response_incomplete', errors: [{ pointer: `/answers/${at.questionId}` }] };
    expect(await refusal(() => clearFiles(dave, at))).toMatchObject(incomplete);
    await dave.client.files.deleteFile({ params: { fileId: first } });
    expect(await refusal(() => dave.client.files.deleteFile({ params: { fileId: second } }))).toMatchObject(incomplete);
    await expectTidy(dave, at, ['second.txt']);
  });
});

test('a required question of files keeps a response from being submitted until its files are attached', async () => {
  const { dave } = cast;
  const at = await filePlace(cast, {}, true);
  const missing = { status: 400, errors: [{ pointer: `/answers/${at.questionId}` }] };
  const begun = await sentDirectly(dave, at, file);
  expect(await refusal(() => submit(dave, at.responseId))).toMatchObject(missing);
  await complete(dave, at, begun);
  expect((await submit(dave, at.responseId)).body.progress).toBe('SUBMITTED');
});

describe('a question', () => {
  const statusesOf = async (calls: (() => Promise<unknown>)[]) => (await refusals(calls)).map(({ status }) => status);
  const all = (person: Person, at: Place) => [
    () => upload(person, at, [file]),
    () => announce(person, at, [about(file)]),
    () => complete(person, at, [crypto.randomUUID()]),
    () => clearFiles(person, at),
  ];

  test('of another type takes no files', async () => {
    const { alice, dave, slug } = cast;
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    const [questionId = ''] = questionIds;
    const at = { formId, questionId, responseId: await start(dave, formId) };
    await save(dave, at.responseId, [text(questionId, 'Clear')]);
    const fault = badRequest(['/path/questionId', 'takes no files: it is a SHORT_TEXT question']);
    expect(await refusals(all(dave, at))).toMatchObject([fault, fault, fault, fault]);
  });

  test('that was removed takes none, but can be cleared of those that it has', async () => {
    const { alice, dave } = cast;
    const [at, empty] = [await filePlace(cast), await filePlace(cast)];
    const begun = await sentDirectly(dave, at, file);
    await uploaded(dave, at, local('b.txt'));
    for (const { formId, questionId } of [at, empty]) {
      const sections = (await alice.client.sections.listSections({ params: { formId } })).body;
      const sectionId = sections[0]?.section.id ?? '';
      await alice.client.questions.deleteQuestion({ params: { sectionId, questionId } });
    }
    const removed = badRequest(['/path/questionId', 'the question was removed']);
    expect(await refusal(() => upload(dave, at, [file]))).toMatchObject(removed);
    expect(await refusal(() => announce(dave, at, [about(file)]))).toMatchObject(removed);
    expect(await refusal(() => complete(dave, at, begun))).toMatchObject(removed);
    expect(await statusesOf(all(dave, empty))).toEqual([404, 404, 404, 404]);
    await clearFiles(dave, at);
    await expectTidy(dave, at, []);
  });

  test('off the path takes none, before and after its upload was begun', async () => {
    const { alice, dave, slug } = cast;
    const branched = await branchedForm(
      { person: alice, slug },
      { first: [{ type: 'SHORT_TEXT' }], yes: [FILES], no: [] },
    );
    const { formId, asked: sourceId, yes } = branched;
    const at = { formId, questionId: yes[0] ?? '', responseId: await start(dave, formId) };
    const skipped = badRequest(['/path/questionId', 'SKIPPED']);
    expect(await refusal(() => upload(dave, at, [file]))).toMatchObject(skipped);
    expect(await refusal(() => announce(dave, at, [about(file)]))).toMatchObject(skipped);
    await save(dave, at.responseId, [text(sourceId, 'yes')]);
    const begun = await sentDirectly(dave, at, file);
    await save(dave, at.responseId, [text(sourceId, 'no')]);
    expect(await refusal(() => complete(dave, at, begun))).toMatchObject(skipped);
    await save(dave, at.responseId, [text(sourceId, 'yes')]);
    await complete(dave, at, begun);
    await expectTidy(dave, at, ['a.txt']);
  });

  test('that does not exist is 404, a malformed id 400', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    const elsewhere = await filePlace(cast);
    for (const questionId of [crypto.randomUUID(), elsewhere.questionId]) {
      expect(await statusesOf(all(dave, { ...at, questionId }))).toEqual([404, 404, 404, 404]);
    }
    const malformed = { status: 400, errors: [{ pointer: '/path/questionId' }] };
    const problems = await refusals(all(dave, { ...at, questionId: 'x' }));
    expect(problems).toMatchObject([malformed, malformed, malformed, malformed]);
  });

  test('is the owner’s alone: a member of the organization gets 403, anybody else 404', async () => {
    const { bob, erin } = cast;
    const at = await filePlace(cast);
    expect(await statusesOf(all(bob, at))).toEqual([403, 403, 403, 403]);
    expect(await statusesOf(all(erin, at))).toEqual([404, 404, 404, 404]);
  });
});

test('reopening a form lets its files be replaced again', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  await uploaded(dave, at, file);
  await close(at);
  expect(await problemOf(upload(dave, at, [local('b.txt')]))).toMatchObject({ status: 400 });
  await reopen(at);
  await upload(dave, at, [local('b.txt')]);
  await expectTidy(dave, at, ['b.txt']);
});
