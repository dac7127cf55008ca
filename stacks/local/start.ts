/**
 * `npm start`: the whole service on this machine. Starts the emulators, seeds the demo once, serves the API with the
 * same handlers that are deployed, and ends everything it started when it is told to end.
 */
import { setInterval } from 'node:timers';
import { config } from '#core/aws/config.ts';
import { TTL_ATTRIBUTE } from '#core/db/keys.ts';
import { docsPage } from './docs.ts';
import { freePort, startDynamo, sweepExpired } from './dynamo.ts';
import { startProvider } from './provider.ts';
import { routes } from './routes.ts';
import { acquireLock, watchParent } from './run-lock.ts';
import { startS3 } from './s3.ts';
import { isSeeded, PEOPLE, seed } from './seed.ts';
import { startServer } from './server.ts';
import { configure, forget, LOCAL_BUCKET, readSettings, type Settings } from './settings.ts';
import { emulatorClient, ensureTable } from './table.ts';

type Stop = () => Promise<void> | void;

async function run(settings: Settings): Promise<void> {
  const lock = await acquireLock(settings.directory);
  const stops: Stop[] = [() => lock.release()];
  const end = async (code: number): Promise<never> => {
    for (const stop of stops.toReversed()) await stop();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end(0));
  watchParent(() => end(0));
  try {
    await serve(settings, stops, (facts) => lock.record(facts), end);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    await end(1);
  }
}

async function serve(
  settings: Settings,
  stops: Stop[],
  record: (facts: { dynamoPid?: number; port?: number }) => void,
  end: (code: number) => Promise<never>,
): Promise<void> {
  // The service must know its own address before it serves: a page of it may write with cookies.
  const port = settings.port === 0 ? await freePort() : settings.port;
  const begin = settings.fresh || !isSeeded(settings.directory);
  if (begin) forget(settings.directory);
  const dynamoEndpoint = process.env.DYNAMODB_ENDPOINT ?? (await ownDynamo(settings, stops, record, end));
  const s3 = await startS3({ directory: `${settings.directory}/s3`, buckets: [LOCAL_BUCKET], origins });
  stops.push(() => s3.stop());
  const provider = await startProvider();
  stops.push(() => provider.stop());
  const { endpoint: s3Endpoint, publicEndpoint: s3PublicEndpoint } = s3;
  configure({ ...settings, port }, { dynamoEndpoint, s3Endpoint, s3PublicEndpoint, providers: provider.settings });
  const client = emulatorClient(dynamoEndpoint);
  await ensureTable(client, config().tableName);
  const sweep = setInterval(() => {
    const now = new Date();
    sweepExpired(client, config().tableName, TTL_ATTRIBUTE, now).catch(tell('The sweep of the table failed'));
    s3.sweep(now).catch(tell('The sweep of the bucket failed'));
  }, 60_000);
  stops.push(() => clearInterval(sweep));
  if (begin) await seed(settings.directory);
  const server = await startServer({
    routes: routes(),
    port,
    cors: corsRules(),
    pages: docsPage(PEOPLE),
  });
  stops.push(() => server.stop());
  record({ port: server.port });
  console.log(welcome(server.url, settings));
  console.log(`ready ${server.url}`);
}

async function ownDynamo(
  settings: Settings,
  stops: Stop[],
  record: (facts: { dynamoPid: number }) => void,
  end: (code: number) => Promise<never>,
): Promise<string> {
  const onExit = (reason: string): void => {
    console.error(`The DynamoDB emulator ended: ${reason}`);
    void end(1);
  };
  const dynamo = await startDynamo({ directory: `${settings.directory}/dynamodb`, onExit });
  record({ dynamoPid: dynamo.pid });
  const trim = setInterval(() => dynamo.trimStreams(new Date(Date.now() - 24 * 3_600_000)), 3_600_000);
  stops.push(
    () => dynamo.stop(),
    () => clearInterval(trim),
  );
  return dynamo.endpoint;
}

/** What failed beside the requests is told, and ends nothing. */
const tell =
  (what: string) =>
  (error: unknown): void =>
    console.error(`${what}:`, error);

/** Whose pages may upload to the bucket. */
const origins = (): string[] => [new URL(config().publicUrl).origin, ...config().allowedOrigins];

const corsRules = () => ({
  origins: [...config().allowedOrigins],
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  headers: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'prefer'],
  exposeHeaders: [
    'etag',
    'idempotency-replayed',
    'link',
    'location',
    'retry-after',
    'x-request-id',
    'content-disposition',
  ],
  maxAgeSeconds: 600,
});

function welcome(url: string, settings: Settings): string {
  const people = PEOPLE.map(({ name, id, is }) => `  ${name.padEnd(8)} ${id}  ${is}`);
  const login = `curl -c cookies.txt -d '{"uid":"${PEOPLE[0]?.id}"}' ${url}/api/auth/login/internal`;
  return [
    `The form service runs; its data is in ${settings.directory} (--fresh begins anew).`,
    '',
    `API      ${url}/api`,
    `Docs     ${url}/docs`,
    `Sign in  ${login}`,
    `         then  curl -b cookies.txt ${url}/api/users/me`,
    `         or, in a browser, through the demo provider:`,
    `         ${url}/api/auth/login/oauth/LOGIN_PROVIDER_1?c=${url}/docs`,
    '',
    'Users',
    ...people,
    '',
  ].join('\n');
}

try {
  await run(readSettings(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
