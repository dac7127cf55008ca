/** What submissions to one form use of the partitions that they share, counted on the real handlers and the stream; and what the simulation makes of it. */
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { formKey, TABLE_DEFINITION } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { isChange, openStream } from '#stacks/local/dynamo/stream-reader.ts';
import { MEASURED } from '#stacks/operate/measured.ts';
import { FORM_READS, type Limits, STEPS, simulate, UNITS } from '#stacks/operate/scale.ts';
import { withTable } from '#test/support/faults.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf } from '#test/support/pages.ts';
import { save, start, text } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const SUBMISSIONS = 64;

const cast = await newCast();

/** The partitions of an index that a change writes to: where its entry was, and where it is. */
function indexWrites({ dynamodb }: DynamoDBRecord, hash: string, range: string): string[] {
  const images = [dynamodb?.OldImage ?? {}, dynamodb?.NewImage ?? {}];
  const valuesOf = (names: readonly string[]) =>
    images.map((image) => JSON.stringify(names.map((name) => image[name])));
  const isSame = (names: readonly string[]): boolean => new Set(valuesOf(names)).size === 1;
  if (isSame([hash, range, ...TABLE_DEFINITION.projected])) return [];
  const entries = images.flatMap((image) => image[hash]?.S ?? []);
  return isSame([hash, range]) ? entries.slice(0, 1) : entries;
}

async function allRecords(): Promise<DynamoDBRecord[]> {
  const stream = await openStream(app().config.dynamoEndpoint ?? '', app().config.tableName);
  const records: DynamoDBRecord[] = [];
  for (let next = await stream.next(1_000); next.length > 0; next = await stream.next(1_000)) {
    records.push(...next);
  }
  return records;
}

test('a submission uses no more of a shared partition than the documentation says', async () => {
  const { alice, dave, erin, slug } = cast;
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  await alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true } });
  const before = (await allRecords()).length;
  const gateReads = { count: 0 };
  await withTable(
    (table) => ({
      read: (keys) => {
        gateReads.count += keys.filter(({ sk }) => sk === 'GATE').length;
        return table.read(keys);
      },
    }),
    async () => {
      for (let index = 0; index < SUBMISSIONS; index += 1) {
        const person = index % 2 === 0 ? dave : erin;
        const responseId = await start(person, formId);
        await save(person, responseId, [text(questionIds[0] ?? '', 'frogs')]);
        await person.client.responses.submitResponse({ params: { responseId }, body: { answers: [] } });
      }
      await deliverStream();
    },
  );
  const writes = (await allRecords())
    .slice(before)
    .filter(isChange)
    .flatMap((record) => TABLE_DEFINITION.indexes.flatMap(({ hash, range }) => indexWrites(record, hash, range)));
  const perSubmission = (prefix: string): number =>
    writes.filter((partition) => partition.startsWith(prefix)).length / SUBMISSIONS;
  const form = `FORM#${formKey(formId)}`;
  expect(perSubmission(`${form}#DRAFT#`)).toBeCloseTo(UNITS.draftEntries);
  expect(perSubmission(`${form}#SUBMITTED#`)).toBeCloseTo(UNITS.submittedEntries);
  // The first counters of a form queue a recount.
  expect(perSubmission('DUE#')).toBeLessThan(1.05 * UNITS.dueEntries);
  const requestReads = FORM_READS.start + FORM_READS.save + FORM_READS.submit;
  expect(Math.abs(gateReads.count / SUBMISSIONS - requestReads - UNITS.gateReads)).toBeLessThan(0.2);
  // Nothing else that all submissions of a form write to is hotter.
  const others = writes.filter((partition) => !/^(?:FORM#.*#(?:DRAFT|SUBMITTED)|DUE|USER)#/.test(partition));
  expect(others).toEqual([]);
});

test('pages read as much of the form as the simulation assumes, and a browser sends as many requests', async () => {
  const { alice, dave, slug } = cast;
  const form = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const [questionId = '', sectionId = ''] = [form.questionIds[0], form.sectionIds[0]];
  const pages = pagesOf(dave);
  /** The read units of the gate and the settings that a request uses. */
  const readUnits = async (request: () => Promise<unknown>): Promise<number> => {
    let units = 0;
    await withTable(
      (table) => ({
        read: (keys, consistency) => {
          const shared = keys.filter(({ sk }) => sk === 'GATE' || sk === 'HEAD').length;
          units += consistency === 'eventual' ? shared / 2 : shared;
          return table.read(keys, consistency);
        },
      }),
      request,
    );
    return units;
  };
  expect(await readUnits(() => pages.get(`/f/${form.formId}`))).toBe(FORM_READS.read);
  let started = '';
  const startUnits = await readUnits(async () => {
    const { headers } = await pages.post(`/f/${form.formId}/start`);
    started = headers.get('location') ?? '';
  });
  expect(startUnits).toBe(FORM_READS.start);
  const section = `${started}/s/${sectionId}`;
  const stamps = fieldsOf(await pages.show(section)).filter(([name]) => name.startsWith('s.'));
  expect(await readUnits(() => pages.get(started))).toBe(FORM_READS.show);
  expect(await readUnits(() => pages.get(section))).toBe(FORM_READS.show);
  const answers: [string, string][] = [...stamps, [`q.${questionId}`, 'frogs'], ['do', 'next']];
  expect(await readUnits(() => pages.post(section, answers))).toBe(FORM_READS.save);
  expect(await readUnits(() => pages.get(`${started}/check`))).toBe(FORM_READS.show);
  expect(await readUnits(() => pages.post(`${started}/submit`))).toBe(FORM_READS.submit);
  expect(await readUnits(() => pages.get(`${started}/done`))).toBe(FORM_READS.done);
  for (const journey of ['api', 'pages'] as const) {
    expect(STEPS[journey]).toHaveLength(MEASURED.journeys[journey].requests);
  }
});

describe('the simulation', () => {
  const roomy: Limits = {
    ...{ requests: 1e6, burst: 1e6, functions: 1e6, tableWrites: 1e7, gateReads: 1e6, partitionWrites: 1e6 },
    ...{ responseShards: 4, dueShards: 4, mails: 1e6, mailsADay: 1e9 },
  };

  test('accounts for everybody', () => {
    for (const rate of [10, 1_000, 10_000]) {
      for (const journey of ['api', 'pages'] as const) {
        const { offered, submitted, turnedAway, underWay } = simulate(rate, { journey });
        expect(submitted + turnedAway + underWay).toBeCloseTo(offered);
      }
    }
  });

  test('submits all where there is room, seven seconds after they began', () => {
    const { submitted, tooMany, unavailable, lagSeconds, mailsWaiting } = simulate(100, { limits: roomy });
    expect({ submitted, tooMany, unavailable, lagSeconds, mailsWaiting }).toEqual({
      ...{ submitted: 100 * (600 - 6), tooMany: 0, unavailable: 0, lagSeconds: 0, mailsWaiting: 0 },
    });
  });

  test.for<[full: string, limits: Partial<Limits>, status: 'tooMany' | 'unavailable']>([
    ['requests', { requests: 70, burst: 70 }, 'tooMany'],
    ['functions', { functions: 4 }, 'unavailable'],
    ['gateReads', { gateReads: 30 }, 'unavailable'],
    ['tableWrites', { tableWrites: 300 }, 'unavailable'],
    ['drafts', { partitionWrites: 10 }, 'unavailable'],
  ])('names %s when they are full', ([full, limits, status]) => {
    const result = simulate(100, { limits: { ...roomy, ...limits } });
    expect(result[status]).toBeGreaterThan(0);
    expect(result.submitted).toBeLessThan(100 * 594);
    expect(Object.keys(result.causes)).toContain(full);
  });

  test('mails wait for the rate of SES, and those beyond 72 hours of its daily quota are given up', () => {
    const { submitted, mailsWaiting, mailsGivenUp } = simulate(100, {
      limits: { ...roomy, mails: 10, mailsADay: 10_000 },
    });
    // Six seconds pass before the first mail.
    expect(mailsWaiting).toBe(submitted - 10 * 594);
    expect(mailsGivenUp).toBe(mailsWaiting - 30_000);
  });

  test('a worker that is slower than the submissions falls behind', () => {
    const { lagSeconds, causes } = simulate(100, { limits: { ...roomy, partitionWrites: 200, dueShards: 1 } });
    expect(lagSeconds).toBeGreaterThan(100);
    expect(causes.due).toBeGreaterThan(0);
  });

  test('the settings of a stage take ten people a second', () => {
    expect(simulate(10)).toMatchObject({ turnedAway: 0, tooMany: 0, unavailable: 0, lagSeconds: 0, mailsWaiting: 0 });
  });
});
