/** `npm start` where dynoxide does not exist: on another DynamoDB, here that of the emulator of AWS. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startChildWith } from '#test/support/child-service.ts';
import { runTour } from '#test/support/tour.ts';
import { startEmulator } from './ministack.ts';

test('the tour runs on another DynamoDB; when that has lost its memory, the data stays and the start says so', async () => {
  const home = mkdtempSync(join(tmpdir(), 'other-dynamodb-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const directory = join(home, 'data');
  const first = await startEmulator();
  const service = await startChildWith({ DYNAMODB_ENDPOINT: first.endpoint }, directory);
  onTestFinished(() => service.end('SIGTERM'));
  await runTour(service.url, home, 'local');
  await service.end('SIGTERM');
  await first.stop();

  const second = await startEmulator();
  onTestFinished(second.stop);
  const variables = { DYNAMODB_ENDPOINT: second.endpoint };
  await expect(startChildWith(variables, directory)).rejects.toThrow(
    `${second.endpoint} has no table forms, so the data in ${directory} belongs to another DynamoDB`,
  );
  const fresh = await startChildWith(variables, directory, '--fresh');
  await fresh.end('SIGTERM');
});

test('a DynamoDB that does not respond is named', async () => {
  const home = mkdtempSync(join(tmpdir(), 'other-dynamodb-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const variables = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' };
  await expect(startChildWith(variables, join(home, 'data'))).rejects.toThrow(
    'No DynamoDB responds at DYNAMODB_ENDPOINT=http://127.0.0.1:9: start one, or unset it.',
  );
});
