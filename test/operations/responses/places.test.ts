/** Caps and places: exact under a rush, given back, counted for limits that are younger than responses. */
import { describe, expect, test } from 'vitest';
import { tallyResponses } from '#core/counts/tally.ts';
import { keys } from '#core/db/keys.ts';
import { WriteConflict } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { parseJob } from '#core/jobs/job.ts';
import { muteErrors } from '#test/support/console.ts';
import { measureCost } from '#test/support/cost.ts';
import { beforeFirstWrite, withTable } from '#test/support/faults.ts';
import { expectProblem, newForm, type Person } from '#test/support/fixtures.ts';
import { LAGS, withLaggingIndex } from '#test/support/lagging-index.ts';
import {
  cancel,
  castAt,
  choice,
  editQuestion,
  readQuestion,
  respond,
  save,
  sent,
  start,
  submit,
} from '#test/support/responses.ts';
import { sweepIn } from '#test/support/sweeps.ts';

const { alice, bob, chelsea, dave, erin, slug } = await castAt();
muteErrors();

/** A published form with a choice of courses, of which `limits` says how many may take each. */
async function courseForm(
  limits: Record<string, number | null>,
  settings: { maxResponses?: number; allowEditResponse?: boolean } = {},
) {
  const choices = Object.entries(limits).map(([name, limit]) => ({ name, limit }));
  const form = await newForm(alice, slug, [[{ type: 'SINGLE_CHOICE', required: true, choices }]], {
    allowEditResponse: true,
    ...settings,
  });
  const [questionId = ''] = form.questionIds;
  const question = await readQuestion(alice, form.formId, questionId);
  const pick = (name: string) => [sent(questionId, 'SINGLE_CHOICE', [choice(question, name)])];
  return { ...form, questionId, question, pick, params: { formId: form.formId } };
}

const placesOf = async ({ client }: Person, formId: string) =>
  (await client.responses.getPlaces({ params: { formId } })).body;
const leftOf = async (formId: string) => {
  const { left, choices } = await placesOf(bob, formId);
  return [left, ...choices.map((each) => each.left)];
};
const full = (pointer: string) => ({ status: 409, code: 'no_place_left', errors: [{ pointer }] });

/** As if minutes passed, until the places of a form were compared with its responses. */
async function compare(): Promise<void> {
  for (const seconds of [61, 182, 303, 424, 545]) await sweepIn(seconds);
}

describe('a form with a cap', () => {
  test('takes as many submissions, and one more after one was cancelled or deleted', async () => {
    const form = await courseForm({ Yoga: null }, { maxResponses: 2 });
    const first = await respond(dave, form.formId, form.pick('Yoga'));
    const second = await respond(dave, form.formId, form.pick('Yoga'));
    expect(await placesOf(erin, form.formId)).toEqual({ left: 0, choices: [] });
    const draft = await start(erin, form.formId, form.pick('Yoga'));
    const problem = await expectProblem(submit(erin, draft));
    expect(problem).toMatchObject({ ...full('/form'), detail: 'The form has no place left' });
    expect(await expectProblem(respond(erin, form.formId, form.pick('Yoga')))).toMatchObject(full('/form'));
    await cancel(dave, first);
    expect(await leftOf(form.formId)).toEqual([1]);
    await submit(erin, draft);
    expect(await expectProblem(submit(dave, first))).toMatchObject(full('/form'));
    await alice.client.responses.deleteResponse({ params: { ...form.params, responseId: second } });
    expect(await leftOf(form.formId)).toEqual([1]);
    await submit(dave, first);
    expect(await leftOf(form.formId)).toEqual([0]);
  });

  test('has from 1 to 1,000,000 places, and a message of at most 2,000 characters when they are taken', async () => {
    const { params } = await courseForm({ Yoga: null });
    const change = (body: object) => alice.client.forms.updateForm({ params, body });
    for (const maxResponses of [0, 1_000_001, 1.5]) {
      expect(await expectProblem(change({ maxResponses }))).toMatchObject({
        status: 400,
        errors: [{ pointer: '/body/maxResponses' }],
      });
    }
    expect(await expectProblem(change({ closedMessage: 'x'.repeat(2_001) }))).toMatchObject({
      status: 400,
      errors: [{ pointer: '/body/closedMessage' }],
    });
    for (const body of [{ maxResponses: 1 }, { maxResponses: 1_000_000, closedMessage: 'x'.repeat(2_000) }])
      expect((await change(body)).body).toMatchObject(body);
  });

  test('repeats what was submitted whatever is left, and takes no place for it', async () => {
    const form = await courseForm({ Yoga: null }, { maxResponses: 1 });
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const id = await start(dave, form.formId, form.pick('Yoga'));
    await submit(dave, id, [], headers);
    expect((await submit(dave, id, [], headers)).headers.get('idempotency-replayed')).toBe('true');
    await submit(dave, id);
    expect(await leftOf(form.formId)).toEqual([0]);
    await cancel(dave, id);
    expect(await leftOf(form.formId)).toEqual([1]);
  });

  test('of equal requests at once takes one place', async () => {
    const form = await courseForm({ Yoga: null }, { maxResponses: 3 });
    const id = await start(dave, form.formId, form.pick('Yoga'));
    const key = crypto.randomUUID();
    const results = await Promise.all(
      Array.from({ length: 8 }, () => submit(dave, id, [], { 'idempotency-key': key })),
    );
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 201));
    expect(await leftOf(form.formId)).toEqual([2]);
  });
});

describe('a choice with a limit', () => {
  test('is full for others, and an edit or a cancellation gives its place back', async () => {
    const form = await courseForm({ Yoga: 1, Judo: 1, Rest: null });
    const id = await respond(dave, form.formId, form.pick('Yoga'));
    expect(await leftOf(form.formId)).toEqual([null, 0, 1]);
    const problem = await expectProblem(respond(erin, form.formId, form.pick('Yoga')));
    expect(problem).toMatchObject(full(`/answers/${form.questionId}`));
    await save(dave, id, form.pick('Judo'));
    expect(await leftOf(form.formId)).toEqual([null, 1, 0]);
    const other = await respond(erin, form.formId, form.pick('Yoga'));
    expect(await expectProblem(save(dave, id, form.pick('Yoga')))).toMatchObject(full(`/answers/${form.questionId}`));
    // What was refused has changed nothing.
    expect(await leftOf(form.formId)).toEqual([null, 0, 0]);
    await cancel(erin, other);
    await save(dave, id, form.pick('Rest'));
    expect(await leftOf(form.formId)).toEqual([null, 1, 1]);
  });

  test('takes no place of the form when it is full', async () => {
    const form = await courseForm({ Yoga: 1, Judo: null }, { maxResponses: 5 });
    await respond(dave, form.formId, form.pick('Yoga'));
    await expectProblem(respond(erin, form.formId, form.pick('Yoga')));
    expect(await leftOf(form.formId)).toEqual([4, 0]);
  });

  test('is kept by an update that does not name it, removed by null, and refused for a ranking and beyond its bounds', async () => {
    const form = await courseForm({ Yoga: 1, Judo: 2 });
    const edit = (choices: object[]) => editQuestion(alice, form.question, { choices } as never);
    const [yoga, judo] = form.question.choices ?? [];
    await edit([
      { id: yoga?.id, name: 'Hatha yoga' },
      { id: judo?.id, name: 'Judo', limit: null },
    ]);
    const { choices } = await readQuestion(alice, form.formId, form.questionId);
    expect(choices).toMatchObject([{ name: 'Hatha yoga', limit: 1 }, { name: 'Judo' }]);
    expect(choices?.[1]).not.toHaveProperty('limit');
    for (const limit of [0, 100_001, 1.5]) {
      const refused = await expectProblem(edit([{ name: 'Chess', limit }]));
      expect(refused).toMatchObject({ status: 400, errors: [{ pointer: '/body/choices/0/limit' }] });
    }
    const ranking = { type: 'RANKING' as const, choices: [{ name: 'First', limit: 3 }, { name: 'Second' }] };
    const refused = await expectProblem(
      alice.client.questions.createQuestion({
        params: { sectionId: form.sectionIds[0] ?? '' },
        body: { required: false, title: 'Order', description: null, order: 1, ...ranking },
      }),
    );
    expect(refused).toMatchObject({ status: 400, errors: [{ pointer: '/body/choices/0/limit' }] });
  });

  test('of which a form has at most 50', async () => {
    const form = await courseForm(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`Course ${n}`, 1])));
    const another = { type: 'SINGLE_CHOICE' as const, choices: [{ name: 'One more', limit: 1 }] };
    const refused = await expectProblem(
      alice.client.questions.createQuestion({
        params: { sectionId: form.sectionIds[0] ?? '' },
        body: { required: false, title: 'More', description: null, order: 1, ...another },
      }),
    );
    expect(refused).toMatchObject({ status: 400, errors: [{ detail: 'must limit at most 50 choices of the form' }] });
  });
});

test('many submissions at once take as many places as there are', async () => {
  const form = await courseForm({ Yoga: null }, { maxResponses: 5 });
  const ids = await Promise.all(Array.from({ length: 20 }, () => start(dave, form.formId, form.pick('Yoga'))));
  const statuses = await Promise.all(
    ids.map((id) =>
      submit(dave, id).then(
        ({ status }) => status,
        (error: { status: number }) => error.status,
      ),
    ),
  );
  expect(Object.entries(Object.groupBy(statuses, String)).map(([status, all]) => [status, all?.length])).toEqual([
    ['201', 5],
    ['409', 15],
  ]);
  expect(await leftOf(form.formId)).toEqual([0]);
});

describe('a process that dies', () => {
  /** A table that fails at the n-th write of a request and at every call after it, as when its process has died. */
  const dyingAt =
    (n: number) =>
    ({ write, read }: ReturnType<typeof app>['table']) => {
      let count = 0;
      const alive =
        <A extends unknown[], R>(call: (...args: A) => Promise<R>, counts: 0 | 1) =>
        async (...args: A): Promise<R> => {
          count += counts;
          if (count >= n) throw new Error('the process died');
          return call(...args);
        };
      return { write: alive(write, 1), read: alive(read, 0) };
    };

  test('between its place and its response loses the place, until a comparison finds that', async () => {
    const form = await courseForm({ Yoga: 1 }, { maxResponses: 2 });
    const id = await start(dave, form.formId, form.pick('Yoga'));
    await expectProblem(withTable(dyingAt(2), () => submit(dave, id)));
    expect(await leftOf(form.formId)).toEqual([1, 0]);
    expect(await expectProblem(submit(dave, id))).toMatchObject(full(`/answers/${form.questionId}`));
    await compare();
    expect(await leftOf(form.formId)).toEqual([2, 1]);
    await submit(dave, id);
    expect(await leftOf(form.formId)).toEqual([1, 0]);
    // Nothing is compared again while nothing changes.
    await expectProblem(respond(erin, form.formId, form.pick('Yoga')));
    await compare();
    expect(await leftOf(form.formId)).toEqual([1, 0]);
    await expectProblem(respond(erin, form.formId, form.pick('Yoga')));
    expect((await app().table.read([keys.placesCount(form.formId)]))[0]).toBeUndefined();
  });

  test('between a cancellation and its place loses the place, until a comparison within a day', async () => {
    const form = await courseForm({ Yoga: 1 });
    const id = await respond(dave, form.formId, form.pick('Yoga'));
    // The mark of edits and the response are written before.
    await withTable(dyingAt(3), () => cancel(dave, id));
    expect(await leftOf(form.formId)).toEqual([null, 0]);
    const [item] = await app().table.read([keys.response(id)]);
    const { tallyChanges } = await import('#core/counts/tally.ts');
    await tallyChanges(app(), [
      { key: keys.response(id), before: { ...item, progress: 'SUBMITTED', places: ['x'] } as never, after: item },
    ]);
    for (const seconds of [86_401, 86_522, 86_643, 86_764]) await sweepIn(seconds);
    expect(await leftOf(form.formId)).toEqual([null, 1]);
  });

  test('a comparison changes nothing while places change', async () => {
    const form = await courseForm({ Yoga: 3 });
    const id = await start(dave, form.formId, form.pick('Yoga'));
    await expectProblem(withTable(dyingAt(2), () => submit(dave, id)));
    await respond(dave, form.formId, form.pick('Yoga'));
    const third = await respond(dave, form.formId, form.pick('Yoga'));
    await expectProblem(submit(dave, id));
    await sweepIn(1);
    await sweepIn(122);
    // Between the count and the correction.
    await cancel(dave, third);
    await sweepIn(243);
    expect(await leftOf(form.formId)).toEqual([null, 1]);
    for (const seconds of [364, 485, 606]) await sweepIn(seconds);
    expect(await leftOf(form.formId)).toEqual([null, 2]);
  });

  test('a comparison changes nothing while limits change, and counts a limit that is younger', async () => {
    const form = await courseForm({ Yoga: 3, Judo: null });
    const id = await start(dave, form.formId, form.pick('Yoga'));
    await respond(dave, form.formId, form.pick('Judo'));
    await expectProblem(withTable(dyingAt(2), () => submit(dave, id)));
    await respond(dave, form.formId, form.pick('Yoga'));
    await respond(dave, form.formId, form.pick('Yoga'));
    await expectProblem(submit(dave, id));
    await sweepIn(1);
    await sweepIn(122);
    // Between the count and the correction.
    const [yoga, judo] = form.question.choices ?? [];
    const choices = [yoga, { ...judo, limit: 5 }];
    await editQuestion(alice, form.question, { choices } as never);
    await sweepIn(243);
    expect((await leftOf(form.formId))[1]).toBe(0);
    for (const seconds of [364, 485, 606, 727, 848]) await sweepIn(seconds);
    expect(await leftOf(form.formId)).toEqual([null, 1, 4]);
  });
});

test('a submission of which the outcome is unknown keeps its place if it is stored, and gives it back if not', async () => {
  const form = await courseForm({ Yoga: 5 });
  const ids = [await start(dave, form.formId, form.pick('Yoga')), await start(dave, form.formId, form.pick('Yoga'))];
  for (const [index, isStored] of [true, false].entries()) {
    let count = 0;
    await expectProblem(
      withTable(
        ({ write }) => ({
          write: async (writes, once) => {
            count += 1;
            if (count !== 2 || isStored) await write(writes, once);
            if (count === 2) throw new Error('the response was lost');
          },
        }),
        () => submit(dave, ids[index] ?? ''),
      ),
    );
    expect(await leftOf(form.formId)).toEqual([null, 4]);
  }
});

/** Runs a submission whose response meets another transaction once, after its place was taken. */
async function meetingAnother(run: () => Promise<unknown>): Promise<void> {
  let count = 0;
  await withTable(
    ({ write }) => ({
      write: async (writes, once) => {
        count += 1;
        if (count === 2) throw new WriteConflict(new Error('injected'));
        await write(writes, once);
      },
    }),
    run,
  );
}

test('what is given back is sent once, by a cancellation, an edit, a deletion and a submission that is refused; what is taken may be repeated', async () => {
  const form = await courseForm({ Yoga: 5, Judo: 5 });
  const sentOnce = async (run: () => Promise<unknown>) => {
    const written: (readonly [number, boolean])[] = [];
    await withTable(
      ({ write }) => ({
        write: (writes, once) => {
          for (const each of writes) {
            const places = 'update' in each && each.update.sk === 'PLACES' ? (each.add ?? {}) : {};
            const [number] = Object.entries(places).flatMap(([name, value]) => (name === 'writes' ? [] : [value]));
            if (typeof number === 'number') written.push([number, once === 'once']);
          }
          return write(writes, once);
        },
      }),
      run,
    );
    return written;
  };
  const id = await start(dave, form.formId, form.pick('Yoga'));
  expect(await sentOnce(() => submit(dave, id))).toEqual([[1, false]]);
  expect(await sentOnce(() => save(dave, id, form.pick('Judo')))).toEqual([
    [1, false],
    [-1, true],
  ]);
  expect(await sentOnce(() => cancel(dave, id))).toEqual([[-1, true]]);
  await submit(dave, id);
  const deletion = () => alice.client.responses.deleteResponse({ params: { ...form.params, responseId: id } });
  expect(await sentOnce(deletion)).toEqual([[-1, true]]);
  const meets = await start(dave, form.formId, form.pick('Yoga'));
  expect(await sentOnce(() => meetingAnother(() => submit(dave, meets)))).toEqual([
    [1, false],
    [-1, true],
    [1, false],
  ]);
});

test('a submission that meets another change of its response gives its place back and takes it again', async () => {
  const form = await courseForm({ Yoga: 2 });
  const id = await start(dave, form.formId, form.pick('Yoga'));
  await meetingAnother(() => submit(dave, id));
  expect(await leftOf(form.formId)).toEqual([null, 1]);
});

describe('a limit that is younger than responses', () => {
  test('is counted while submissions come, and holds from then on', async () => {
    const form = await courseForm({ Yoga: null });
    const older = [];
    for (let n = 0; n < 3; n += 1) older.push(await respond(dave, form.formId, form.pick('Yoga')));
    await alice.client.forms.updateForm({ params: form.params, body: { maxResponses: 4 } });
    expect(await placesOf(dave, form.formId)).toEqual({ left: null, choices: [], counting: true });
    await cancel(dave, older.pop() ?? '');
    const during = await respond(dave, form.formId, form.pick('Yoga'));
    await sweepIn(30);
    expect(await placesOf(dave, form.formId)).toMatchObject({ counting: true });
    await sweepIn(61);
    expect(await placesOf(dave, form.formId)).toEqual({ left: 1, choices: [] });
    await respond(erin, form.formId, form.pick('Yoga'));
    expect(await expectProblem(respond(erin, form.formId, form.pick('Yoga')))).toMatchObject(full('/form'));
    for (const id of [older[0] ?? '', during]) await cancel(dave, id);
    expect(await leftOf(form.formId)).toEqual([2]);
    await compare();
    expect(await leftOf(form.formId)).toEqual([2]);
  });

  test('counts what was selected before, and an edit while it is counted', async () => {
    const form = await courseForm({ Yoga: null, Judo: null });
    const ids = [];
    for (const name of ['Yoga', 'Yoga', 'Judo']) ids.push(await respond(dave, form.formId, form.pick(name)));
    const [yoga, judo] = form.question.choices ?? [];
    await editQuestion(alice, form.question, {
      choices: [
        { ...yoga, name: 'Yoga', limit: 2 },
        { ...judo, name: 'Judo', limit: 2 },
      ],
    } as never);
    await save(dave, ids[0] ?? '', form.pick('Judo'));
    await sweepIn(61);
    expect(await leftOf(form.formId)).toEqual([null, 1, 0]);
    expect(await expectProblem(respond(erin, form.formId, form.pick('Judo')))).toMatchObject(
      full(`/answers/${form.questionId}`),
    );
    await cancel(dave, ids[1] ?? '');
    expect(await leftOf(form.formId)).toEqual([null, 2, 0]);
  });

  test.for(LAGS)('is exact while entries of indexes are %s', async (lag) => {
    const form = await courseForm({ Yoga: null });
    await withLaggingIndex(lag, async (settle) => {
      const ids = [];
      for (let n = 0; n < 3; n += 1) ids.push(await respond(dave, form.formId, form.pick('Yoga')));
      await cancel(dave, ids[0] ?? '');
      await alice.client.forms.updateForm({ params: form.params, body: { maxResponses: 5 } });
      settle();
      await cancel(dave, ids[1] ?? '');
      await submit(dave, ids[0] ?? '');
      await sweepIn(61);
      settle();
      await compare();
      expect(await leftOf(form.formId)).toEqual([3]);
    });
  });

  test('is counted again after it was removed and set again', async () => {
    const form = await courseForm({ Yoga: null }, { maxResponses: 3 });
    const first = await respond(dave, form.formId, form.pick('Yoga'));
    const update = (maxResponses: number | null) =>
      alice.client.forms.updateForm({ params: form.params, body: { maxResponses } });
    await update(null);
    await respond(dave, form.formId, form.pick('Yoga'));
    await update(3);
    await sweepIn(61);
    expect(await leftOf(form.formId)).toEqual([1]);
    await cancel(dave, first);
    expect(await leftOf(form.formId)).toEqual([2]);
  });

  test('needs no count on a form that nobody has answered', async () => {
    const { body } = await alice.client.forms.createForm({
      params: { slug },
      body: { title: 'New', visibility: 'PUBLIC', allowEditResponse: true },
    });
    await alice.client.forms.updateForm({ params: { formId: body.id }, body: { maxResponses: 4 } });
    expect(await placesOf(alice, body.id)).toEqual({ left: 4, choices: [] });
    const unanswered = await courseForm({ Yoga: null });
    const [yoga] = unanswered.question.choices ?? [];
    await editQuestion(alice, unanswered.question, {
      choices: [{ ...yoga, name: 'Yoga', limit: 1 }],
    } as never);
    expect(await placesOf(alice, unanswered.formId)).toMatchObject({ choices: [{ left: 1 }] });
  });

  test('does not let the first answer pass that comes at the same moment', async () => {
    const form = await courseForm({ Yoga: null });
    const [yoga] = form.question.choices ?? [];
    const body = { choices: [{ ...yoga, name: 'Yoga', limit: 1 }] } as never;
    await beforeFirstWrite(
      () => editQuestion(alice, form.question, body),
      () => respond(dave, form.formId, form.pick('Yoga')),
    );
    expect(await placesOf(alice, form.formId)).toMatchObject({ counting: true });
    await sweepIn(61);
    expect(await leftOf(form.formId)).toEqual([null, 0]);
  });

  test('a count that dies anywhere is continued, and sells no place twice', async () => {
    const form = await courseForm({ Yoga: null });
    for (let n = 0; n < 4; n += 1) await respond(dave, form.formId, form.pick('Yoga'));
    await alice.client.forms.updateForm({ params: form.params, body: { maxResponses: 5 } });
    for (const died of [2, 3, 4, 5]) {
      await withTable(dyingAfterWrites(died), () => sweepIn(61 + 400 * (died - 2))).catch(() => undefined);
    }
    for (const seconds of [2_000, 2_400, 2_521, 2_642, 2_763, 6_000, 6_121, 6_242, 6_363]) await sweepIn(seconds);
    expect(await leftOf(form.formId)).toEqual([1]);
  });
});

const dyingAfterWrites =
  (n: number) =>
  ({ write }: ReturnType<typeof app>['table']) => {
    let count = 0;
    return {
      write: async (...args: Parameters<typeof write>) => {
        count += 1;
        if (count > n) throw new Error('the process died');
        await write(...args);
      },
    };
  };

test('lowering a cap below what is taken closes the form, raising it opens it', async () => {
  const form = await courseForm({ Yoga: null }, { maxResponses: 3 });
  for (let n = 0; n < 3; n += 1) await respond(dave, form.formId, form.pick('Yoga'));
  const update = (maxResponses: number) =>
    alice.client.forms.updateForm({ params: form.params, body: { maxResponses } });
  await update(1);
  expect(await leftOf(form.formId)).toEqual([0]);
  await update(4);
  expect(await leftOf(form.formId)).toEqual([1]);
  await respond(erin, form.formId, form.pick('Yoga'));
  expect(await expectProblem(respond(erin, form.formId, form.pick('Yoga')))).toMatchObject(full('/form'));
});

test('guests of a form see its places, others not', async () => {
  const form = await courseForm({ Yoga: null });
  await alice.client.forms.updateForm({ params: form.params, body: { visibility: 'PRIVATE' } });
  await alice.client.forms.archiveForm({ params: form.params });
  expect(await expectProblem(placesOf(chelsea, form.formId))).toMatchObject({ status: 404 });
});

test('a submission costs one trip and one write unit more with a limit, and as much as ever without', async () => {
  const costOf = async (settings: { maxResponses?: number }) => {
    const form = await courseForm({ Yoga: null }, settings);
    await respond(dave, form.formId, form.pick('Yoga'));
    const id = await start(dave, form.formId, form.pick('Yoga'));
    return (await measureCost(() => submit(dave, id))).cost;
  };
  const [without, withCap] = [await costOf({}), await costOf({ maxResponses: 9 })];
  expect([withCap.roundTrips - without.roundTrips, withCap.capacityUnits - without.capacityUnits]).toEqual([1, 1]);
});

test('the job of the places ends when nothing is to be counted', async () => {
  const form = await courseForm({ Yoga: null }, { maxResponses: 2 });
  const id = await respond(dave, form.formId, form.pick('Yoga'));
  await tallyResponses(app(), [id]);
  const [job] = await app().table.read([keys.placesCount(form.formId)]);
  expect(parseJob(job)).toBeUndefined();
});
