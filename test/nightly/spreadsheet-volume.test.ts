/**
 * 1,000 submissions whose stream records arrive twice and in any order, at two workers at once: 1,000 rows. And as many
 * in another spreadsheet that is set afterwards.
 */
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { beforeAll, expect, test } from 'vitest';
import { toAttributes } from '#core/aws/attribute-values.ts';
import { keys } from '#core/db/keys.ts';
import type { Item } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { handler as deliver } from '#functions/workers/deliver.ts';
import { filledRows } from '#stacks/local/sheets/spreadsheet.ts';
import { muteErrors } from '#test/support/console.ts';
import { type Cast, newCast, person } from '#test/support/fixtures.ts';
import { respond, text } from '#test/support/responses.ts';
import { addressOf, ownSheets, setSpreadsheet, sheetForm } from '#test/support/sheets.ts';
import { sweepIn } from '#test/support/sweeps.ts';

let cast: Cast;
const sheets = ownSheets();
muteErrors();
beforeAll(async () => {
  cast = await newCast();
});

const PEOPLE = 10;
const EACH = 100;
const BATCH = 50;
const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: 'test' } as Parameters<typeof deliver>[1];

const recordOf = ({ pk, sk, ...rest }: Item, index: number): DynamoDBRecord => ({
  eventName: 'INSERT',
  dynamodb: {
    Keys: toAttributes({ pk, sk }),
    NewImage: toAttributes({ pk, sk, ...rest }),
    SequenceNumber: String(index),
  } as NonNullable<DynamoDBRecord['dynamodb']>,
});

const shuffled = <T>(all: readonly T[]): T[] =>
  all
    .map((value) => ({ value, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);

test('every submission is one row', async () => {
  const { alice, slug } = cast;
  const form = await sheetForm(alice, slug);
  for (const seconds of [0, 120]) await sweepIn(seconds);
  const people = await Promise.all(Array.from({ length: PEOPLE }, (_, index) => person(`p${index}`)));
  const ids = await Promise.all(
    people.map(async (each, number) => {
      const own: string[] = [];
      for (let count = 0; count < EACH; count += 1) {
        own.push(await respond(each, form.formId, [text(form.questionId, `${number}-${count}`)]));
      }
      return own;
    }),
  );
  const items = await app().table.read(ids.flat().map((id) => keys.response(id)));
  const records = shuffled(items.filter((item) => item !== undefined)).map(recordOf);
  const batches = Array.from({ length: records.length / BATCH }, (_, index) =>
    records.slice(index * BATCH, (index + 1) * BATCH),
  );
  const events = shuffled([...batches, ...batches]).map((Records): DynamoDBStreamEvent => ({ Records }));
  sheets().api.calls.length = 0;
  const work = async (): Promise<void> => {
    for (let event = events.pop(); event; event = events.pop()) await deliver(event, context);
  };
  await Promise.all([work(), work()]);
  for (const minutes of [5, 10]) await sweepIn(minutes * 60);
  const [, ...rows] = filledRows(sheets().api.spreadsheet(form.spreadsheetId));
  expect(rows.map(([id]) => id).toSorted()).toEqual(ids.flat().toSorted());
  expect(new Set(rows.map((row) => row[3])).size).toBe(PEOPLE * EACH);
  const writes = sheets().api.calls.filter((call) => call !== '/developerMetadata:search');
  expect(writes.length).toBeLessThanOrEqual(2 * batches.length);
  await setSpreadsheet(alice, form.formId, addressOf('another-one'));
  for (let minutes = 0; minutes < 5; minutes += 1) await sweepIn(minutes * 60);
  const [, ...copies] = filledRows(sheets().api.spreadsheet('another-one'));
  expect(copies.map(([id]) => id).toSorted()).toEqual(ids.flat().toSorted());
});
