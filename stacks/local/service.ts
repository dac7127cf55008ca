/**
 * The whole service on this machine. Starts the emulators, seeds the demo once, and serves the API with the
 * handlers that are deployed. SIGINT, SIGTERM and SIGHUP end everything in order.
 */
import { join } from 'node:path';
import { config } from '#core/aws/config.ts';
import { ASSETS_DIRECTORY } from '#core/pages/shell/assets.ts';
import { buildAssets } from '../build/assets.ts';
import { API_CORS } from '../cors-rules.ts';
import { checkSettings } from '../stage.ts';
import type { Settings } from './command-line.ts';
import { beginSeeding, checkDirectory, dataPath, endSeeding, isSeeded } from './data-directory.ts';
import { type DataLock, lockDirectory } from './data-lock.ts';
import { fileError } from './dynamo/data-file.ts';
import { type Dynamo, freePort, startDynamo, waitForEmulatorEnd } from './dynamo/dynamo.ts';
import { deleteExpired, deleteTable, emulatorClient, ensureTable, hasTable } from './dynamo/table.ts';
import { configure, LOCAL_BUCKET, LOCAL_SES, tableName } from './environment.ts';
import { every } from './every.ts';
import { docsPage } from './gateway/docs.ts';
import { routes } from './gateway/routes.ts';
import { combinePages, startServer } from './gateway/server.ts';
import { PROVIDER_PEOPLE } from './identity/people.ts';
import { picturePages } from './identity/pictures.ts';
import { startProvider } from './identity/provider.ts';
import { inboxPages } from './mail/inbox-page.ts';
import { startSes } from './mail/ses.ts';
import { startS3 } from './s3/s3.ts';
import { PEOPLE, seed } from './seed.ts';
import { sheetPage } from './sheets/page.ts';
import { DEMO_SPREADSHEET, GOOGLE_QUOTA, startSheets } from './sheets/sheets.ts';
import { stylesPages } from './styles/page.ts';
import { deliverMailEvent, startWorkerThread } from './workers.ts';

type Stop = () => Promise<void> | void;
type End = (code: number) => Promise<never>;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Runs the service until a signal ends it. Throws when the data directory or a setting cannot be used, or the start fails. */
export async function run(settings: Settings): Promise<void> {
  checkSettings(process.env);
  checkDirectory(settings.directory);
  const lock = lockDirectory(settings.directory);
  const stops: Stop[] = [() => lock.release()];
  let ending: Promise<never> | undefined;
  const end: End = (code) => {
    ending ??= stopAll(stops).then(() => process.exit(code));
    return ending;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end(0));
  watchNpm(() => end(0));
  try {
    await serve(settings, lock, stops, end);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    await end(1);
  }
}

async function stopAll(stops: readonly Stop[]): Promise<void> {
  for (const stop of stops.toReversed()) await stop();
}

/** Ends the service with its npm, which does not pass signals on to it: without this, `kill <npm>` leaves it running. */
function watchNpm(onExit: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || onExit(), 250).unref();
}

async function serve(settings: Settings, lock: DataLock, stops: Stop[], end: End): Promise<void> {
  const { directory, fresh } = settings;
  // Pages that the service renders contain its address, so the port is fixed before the server starts.
  const port = settings.port === 0 ? await freePort() : settings.port;
  const dynamoDirectory = dataPath(directory, 'dynamodb');
  waitForEmulatorEnd(dynamoDirectory);
  const isNew = fresh || !isSeeded(directory);
  const external = process.env.DYNAMODB_ENDPOINT;
  if (external) await checkExternal(external, { directory, isNew });
  if (isNew) beginSeeding(directory);
  const dynamo = external ? undefined : await startDynamo({ directory: dynamoDirectory, onExit });
  if (dynamo) stops.push(() => dynamo.stop());
  const dynamoEndpoint = dynamo?.endpoint ?? external ?? '';
  const table = Promise.withResolvers<void>();
  const { ses, sheets, ...services } = await startServices(directory, stops, table.promise);
  configure({ ...settings, port }, { dynamoEndpoint, ...services });
  const client = emulatorClient(dynamoEndpoint);
  // Data of another DynamoDB is not in the directory that was emptied.
  if (fresh && !dynamo) await deleteTable(client, config().tableName);
  await ensureTable(client, config().tableName);
  if (isNew) {
    await seed();
    endSeeding(directory);
  }
  table.resolve();
  // Before a worker could send again a mail that was accepted right before the process was killed.
  await ses.caughtUp;
  if (dynamo) stops.push(...startTableMaintenance(dynamo, client));
  const stream = { endpoint: dynamoEndpoint, tableName: config().tableName, directory: dataPath(directory, 'workers') };
  const workers = startWorkerThread(stream, onExit);
  stops.push(() => workers.stop());
  // As on Lambda, the pages read their assets below the directory in which they run.
  process.chdir(directory);
  await buildAssets(join(directory, ASSETS_DIRECTORY));
  const server = await startServer({
    routes: routes(),
    port,
    cors: corsRules(),
    pages: combinePages(
      docsPage(PEOPLE),
      inboxPages(ses.mailbox),
      sheetPage(sheets),
      stylesPages(),
      picturePages(PROVIDER_PEOPLE),
    ),
  });
  stops.push(() => server.stop());
  lock.recordAddress(server.url);
  // The mails of the demo are in the inbox, and its responses are counted.
  if (isNew) await workers.drain();
  console.log(welcome(server.url, settings));
  console.log(`ready ${server.url}`);

  function onExit(reason: unknown): void {
    console.error(reason);
    void end(1);
  }
}

/**
 * Checks that the DynamoDB at `DYNAMODB_ENDPOINT` responds and has the table of the data directory: one in memory that was
 * started again has lost it, and files and mails without their table are of no use.
 */
async function checkExternal(endpoint: string, { directory, isNew }: { directory: string; isNew: boolean }) {
  const found = await hasTable(emulatorClient(endpoint), tableName()).catch((cause: unknown) => {
    throw new Error(`No DynamoDB responds at DYNAMODB_ENDPOINT=${endpoint}: start one, or unset it.`, { cause });
  });
  if (!found && !isNew)
    throw new Error(
      `${endpoint} has no table ${tableName()}, so the data in ${directory} belongs to another DynamoDB, or to one that has ` +
        'lost its memory. Choose another directory with --data; --fresh deletes this data and starts with the demo.',
    );
}

/** Starts the services other than DynamoDB, and returns their addresses and settings. Events of mails wait for the table. */
async function startServices(directory: string, stops: Stop[], table: Promise<void>) {
  const objects = dataPath(directory, 's3');
  const s3 = await startS3({ directory: objects, buckets: [LOCAL_BUCKET], origins }).catch((error: unknown) => {
    throw fileError(objects, error);
  });
  stops.push(() => s3.stop());
  const onEvent = (event: object): Promise<void> => table.then(() => deliverMailEvent(event));
  const ses = await startSes({ directory: dataPath(directory, 'mail'), ...LOCAL_SES, onEvent });
  stops.push(() => ses.stop());
  const provider = await startProvider({ pictureOrigin: () => config().publicUrl });
  stops.push(() => provider.stop());
  const sheets = await startSheets({ file: dataPath(directory, 'sheets.json'), quota: GOOGLE_QUOTA });
  stops.push(() => sheets.stop());
  const variables = { ...provider.settings, ...sheets.settings };
  const { endpoint: s3Endpoint, publicEndpoint: s3PublicEndpoint } = s3;
  return { ses, sheets, s3Endpoint, s3PublicEndpoint, sesEndpoint: ses.endpoint, variables };
}

/** Starts what DynamoDB does by itself on AWS: expiring items and trimming streams. Returns how to stop it. */
const startTableMaintenance = (dynamo: Dynamo, client: ReturnType<typeof emulatorClient>): Stop[] => [
  every(MINUTE_MS, 'Deleting expired items', () => deleteExpired(dynamo, client, config().tableName, new Date())),
  every(HOUR_MS, 'Trimming the streams', () => dynamo.trimStreams(new Date(Date.now() - 24 * HOUR_MS))),
];

/** Origins whose pages may upload to the bucket. */
const origins = (): string[] => [new URL(config().publicUrl).origin, ...config().allowedOrigins];

const corsRules = () => ({ ...API_CORS, origins: [...config().allowedOrigins] });

function welcome(url: string, settings: Settings): string {
  const people = PEOPLE.map(({ name, id, role }) => `  ${name.padEnd(8)} ${id}  ${role}`);
  const login = `curl -c cookies.txt -d '{"uid":"${PEOPLE[0]?.id}"}' ${url}/api/auth/login/internal`;
  return [
    `The form service is running. Its data is in ${settings.directory}; --fresh deletes it and starts with the demo again.`,
    '',
    `API      ${url}/api`,
    `Docs     ${url}/docs`,
    `Inbox    ${url}/inbox`,
    `Styles   ${url}/styles`,
    `Sheet    ${url}/sheet  (${DEMO_SPREADSHEET})`,
    `Sign in  ${login}`,
    `         then  curl -b cookies.txt ${url}/api/users/me`,
    '         or open this page to sign in through the demo provider:',
    `         ${url}/api/auth/login/oauth/LOGIN_PROVIDER_1?c=${url}/docs`,
    '',
    'Users',
    ...people,
    '',
    `Open     ${url}/`,
    '',
  ].join('\n');
}
