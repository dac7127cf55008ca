/** The smoke test of a deployed stage, run against the local service. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PEOPLE } from '#stacks/local/seed.ts';
import { signInByUserId, smoke } from '#stacks/operate/smoke.ts';
import { type ChildService, startChild } from '#test/support/child-service.ts';

const directory = mkdtempSync(join(tmpdir(), 'smoke-'));
const [alice] = PEOPLE;
let service: ChildService;
beforeAll(async () => {
  service = await startChild(directory);
});
afterAll(async () => {
  await service?.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

test('the smoke test passes, and leaves no organization behind', async () => {
  const steps: string[] = [];
  const token = await signInByUserId(service.url, alice?.id ?? '');
  await smoke({ url: service.url, token, log: (line) => steps.push(line) });
  expect(steps.at(-1)).toMatch(/delete the organization$/);
  const client = await service.clientOf(alice?.id ?? '');
  const { body } = await client.orgs.listMyOrganizations({});
  expect(body.filter(({ slug }) => slug.startsWith('smoke-'))).toEqual([]);
});

test('the first failing step is reported, also when the clean-up fails after it', async () => {
  const token = await signInByUserId(service.url, alice?.id ?? '');
  const failing = smoke({
    url: service.url,
    token,
    log(line) {
      const [, step] = / ms {2}(publish|delete the organization)$/.exec(line) ?? [];
      if (step) throw new Error(`no ${step}`);
    },
  });
  await expect(failing).rejects.toThrow('no publish');
});

test('a failing step is named, and the organization is deleted nevertheless', async () => {
  const steps: string[] = [];
  const token = await signInByUserId(service.url, alice?.id ?? '');
  const failing = smoke({
    url: service.url,
    token,
    log(line) {
      steps.push(line);
      if (line.endsWith('publish')) throw new Error('interrupted');
    },
  });
  await expect(failing).rejects.toThrow('interrupted');
  expect(steps.at(-1)).toMatch(/delete the organization$/);
});
