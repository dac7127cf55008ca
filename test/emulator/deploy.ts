/** Deploys a stage to the emulator: real bundles, the real program, every resource created as AWS would. */
import { join } from 'node:path';
import { EventBridgeClient, TestEventPatternCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetParametersCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import * as z from 'zod';
import { SECRETS } from '#core/aws/variables.ts';
import { buildAssets } from '#stacks/build/assets.ts';
import { bundle } from '#stacks/build/bundle.ts';
import { allFunctions } from '#stacks/functions.ts';
import { closeNow, listen } from '#stacks/local/gateway/listening.ts';
import { parameterName } from '#stacks/settings.ts';
import { installPlatform, type Resource, synthesize } from '#test/deployment/synthesis/synthesize.ts';
import { ROOT } from '#test/support/sources.ts';
import type { Target } from './apply.ts';
import { ACCOUNT, clientSettings, installEmulator, REGION, startEmulator } from './ministack.ts';
import { passOn } from './pass-on.ts';
import { type Recorder, startRecorder } from './recorder.ts';

export type Deployment = {
  /** The address of the service. */
  url: string;
  /** The endpoint of the emulator, for tests that look into the table and the bucket. */
  endpoint: string;
  table: string;
  bucket: string;
  resources: readonly Resource[];
  calls: Recorder['calls'];
  configurationSet: string;
  /** Whether the rule for events of mails selects an event. */
  matchesRule: (event: object) => Promise<boolean>;
  /** Invokes a function. Throws when it fails. */
  invoke: (name: string, event: object) => Promise<void>;
  /** The lines that functions behind the API logged about a request. */
  logOf: (requestId: string) => Promise<string>;
  /** The secrets of a stage that are stored as parameters, in the order of their names. */
  parameters: (stage: string, secrets: readonly string[]) => Promise<(string | undefined)[]>;
  /** Removes everything. */
  remove: () => Promise<void>;
};

/** An emulator that runs already, and the table and bucket of a stage there that another stage shares. */
export type Place = { endpoint: string; shared?: Pick<Deployment, 'table' | 'bucket'> };

export type DeployOptions = {
  /** Where to deploy; an emulator of its own by default. */
  place?: Place;
  /** A module that changes the inputs of resources (`Target`). */
  faults?: string;
};

const BUNDLES = join(ROOT, '.sst/bundles');

/** Prepares deployments: bundles the functions and the assets, and installs SST's components and the emulator. */
export async function setup(): Promise<void> {
  const start = performance.now();
  await Promise.all([bundle(allFunctions, BUNDLES), buildAssets()]);
  installPlatform();
  installEmulator();
  console.log(`bundling ${Math.round((performance.now() - start) / 1_000)} s`);
}

/** Deploys a stage with some settings; those that are secrets are stored as parameters first. */
export async function deploy(
  stage: string,
  settings: Readonly<Record<string, string>>,
  { place, faults }: DeployOptions = {},
): Promise<Deployment> {
  const { endpoint, stop } = place ? { ...place, stop: async () => {} } : await startEmulator();
  const recorder = await startRecorder(
    allFunctions.map(({ name }) => `${name}Function`),
    endpoint,
  );
  let apiId = '';
  // The API at the root of an address, as a browser sees it.
  const front = passOn(endpoint, ({ url }) => `/_aws/execute-api/${apiId}/$default${url}`);
  const url = `http://127.0.0.1:${await listen(front, 0)}`;
  const remove = async (): Promise<void> => {
    await closeNow(front);
    await stop();
    await recorder.stop();
  };
  try {
    const isSecret = ([name]: [string, string]): boolean => SECRETS.has(name);
    const entries = Object.entries(settings);
    await storeSecrets(endpoint, stage, entries.filter(isSecret));
    const target: Target = { endpoint, url, endpoints: recorder.endpoints, shared: place?.shared, faults };
    const environment = Object.fromEntries(entries.filter((entry) => !isSecret(entry)));
    const { resources, outputs } = await synthesize(
      stage,
      { ...environment, EMULATOR: JSON.stringify(target) },
      BUNDLES,
      join(import.meta.dirname, 'apply.ts'),
    );
    const { table = '', bucket = '' } = outputs;
    const inputOf = (type: string, input: string, name?: string): string =>
      String(resources.find((each) => each.type === type && (name ?? each.name) === each.name)?.inputs[input]);
    apiId = inputOf('aws:apigatewayv2/stage:Stage', 'apiId');
    const eventPattern = inputOf('aws:cloudwatch/eventRule:EventRule', 'eventPattern');
    return {
      ...{ url, endpoint, table, bucket, resources, remove },
      calls: recorder.calls,
      configurationSet: inputOf('aws:sesv2/configurationSet:ConfigurationSet', 'configurationSetName'),
      matchesRule: (event) => matchesPattern(endpoint, eventPattern, event),
      parameters: (name, secrets) => readSecrets(endpoint, name, secrets),
      invoke: (name, event) => invoke(endpoint, inputOf('aws:lambda/function:Function', 'name', name), event),
      logOf: (requestId) =>
        searchLog(endpoint, inputOf('aws:cloudwatch/logGroup:LogGroup', 'name', 'ApiLogs'), requestId),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function storeSecrets(endpoint: string, stage: string, secrets: readonly [string, string][]): Promise<void> {
  for (const [secret, Value] of secrets) {
    const Name = parameterName({ name: stage }, secret);
    const put = new PutParameterCommand({ Name, Value, Type: 'SecureString' });
    await new SSMClient(clientSettings(endpoint)).send(put);
  }
}

/** The values of secrets that are stored for a stage; undefined for one that is not. */
export async function readSecrets(endpoint: string, stage: string, secrets: readonly string[]) {
  const Names = secrets.map((secret) => parameterName({ name: stage }, secret));
  const get = new GetParametersCommand({ Names, WithDecryption: true });
  const { Parameters = [] } = await new SSMClient(clientSettings(endpoint)).send(get);
  return Names.map((name) => Parameters.find(({ Name }) => Name === name)?.Value);
}

/** Whether an event pattern of EventBridge selects an event. */
async function matchesPattern(endpoint: string, EventPattern: string, event: object): Promise<boolean> {
  const envelope = { id: '1', 'detail-type': 'Email Event', account: ACCOUNT, region: REGION, resources: [] };
  const Event = JSON.stringify({ ...envelope, time: new Date().toISOString(), ...event });
  const test = new TestEventPatternCommand({ EventPattern, Event });
  return (await new EventBridgeClient(clientSettings(endpoint)).send(test)).Result ?? false;
}

const Events = z.object({ events: z.array(z.object({ message: z.string() })) });

/** The messages of a log that contain a text. The SDK's client of logs is no package of this project. */
async function searchLog(endpoint: string, logGroupName: string, text: string): Promise<string> {
  const headers = {
    'x-amz-target': 'Logs_20140328.FilterLogEvents',
    authorization: `AWS4-HMAC-SHA256 Credential=${ACCOUNT}/20260101/${REGION}/logs/aws4_request`,
  };
  const body = JSON.stringify({ logGroupName, filterPattern: `"${text}"` });
  const response = await fetch(endpoint, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`the log ${logGroupName}: ${response.status} ${await response.text()}`);
  const { events } = Events.parse(await response.json());
  return events.map(({ message }) => message).join('\n');
}

async function invoke(endpoint: string, FunctionName: string, event: object): Promise<void> {
  const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) });
  const { FunctionError, Payload } = await new LambdaClient(clientSettings(endpoint)).send(command);
  if (FunctionError) throw new Error(`${FunctionName}: ${Payload?.transformToString()}`);
}
