/** All resources of a stage. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { apiFunctions, bundlePath, workerFunctions } from '../functions.ts';
import { readStage } from '../stage.ts';
import { createAlarms, type Watched } from './alarms.ts';
import { createApi, createRoutes } from './api.ts';
import { storeAssets } from './assets.ts';
import { createBucket } from './bucket.ts';
import { createBudget } from './budget.ts';
import { createDashboard } from './dashboard.ts';
import type { Resources } from './functions.ts';
import { createLogs } from './logs.ts';
import { createMail } from './mail.ts';
import { createTable } from './table.ts';
import { createWorkers } from './workers.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Creates the resources of a stage with the settings of an environment. Returns what the deployment prints. Throws when
 * a setting is missing or invalid.
 */
export function createStack(stageName: string, environment: Environment): Record<string, $util.Input<string>> {
  const stage = readStage(stageName, environment);
  const directory = bundles(environment);
  const table = createTable(stage);
  const api = createApi(stage);
  const bucket = createBucket(stage, api.url);
  const mail = createMail(stage);
  const logs = createLogs(stage);
  const resources: Resources = {
    stage,
    arns: {
      table: table.arn,
      bucket: bucket.arn,
      sender: mail.sender,
      identity: mail.identity,
      configurationSet: mail.configurationSet,
    },
    created: {
      TABLE_NAME: table.name,
      BUCKET_NAME: bucket.name,
      PUBLIC_URL: api.url,
      MAIL_CONFIGURATION_SET: mail.configurationSetName,
    },
    logs,
    assets: storeAssets(bucket),
    bundleOf: ({ file }) => join(directory, bundlePath(file)),
  };
  createRoutes(api, apiFunctions, resources);
  const workers = createWorkers(workerFunctions, {
    ...resources,
    streamArn: table.nodes.table.streamArn,
    bucketArn: bucket.arn,
    configurationSetName: mail.configurationSetName,
  });
  const watched: Watched = {
    apiId: api.nodes.api.id,
    tableName: table.name,
    workerLogs: logs.workers.name,
    workers,
  };
  if (stage.hasDashboard) createDashboard(stage, watched);
  if (stage.alarmEmail !== undefined) {
    createAlarms(stage, stage.alarmEmail, watched);
    if (stage.monthlyBudget !== undefined) createBudget(stage, stage.monthlyBudget, stage.alarmEmail);
  }
  return { url: api.url, table: table.name, bucket: bucket.name };
}

/** The directory of the bundles: a given one, as in tests, else a new build. */
function bundles({ BUNDLES }: Environment): string {
  if (BUNDLES !== undefined) return BUNDLES;
  execFileSync('node_modules/.bin/node', ['stacks/build/build-bundles.ts'], { stdio: 'inherit' });
  return join(process.cwd(), '.sst/bundles');
}
