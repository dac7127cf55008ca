/**
 * The estimated monthly bill: measures one submission of a form with ten questions and mail, with everything that the
 * workers do after it, and writes the bill for some numbers of submissions into `docs/costs.md`. Run by hand:
 * `node test/bench/bill.bench.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoClient } from '#core/aws/clients.ts';
import { config } from '#core/aws/config.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import { app, replaceApp } from '#core/http/app.ts';
import type { Mail } from '#core/mail/ports.ts';
import { writePart } from '#stacks/build/docs.ts';
import { startDynamo } from '#stacks/local/dynamo/dynamo.ts';
import { emulatorClient, ensureTable } from '#stacks/local/dynamo/table.ts';
import { invoker, startWorkers } from '#stacks/local/workers.ts';
import { ASSUMPTIONS, billOf, type Measurements, PRICES, type Units } from '#stacks/operate/bill.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { workerPlan } from '#stacks/plan.ts';
import { newCast, newForm, type Person } from '#test/support/fixtures.ts';
import { text } from '#test/support/responses.ts';

const QUESTIONS = 10;
const SAVES = 3;
const SUBMISSIONS = 20;
const MONTHS = [1_000, 100_000, 10_000_000];

/** What has been used since the start. */
type Meter = Units & { logged: number };

/** Adds the units of every call of a client to a meter. */
function measure(client: DynamoDBClient, meter: Meter): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const result = await next(args);
        const consumed: unknown = Reflect.get(result.output, 'ConsumedCapacity');
        const isRead = /^(?:Get|BatchGet|Query)/.test(commandName);
        for (const part of Array.isArray(consumed) ? consumed : [consumed]) {
          meter[isRead ? 'reads' : 'writes'] += Number(part?.CapacityUnits ?? 0);
        }
        return result;
      },
    { step: 'initialize', name: 'measure' },
  );
}

/** Counts log lines instead of printing them, while some work is done. */
async function countingLogs<T>(meter: Meter, work: () => Promise<T>): Promise<T> {
  const { write } = process.stdout;
  process.stdout.write = (line: string | Uint8Array): boolean => {
    meter.logged += line.length;
    return true;
  };
  process.env.LOG = 'on';
  try {
    return await work();
  } finally {
    process.env.LOG = 'off';
    process.stdout.write = write;
  }
}

/** A respondent reads the form, saves some times, and submits. Returns the number of requests. */
async function submitOnce({ client }: Person, formId: string, questionIds: readonly string[]): Promise<number> {
  const answers = questionIds.map((id) => text(id, 'The river was high this week, and brown after the rain.'));
  const params = { formId };
  await client.forms.getForm({ params });
  await client.sections.listSections({ params });
  const started = (await client.responses.startResponse({ params })).body.id;
  const response = { responseId: started };
  for (let save = 1; save <= SAVES; save += 1) {
    const saved = answers.slice(0, Math.ceil((QUESTIONS * save) / SAVES));
    await client.responses.updateAnswers({ params: response, body: { answers: saved } });
  }
  await client.responses.submitResponse({ params: response, body: { answers: [] } });
  return 4 + SAVES;
}

/** SES reports each mail with these events. */
const MAIL_EVENTS = ['Send', 'Delivery'];
const MAIL_WORKERS = workerPlan.filter(({ source }) => source.type === 'mail-events');

async function reportMail(id: string): Promise<void> {
  const mail = { tags: { delivery: [id] } };
  for (const eventType of MAIL_EVENTS) {
    for (const row of MAIL_WORKERS) await invoker(row)({ detail: { eventType, mail } });
  }
}

const STREAM_WORKERS = workerPlan.filter(({ source }) => source.type === 'stream');

const difference = (after: Meter, before: Meter): Meter => ({
  reads: after.reads - before.reads,
  writes: after.writes - before.writes,
  logged: after.logged - before.logged,
});

async function measurements(endpoint: string, directory: string): Promise<Measurements> {
  const meter: Meter = { reads: 0, writes: 0, logged: 0 };
  const client = dynamoClient(config());
  measure(client, meter);
  const mailIds: string[] = [];
  const mail = {
    async send({ id }: Mail) {
      mailIds.push(id);
      return { result: 'done' as const };
    },
  };
  replaceApp({ ...app(), table: dynamoTable(client, config().tableName), mail });
  const { alice, dave, slug } = await newCast();
  const question = { type: 'SHORT_TEXT' as const };
  const { formId, questionIds } = await newForm(alice, slug, [Array.from({ length: QUESTIONS }, () => question)]);
  await alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true } });
  const workers = startWorkers({ endpoint, tableName: config().tableName, directory, pollMs: 60_000 }, STREAM_WORKERS);
  const submitAll = async (count: number): Promise<number> => {
    let requests = 0;
    for (let each = 0; each < count; each += 1) requests = await submitOnce(dave, formId, questionIds);
    await workers.drain();
    for (const id of mailIds.splice(0)) await reportMail(id);
    return requests;
  };
  await submitAll(2);
  const before = { ...meter };
  const requests = await countingLogs(meter, () => submitAll(SUBMISSIONS));
  const used = difference(meter, before);
  await workers.stop();
  const scheduled = workerPlan.filter(({ source }) => source.type === 'schedule' && source.rate === '1 minute');
  const beforeIdle = { ...meter };
  await countingLogs(meter, async () => {
    for (const row of scheduled) await invoker(row)({});
  });
  const idle = difference(meter, beforeIdle);
  return {
    submission: { reads: used.reads / SUBMISSIONS, writes: used.writes / SUBMISSIONS },
    requests,
    workerRuns: STREAM_WORKERS.length + MAIL_EVENTS.length,
    loggedBytes: used.logged / SUBMISSIONS,
    idleMinute: {
      reads: idle.reads,
      writes: idle.writes,
      runs: scheduled.length,
      memoryGb: scheduled.reduce((sum, { memoryMb }) => sum + memoryMb / 1_024, 0),
    },
  };
}

const directory = mkdtempSync(join(tmpdir(), 'bill-'));
const dynamo = await startDynamo({ directory: null });
const settings = { TABLE_NAME: 'bill', DYNAMODB_ENDPOINT: dynamo.endpoint, LOG: 'off', ALLOWED_ORIGINS: '' };
Object.assign(process.env, newSecrets(), settings, { MAIL_FROM: 'forms@example.org', INTERNAL_LOGIN: 'true' });
await ensureTable(emulatorClient(dynamo.endpoint), settings.TABLE_NAME);
const measured = await measurements(dynamo.endpoint, directory);
const bills = MONTHS.map((submissions) => billOf(submissions, measured));
const rows = bills[0]?.map(({ item }, index) => [item, bills.map((bill) => bill[index]?.dollars ?? 0)] as const) ?? [];
const totals = bills.map((bill) => bill.reduce((sum, { dollars }) => sum + dollars, 0));
const dollars = (amount: number): string =>
  amount < 100 ? amount.toFixed(2) : Math.round(amount).toLocaleString('en');
const { reads, writes } = measured.submission;
const part = [
  `A submission uses ${reads.toFixed(1)} read and ${writes.toFixed(1)} write units and ${measured.requests} requests. Prices of ${PRICES.region} as of ${PRICES.asOf}; data kept for ${ASSUMPTIONS.keptMonths} months.`,
  '',
  `| Submissions a month | ${MONTHS.map((count) => count.toLocaleString('en')).join(' | ')} |`,
  `|---|${MONTHS.map(() => '---').join('|')}|`,
  ...[...rows, ['Total', totals] as const].map(
    ([item, amounts]) => `| ${item} | ${amounts.map(dollars).join(' | ')} |`,
  ),
].join('\n');
console.log(part);
writePart('costs.md', 'bill', part);
await dynamo.stop();
rmSync(directory, { recursive: true, force: true });
process.exit(0);
