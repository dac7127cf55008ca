/**
 * The thread in which the workers of `npm start` run, which are separate functions on AWS: an export does not make requests
 * wait. It ends in order at its first message.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { startWorkers } from './workers.ts';

const workers = startWorkers(workerData);
parentPort?.once('message', async () => {
  await workers.stop();
  process.exit();
});
