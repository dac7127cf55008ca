/** The resources of a synthesized stage, by type and name, with the settings from which they were created. */
import { expect, inject, type ProvidedContext } from 'vitest';
import { readStage, type Stage } from '#stacks/stage.ts';
import { mockArn } from './synthesis/account.ts';

/** The stages of `synthesis/set-up.ts`. */
export const STAGE_NAMES = ['production', 'alice', 'restored'] as const satisfies (keyof ProvidedContext['stages'])[];

type Inputs = Record<string, unknown>;

export type Deployed = {
  stage: Stage;
  /** What `app()` in `sst.config.ts` returns. */
  app: Record<string, unknown>;
  /** The inputs of the resources of a type, such as `lambda.Function` for `aws.lambda.Function`, by name. */
  all: (type: string) => Map<string, Inputs>;
  /** The inputs of the only resource of a type. */
  only: (type: string) => Inputs;
};

/** `aws:lambda/function:Function` for `lambda.Function`. */
const fullType = (type: string): string =>
  type.replace(
    /^(\w+)\.(\w)(\w+)$/,
    (_, service, first, rest) => `aws:${service}/${first.toLowerCase()}${rest}:${first}${rest}`,
  );

/** The ARN of a resource in the synthesis. */
export const arnOf = (type: string, name: string): string => mockArn(fullType(type), name);

/** The ARN of a deployed function by the name that it has in the code. */
export const functionArn = (name: string): string => arnOf('lambda.Function', `${name}Function`);

/** Reads a synthesized stage. */
export function readDeployed(name: (typeof STAGE_NAMES)[number]): Deployed {
  const { app, resources, settings } = inject('stages')[name];
  const all = (type: string) =>
    new Map(resources.filter((each) => each.type === fullType(type)).map((each) => [each.name, each.inputs]));
  return {
    stage: readStage(name, settings),
    app,
    all,
    only: (type) => {
      const [inputs, ...others] = all(type).values();
      expect(others, `further resources of ${type}`).toEqual([]);
      return inputs ?? expect.fail(`there is no ${type}`);
    },
  };
}
