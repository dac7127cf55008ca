/** The HTTP API: one route for each method of an operation, one for each path of a page, and one for all else. */
import { API_CORS } from '../cors-rules.ts';
import type { ApiFunction } from '../functions.ts';
import { BURST_LIMIT, RATE_LIMIT } from '../limits.ts';
import type { Stage } from '../stage.ts';
import { createFunction, type Resources } from './functions.ts';

/** One JSON line per request, without addresses of people and without query strings, which may contain codes. */
const ACCESS_LOG_FORMAT = JSON.stringify({
  requestTime: '$context.requestTime',
  requestId: '$context.requestId',
  httpMethod: '$context.httpMethod',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  responseLength: '$context.responseLength',
  integrationStatus: '$context.integrationStatus',
  integrationLatency: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
});

/** Creates the API without routes, so that functions can be given its address. */
export function createApi({ domain, allowedOrigins, isProduction }: Stage): sst.aws.ApiGatewayV2 {
  return new sst.aws.ApiGatewayV2('Api', {
    cors: allowedOrigins.length > 0 && {
      allowOrigins: [...allowedOrigins],
      allowCredentials: true,
      allowMethods: [...API_CORS.methods],
      allowHeaders: [...API_CORS.headers],
      exposeHeaders: [...API_CORS.exposeHeaders],
      maxAge: `${API_CORS.maxAgeSeconds} seconds`,
    },
    accessLog: { retention: isProduction ? '1 month' : '1 week' },
    ...(domain ? { domain: toDomain(domain) } : {}),
    transform: {
      // With a domain, the service has one address.
      api: { disableExecuteApiEndpoint: domain !== undefined },
      stage: (args) => {
        args.defaultRouteSettings = { throttlingRateLimit: RATE_LIMIT, throttlingBurstLimit: BURST_LIMIT };
        args.accessLogSettings = $output(args.accessLogSettings).apply((settings) => ({
          destinationArn: settings?.destinationArn ?? '',
          format: ACCESS_LOG_FORMAT,
        }));
      },
    },
  });
}

/** With a certificate, DNS is managed outside of AWS; without one, SST creates certificate and records in Route 53. */
const toDomain = ({ name, certificate }: NonNullable<Stage['domain']>) =>
  certificate === undefined ? { name } : { name, dns: false as const, cert: certificate };

/** Creates the functions of the API with their routes. */
export function createRoutes(
  api: sst.aws.ApiGatewayV2,
  functions: readonly ApiFunction[],
  resources: Resources,
): sst.aws.Function[] {
  return functions.map((deployed) => {
    const created = createFunction(deployed, resources);
    for (const route of deployed.routes) api.route(route, created.arn);
    return created;
  });
}
