/** Reads SSM parameters. Loaded only by functions that are given names of parameters. */
import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { ATTEMPT_MS, SDK_ATTEMPTS } from './busy.ts';

/** Reads the decrypted values of at most ten parameters by name; a parameter that does not exist is left out. */
export async function readParameters(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const client = new SSMClient({
    maxAttempts: SDK_ATTEMPTS,
    requestHandler: { connectionTimeout: ATTEMPT_MS, requestTimeout: ATTEMPT_MS, throwOnRequestTimeout: true },
  });
  const { Parameters = [] } = await client.send(new GetParametersCommand({ Names: [...names], WithDecryption: true }));
  client.destroy();
  return new Map(Parameters.map(({ Name = '', Value = '' }) => [Name, Value]));
}
