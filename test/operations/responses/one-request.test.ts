/** Starting a response with answers, and submitting it, in one request. */
import { beforeAll, describe, expect, test } from 'vitest';
import { withTable } from '#test/support/faults.ts';
import { expectProblem, newForm, type Person } from '#test/support/fixtures.ts';
import {
  type Branched,
  branchedForm,
  castAt,
  displays,
  draftOf,
  preview,
  progresses,
  readTable,
  type Sent,
  sent,
  store,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();
const required = { type: 'SHORT_TEXT', required: true } as const;
let form: Branched;
beforeAll(async () => {
  const { alice, slug } = cast;
  form = await branchedForm({ person: alice, slug }, { first: [required], yes: [required], no: [required] });
});

type StartBody = { answers?: Sent[] | null; submit?: boolean | null };
const begin = ({ client }: Person, formId: string, body: StartBody, key?: string) =>
  client.responses.startResponse({
    params: { formId },
    body,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
const countResponses = async ({ client }: Person, formId: string) =>
  (await client.responses.listMyResponses({ params: { formId } })).body.totalCount;
const complete = (): Sent[] => [text(form.asked, 'yes'), text(form.yes[0] ?? '', 'because')];

describe('a start with answers', () => {
  test('saves them at once: 201 with the id of a draft', async () => {
    const { dave } = cast;
    const { status, body, headers } = await begin(dave, form.formId, { answers: complete().slice(0, 1) });
    expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(String) } });
    const shown = await preview(dave, form.formId, body.id);
    expect(shown.progress).toBe('DRAFT');
    expect(displays(shown)[form.asked]).toBe('yes');
    const read = await dave.client.responses.getAnswer({ params: { responseId: body.id, questionId: form.asked } });
    expect(headers.get('etag')).toBe(read.headers.get('etag'));
  });

  test.each<[string, StartBody]>([
    ['no answers', { answers: [] }],
    ['null', { answers: null, submit: null }],
    ['submit: false', { submit: false }],
  ])('starts an empty draft with %s', async (_, body) => {
    const { dave } = cast;
    const { id } = (await begin(dave, form.formId, body)).body;
    expect((await preview(dave, form.formId, id)).progress).toBe('DRAFT');
  });

  test('judges them like a save, all at once, and stores nothing unless all are valid', async () => {
    const { erin } = cast;
    const answers = [text(form.asked, 'no'), text(form.yes[0] ?? '', 'off the path'), text(form.formId, 'unknown')];
    const problem = await expectProblem(begin(erin, form.formId, { answers: [...answers, ...answers.slice(0, 1)] }));
    expect(problem.status).toBe(400);
    expect(problem.errors?.map(({ pointer }) => pointer).sort()).toEqual([
      '/body/answers/1',
      '/body/answers/2/questionId',
      '/body/answers/3/questionId',
    ]);
    expect(await countResponses(erin, form.formId)).toBe(0);
  });

  test('refuses a response beyond 350 KB with 413', async () => {
    const { alice, dave, slug } = cast;
    const built = await newForm(alice, slug, [Array.from({ length: 9 }, () => ({ type: 'LONG_TEXT' as const }))]);
    const answers = built.questionIds.map((id) => sent(id, 'LONG_TEXT', '😀'.repeat(10_000)));
    for (const submit of [false, true]) {
      const problem = await expectProblem(begin(dave, built.formId, { answers, submit }));
      expect(problem).toMatchObject({ status: 413, title: 'Content Too Large' });
    }
    expect(await countResponses(dave, built.formId)).toBe(0);
  });
});

describe('a start with submit', () => {
  test('submits in the same write: 201 with the summary, and members see it', async () => {
    const { alice, dave } = cast;
    const { status, body } = await begin(dave, form.formId, { answers: complete(), submit: true });
    const now = new Date().toISOString();
    expect({ status, body }).toEqual({
      status: 201,
      body: { id: body.id, formId: form.formId, createdAt: now, submittedAt: now, progress: 'SUBMITTED' },
    });
    expect(progresses(await preview(dave, form.formId, body.id))).toEqual([
      'COMPLETED',
      'COMPLETED',
      'COMPLETED',
      'SKIPPED',
    ]);
    const { rows } = await readTable(alice, form.formId, [form.asked]);
    expect(rows.map(({ id }) => id)).toContain(body.id);
  });

  test('writes once, and reads no more than the gate on a warm function', async () => {
    const { dave } = cast;
    const counts = { read: 0, write: 0 };
    await withTable(
      ({ read, write }) => ({
        read: (keys) => {
          counts.read += keys.length;
          return read(keys);
        },
        write: (writes) => {
          counts.write += 1;
          return write(writes);
        },
      }),
      () => begin(dave, form.formId, { answers: complete(), submit: true }),
    );
    expect(counts.write).toBe(1);
    expect(counts.read).toBeLessThanOrEqual(1);
  });

  test('is judged like a submit: one fault for each missing question, and nothing is stored', async () => {
    const { erin } = cast;
    const problem = await expectProblem(begin(erin, form.formId, { answers: [text(form.asked, 'yes')], submit: true }));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: `/answers/${form.yes[0]}` }] });
    const nothing = await expectProblem(begin(erin, form.formId, { submit: true }));
    expect(nothing).toMatchObject({ status: 400, errors: [{ pointer: `/answers/${form.asked}` }] });
    expect(await countResponses(erin, form.formId)).toBe(0);
  });

  test('with the same Idempotency-Key happens exactly once, also at once; with another body it is 409', async () => {
    const { chelsea } = cast;
    const body = { answers: complete(), submit: true };
    const calls = await Promise.all(Array.from({ length: 8 }, () => begin(chelsea, form.formId, body, 'submit once')));
    const later = await begin(chelsea, form.formId, body, 'submit once');
    expect(new Set([...calls, later].map((call) => call.body.id)).size).toBe(1);
    const replayed = calls.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(replayed).toHaveLength(calls.length - 1);
    expect(later.headers.get('idempotency-replayed')).toBe('true');
    expect(await countResponses(chelsea, form.formId)).toBe(1);
    const other = begin(chelsea, form.formId, { answers: complete() }, 'submit once');
    expect(await expectProblem(other)).toMatchObject({ status: 409 });
    expect(await countResponses(chelsea, form.formId)).toBe(1);
  });

  test('a refusal leaves no record: the corrected request may use its Idempotency-Key', async () => {
    const { dave } = cast;
    expect((await expectProblem(begin(dave, form.formId, { submit: true }, 'corrected'))).status).toBe(400);
    const corrected = await begin(dave, form.formId, { answers: complete(), submit: true }, 'corrected');
    expect(corrected.headers.get('idempotency-replayed')).toBeNull();
  });
});

test('a person has at most 100 responses to a form', async () => {
  const { alice, dave, erin, slug } = cast;
  const small = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  await store(Array.from({ length: 99 }, () => draftOf(small, dave.id, new Date().toISOString())));
  expect((await begin(dave, small.formId, {})).status).toBe(201);
  for (const body of [{}, { submit: true }]) {
    const problem = await expectProblem(begin(dave, small.formId, body));
    expect(problem).toMatchObject({ status: 400, detail: expect.stringContaining('100') });
  }
  expect(await countResponses(dave, small.formId)).toBe(100);
  expect((await begin(erin, small.formId, {})).status).toBe(201);
});
