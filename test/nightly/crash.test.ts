/**
 * The service is killed without warning, again and again, while people build forms and answer them. After each restart
 * on the same data everything that was acknowledged with 2xx is there, every request that was cut off has happened
 * wholly or not at all, and can be repeated. The workers and their checks are in `test/nightly/crash`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import { PEOPLE } from '#stacks/local/seed.ts';
import { builder, demoForm } from '#test/nightly/crash/builders.ts';
import { respondent, starter, uploader } from '#test/nightly/crash/respondents.ts';
import { runOf, type Worker } from '#test/nightly/crash/worker.ts';
import { type ChildService, startChild } from '#test/support/child-service.ts';

const KILLS = 4;
const MAX_REQUESTS = 120;

const directory = mkdtempSync(join(tmpdir(), 'crash-'));
let service: ChildService | undefined;
afterAll(async () => {
  await service?.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
}, 30_000);

const uidOf = (name: string): string => PEOPLE.find((person) => person.name === name)?.id ?? '';

/** Lets all workers send requests until the service is killed, after `killAfter` acknowledged requests. */
async function workUntilKilled(running: ChildService, workers: readonly [string, Worker][], killAfter: number) {
  const run = runOf(running, killAfter);
  const signedIn = await Promise.all(
    workers.map(async ([who, worker]) => ({ worker, client: await running.clientOf(uidOf(who)) })),
  );
  await Promise.all(signedIn.map(({ worker, client }) => worker.work(client, run)));
  await running.end('SIGKILL');
}

test('acknowledged requests survive a kill; others happened wholly or not at all, and can be repeated', async () => {
  let running = await startChild(directory);
  service = running;
  const { formId, questionIds, fileQuestionId } = await demoForm(await running.clientOf(uidOf('alice')));
  const workers: [string, Worker][] = [
    ['alice', builder('alice')],
    ['bob', builder('bob')],
    ['dave', respondent(formId, questionIds)],
    ['dave', respondent(formId, questionIds)],
    ['oscar', respondent(formId, questionIds)],
    ['chelsea', starter(formId)],
    ['oscar', uploader(formId, fileQuestionId)],
  ];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const killAfter = 1 + Math.floor(Math.random() * MAX_REQUESTS);
    await workUntilKilled(running, workers, killAfter);
    running = await startChild(directory);
    service = running;
    for (const [who, worker] of workers) {
      await worker.check(await running.clientOf(uidOf(who))).catch((cause: unknown) => {
        throw new Error(`${who} found damage after kill ${kill}, at ${killAfter} acknowledged requests`, { cause });
      });
    }
  }
});
