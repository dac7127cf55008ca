/** Deploys a stage to the emulator: real bundles, the real program, every resource created as AWS would. */
import { join } from 'node:path';
import { GetParametersCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { SECRETS } from '#core/aws/variables.ts';
import { buildAssets } from '#stacks/build/assets.ts';
import { allFunctions } from '#stacks/functions.ts';
import { closeNow, listen } from '#stacks/local/gateway/listening.ts';
import { startProvider } from '#stacks/local/identity/provider.ts';
import { startSheets } from '#stacks/local/sheets/sheets.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { parameterName } from '#stacks/stage.ts';
import { BUNDLES, bundleAll } from '#test/deployment/synthesis/bundles.ts';
import { installPlatform, type Resource, synthesize } from '#test/deployment/synthesis/synthesize.ts';
import type { Target } from './apply.ts';
import { type Call, passOn, recordCallsTo } from './calls.ts';
import { clientSettings, installEmulator, startEmulator } from './ministack.ts';

export type Deployment = {
  /** The address of the service. */
  url: string;
  /** The endpoint of the emulator, for tests that look into it. */
  endpoint: string;
  table: string;
  bucket: string;
  resources: readonly Resource[];
  /** The calls to AWS of each function so far. */
  calls: ReadonlyMap<string, ReadonlyMap<string, Call>>;
  /** Removes everything. */
  remove: () => Promise<void>;
};

/** An emulator that runs already, and the table and bucket of a stage there that another stage shares. */
export type Place = { endpoint: string; shared?: Pick<Deployment, 'table' | 'bucket'> };
export type DeployOptions = { place?: Place; faults?: Target['faults'] };

/** Prepares deployments: bundles the functions and the assets, and installs SST's components and the emulator. */
export async function setup(): Promise<void> {
  await Promise.all([bundleAll(), buildAssets()]);
  installPlatform();
  installEmulator();
}

/** Starts providers to sign in with and a spreadsheet API. Returns the settings of a stage that uses them. */
export async function startServices() {
  const [sheets, provider] = await Promise.all([startSheets({ file: null, isShared: () => true }), startProvider()]);
  const settings = {
    ...{ ...newSecrets(), ...provider.settings, ...sheets.settings },
    OPTIONAL_SECRETS: 'LOGIN_PROVIDER_1,LOGIN_PROVIDER_2,PROVIDER_ONE,PROVIDER_TWO,SHEETS_KEY',
    ...{ MAIL_FROM: 'Forms <forms@example.org>', INTERNAL_LOGIN: 'true', OPERATOR_EMAILS: 'oscar@example.org' },
  };
  return { settings, sheets, stop: () => Promise.all([sheets.stop(), provider.stop()]) };
}

/** Deploys a stage with some settings, by default to an emulator of its own; secrets are stored as parameters first. */
export async function deploy(
  stage: string,
  settings: Readonly<Record<string, string>>,
  { place, faults = {} }: DeployOptions = {},
): Promise<Deployment> {
  const { endpoint, stop } = place ? { ...place, stop: async () => {} } : await startEmulator();
  const calls = new Map(allFunctions.map(({ name }) => [name, new Map<string, Call>()]));
  // Every function has an endpoint of its own.
  const recorders = await Promise.all(
    [...calls].map(async ([name, record]) => {
      const server = recordCallsTo(endpoint, () => record);
      return { server, name: `${name}Function`, url: `http://127.0.0.1:${await listen(server, 0)}` };
    }),
  );
  let apiId = '';
  // The API at the root of an address, as a browser sees it.
  const front = passOn(endpoint, ({ url }) => `/_aws/execute-api/${apiId}/$default${url}`);
  const url = `http://127.0.0.1:${await listen(front, 0)}`;
  const remove = async (): Promise<void> => {
    await closeNow(front);
    await stop();
    await Promise.all(recorders.map(({ server }) => closeNow(server)));
  };
  try {
    const environment: Record<string, string> = {};
    for (const [name, Value] of Object.entries(settings)) {
      const put = { Name: parameterName({ name: stage }, name), Value, Type: 'SecureString' } as const;
      if (SECRETS.has(name)) await new SSMClient(clientSettings(endpoint)).send(new PutParameterCommand(put));
      else environment[name] = Value;
    }
    const endpoints = Object.fromEntries(recorders.map((each) => [each.name, each.url]));
    const target: Target = { endpoint, url, endpoints, shared: place?.shared, faults };
    const provider = join(import.meta.dirname, 'apply.ts');
    const variables = { ...environment, EMULATOR: JSON.stringify(target) };
    const { resources, outputs } = await synthesize(stage, variables, BUNDLES, provider);
    const { table = '', bucket = '' } = outputs;
    apiId = inputOf(resources, 'aws:apigatewayv2/stage:Stage', 'apiId');
    return { url, endpoint, table, bucket, resources, calls, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** An input of the resource of a type, with a name if there are several. */
export const inputOf = (resources: readonly Resource[], type: string, input: string, name?: string): string =>
  String(resources.find((each) => each.type === type && (name ?? each.name) === each.name)?.inputs[input]);

/** The values of secrets that are stored for a stage; undefined for one that is not. */
export async function readSecrets(endpoint: string, stage: string, secrets: readonly string[]) {
  const Names = secrets.map((secret) => parameterName({ name: stage }, secret));
  const get = new GetParametersCommand({ Names, WithDecryption: true });
  const { Parameters = [] } = await new SSMClient(clientSettings(endpoint)).send(get);
  return Names.map((name) => Parameters.find(({ Name }) => Name === name)?.Value);
}
