/** Every route of the plan leads to its function, and the API has limits, a log without addresses, and named origins. */
import { describe, expect, test } from 'vitest';
import { API_CORS } from '#stacks/cors-rules.ts';
import { apiFunctions } from '#stacks/functions.ts';
import { BURST_LIMIT, RATE_LIMIT } from '#stacks/limits.ts';
import { arnOf, functionArn, readDeployed, STAGE_NAMES } from './deployed.ts';

describe.for(STAGE_NAMES)('the API of %s', (name) => {
  const { stage, all, only } = readDeployed(name);

  test('leads every route to its function', () => {
    const integrations = all('apigatewayv2.Integration');
    const uris = new Map(
      [...integrations].map(([each, { integrationUri }]) => [`integrations/${each}-id`, integrationUri]),
    );
    const routes = [...all('apigatewayv2.Route').values()].map(
      ({ routeKey, target }) => `${routeKey} → ${uris.get(String(target))}`,
    );
    const expected = apiFunctions.flatMap((each) => each.routes.map((route) => `${route} → ${functionArn(each.name)}`));
    expect(routes.sort()).toEqual(expected.sort());
  });

  test('may invoke the functions of its routes', () => {
    const principal = 'apigateway.amazonaws.com';
    const sourceArn = `${arnOf('apigatewayv2.Api', 'ApiApi')}/execution/*`;
    const permissions = [...all('lambda.Permission').values()];
    for (const each of apiFunctions) {
      const permission = permissions.find((one) => one.function === functionArn(each.name));
      expect(permission, each.name).toMatchObject({ action: 'lambda:InvokeFunction', principal, sourceArn });
    }
  });

  test('limits its requests', () => {
    const limits = { throttlingRateLimit: RATE_LIMIT, throttlingBurstLimit: BURST_LIMIT };
    expect(only('apigatewayv2.Stage').defaultRouteSettings).toMatchObject(limits);
  });

  test('logs requests without addresses of people and without query strings', () => {
    expect(only('apigatewayv2.Stage').accessLogSettings).toMatchObject({
      format: expect.stringMatching(/^(?!.*(?:sourceIp|\$context\.path|userAgent)).*\$context\.requestId/s),
    });
  });

  test('allows the origins that are named', () => {
    const { corsConfiguration = {} } = only('apigatewayv2.Api');
    if (stage.allowedOrigins.length === 0) expect(corsConfiguration).not.toHaveProperty('allowOrigins');
    else {
      expect(corsConfiguration).toMatchObject({
        ...{ allowOrigins: stage.allowedOrigins, allowCredentials: true, allowMethods: API_CORS.methods },
        ...{ allowHeaders: API_CORS.headers, exposeHeaders: API_CORS.exposeHeaders, maxAge: API_CORS.maxAgeSeconds },
      });
    }
  });

  test('has one address', () => {
    expect(only('apigatewayv2.Api').disableExecuteApiEndpoint).toBe(stage.domain !== undefined);
  });
});

test('the API has fewer routes than its quota of 300 integrations, which cannot be raised', () => {
  const routes = apiFunctions.flatMap((each) => each.routes);
  expect(routes.length).toBeLessThanOrEqual(280);
});

test('no function has more routes than its policy has room for: 58 permissions of 350 bytes each', () => {
  const crowded = apiFunctions.filter(({ routes }) => routes.length > 55).map(({ name }) => name);
  expect(crowded, 'split their audiences in two (core/pages/shell/declare-page.ts)').toEqual([]);
});
