/**
 * A process that feeds a worker from the stream. The worker prints the key of each record and has processed a record when
 * it reads a line; so the test decides where it is when it is killed.
 */
import { argv, stdin } from 'node:process';
import { createInterface } from 'node:readline';
import { subscribe } from '#stacks/local/dynamo/stream.ts';

const [, , endpoint = '', tableName = '', directory = ''] = argv;
const lines = createInterface({ input: stdin })[Symbol.asyncIterator]();

subscribe(
  {
    name: 'printer',
    filters: [{}],
    batchSize: 3,
    retries: 0,
    invoke: async ({ Records }) => {
      for (const { dynamodb } of Records) {
        process.stdout.write(`${dynamodb?.Keys?.sk?.S}\n`);
        await lines.next();
      }
    },
  },
  { endpoint, tableName, directory, pollMs: 1 },
);
