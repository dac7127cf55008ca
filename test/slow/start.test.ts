/** `npm start` as a process: one service per data directory, restarts, older data, and its end with npm. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createClient } from '#core/api/client.ts';
import { startDynamo } from '#stacks/local/dynamo/dynamo.ts';
import { PEOPLE } from '#stacks/local/seed.ts';
import { shellEnvironment, signIn, startChild, startCommand, untilReady } from '#test/support/child-service.ts';

const ALICE = PEOPLE[0].id;
const directory = mkdtempSync(join(tmpdir(), 'start-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test.for([
  ['a start', []],
  ['--fresh', ['--fresh']],
] as const)('%s refuses a directory with other content, which stays as it was', async ([, options]) => {
  const home = mkdtempSync(join(tmpdir(), 'foreign-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, 'photos'));
  writeFileSync(join(home, 'thesis.txt'), 'keep');
  const refusal = `${home} contains photos, thesis.txt, which the service has not created`;
  await expect(startChild(home, ...options)).rejects.toThrow(refusal);
  expect(readdirSync(home).sort()).toEqual(['photos', 'thesis.txt']);
});

test.for(['--help', '-h'])('%s prints the options and starts nothing', (option) => {
  const [command = '', ...args] = startCommand(join(directory, 'never'), option);
  const output = execFileSync(process.execPath, [command, ...args], { env: shellEnvironment(), encoding: 'utf8' });
  expect(output).toMatch(/^usage: npm start -- .*--port N/);
  expect(existsSync(join(directory, 'never'))).toBe(false);
});

test.for([
  [
    { TIME_ZONE: 'Mars/Olympus' },
    'TIME_ZONE must be a time zone of the IANA database, such as Asia/Taipei: Mars/Olympus',
  ],
  [{ MAX_GUEST_MAILS: 'many' }, 'The configuration is not valid: MAX_GUEST_MAILS: '],
] as const)('%j is refused before anything is written or deleted', ([settings, error]) => {
  const [command = '', ...args] = startCommand(join(directory, 'never'), '--fresh');
  const env = { ...shellEnvironment(), ...settings };
  // A service that starts would not end.
  const start = () => execFileSync(process.execPath, [command, ...args], { env, stdio: 'pipe', timeout: 60_000 });
  expect(start).toThrow(error);
  expect(existsSync(join(directory, 'never'))).toBe(false);
});

// The tests run in this order on one directory, so that it is seeded as few times as possible.
test('is ready when the demo is at rest; a second service on one directory stops with the address of the first', async () => {
  const first = await startChild(directory);
  const inbox = await (await fetch(`${first.url}/inbox`)).text();
  // Copies of two responses, and the mail to the member whom the admin has added.
  expect(inbox.match(/href="\/inbox\/[^"]/g)).toHaveLength(3);
  const alice = await first.clientOf(ALICE);
  const [demo] = (await alice.forms.listOrganizationForms({ params: { slug: 'demo' } })).body;
  const { body } = await alice.responses.getStatistics({ params: { formId: demo?.id ?? '' } });
  expect(body).toMatchObject({ submittedCount: 2, startedCount: 3 });
  await expect(startChild(directory)).rejects.toThrow(`already running on ${directory} at ${first.url}: stop it first`);
  expect((await fetch(`${first.url}/api/healthz`)).status).toBe(200);
  await first.end('SIGKILL');
});

test('a restart keeps the data and the sessions', async () => {
  const first = await startChild(directory);
  const token = await signIn(first.url, ALICE);
  const before = createClient({ baseUrl: first.url, token });
  const body = { title: 'Kept', visibility: 'PRIVATE' as const, allowEditResponse: true };
  const { id } = (await before.forms.createForm({ params: { slug: 'demo' }, body })).body;
  await first.end('SIGTERM');
  const second = await startChild(directory);
  const after = createClient({ baseUrl: second.url, token });
  const forms = (await after.forms.listOrganizationForms({ params: { slug: 'demo' } })).body;
  expect(forms.map(({ title }) => title)).toEqual(['Kept', 'Visitor survey']);
  const demo = { params: { formId: forms[1]?.id ?? '' } };
  expect((await after.responses.listResponses(demo)).body).toMatchObject({ submittedCount: 2, draftCount: 1 });
  expect((await after.forms.getForm({ params: { formId: id } })).body.status).toBe('DRAFT');
  await second.end('SIGTERM');
});

test('data of an older layout is refused with a sentence that names --fresh', async () => {
  writeFileSync(join(directory, 'seeded'), '2');
  await expect(startChild(directory)).rejects.toThrow('written by another version of the service: --fresh deletes it');
});

/** Starts the service below it and dies alone, as npm does. */
const NPM = `
  require('node:child_process').spawn(process.execPath, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, npm_lifecycle_event: 'start' },
  });`;

test('--fresh starts with the demo again, and a service whose npm was killed ends by itself', async () => {
  const args = ['-e', NPM, '--', ...startCommand(directory, '--fresh')];
  const npm = spawn(process.execPath, args, { env: shellEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await untilReady(npm);
  const alice = createClient({ baseUrl: url, token: await signIn(url, ALICE) });
  const forms = (await alice.forms.listOrganizationForms({ params: { slug: 'demo' } })).body;
  expect(forms.map(({ title }) => title)).toEqual(['Visitor survey']);
  npm.kill('SIGKILL');
  await once(npm, 'exit');
  while (await isServed(url)) await pause(20);
});

const isServed = (url: string): Promise<boolean> =>
  fetch(`${url}/api/healthz`).then(
    () => true,
    () => false,
  );

test('another DynamoDB is used when DYNAMODB_ENDPOINT names one, and --fresh empties its table', async () => {
  const dynamo = await startDynamo({ directory: null });
  const home = join(directory, 'external');
  for (const options of [[], ['--fresh']]) {
    const child = spawn(process.execPath, startCommand(home, ...options), {
      env: { ...shellEnvironment(), DYNAMODB_ENDPOINT: dynamo.endpoint },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const url = await untilReady(child);
    expect(await signIn(url, ALICE)).not.toBe('');
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await dynamo.stop();
});
