/**
 * Secrets of a deployed function. Its environment contains no secret but the name of an SSM parameter for each, such as
 * `TOKEN_KEY_PARAMETER` instead of `TOKEN_KEY`. The values are read once: before the first request, and the key of access
 * tokens before the first token is signed.
 */
import type { Need } from '#core/api/declare.ts';
import { callStorage } from './busy.ts';
import { SECRETS_BY_NEED } from './variables.ts';

type Environment = Record<string, string | undefined>;
type ReadParameters = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Returns the variable with the name of the parameter that holds a secret. */
export const parameterVariable = (secret: string): string => `${secret}_PARAMETER`;

/** Lists the secrets of some needs. */
export const listSecrets = (needs: readonly Need[]): string[] => needs.flatMap((need) => SECRETS_BY_NEED[need] ?? []);

/**
 * Sets the secrets of some needs from their parameters. A secret that the environment contains stays; so does one
 * without a parameter, which is an error only where it is used. Returns undefined when there is nothing to read.
 * Throws StorageBusy when SSM is busy, and an error that names the parameter when there is none.
 */
export function loadSecrets(
  needs: readonly Need[],
  environment: Environment = process.env,
  read: ReadParameters = readLazily,
): Promise<void> | undefined {
  const parameters = listSecrets(needs).flatMap((secret) => {
    const parameter = environment[parameterVariable(secret)];
    return parameter === undefined || environment[secret] !== undefined ? [] : [{ secret, parameter }];
  });
  return parameters.length === 0 ? undefined : load(parameters, environment, read);
}

async function load(
  parameters: readonly { secret: string; parameter: string }[],
  environment: Environment,
  read: ReadParameters,
): Promise<void> {
  const values = await callStorage(() => read(parameters.map(({ parameter }) => parameter)));
  for (const { secret, parameter } of parameters) {
    const value = values.get(parameter);
    if (value === undefined) throw new Error(`The SSM parameter ${parameter}, which holds ${secret}, does not exist`);
    environment[secret] = value;
  }
}

const readLazily: ReadParameters = async (names) => (await import('./parameters.ts')).readParameters(names);
