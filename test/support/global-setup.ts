/** Before all tests: one DynamoDB emulator in memory (or the one at `DYNAMODB_ENDPOINT`) and one signing key. */
import { generateKeyPairSync } from 'node:crypto';
import { startDynamo } from '#stacks/local/dynamo.ts';

export async function setup(): Promise<() => Promise<void>> {
  process.env.TOKEN_KEY = JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
  process.env.CURSOR_SECRET = 'only for tests: forty characters or more';
  process.env.OPERATOR_EMAILS = 'oscar@example.org';
  process.env.INTERNAL_LOGIN = 'true';
  process.env.LOG = 'off';
  if (process.env.DYNAMODB_ENDPOINT) return async () => undefined;
  const dynamo = await startDynamo({ directory: null });
  process.env.DYNAMODB_ENDPOINT = dynamo.endpoint;
  return () => dynamo.stop();
}
