/**
 * What the features for collecting and reviewing use, beside the same work without them: the numbers from which a table of
 * `docs/costs.md` is generated. What a failing test received belongs into `stacks/operate/measured.ts`.
 */
import { expect, test } from 'vitest';
import { dynamoClient } from '#core/aws/clients.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import { objects } from '#core/db/bucket.ts';
import { idWithin, keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { restartExpiry } from '#core/jobs/expiry.ts';
import type { Mail } from '#core/mail/ports.ts';
import type { Response as StoredResponse } from '#core/responses/model.ts';
import { invoker } from '#stacks/local/workers.ts';
import type { FeatureName, Use } from '#stacks/operate/features.ts';
import { FEATURE_COSTS } from '#stacks/operate/measured.ts';
import { workerPlan } from '#stacks/plan.ts';
import { type Meter, measure } from '#test/support/cost.ts';
import { askForExport, buildExports, readExport } from '#test/support/exports.ts';
import { withApp } from '#test/support/faults.ts';
import { type Built, type FormSettings, newCast, newForm, type QuestionKind } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf } from '#test/support/pages.ts';
import {
  branchedForm,
  choice,
  draftOf,
  readQuestion,
  respond,
  save,
  sent,
  start,
  store,
  submissionOf,
  submit,
  text,
} from '#test/support/responses.ts';
import { finishDeletions, sweepIn } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await newCast();
const { alice, bob, dave, erin, slug } = cast;

const DAY = 86_400;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY * 1_000).toISOString();
const TEXTS: QuestionKind[] = Array.from({ length: 10 }, () => ({ type: 'SHORT_TEXT' }));
const answersTo = (questionIds: readonly string[]) =>
  questionIds.map((id) => text(id, 'The river was high this week.'));

// What is used: by the table, in mails, and in requests to the bucket.

const meter: Meter = { reads: 0, writes: 0 };
const client = dynamoClient(app().config);
measure(client, meter);
const others = { mails: 0, puts: 0, gets: 0 };
const mailIds: string[] = [];

/** Runs something with a table, a bucket and mails that are counted. */
const metered = <T>(run: () => Promise<T>): Promise<T> =>
  withApp(({ bucket, config }) => {
    const counted =
      <A extends unknown[], R>(kind: 'puts' | 'gets', requests: number, call: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R> => {
        others[kind] += requests;
        return call(...args);
      };
    return {
      table: dynamoTable(client, config.tableName),
      bucket: {
        ...bucket,
        // The properties and the content.
        inspect: counted('gets', 2, bucket.inspect),
        put: counted('puts', 1, bucket.put),
        // In parts, of which the files here are one: begun, sent, completed.
        upload: counted('puts', 3, bucket.upload),
        // A list, billed like a PUT.
        removeSome: counted('puts', 1, bucket.removeSome),
      },
      mail: {
        async send({ id }: Mail) {
          others.mails += 1;
          mailIds.push(id);
          return { result: 'done' as const };
        },
      },
    };
  }, run);

/** Returns what some work uses, each of `pieces`. */
async function use(pieces: number, work: () => Promise<unknown>): Promise<Use> {
  const before = { ...meter, ...others };
  await metered(work);
  const now: Use = { ...meter, ...others };
  const each = (kind: keyof Use): number => Math.round((10 * (now[kind] - before[kind])) / pieces) / 10;
  return {
    ...{ reads: each('reads'), writes: each('writes') },
    ...{ mails: each('mails'), puts: each('puts'), gets: each('gets') },
  };
}

/** Lets the workers do what follows, and SES report each mail. */
async function work(): Promise<void> {
  await deliverStream();
  const mailWorkers = workerPlan.filter(({ source }) => source.type === 'mail-events');
  for (const id of mailIds.splice(0)) {
    for (const eventType of ['Send', 'Delivery']) {
      for (const row of mailWorkers) await invoker(row)({ detail: { eventType, mail: { tags: { delivery: [id] } } } });
    }
  }
}

/** Lets the workers do what is due some seconds from now. */
async function workIn(seconds: number): Promise<void> {
  await sweepIn(seconds);
  const now = new Date(Date.now() + seconds * 1_000);
  await withApp(() => ({ now: () => now }), work);
}

/** Does what is left of earlier work, such as the first count of a form, before something is measured. */
const settle = async (days: number): Promise<void> => {
  for (const seconds of [0, 61, 600, 7_200, days * DAY]) await metered(() => workIn(seconds));
};

/** Shards of lists are chosen by chance, and each read of one is rounded up to half a unit. */
const isClose = (measured: number, stated: number): boolean =>
  Math.abs(measured - stated) <= Math.max(0.2, 0.02 * stated);

/** Measures a feature: some work without it, and with it. */
async function compare(name: FeatureName, measured: (isUsed: boolean) => Promise<Use>): Promise<void> {
  const found = { without: await measured(false), with: await measured(true) };
  const stated = FEATURE_COSTS[name];
  const isAsStated = (['without', 'with'] as const).every((each) =>
    (['reads', 'writes', 'mails', 'puts', 'gets'] as const).every((kind) =>
      isClose(found[each][kind], stated[each][kind]),
    ),
  );
  if (!isAsStated) expect(found).toEqual(stated);
}

/** A form with a choice and ten texts; with limits, the form and each choice have more places than are needed. */
async function courses(isLimited: boolean) {
  const choices = ['Yoga', 'Judo'].map((name) => ({ name, ...(isLimited && { limit: 100_000 }) }));
  const settings: FormSettings = isLimited ? { maxResponses: 1_000_000 } : {};
  const form = await newForm(alice, slug, [[{ type: 'SINGLE_CHOICE', choices }, ...TEXTS]], settings);
  const [questionId = '', ...texts] = form.questionIds;
  const yoga = choice(await readQuestion(alice, form.formId, questionId), 'Yoga');
  return { ...form, yoga, questionId, answers: [sent(questionId, 'SINGLE_CHOICE', [yoga]), ...answersTo(texts)] };
}

test('a submission that takes places', () =>
  compare('places', async (isLimited) => {
    const { formId, answers } = await courses(isLimited);
    const submitAll = async (count: number): Promise<void> => {
      for (let each = 0; each < count; each += 1) {
        const id = await start(dave, formId);
        await save(dave, id, answers);
        await submit(dave, id);
      }
    };
    await submitAll(2);
    await work();
    return use(20, async () => {
      await submitAll(20);
      await work();
    });
  }));

test('the comparison of places with 1,000 responses', () =>
  compare('comparison', async (isLimited) => {
    const form = await courses(isLimited);
    const counter = `c_${form.yoga}`;
    const contents = { [form.questionId]: { type: 'SINGLE_CHOICE' as const, value: [form.yoga], names: ['Yoga'] } };
    await store(
      Array.from({ length: 999 }, () => ({
        // A person has 100 responses to a form at most.
        ...submissionOf(form, app().uuid(), daysAgo(1), contents),
        ...(isLimited && { places: ['taken', counter] }),
      })),
    );
    if (isLimited)
      await app().table.write([{ put: { ...keys.places(form.formId), taken: 999, [counter]: 999, writes: 999 } }]);
    await work();
    await settle(3);
    const compareIn = async (from: number): Promise<void> => {
      for (const seconds of [0, 121, 242, 363, 484]) await sweepIn(from + seconds);
    };
    await metered(() => compareIn(3 * DAY));
    await respond(dave, form.formId, form.answers);
    await work();
    const used = await use(1, () => compareIn(DAY + 60));
    const [places, job] = await app().table.read([keys.places(form.formId), keys.placesCount(form.formId)]);
    // It is over: what was compared is what there is.
    expect([job, places?.taken, places?.compared === places?.writes]).toEqual([
      undefined,
      ...(isLimited ? [1_000, true] : [undefined, true]),
    ]);
    return used;
  }));

/** Deletes 100 old responses of a form for their age, if its settings say so. */
async function expire(settings: FormSettings, old: (form: Built) => StoredResponse): Promise<Use> {
  const form = await newForm(alice, slug, [TEXTS], settings);
  const responses = Array.from({ length: 100 }, () => old(form));
  await store(responses);
  await work();
  await settle(1);
  if (Object.keys(settings).length > 0) await app().table.write([restartExpiry(form.formId, undefined, app().now())]);
  const used = await use(100, async () => {
    await workIn(0);
    await finishDeletions();
    await work();
  });
  const items = await app().table.read(responses.map(({ id }) => keys.response(id)));
  expect(items.filter((item) => item !== undefined)).toHaveLength(Object.keys(settings).length > 0 ? 0 : 100);
  return used;
}

const contentsOf = ({ questionIds }: Built) =>
  Object.fromEntries(questionIds.map((id) => [id, { type: 'SHORT_TEXT' as const, value: 'The river was high.' }]));

test('a submitted response that is deleted for its age', () =>
  compare('retention', (isUsed) =>
    expire(isUsed ? { retentionDays: 90 } : {}, (form) => submissionOf(form, dave.id, daysAgo(95), contentsOf(form))),
  ));

test('a draft that is deleted for its age', () =>
  compare('drafts', (isUsed) =>
    expire(isUsed ? { draftDays: 30 } : {}, (form) => draftOf(form, dave.id, daysAgo(35), contentsOf(form))),
  ));

/** Submits some responses one after the other, of which a member is told, if at all, after some seconds. */
async function notify(
  frequency: 'SOON' | 'DAILY',
  isUsed: boolean,
  { count, seconds }: { count: number; seconds: number },
) {
  const { formId, questionIds } = await newForm(alice, slug, [TEXTS]);
  const arrive = async (each: number): Promise<void> => {
    await respond(each % 2 === 0 ? dave : erin, formId, answersTo(questionIds));
    await work();
  };
  await arrive(0);
  await arrive(1);
  await settle(3);
  if (isUsed) await bob.client.forms.setMyNotices({ params: { formId }, body: { frequency } });
  await work();
  const used = await use(1, async () => {
    for (let each = 0; each < count; each += 1) await arrive(each);
    await workIn(seconds);
  });
  expect(used.mails).toBe(isUsed ? 1 : 0);
  return used;
}

test('a notice soon, of ten submissions', () =>
  compare('soon', (isUsed) => notify('SOON', isUsed, { count: 10, seconds: 330 })));

test('a notice a day, of 100 submissions', () =>
  compare('daily', (isUsed) => notify('DAILY', isUsed, { count: 100, seconds: 2 * DAY })));

test('a change that leads to a required question', () =>
  compare('pending', async (isUsed) => {
    const form = await branchedForm(
      { person: alice, slug },
      {
        first: [{ type: 'SHORT_TEXT', title: 'Do you come?' }, ...TEXTS],
        yes: [],
        no: [{ type: 'SHORT_TEXT', title: 'Why not?', required: true }],
      },
      undefined,
      { allowEditResponse: true },
    );
    const [firstId = '', , noId = ''] = form.sectionIds;
    const pages = pagesOf(dave);
    const post = async (path: string, sectionId: string, [name, value]: [string, string]): Promise<void> => {
      const page = `${path}/s/${sectionId}`;
      const shown = fieldsOf(await pages.show(page)).filter(([key]) => key !== name);
      expect((await pages.post(page, [...shown, [name, value], ['do', 'next']])).status).toBe(303);
    };
    const edit = async (): Promise<() => Promise<void>> => {
      const [first = '', ...texts] = form.first;
      const id = await respond(dave, form.formId, [text(first, 'yes'), ...answersTo(texts)]);
      await work();
      const path = `/r/${id}`;
      return async () => {
        if (!isUsed) {
          await pages.show(`${path}/withdraw`);
          expect((await pages.post(`${path}/cancel`, [['do', 'cancelSubmission']])).status).toBe(303);
        }
        await post(path, firstId, [`q.${form.asked}`, 'no']);
        await post(path, noId, [`q.${form.no[0]}`, 'I am away']);
        if (!isUsed) expect((await pages.post(`${path}/submit`)).status).toBe(303);
        await pages.show(`${path}/done`);
        await work();
      };
    };
    await (await edit())();
    await settle(1);
    const edits = [await edit(), await edit(), await edit(), await edit()];
    return use(edits.length, async () => {
      for (const each of edits) await each();
    });
  }));

test('statistics of a filter over 2,000 responses', async () => {
  const form = await newForm(alice, slug, [TEXTS]);
  const { formId } = form;
  const [first = ''] = form.questionIds;
  await store(
    Array.from({ length: 2_000 }, (_, index) => ({
      ...submissionOf(form, dave.id, daysAgo(1 + index / 10_000), contentsOf(form)),
    })),
  );
  await work();
  await settle(1);
  const body = { filters: [{ questionId: first, contains: 'river' }] };
  const query = () => bob.client.responses.queryStatistics({ params: { formId }, body });
  const countAll = async () => {
    await bob.client.responses.countStatistics({ params: { formId }, body });
    await work();
    return (await bob.client.responses.getStatisticsCount({ params: { formId } })).body;
  };
  await query();
  await compare('count', (isUsed) =>
    use(1, async () => {
      if (isUsed) expect(await countAll()).toMatchObject({ state: 'DONE', processed: 2_000 });
      else expect((await query()).body.matches).toEqual({ count: 1_000, isComplete: false });
    }),
  );
});

test('an export of 100 files', () =>
  compare('zip', async (isUsed) => {
    const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 1, maxFileSizeLimit: 1_000 };
    const form = await newForm(alice, slug, [[{ type: 'UPLOAD_FILE', uploadFile }, ...TEXTS]]);
    const { formId, questionIds } = form;
    const [files = ''] = questionIds;
    const file = { originalFilename: 'river.txt', contentType: 'text/plain', size: 5 };
    const responses = Array.from({ length: 100 }, () => {
      const value = [{ fileId: idWithin(formId, app().uuid()), ...file }];
      return submissionOf(form, dave.id, daysAgo(1), { ...contentsOf(form), [files]: { type: 'UPLOAD_FILE', value } });
    });
    await store(responses);
    for (const { id, answers } of responses) {
      const [{ fileId } = { fileId: '' }] = answers[files]?.value as { fileId: string }[];
      await app().bucket.put(objects.file(id, fileId), Buffer.from('river'), 'text/plain');
    }
    await work();
    await settle(1);
    return use(1, async () => {
      const job = await askForExport(bob, formId, { questionIds, ...(isUsed && { format: 'ZIP' as const }) });
      await buildExports();
      await work();
      expect(await readExport(bob, job)).toMatchObject({ state: 'DONE', processed: 100 });
    });
  }));
