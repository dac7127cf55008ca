/**
 * The service on the emulator, with providers to sign in with, a spreadsheet API, the demo's people and a scene. Tests of
 * its file look into its table and bucket, and send their requests to its address.
 */
import { afterAll, beforeAll } from 'vitest';
import { parseConfig } from '#core/aws/config.ts';
import { createApp, replaceApp } from '#core/http/app.ts';
import { startProvider } from '#stacks/local/identity/provider.ts';
import { createDemoPerson, PEOPLE } from '#stacks/local/seed.ts';
import { type RunningSheets, startSheets } from '#stacks/local/sheets/sheets.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { newScene, type Scene } from '#test/support/scene.ts';
import { type Deployment, type DeployOptions, deploy } from './deploy.ts';

export type Service = { deployment: Deployment; scene: Scene; sheets: RunningSheets };

/** Deploys the service before the tests of a file, and removes it after them. */
export function ownDeployment(stage: string, options: DeployOptions = {}): () => Service {
  let service: Service | undefined;
  const stops: (() => Promise<void>)[] = [];
  const seconds: string[] = [];
  let since = 0;
  const lap = (what: string): void => {
    seconds.push(`${what} ${Math.round((performance.now() - since) / 1_000)} s`);
    since = performance.now();
  };
  beforeAll(async () => {
    since = performance.now();
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
    const deployment = await deploy(stage, settings, options);
    stops.unshift(deployment.remove);
    lap('deployment');
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
    lap('requests');
    for (const stop of stops) await stop();
    console.log(`${stage}: ${seconds.join(', ')}`);
  });
  return () => {
    if (!service) throw new Error('the service is deployed before the first test');
    return service;
  };
}
