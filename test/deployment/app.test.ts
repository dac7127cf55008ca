/** Every resource is tagged, so that costs can be told apart by stage, and production keeps its data. */
import { expect, test } from 'vitest';
import { readDeployed, STAGE_NAMES } from './deployed.ts';

test.for(STAGE_NAMES)('the stage %s is tagged, and protected if it is production', (name) => {
  const { app, stage } = readDeployed(name);
  expect(app).toMatchObject({
    ...{ protect: stage.isProduction, removal: stage.isProduction ? 'retain' : 'remove' },
    providers: { aws: { defaultTags: { tags: { service: 'form-service', stage: name } } } },
  });
});
