/** The filters of stream records: what Lambda accepts and this project uses, and nothing else. */
import { expect, test } from 'vitest';
import type { FilterPattern } from '#core/api/workers.ts';
import { compileFilters } from '#stacks/local/dynamo/stream-filter.ts';
import { workerPlan } from '#stacks/plan.ts';

const record = {
  eventName: 'MODIFY' as const,
  dynamodb: { NewImage: { pk: { S: 'RESPONSE#1' }, attempts: { N: '0' } }, OldImage: { pk: { S: 'RESPONSE#1' } } },
};

const passes = (pattern: FilterPattern): boolean => compileFilters([pattern])(record);
const newImage = (image: FilterPattern): FilterPattern => ({ dynamodb: { NewImage: image } });

test('a record passes when every member of the pattern matches', () => {
  expect(passes({ eventName: ['INSERT', 'MODIFY'] })).toBe(true);
  expect(passes({ eventName: ['INSERT'] })).toBe(false);
  expect(passes({ eventName: ['MODIFY'], ...newImage({ attempts: { N: ['0'] } }) })).toBe(true);
  expect(passes({ eventName: ['MODIFY'], ...newImage({ attempts: { N: ['1'] } }) })).toBe(false);
});

test('prefix and exists match as on AWS', () => {
  expect(passes(newImage({ pk: { S: [{ prefix: 'FORM#' }, { prefix: 'RESPONSE#' }] } }))).toBe(true);
  expect(passes(newImage({ pk: { S: [{ prefix: 'FORM#' }] } }))).toBe(false);
  expect(passes(newImage({ kind: { S: [{ prefix: '' }] } }))).toBe(false);
  expect(passes(newImage({ kind: { S: [{ exists: true }] } }))).toBe(false);
  expect(passes(newImage({ kind: { S: [{ exists: false }] } }))).toBe(true);
  expect(passes({ userIdentity: { type: [{ exists: false }] } })).toBe(true);
});

test('other operators are refused', () => {
  for (const operator of [
    { numeric: ['>', 0] },
    { 'anything-but': ['x'] },
    { prefix: 'a', exists: true },
    { prefix: 1 },
  ]) {
    const pattern = JSON.parse(JSON.stringify({ eventName: [operator] }));
    expect(() => compileFilters([pattern])).toThrow('only values, exists and prefix are supported');
  }
  expect(() => compileFilters([JSON.parse('{"eventName":"INSERT"}')])).toThrow('not a list or an object');
});

test('the filters of all workers are supported', () => {
  for (const { source } of workerPlan) if (source.type === 'stream') compileFilters(source.filters);
});

/** An image of a response in the stream; undefined for none. */
type Image = Record<string, { S: string } | { N: string }> | undefined;
const image = (progress: string, fileBytes?: number): Image => ({
  pk: { S: 'RESPONSE#1' },
  progress: { S: progress },
  ...(fileBytes !== undefined && { fileBytes: { N: String(fileBytes) } }),
});
const STATES: Record<string, Image> = {
  absent: undefined,
  draft: image('DRAFT'),
  'draft with a file': image('DRAFT', 5),
  'draft with another file': image('DRAFT', 7),
  submitted: image('SUBMITTED'),
  'submitted with a file': image('SUBMITTED', 5),
  deleted: image('DELETED'),
};
const tally = compileFilters(
  workerPlan.flatMap(({ worker, source }) => (worker === 'tally' && source.type === 'stream' ? source.filters : [])),
);
/** What a form counts of a response: drafts, submissions, bytes of files; edits of a submission count as changes. */
const counted = (state: Image): string => JSON.stringify([state?.progress, state?.fileBytes]);

test.each(
  Object.entries(STATES).flatMap(([before, OldImage]) =>
    Object.entries(STATES).map(([after, NewImage]) => ({ before, after, OldImage, NewImage })),
  ),
)('tally is woken by what can change a count: $before, then $after', ({ OldImage, NewImage }) => {
  // What is left of a deleted response is only removed.
  if ((!OldImage && !NewImage) || (OldImage === STATES.deleted && NewImage)) return;
  const eventName = OldImage ? (NewImage ? 'MODIFY' : 'REMOVE') : 'INSERT';
  const response = { eventName, dynamodb: { Keys: { sk: { S: 'RESPONSE' } }, OldImage, NewImage } } as const;
  const isEdit = NewImage?.progress === undefined ? false : Object.values(NewImage.progress).includes('SUBMITTED');
  if (counted(OldImage) !== counted(NewImage) || isEdit) expect(tally(response)).toBe(true);
  const isSave = OldImage === STATES.draft && NewImage === STATES.draft;
  if (isSave) expect(tally(response)).toBe(false);
  const job = { ...response, dynamodb: { ...response.dynamodb, Keys: { sk: { S: 'JOB' } } } };
  expect(tally(job)).toBe(false);
});
