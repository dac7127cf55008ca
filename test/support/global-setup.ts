/**
 * Before all tests: one DynamoDB emulator in memory (or the DynamoDB at `DYNAMODB_ENDPOINT`), one local S3, one identity
 * provider, one spreadsheet API, and one signing key. The run stops at once when DynamoDB is not there: every test would time out.
 */

import { buildAssets } from '#stacks/build/assets.ts';
import { startDynamo } from '#stacks/local/dynamo/dynamo.ts';
import { LOCAL_MAIL, LOCAL_SES } from '#stacks/local/environment.ts';
import { startProvider } from '#stacks/local/identity/provider.ts';
import { startSes } from '#stacks/local/mail/ses.ts';
import { startS3 } from '#stacks/local/s3/s3.ts';
import { startSheets } from '#stacks/local/sheets/sheets.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';

export async function setup(): Promise<() => Promise<void>> {
  Object.assign(process.env, newSecrets());
  process.env.OPERATOR_EMAILS = 'oscar@example.org';
  process.env.INTERNAL_LOGIN = 'true';
  process.env.LOG = 'off';
  const external = process.env.DYNAMODB_ENDPOINT;
  if (external) await checkDynamo(external);
  await buildAssets();
  const [dynamo, s3, provider, ses, sheets] = await Promise.all([
    external ? undefined : startDynamo({ directory: null, onExit: stop }),
    startS3({ directory: null, buckets: [], origins: () => [TEST_ORIGIN] }),
    startProvider(),
    startSes({ directory: null, ...LOCAL_SES, rate: 1_000 }),
    startSheets({ file: null }),
  ]);
  if (dynamo) process.env.DYNAMODB_ENDPOINT = dynamo.endpoint;
  process.env.S3_ENDPOINT = s3.endpoint;
  process.env.S3_PUBLIC_ENDPOINT = s3.publicEndpoint;
  Object.assign(process.env, provider.settings, sheets.settings, LOCAL_MAIL, { SES_ENDPOINT: ses.endpoint });
  return async () => {
    await Promise.all([dynamo?.stop(), s3.stop(), provider.stop(), ses.stop(), sheets.stop()]);
  };
}

/** Ends the whole run: vitest would wait for each test that runs, and start the others. */
function stop(reason: string): void {
  console.error(`\nThe tests are stopped: ${reason}`);
  process.exit(1);
}

const checkDynamo = (endpoint: string): Promise<unknown> =>
  fetch(endpoint).catch(() => stop(`no DynamoDB responds at DYNAMODB_ENDPOINT=${endpoint}; start one, or unset it.`));

/** The default PUBLIC_URL of the service in tests. */
const TEST_ORIGIN = 'http://127.0.0.1:3000';
