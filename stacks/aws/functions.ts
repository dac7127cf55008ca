/** Lambda functions with the environment and the permissions of their needs. */
import type { DeployedFunction } from '../functions.ts';
import { type Grant, listGrants, type Target } from '../grants.ts';
import { buildEnvironment, listParameters, type Stage } from '../stage.ts';
import type { Logs } from './logs.ts';

type Text = $util.Output<string>;

/** What functions use of a stage. */
export type Resources = {
  stage: Stage;
  /** The ARNs of the targets of grants. */
  arns: Readonly<Record<Target['of'], Text>>;
  /** The environment variables of created resources. */
  created: Readonly<Record<string, Text | string>>;
  logs: Logs;
  /** The stored assets of the pages, before which no page is deployed. */
  assets: readonly aws.s3.BucketObjectv2[];
  /** The directory of the bundle of a function. */
  bundleOf(deployed: DeployedFunction): string;
};

type Permission = { actions: string[]; resources: Text[]; conditions?: $util.Input<Condition[]> };
type Condition = { test: string; variable: string; values: string[] };

/** Creates a function. `permissions` are those beyond its needs. */
export function createFunction(
  deployed: DeployedFunction,
  resources: Resources,
  permissions: readonly Permission[] = [],
): sst.aws.Function {
  const { stage, created, logs, bundleOf } = resources;
  const environment = buildEnvironment<Text | string>(stage, deployed.needs, created);
  // Only pages have a directory, that of their assets.
  const options = deployed.directory ? { dependsOn: [...resources.assets] } : {};
  const args: sst.aws.FunctionArgs = {
    description: deployed.file,
    bundle: bundleOf(deployed),
    handler: 'index.handler',
    ...(deployed.directory ? { copyFiles: [{ from: deployed.directory }] } : {}),
    runtime: 'nodejs24.x',
    architecture: 'arm64',
    memory: `${deployed.memoryMb} MB`,
    timeout: `${deployed.timeoutSeconds} seconds`,
    logging: { format: 'json', logGroup: ('source' in deployed ? logs.workers : logs.api).name },
    permissions: [
      ...listGrants(deployed.needs).map((grant) => toPermission(grant, resources)),
      ...secretPermissions(stage, deployed),
      ...permissions,
    ],
    transform: {
      // By default the role can also be assumed by every principal of the account that may assume roles.
      role: { assumeRolePolicy: aws.iam.assumeRolePolicyForPrincipal({ Service: 'lambda.amazonaws.com' }) },
      // Without the variables for links, which this project does not use.
      function: { environment: { variables: environment } },
    },
  };
  return new sst.aws.Function(deployed.name, args, options);
}

function toPermission(grant: Grant, { stage, arns }: Resources): Permission {
  const { actions, targets, prefixes, fromOwnAddress } = grant;
  return {
    actions: [...actions],
    resources: targets.map(({ of, path }) => $interpolate`${arns[of]}${path}`),
    ...(prefixes ? { conditions: [{ test: 'StringLike', variable: 's3:prefix', values: [...prefixes] }] } : {}),
    ...(fromOwnAddress
      ? { conditions: [{ test: 'StringEquals', variable: 'ses:FromAddress', values: [stage.mailAddress] }] }
      : {}),
  };
}

/** Permission to read the parameters of a function's secrets, which are encrypted with the key of SSM in the account. */
function secretPermissions(stage: Stage, { needs }: DeployedFunction): Permission[] {
  const names = Object.values(listParameters(stage, needs));
  if (names.length === 0) return [];
  const { accountId } = aws.getCallerIdentityOutput();
  const { region } = aws.getRegionOutput();
  return [
    {
      actions: ['ssm:GetParameters'],
      resources: names.map((name) => $interpolate`arn:aws:ssm:${region}:${accountId}:parameter${name}`),
    },
  ];
}
