/**
 * The service on the emulator, with providers to sign in with, a spreadsheet API, the demo's people and a scene. Tests of
 * its file look into its table and bucket, and send their requests to its address.
 */
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { parseConfig } from '#core/aws/config.ts';
import { createApp, replaceApp } from '#core/http/app.ts';
import { buildAssets } from '#stacks/build/assets.ts';
import { bundle } from '#stacks/build/bundle.ts';
import { allFunctions } from '#stacks/functions.ts';
import { startProvider } from '#stacks/local/identity/provider.ts';
import { createDemoPerson, PEOPLE } from '#stacks/local/seed.ts';
import { type RunningSheets, startSheets } from '#stacks/local/sheets/sheets.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { newScene, type Scene } from '#test/support/scene.ts';
import { ROOT } from '#test/support/sources.ts';
import { type Deployment, type DeployOptions, deploy } from './deploy.ts';

export type Service = { deployment: Deployment; scene: Scene; sheets: RunningSheets };

let bundles: Promise<string> | undefined;

/** Bundles the functions and the assets once for all files. Returns the directory. */
function build(): Promise<string> {
  const directory = join(ROOT, '.sst/bundles');
  bundles ??= Promise.all([bundle(allFunctions, directory), buildAssets()]).then(() => directory);
  return bundles;
}

/** Deploys the service before the tests of a file, and removes it after them. */
export function ownDeployment(stage: string, options: DeployOptions = {}): () => Service {
  let service: Service | undefined;
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const directory = await build();
    const [sheets, provider] = await Promise.all([startSheets({ file: null, isShared: () => true }), startProvider()]);
    stops.push(sheets.stop, provider.stop);
    const settings = {
      ...newSecrets(),
      ...provider.settings,
      ...sheets.settings,
      OPTIONAL_SECRETS: 'LOGIN_PROVIDER_1,LOGIN_PROVIDER_2,PROVIDER_ONE,PROVIDER_TWO,SHEETS_KEY',
      MAIL_FROM: 'Forms <forms@example.org>',
      INTERNAL_LOGIN: 'true',
      OPERATOR_EMAILS: 'oscar@example.org',
    };
    const deployment = await deploy(stage, directory, settings, options);
    stops.unshift(deployment.remove);
    const { url, endpoint, table, bucket } = deployment;
    Object.assign(process.env, settings, {
      ...{ SERVICE_URL: url, PUBLIC_URL: url, TABLE_NAME: table, BUCKET_NAME: bucket, LOG: 'off' },
      ...{ DYNAMODB_ENDPOINT: endpoint, S3_ENDPOINT: endpoint, SES_ENDPOINT: endpoint },
    });
    replaceApp(createApp(parseConfig(process.env)));
    for (const each of PEOPLE.filter(({ name }) => name !== 'oscar')) await createDemoPerson(each);
    service = { deployment, sheets, scene: await newScene() };
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });
  return () => {
    if (!service) throw new Error('the service is deployed before the first test');
    return service;
  };
}
