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
