/** What is deployed, for a production stage with every option and a personal one with none. */
import { describe, expect, test } from 'vitest';
import { CHECKS } from './checks/all.ts';
import { describeStage } from './synthesis/describe-stage.ts';

describe.for(['production', 'alice'] as const)('the stage %s', (name) => {
  const description = describeStage(name);
  test.for(Object.entries(CHECKS))('%s', ([, check]) => {
    expect(check(description)).toEqual([]);
  });
});
