/** The tour of the README: its lines are run as they are printed, on a service that is started as the README says. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { startChild } from '#test/support/child-service.ts';
import { runTour } from '#test/support/tour.ts';

test('the tour of the README works as printed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tour-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const service = await startChild(join(home, 'data'));
  onTestFinished(() => service.end('SIGTERM'));
  await runTour(service.url, home, 'local');
});
