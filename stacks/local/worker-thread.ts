/**
 * The thread in which the workers of `npm start` run, which are separate functions on AWS: an export does not make requests
 * wait. It says when all that was written is processed (`drain`), and ends in order (`stop`).
 */
import { parentPort, workerData } from 'node:worker_threads';
import { startWorkers } from './workers.ts';

const workers = startWorkers(workerData);
parentPort?.on('message', async (message: 'drain' | 'stop') => {
  if (message === 'drain') {
    await workers.drain();
    parentPort?.postMessage('drained');
  } else {
    await workers.stop();
    process.exit();
  }
});
