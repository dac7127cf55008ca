/** What is deployed, for a production stage with every option and a personal one with none. */
import { describe, expect, test } from 'vitest';
import { CHECKS } from '#test/deployment/checks/all.ts';
import { lambdasOf, ofType } from '#test/deployment/checks/description.ts';
import { describeStage } from '#test/deployment/synthesis/describe-stage.ts';

describe.for(['production', 'alice'] as const)('the stage %s', (name) => {
  const description = describeStage(name);
  test.for(Object.entries(CHECKS))('%s', ([, check]) => {
    expect(check(description)).toEqual([]);
  });
});

test('a stage uses its restored table, and creates none', () => {
  const description = describeStage('restored');
  expect(ofType(description, 'aws:dynamodb/table:Table')).toEqual([]);
  const names = [...lambdasOf(description).values()].map(({ environment }) => environment.variables.TABLE_NAME);
  expect(new Set(names)).toEqual(new Set(['forms-restored']));
  expect(CHECKS['every function may do what it needs, and nothing else'](description)).toEqual([]);
  expect(CHECKS['every stream mapping is as declared and loses nothing'](description)).toEqual([]);
});
