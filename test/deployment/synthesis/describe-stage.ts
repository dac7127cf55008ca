/** The descriptions of the synthesized stages, which the checks read. */
import { inject } from 'vitest';
import { allFunctions } from '#stacks/functions.ts';
import { readStage } from '#stacks/settings.ts';
import type { Description } from '#test/deployment/checks/description.ts';
import type { StageName } from './stages.ts';

/** The description of a stage; its resources are a new copy each time. */
export function describeStage(name: StageName): Description {
  const { app, resources, outputs } = structuredClone(inject(name));
  const stage = readStage(name, inject('settings')[name]);
  return { app, resources, outputs, stage, functions: allFunctions, bundles: inject('bundles') };
}
