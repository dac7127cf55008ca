/** Functions have the declared memory and time, a log that ends, and the environment of their needs without a secret. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { parameterVariable } from '#core/aws/secrets.ts';
import { SECRETS } from '#core/aws/variables.ts';
import { allFunctions, apiFunctions, workerFunctions } from '#stacks/functions.ts';
import { buildEnvironment, parameterName } from '#stacks/stage.ts';
import { readDeployed, STAGE_NAMES } from './deployed.ts';

const Environment = z.object({ variables: z.record(z.string(), z.string()).default({}) });

/** Lambda's limit of all environment variables of a function. */
const MAX_ENVIRONMENT_BYTES = 4_096;

describe.for(STAGE_NAMES)('the functions of %s', (stageName) => {
  const { stage, all, only } = readDeployed(stageName);
  const lambdas = all('lambda.Function');
  const environments = new Map(
    [...lambdas].map(([name, { environment }]) => [name, Environment.parse(environment).variables]),
  );

  test('are those of the plan', () => {
    expect([...lambdas.keys()].sort()).toEqual(allFunctions.map(({ name }) => `${name}Function`).sort());
  });

  test('have the declared runtime, memory and time, and write JSON to one of two logs', () => {
    for (const { name, memoryMb, timeoutSeconds, ...deployed } of allFunctions) {
      const log = 'source' in deployed ? 'workers' : 'api';
      expect(lambdas.get(`${name}Function`), name).toMatchObject({
        ...{ handler: 'index.handler', runtime: 'nodejs24.x', architectures: ['arm64'] },
        ...{ memorySize: memoryMb, timeout: timeoutSeconds },
        loggingConfig: { logFormat: 'JSON', logGroup: `/form-service/${stage.name}/${log}` },
      });
    }
  });

  test('reserve no concurrency', () => {
    for (const [name, lambda] of lambdas) expect(lambda, name).not.toHaveProperty('reservedConcurrentExecutions');
  });

  test('have the environment of their needs', () => {
    const created = {
      TABLE_NAME: stage.restoredTable ?? only('dynamodb.Table').name,
      BUCKET_NAME: only('s3.Bucket').bucket,
      PUBLIC_URL: `https://${stage.domain?.name ?? 'api.example.net'}`,
      MAIL_CONFIGURATION_SET: only('sesv2.ConfigurationSet').configurationSetName,
    };
    for (const { name, needs } of allFunctions) {
      expect(environments.get(`${name}Function`), name).toEqual(buildEnvironment<unknown>(stage, needs, created));
    }
  });

  test('have no more variables than Lambda allows', () => {
    for (const [name, variables] of environments) {
      const bytes = Buffer.byteLength(Object.entries(variables).flat().join(''));
      expect(bytes, name).toBeLessThanOrEqual(MAX_ENVIRONMENT_BYTES);
    }
  });

  test('have no secret in clear, and know where those of this stage are', () => {
    const parameters = new Map([...SECRETS].map((secret) => [parameterVariable(secret), parameterName(stage, secret)]));
    for (const [name, variables] of environments) {
      for (const [variable, value] of Object.entries(variables)) {
        const parameter = parameters.get(variable);
        if (parameter) expect(value, `${variable} of ${name}`).toBe(parameter);
        expect(SECRETS.has(variable), `${variable} of ${name} is a secret`).toBe(false);
        expect(value, `${variable} of ${name}`).not.toMatch(/"d"\s*:|PRIVATE KEY|clientSecret|AKIA[0-9A-Z]{16}/);
      }
    }
  });

  test('have logs with a retention', () => {
    const logs = all('cloudwatch.LogGroup');
    expect([...logs.values()].map((log) => log.name)).toEqual(
      expect.arrayContaining([`/form-service/${stage.name}/api`, `/form-service/${stage.name}/workers`]),
    );
    for (const [name, log] of logs) expect(log, name).toMatchObject({ retentionInDays: expect.any(Number) });
  });
});

test('a function of the API ends before API Gateway stops waiting for it', () => {
  for (const { name, timeoutSeconds } of apiFunctions) expect(timeoutSeconds, name).toBeLessThanOrEqual(29);
});

test('an export, which starts while 12 minutes are left, has a minute before and no more than Lambda allows', () => {
  const { timeoutSeconds } = workerFunctions.find(({ name }) => name === 'WorkerBuildExports') ?? {};
  expect(timeoutSeconds).toBeGreaterThanOrEqual(13 * 60);
  expect(timeoutSeconds).toBeLessThanOrEqual(900);
});
