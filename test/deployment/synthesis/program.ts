/**
 * Runs the deployment program on Pulumi's mocks and writes the resources that it creates as JSON. `synthesize.ts` bundles
 * this file together with SST's components, as SST itself does, and starts it in a process of its own. `SYNTHESIS` in the
 * environment holds `{ app, output, provider }`; the module `provider` creates the resources, if it is given.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import * as pulumi from '@pulumi/pulumi';
// @ts-expect-error: resolved by `synthesize.ts`
import deployment from 'sst-config';
// @ts-expect-error: resolved by `synthesize.ts`
import { run } from 'sst-platform/src/auto/run.ts';
import { ACCOUNT, mockArn, REGION } from './account.ts';

type Inputs = Record<string, unknown>;

const resources: { type: string; name: string; inputs: Inputs }[] = [];

/** Outputs that the program reads, beyond its inputs. */
function outputsOf(type: string, name: string, inputs: Inputs): Inputs {
  const arn = mockArn(type, name);
  const physicalName = inputs.name ?? name;
  switch (type) {
    case 'aws:s3/bucket:Bucket':
      return { arn, bucket: inputs.bucket ?? name };
    case 'aws:dynamodb/table:Table':
      return { arn, name: physicalName, streamArn: `${arn}/stream` };
    case 'aws:apigatewayv2/api:Api':
      return { arn, apiEndpoint: 'https://api.example.net', executionArn: `${arn}/execution` };
    case 'aws:sesv2/emailIdentity:EmailIdentity':
      return { arn, dkimSigningAttributes: { tokens: ['one', 'two', 'three'] } };
    case 'aws:acm/certificate:Certificate':
      return {
        arn,
        domainValidationOptions: [{ resourceRecordName: 'x', resourceRecordType: 'CNAME', resourceRecordValue: 'y' }],
      };
    case 'aws:apigatewayv2/domainName:DomainName':
      return { arn, domainNameConfiguration: { targetDomainName: 'target.example.net', hostedZoneId: 'Z1' } };
    case 'aws:lambda/eventSourceMapping:EventSourceMapping':
      return { arn, uuid: `${name}-uuid` };
    case 'random:index/randomBytes:RandomBytes':
      return { base64: 'bW9ja2Vk', hex: '00' };
    default:
      return { arn, name: physicalName };
  }
}

type Values = { test: string; variable: string; values: string[] };
type Statement = {
  effect?: string;
  actions?: unknown;
  resources?: unknown;
  principals?: { type: string; identifiers: string[] }[];
  conditions?: Values[];
};

/** A statement as IAM reads it. */
const statementOf = ({ effect = 'Allow', actions, resources: Resource, principals, conditions }: Statement) => ({
  Effect: effect,
  Action: actions,
  Resource,
  Principal: principals && Object.fromEntries(principals.map(({ type, identifiers }) => [type, identifiers])),
  Condition: conditions && Object.fromEntries(conditions.map((each) => [each.test, { [each.variable]: each.values }])),
});

/** The results of the functions of the provider that the program calls. */
function resultOf(token: string, inputs: Inputs): Inputs {
  switch (token) {
    case 'aws:iam/getPolicyDocument:getPolicyDocument': {
      const statements = Array.isArray(inputs.statements) ? (inputs.statements as Statement[]) : [];
      const Statement = statements.map(statementOf);
      return {
        statements: statements.length > 0 ? statements : undefined,
        json: JSON.stringify({ Version: '2012-10-17', Statement }),
      };
    }
    case 'aws:index/getCallerIdentity:getCallerIdentity':
      return { accountId: ACCOUNT };
    case 'aws:index/getRegion:getRegion':
      return { name: REGION, region: REGION };
    case 'aws:index/getPartition:getPartition':
      return { partition: 'aws' };
    case 'aws:route53/getZone:getZone':
      return { zoneId: 'Z1', name: 'example.org' };
    case 'aws:route53/getZones:getZones':
      return { ids: ['Z1'] };
    default:
      throw new Error(`the mocks know no result of ${token}`);
  }
}

/** SST's command line as the program knows it: where to store assets, and bundles that are already built. */
async function startRpc(): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, params } = JSON.parse(Buffer.concat(chunks).toString());
    const [input] = params;
    const results: Record<string, () => unknown> = {
      'Provider.Aws.Bootstrap': () => ({ asset: 'assets', assetEcrRegistryId: '', assetEcrUrl: '', state: 'state' }),
      'Runtime.Build': () => ({ handler: input.handler, out: input.bundle, errors: [], sourcemaps: [] }),
    };
    const result = results[method];
    response.end(JSON.stringify(result ? { result: result() } : { error: `the mocks know no method ${method}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The program may be busy for longer than the usual limit of idle connections, which it uses again.
  server.keepAliveTimeout = 600_000;
  server.unref();
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** Inputs as plain JSON; what Pulumi marks as secret is unwrapped, and the path of an archive is a promise. */
async function plain(given: unknown): Promise<unknown> {
  const value = await given;
  if (Array.isArray(value)) return Promise.all(value.map(plain));
  if (typeof value !== 'object' || value === null) return value;
  if ('4dabf18193072939515e22adb298388d' in value && 'value' in value) return plain(value.value);
  const members = Object.entries(value).map(async ([key, member]) => [key, await plain(member)]);
  return Object.fromEntries(await Promise.all(members));
}

const isRecord = (value: unknown): value is Inputs => typeof value === 'object' && value !== null;

type Synthesis = { app: { name: string; stage: string }; output: string; provider?: string };
const { app, output, provider }: Synthesis = JSON.parse(process.env.SYNTHESIS ?? '{}');
const create = provider ? (await import(provider)).apply : () => ({});
process.env.SST_SERVER = await startRpc();
pulumi.runtime.setMocks(
  {
    async newResource({ type, name, inputs, id }) {
      // A resource that exists is found by its id.
      if (id) return { id, state: { ...outputsOf(type, name, {}), name: id } };
      const known = await plain(inputs);
      if (!isRecord(known)) throw new Error(`${name} has no inputs`);
      resources.push({ type, name, inputs: known });
      const created = await create(type, name, known);
      return {
        id: created.id ?? `${name}-id`,
        state: { ...known, ...outputsOf(type, name, known), ...created.outputs },
      };
    },
    call: ({ token, inputs }) => resultOf(token, inputs),
  },
  app.name,
  app.stage,
  false,
);
const outputs = await pulumi.runtime.runInPulumiStack(() => run(deployment.run));
// Registrations continue after the program has returned.
await pulumi.runtime.disconnect();
writeFileSync(
  output,
  JSON.stringify({ app: deployment.app({ stage: app.stage }), resources, outputs: await plain(outputs) }),
);
