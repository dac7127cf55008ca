/** Every route of the plan leads to its function, and the API has limits, a log without addresses, and named origins. */
import * as z from 'zod';
import { API_CORS } from '#stacks/cors-rules.ts';
import { arnOf, type Check, differing, differingSets, inputsOf, onlyOne } from './description.ts';

const Route = z.object({ routeKey: z.string(), target: z.string(), authorizationType: z.string().optional() });
const Integration = z.object({ integrationUri: z.string(), payloadFormatVersion: z.string() });

/**
 * The most routes of the API and of one function, before their quotas: an API has 300 integrations, one for each route,
 * which cannot be raised; and the permissions of 58 routes, of 350 bytes each, fill the policy of a function.
 */
const MAX_ROUTES = 280;
const MAX_ROUTES_OF_ONE = 55;

/** Each route exists once and leads to the function of its handler. */
export const checkRoutes: Check = (description) => {
  const integrations = new Map(
    inputsOf(description, 'aws:apigatewayv2/integration:Integration', Integration).map(({ name, inputs }) => [
      `integrations/${name}-id`,
      inputs.integrationUri,
    ]),
  );
  const routes = inputsOf(description, 'aws:apigatewayv2/route:Route', Route).map(({ inputs }) => inputs);
  const expected = new Map(
    description.functions.flatMap((deployed) =>
      'routes' in deployed ? deployed.routes.map((route) => [route, deployed.name] as const) : [],
    ),
  );
  const keys = routes.map(({ routeKey }) => routeKey);
  const wrong = routes.flatMap(({ routeKey, target }) => {
    const name = expected.get(routeKey);
    return name === undefined || integrations.get(target) === arnOf('aws:lambda/function:Function', `${name}Function`)
      ? []
      : [`the route ${routeKey} leads to ${integrations.get(target)} instead of ${name}`];
  });
  return [
    ...differingSets('the API', keys, expected.keys()),
    ...wrong,
    ...(keys.length > MAX_ROUTES
      ? [`the API has ${keys.length} of 300 routes: route all methods of a page with ANY (stacks/plan.ts)`]
      : []),
    ...[...Map.groupBy(expected.values(), (name) => name)]
      .filter(([, { length }]) => length > MAX_ROUTES_OF_ONE)
      .map(([name, { length }]) => `${name} has ${length} of 58 routes: split its audience in two (core/api/pages.ts)`),
  ];
};

const Stage = z.object({
  defaultRouteSettings: z.object({ throttlingRateLimit: z.number(), throttlingBurstLimit: z.number() }).optional(),
  accessLogSettings: z.object({ format: z.string() }).optional(),
});

/** The API limits its requests and logs each one, without addresses of people and without query strings. */
export const checkApiStage: Check = (description) => {
  const { defaultRouteSettings, accessLogSettings } = onlyOne(description, 'aws:apigatewayv2/stage:Stage', Stage);
  const format = accessLogSettings?.format ?? '';
  return [
    ...(defaultRouteSettings ? [] : ['the API has no throttling']),
    ...(format.includes('$context.requestId') ? [] : ['the access log has no request id']),
    ...['sourceIp', '$context.path', 'userAgent']
      .filter((personal) => format.includes(personal))
      .map((personal) => `the access log contains ${personal}`),
  ];
};

const Api = z.object({
  corsConfiguration: z.record(z.string(), z.unknown()).optional(),
  disableExecuteApiEndpoint: z.boolean().optional(),
});

/** Other origins are named, and with a domain the API has no second address. */
export const checkCors: Check = (description) => {
  const { corsConfiguration: cors, disableExecuteApiEndpoint } = onlyOne(description, 'aws:apigatewayv2/api:Api', Api);
  const { allowedOrigins, domain } = description.stage;
  const rules = {
    allowOrigins: allowedOrigins,
    allowCredentials: true,
    allowMethods: API_CORS.methods,
    allowHeaders: API_CORS.headers,
    exposeHeaders: API_CORS.exposeHeaders,
    maxAge: API_CORS.maxAgeSeconds,
  };
  const expected = allowedOrigins.length > 0 ? rules : {};
  return [
    ...Object.entries(expected).flatMap(([name, value]) => differing(`${name} of the API's CORS`, cors?.[name], value)),
    ...(allowedOrigins.length === 0 && cors?.allowOrigins !== undefined
      ? ['the API allows origins that nobody named']
      : []),
    ...differing('disableExecuteApiEndpoint of the API', disableExecuteApiEndpoint, domain !== undefined),
  ];
};
