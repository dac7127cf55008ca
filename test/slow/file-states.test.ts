/**
 * When files may be uploaded, completed and cleared: while the form is open, for file questions on the path, in a
 * response that can be edited. Otherwise nothing is left behind. Who may: `permission-matrix.test.ts`.
 */
import { describe, expect, test } from 'vitest';
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
  PICTURES,
  type Place,
  refusal,
  refusals,
  sentDirectly,
  upload,
  uploaded,
} from '#test/support/files.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { branchedForm, cancel, preview, save, start, submit, text } from '#test/support/responses.ts';

const cast = await newCast();

const FILES = { type: 'UPLOAD_FILE' as const, uploadFile: PICTURES };
const file = local('a.txt');
const update = ({ formId }: Place, body: object) => cast.alice.client.forms.updateForm({ params: { formId }, body });
const archive = ({ formId }: Place) => cast.alice.client.forms.archiveForm({ params: { formId } });
const remove = (fileId: string) => cast.dave.client.files.deleteFile({ params: { fileId } });
const readProgress = async ({ formId, responseId }: Place) => (await preview(cast.dave, formId, responseId)).progress;

/** Every way to change the files of a question. */
const changes = (at: Place, fileIds: readonly string[] = [crypto.randomUUID()]) => [
  () => upload(cast.dave, at, [file]),
  () => announce(cast.dave, at, [about(file)]),
  () => complete(cast.dave, at, fileIds),
  () => clearFiles(cast.dave, at),
];
/** Fails unless all calls are refused in the same way and change nothing. */
const expectRefused = async (calls: (() => Promise<unknown>)[], problem: object) =>
  expect(await refusals(calls)).toMatchObject(calls.map(() => problem));

test.for<[string, (at: Place) => Promise<unknown>]>([
  ['closed', (at) => update(at, { deadline: '2020-01-01T00:00:00Z' })],
  ['not yet open', (at) => update(at, { publishTime: '2099-01-01T00:00:00Z' })],
  ['archived', archive],
  [
    'draft',
    async (at) => {
      await archive(at);
      await cast.alice.client.forms.unarchiveForm({ params: { formId: at.formId } });
    },
  ],
])('while the form is %s only uploads begun in time are completed, beside the attached files', async ([
  state,
  shut,
]) => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const [first = '', second = ''] = await uploaded(dave, at, local('first.txt'), local('second.txt'));
  const begun = await sentDirectly(dave, at, file);
  await shut(at);
  // Faults of the files are reported before the state of the form.
  const extension = badRequest(['/body/files/0/filename', 'must have the extension']);
  expect(await refusal(() => upload(dave, at, [local('a.exe')]))).toMatchObject(extension);
  const others = [[second, first], [second]].map((fileIds) => () => complete(dave, at, fileIds));
  const notOpen = { status: 400, code: 'form_not_open', detail: expect.stringMatching(new RegExp(state, 'i')) };
  await expectRefused([...changes(at, [first, ...begun]), () => remove(first), ...others], notOpen);
  await complete(dave, at, [first, second, ...begun]);
  await complete(dave, at, [first, second, ...begun]);
  await expectTidy(dave, at, ['first.txt', 'second.txt', 'a.txt']);
  if (state !== 'closed') return;
  await update(at, { deadline: null });
  await upload(dave, at, [local('b.txt')]);
  await expectTidy(dave, at, ['b.txt']);
});

describe('in a submitted response', () => {
  const submitted = async (allowEditResponse: boolean, required = false): Promise<Place & { fileIds: string[] }> => {
    const at = await filePlace(cast, {}, required);
    await update(at, { allowEditResponse });
    const fileIds = await uploaded(cast.dave, at, local('first.txt'), local('second.txt'));
    await submit(cast.dave, at.responseId);
    return { ...at, fileIds };
  };

  test('that cannot be edited, every change of its files is 403, after the body was checked, until it is cancelled', async () => {
    const { dave } = cast;
    const at = await filePlace(cast);
    await update(at, { allowEditResponse: false });
    const [first = '', second = ''] = await uploaded(dave, at, local('first.txt'), local('second.txt'));
    const begun = await sentDirectly(dave, at, file);
    await submit(dave, at.responseId);
    const others = [[second, first], [first], begun].map((fileIds) => () => complete(dave, at, fileIds));
    const forbidden = { status: 403, title: 'Forbidden', code: 'response_submitted' };
    await expectRefused([...changes(at, [first]), () => remove(first), ...others], forbidden);
    const invalid = [
      () => upload(dave, at, [local('a.exe')]),
      () => announce(dave, at, [{ ...about(file), size: 0 }]),
      () => complete(dave, at, [crypto.randomUUID()]),
    ];
    await expectRefused(invalid, { status: 400 });
    expect((await complete(dave, at, [first, second])).status).toBe(200);
    await cancel(dave, at.responseId);
    await complete(dave, at, begun);
    await expectTidy(dave, at, ['a.txt']);
  });

  test('that can be edited, files are replaced, reordered, deleted and cleared, and it stays submitted', async () => {
    const { dave } = cast;
    const at = await submitted(true);
    await complete(dave, at, at.fileIds.toReversed());
    await expectTidy(dave, at, ['second.txt', 'first.txt']);
    const [third = ''] = await attached(dave, at, local('third.txt'));
    await remove(third);
    await upload(dave, at, [local('fourth.txt')]);
    await expectTidy(dave, at, ['fourth.txt']);
    expect(await readProgress(at)).toBe('SUBMITTED');
    await clearFiles(dave, at);
    await expectTidy(dave, at, []);
    expect(await readProgress(at)).toBe('SUBMITTED');
  });

  test('a required answer cannot be cleared, nor can its last file be deleted', async () => {
    const at = await submitted(true, true);
    const [first = '', second = ''] = at.fileIds;
    const incomplete = { status: 400, code: 'response_incomplete', errors: [{ pointer: `/answers/${at.questionId}` }] };
    await expectRefused([() => clearFiles(cast.dave, at)], incomplete);
    await remove(first);
    await expectRefused([() => remove(second), () => clearFiles(cast.dave, at)], incomplete);
    await expectTidy(cast.dave, at, ['second.txt']);
  });
});

test('a required question of files keeps a response from being submitted until its files are attached', async () => {
  const { dave } = cast;
  const at = await filePlace(cast, {}, true);
  const begun = await sentDirectly(dave, at, file);
  const missing = { status: 400, errors: [{ pointer: `/answers/${at.questionId}` }] };
  await expectRefused([() => submit(dave, at.responseId)], missing);
  await complete(dave, at, begun);
  expect((await submit(dave, at.responseId)).body.progress).toBe('SUBMITTED');
});

describe('a question', () => {
  test('of another type, of another form or of none takes no files', async () => {
    const { alice, dave, slug } = cast;
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    const [questionId = ''] = questionIds;
    const at = { formId, questionId, responseId: await start(dave, formId) };
    await save(dave, at.responseId, [text(questionId, 'Clear')]);
    const fault = badRequest(['/path/questionId', 'takes no files: it is a SHORT_TEXT question']);
    await expectRefused(changes(at), fault);
    for (const other of [crypto.randomUUID(), (await filePlace(cast)).questionId]) {
      await expectRefused(changes({ ...at, questionId: other }), { status: 404 });
    }
  });

  test('that was removed takes none, but can be cleared of those that it has', async () => {
    const { alice, dave } = cast;
    const [at, empty] = [await filePlace(cast), await filePlace(cast)];
    const begun = await sentDirectly(dave, at, file);
    await uploaded(dave, at, local('b.txt'));
    for (const { formId, questionId } of [at, empty]) {
      const [section] = (await alice.client.sections.listSections({ params: { formId } })).body;
      const params = { sectionId: section?.section.id ?? '', questionId };
      await alice.client.questions.deleteQuestion({ params });
    }
    await expectRefused(changes(at, begun).slice(0, 3), badRequest(['/path/questionId', 'the question was removed']));
    await expectRefused(changes(empty), { status: 404 });
    await clearFiles(dave, at);
    await expectTidy(dave, at, []);
  });

  test('off the path takes none, before and after its upload was begun', async () => {
    const { alice, dave, slug } = cast;
    const sections = { first: [{ type: 'SHORT_TEXT' as const }], yes: [FILES], no: [] };
    const { formId, asked, yes } = await branchedForm({ person: alice, slug }, sections);
    const at = { formId, questionId: yes[0] ?? '', responseId: await start(dave, formId) };
    const answer = (value: string) => save(dave, at.responseId, [text(asked, value)]);
    const skipped = badRequest(['/path/questionId', 'SKIPPED']);
    await expectRefused(changes(at).slice(0, 2), skipped);
    await answer('yes');
    const begun = await sentDirectly(dave, at, file);
    await answer('no');
    await expectRefused([() => complete(dave, at, begun)], skipped);
    await answer('yes');
    await complete(dave, at, begun);
    await expectTidy(dave, at, ['a.txt']);
  });
});
