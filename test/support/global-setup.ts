/**
 * Before all tests: one DynamoDB emulator in memory (or the one at `DYNAMODB_ENDPOINT`), one local S3, one provider of
 * identities, and one signing key.
 */
import { generateKeyPairSync } from 'node:crypto';
import { startDynamo } from '#stacks/local/dynamo.ts';
import { startProvider } from '#stacks/local/provider.ts';
import { startS3 } from '#stacks/local/s3.ts';

export async function setup(): Promise<() => Promise<void>> {
  process.env.TOKEN_KEY = JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
  process.env.CURSOR_SECRET = 'only for tests: forty characters or more';
  process.env.OPERATOR_EMAILS = 'oscar@example.org';
  process.env.INTERNAL_LOGIN = 'true';
  process.env.LOG = 'off';
  // Without it Powertools writes past the console that some tests watch.
  process.env.POWERTOOLS_DEV = 'true';
  process.env.POWERTOOLS_METRICS_DISABLED = 'false';
  const [dynamo, s3, provider] = await Promise.all([
    process.env.DYNAMODB_ENDPOINT ? undefined : startDynamo({ directory: null }),
    startS3({ directory: null, buckets: [], origins: () => [TEST_ORIGIN] }),
    startProvider(),
  ]);
  if (dynamo) process.env.DYNAMODB_ENDPOINT = dynamo.endpoint;
  process.env.S3_ENDPOINT = s3.endpoint;
  process.env.S3_PUBLIC_ENDPOINT = s3.publicEndpoint;
  Object.assign(process.env, provider.settings);
  return async () => {
    await Promise.all([dynamo?.stop(), s3.stop(), provider.stop()]);
  };
}

/** The address that the service has in tests unless they give it another. */
const TEST_ORIGIN = 'http://127.0.0.1:3000';
