/** What submissions to one form use of the partitions that they share, counted on the real handlers and the stream. */
import type { DynamoDBRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { formKey, TABLE_DEFINITION } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { isChange, openStream } from '#stacks/local/dynamo/stream-reader.ts';
import { largestRate, RESOURCES, UNITS } from '#stacks/operate/scale.ts';
import { withTable } from '#test/support/faults.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { save, start, text } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const SUBMISSIONS = 64;

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
  const { alice, dave, erin, slug } = await newCast();
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
  // Ids are spread over four partitions.
  expect(perSubmission(`${form}#DRAFT#`) / 4).toBeCloseTo(UNITS.draftEntries);
  expect(perSubmission(`${form}#SUBMITTED#`) / 4).toBeCloseTo(UNITS.submittedEntries);
  // The first counters of a form queue a recount.
  expect(perSubmission('DUE#') / 4).toBeLessThan(1.05 * UNITS.dueEntries);
  expect(Math.abs(gateReads.count / SUBMISSIONS - UNITS.gateReads)).toBeLessThan(0.2);
  // Nothing else that all submissions of a form write to is hotter.
  const others = writes.filter((partition) => !/^(?:FORM#.*#(?:DRAFT|SUBMITTED)|DUE|USER)#/.test(partition));
  expect(others).toEqual([]);
});

/** Submissions of one second that find room in every partition: each has units, and ids choose one of the shards. */
function simulate(rate: number, shards: number, unitsEach: number, unitsASecond: number): number {
  const left = Array.from({ length: shards }, () => unitsASecond);
  let accepted = 0;
  for (let index = 0; index < rate; index += 1) {
    // A permutation of the ids, as random ones are spread.
    const shard = (index * 7_919) % shards;
    if ((left[shard] ?? 0) < unitsEach) continue;
    left[shard] = (left[shard] ?? 0) - unitsEach;
    accepted += 1;
  }
  return accepted;
}

test.for([
  ['reads of the gate of the form', 1, UNITS.gateReads, 3_000],
  ['entries of due deliveries, with mail', 4, 4, 1_000],
  ['entries of drafts', 4, 2, 1_000],
  ['entries of submissions', 4, 1, 1_000],
] as const)('%s are full when a simulated second is', ([name, shards, unitsEach, unitsASecond]) => {
  const resource = RESOURCES.find((each) => each.name === name);
  if (!resource) throw new Error(`there is no resource ${name}`);
  const full = largestRate(resource);
  expect(simulate(10 * full, shards, unitsEach, unitsASecond)).toBe(Math.floor(full));
});
