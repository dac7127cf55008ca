/**
 * The service on the emulator, with providers to sign in with, a spreadsheet API, the demo's people and a scene. Tests of
 * its file look into its table and bucket, and send their requests to its address.
 */
import { afterAll, beforeAll } from 'vitest';
import { parseConfig } from '#core/aws/config.ts';
import { createApp, replaceApp } from '#core/http/app.ts';
import { createDemoPerson, PEOPLE } from '#stacks/local/seed.ts';
import type { RunningSheets } from '#stacks/local/sheets/sheets.ts';
import { newScene, type Scene } from '#test/support/scene.ts';
import { type Deployment, type DeployOptions, deploy, startServices } from './deploy.ts';

export type Service = { deployment: Deployment; scene: Scene; sheets: RunningSheets };

/** Deploys the service before the tests of a file, and removes it after them. */
export function ownDeployment(stage: string, options: DeployOptions = {}): () => Service {
  let service: Service | undefined;
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const { settings, sheets, stop } = await startServices();
    stops.push(stop);
    const start = performance.now();
    const deployment = await deploy(stage, settings, options);
    stops.unshift(deployment.remove);
    console.log(`${stage} is deployed after ${Math.round((performance.now() - start) / 1_000)} s`);
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
