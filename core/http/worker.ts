/**
 * Makes Lambda handlers of workers from their declarations: the app is restricted to the declared needs, each invocation
 * writes one log line, and storage calls end before the function's timeout.
 */
import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { WorkerDeclaration } from '#core/api/workers.ts';
import { loadSecrets } from '#core/aws/secrets.ts';
import { parseStreamRecord, type StreamRecord } from '#core/aws/stream-record.ts';
import { inRequestContext, remainingMs, requestContext } from '#core/db/request-context.ts';
import { type App, app } from './app.ts';
import { log } from './log.ts';
import { restrictTo } from './needs.ts';

/** The numbers that a worker reports of a run, for its log line. */
export type Counts = Readonly<Record<string, number | undefined>>;

type WorkerHandler<E, R> = (event: E, context: Context) => Promise<R>;

/** The time reserved for the last storage calls of a run, its log line and its response. */
const RESERVE_MS = 8_000;

/** Whether enough time remains to start more work. */
export const hasTime = (): boolean => remainingMs() > RESERVE_MS;

/**
 * Creates the handler of a worker that reads the stream. `run` handles a batch, oldest change first, and returns the records to
 * deliver again, if any; an error delivers the whole batch again.
 */
export const streamWorker =
  (
    declaration: WorkerDeclaration,
    run: (app: App, records: readonly StreamRecord[]) => Promise<{ failed?: readonly StreamRecord[]; counts?: Counts }>,
  ): WorkerHandler<DynamoDBStreamEvent, DynamoDBBatchResponse> =>
  (event, context) =>
    runWorker(declaration, context, async (restricted) => {
      const records = event.Records.map(parseStreamRecord);
      const { failed = [], counts } = await run(restricted, records);
      return {
        result: { batchItemFailures: failed.map(({ sequence }) => ({ itemIdentifier: sequence })) },
        counts: { records: records.length, failed: failed.length, ...counts },
      };
    });

/** Creates the handler of any other worker; `run` receives the event and returns numbers for the log line. */
export const worker =
  <E>(declaration: WorkerDeclaration, run: (app: App, event: E) => Promise<Counts>): WorkerHandler<E, void> =>
  (event, context) =>
    runWorker(declaration, context, async (restricted) => ({
      result: undefined,
      counts: await run(restricted, event),
    }));

async function runWorker<R>(
  declaration: WorkerDeclaration,
  context: Context,
  run: (app: App) => Promise<{ result: R; counts: Counts }>,
): Promise<R> {
  const deadline = performance.now() + context.getRemainingTimeInMillis();
  const restrict = restrictTo(`workers.${declaration.name}`, declaration.needs);
  return inRequestContext({ calls: 0, capacityUnits: 0, deadline }, async () => {
    const startedAt = performance.now();
    const report = (failed: boolean, details: Record<string, unknown>): void => {
      const { calls = 0, capacityUnits = 0 } = requestContext() ?? {};
      const durationMs = Math.round(performance.now() - startedAt);
      const measured = { worker: declaration.name, durationMs, capacityUnits, calls };
      log({ level: failed ? 'error' : 'info', requestId: context.awsRequestId, ...measured, ...details });
    };
    try {
      await loadSecrets(declaration.needs.filter((need) => need !== 'tokens:sign'));
      const { result, counts } = await run(restrict(app()));
      report(false, counts);
      return result;
    } catch (error) {
      report(true, { cause: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      throw error;
    }
  });
}
