/**
 * The workers: functions that run after writes and on schedules, declared like operations, as plain data. From these
 * follow the local event sources, the deployment, its grants, and the tests of all workers. The handler of `buildExports`
 * is `functions/workers/build-exports.ts`.
 */
import { kebabCase, type Need } from './declare.ts';

/**
 * A pattern that selects stream records, in the syntax of Lambda event filters: an object shaped like the record whose
 * leaves list the accepted values.
 */
export type FilterPattern = {
  [member: string]: FilterPattern | readonly (string | { prefix: string } | { exists: boolean })[];
};

/** What invokes a worker. */
export type WorkerSource =
  /**
   * Batches of the records of the table's stream that one of the filters selects. DynamoDB allows two readers of a stream
   * without throttling.
   */
  | { type: 'stream'; filters: readonly FilterPattern[]; batchSize: number; windowSeconds: number; retries: number }
  | { type: 'schedule'; rate: `${number} ${'minute' | 'minutes' | 'days'}` }
  /** Events of SES about sent mail. */
  | { type: 'mail-events' };

type WorkerSpec = {
  summary: string;
  source: WorkerSource;
  needs: readonly Need[];
  /** Memory of the function in MB; 512 by default. */
  memoryMb?: number;
  /** Time limit of the function; 60 seconds by default. */
  timeoutSeconds?: number;
};
export type WorkerDeclaration = WorkerSpec & { name: string };

const declareWorkers = <const T extends Record<string, WorkerSpec>>(
  specs: T,
): { [K in keyof T]: T[K] & { name: K & string } } =>
  Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, name }])) as {
    [K in keyof T]: T[K] & { name: K & string };
  };

/** The needs of jobs that are attempted as soon as they are written. */
const PROMPT_JOB_NEEDS = [
  'table:read',
  'table:list',
  'table:write',
  'files:remove',
  'covers:remove',
  'exports:remove',
  'mail:send',
  // The links in confirmations.
  'tokens:sign',
  'sheets:call',
] as const;

/** The key of a response, without its id. */
const RESPONSE = { sk: { S: ['RESPONSE'] } };

export const workers = declareWorkers({
  deliver: {
    summary: 'Attempts new jobs at once',
    source: {
      type: 'stream',
      filters: [
        // A job that was never attempted; the changes that workers make are left out.
        { dynamodb: { NewImage: { kind: { S: [{ exists: true }] }, attempts: { N: ['0'] } } } },
      ],
      batchSize: 50,
      windowSeconds: 0,
      retries: 3,
    },
    // Small exports are built at once too.
    needs: [...PROMPT_JOB_NEEDS, 'exports:write'],
    timeoutSeconds: 60,
  },
  tally: {
    summary: 'Keeps the counters of responses and of selected choices, and the stored bytes of organizations',
    source: {
      type: 'stream',
      // What can change a count: not the saves of drafts without files, which are most of all records.
      filters: [
        { eventName: ['INSERT', 'REMOVE'], dynamodb: { Keys: RESPONSE } },
        { dynamodb: { Keys: RESPONSE, OldImage: { progress: { S: ['SUBMITTED'] } } } },
        { dynamodb: { Keys: RESPONSE, NewImage: { progress: { S: ['SUBMITTED', 'DELETED'] } } } },
        { dynamodb: { Keys: RESPONSE, OldImage: { fileBytes: { N: [{ exists: true }] } } } },
        { dynamodb: { Keys: RESPONSE, NewImage: { fileBytes: { N: [{ exists: true }] } } } },
      ],
      batchSize: 100,
      windowSeconds: 1,
      retries: 10,
    },
    needs: ['table:read', 'table:write'],
    timeoutSeconds: 60,
  },
  sweep: {
    summary: 'Attempts jobs that are due: those that failed before, and those scheduled for later',
    source: { type: 'schedule', rate: '1 minute' },
    needs: [...PROMPT_JOB_NEEDS, 'table:remove', 'objects:remove'],
    timeoutSeconds: 120,
  },
  buildExports: {
    summary: 'Builds exports that are due: large ones, and those whose last run failed or died',
    source: { type: 'schedule', rate: '1 minute' },
    // Archives have the files of responses.
    needs: ['table:read', 'table:list', 'table:write', 'exports:write', 'files:read'],
    // A whole processor; the memory that comes with it is four times what a run was measured to take.
    memoryMb: 1_769,
    timeoutSeconds: 900,
  },
  mailEvents: {
    summary: 'Records what SES reports about mails: sent, bounced, complained about, rejected',
    source: { type: 'mail-events' },
    needs: ['table:read', 'table:write'],
    timeoutSeconds: 30,
  },
});

export const allWorkers: readonly WorkerDeclaration[] = Object.values(workers);

/** Builds the path of a worker's handler file. */
export const workerFile = ({ name }: WorkerDeclaration): string => `functions/workers/${kebabCase(name)}.ts`;
