/** Functions have the declared memory and time, a log that ends, and the environment of their needs without a secret. */
import * as z from 'zod';
import { listSecrets, parameterVariable } from '#core/aws/secrets.ts';
import { SECRETS, variables } from '#core/aws/variables.ts';
import { parameterName } from '#stacks/settings.ts';
import { type Check, differing, differingSets, inputsOf, lambdasOf } from './description.ts';

/** Lambda's limit of all environment variables of a function. */
const MAX_ENVIRONMENT_BYTES = 4_096;

/** Runtime and sizes, as declared. */
export const checkFunctions: Check = (description) => {
  const lambdas = lambdasOf(description);
  const names = description.functions.map(({ name }) => name);
  return [
    ...differingSets('the deployment', lambdas.keys(), names),
    ...description.functions.flatMap(({ name, memoryMb, timeoutSeconds }) => {
      const lambda = lambdas.get(name);
      if (!lambda) return [];
      return [
        ...differing(`the runtime of ${name}`, [lambda.runtime, ...lambda.architectures], ['nodejs24.x', 'arm64']),
        ...differing(`the memory of ${name}`, lambda.memorySize, memoryMb),
        ...differing(`the timeout of ${name}`, lambda.timeout, timeoutSeconds),
        ...(lambda.reservedConcurrentExecutions === undefined ? [] : [`${name} reserves concurrency`]),
      ];
    }),
  ];
};

/** API Gateway waits no longer than this for a function. */
const MAX_API_SECONDS = 29;

/** An export starts while 12 minutes are left, and the worker needs a while before it starts one. */
const LEAST_EXPORT_SECONDS = 13 * 60;
const MAX_SECONDS = 900;

/** A function of the API ends before API Gateway stops waiting for it, and an export has the time that it needs. */
export const checkTimeouts: Check = (description) => {
  const lambdas = lambdasOf(description);
  const exportSeconds = lambdas.get('WorkerBuildExports')?.timeout ?? 0;
  return [
    ...description.functions.flatMap(({ name, ...deployed }) => {
      const timeout = lambdas.get(name)?.timeout ?? 0;
      return 'routes' in deployed && timeout > MAX_API_SECONDS
        ? [`${name} may run for ${timeout} s, but API Gateway waits ${MAX_API_SECONDS} s`]
        : [];
    }),
    ...(exportSeconds < LEAST_EXPORT_SECONDS || exportSeconds > MAX_SECONDS
      ? [`WorkerBuildExports may run for ${exportSeconds} s instead of ${LEAST_EXPORT_SECONDS} to ${MAX_SECONDS} s`]
      : []),
  ];
};

const LogGroup = z.object({ name: z.string(), retentionInDays: z.number().optional() });

/** Every log has a retention, and functions write JSON: workers to one log, all others to another. */
export const checkLogs: Check = (description) => {
  const groups = inputsOf(description, 'aws:cloudwatch/logGroup:LogGroup', LogGroup);
  const kept = new Set(groups.filter(({ inputs }) => inputs.retentionInDays).map(({ inputs }) => inputs.name));
  return [
    ...groups.filter(({ inputs }) => !kept.has(inputs.name)).map(({ name }) => `${name} is kept for ever`),
    ...[...lambdasOf(description)].flatMap(([name, { loggingConfig }]) => [
      ...differing(`the log format of ${name}`, loggingConfig.logFormat, 'JSON'),
      ...(kept.has(loggingConfig.logGroup) ? [] : [`${name} writes to a log without retention`]),
      ...differing(
        `the log of ${name}`,
        loggingConfig.logGroup,
        `/form-service/${description.stage.name}/${name.startsWith('Worker') ? 'workers' : 'api'}`,
      ),
    ]),
  ];
};

/** Variables that only a function with secrets has: the names of their parameters, and their version. */
const expectedSecrets = (description: Parameters<Check>[0], needs: Parameters<typeof listSecrets>[0]): string[] => {
  const secrets = listSecrets(needs).filter((secret) => description.stage.secrets.includes(secret));
  return secrets.length > 0 ? [...secrets.map(parameterVariable), 'SECRETS_VERSION'] : [];
};

/** Variables that the deployment sets. */
const CREATED = ['TABLE_NAME', 'PUBLIC_URL', 'BUCKET_NAME', 'MAIL_CONFIGURATION_SET'];

/** Every function has the variables of its needs, no others, and no more bytes than Lambda allows. */
export const checkEnvironment: Check = (description) => {
  const lambdas = lambdasOf(description);
  return description.functions.flatMap(({ name, needs }) => {
    const environment = lambdas.get(name)?.environment.variables ?? {};
    const { always, ...ofNeeds } = variables();
    const allowed = [...always, ...needs.flatMap((need) => ofNeeds[need])].filter((each) => !SECRETS.has(each));
    const created = [...CREATED.filter((each) => allowed.includes(each))];
    const passed = Object.keys(description.stage.passed).filter((each) => allowed.includes(each));
    const bytes = Object.entries(environment).reduce((sum, [key, value]) => sum + Buffer.byteLength(key + value), 0);
    return [
      ...differingSets(`the environment of ${name}`, Object.keys(environment), [
        ...created,
        ...passed,
        ...expectedSecrets(description, needs),
      ]),
      ...(bytes > MAX_ENVIRONMENT_BYTES ? [`the environment of ${name} has ${bytes} bytes; Lambda allows 4,096`] : []),
    ];
  });
};

const LOOKS_SECRET = /"d"\s*:|PRIVATE KEY|clientSecret|AKIA[0-9A-Z]{16}/;

/** No environment contains a secret in clear, and parameters are named for this stage. */
export const checkSecrets: Check = (description) =>
  [...lambdasOf(description)].flatMap(([name, { environment }]) =>
    Object.entries(environment.variables).flatMap(([variable, value]) => {
      const secret = [...SECRETS].find((each) => parameterVariable(each) === variable);
      if (secret) return differing(`${variable} of ${name}`, value, parameterName(description.stage, secret));
      const isSecret = SECRETS.has(variable) || LOOKS_SECRET.test(value);
      return isSecret ? [`the environment of ${name} contains a secret in clear: ${variable}`] : [];
    }),
  );
