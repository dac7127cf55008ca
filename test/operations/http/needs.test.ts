/**
 * What an operation declares to need is what it uses: less would fail in the cloud, more would be granted for nothing.
 * Each operation receives requests that show everything it does, and the port functions that they call are recorded. So
 * are the calls to AWS, which its role must allow.
 */
import { describe, expect, test } from 'vitest';
import { type Declaration, handlerFile, type Need } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { WriteRefused } from '#core/db/table.ts';
import { type App, app, replaceApp } from '#core/http/app.ts';
import { operationNeeds, wrapPorts } from '#core/http/needs.ts';
import { deniedCalls, listUnusedGrants } from '#test/emulator/policies.ts';
import { withTable } from '#test/support/faults.ts';
import { recordCalls } from '#test/support/recorded-calls.ts';
import {
  buildSending,
  named,
  nameOf,
  otherSendings,
  perform,
  rowOf,
  type Sending,
  validSending,
} from '#test/support/requests.ts';
import { newResources, newScene } from '#test/support/scene.ts';

const recorded = recordCalls();

const scene = await newScene();

/** An app that records which needs are used. */
const recording = (current: App, used: Set<Need>): App =>
  wrapPorts(current, (need, call) => (...args) => {
    used.add(need);
    return call(...args);
  });

/** The needs that some requests use, whether they succeed or are refused. */
async function readNeeds(sendings: readonly Sending[]): Promise<Set<Need>> {
  const used = new Set<Need>();
  const before = replaceApp(recording(app(), used));
  try {
    for (const sending of sendings) {
      await recorded.during(handlerFile(sending.declaration), () => perform(sending));
    }
  } finally {
    replaceApp(before);
  }
  return used;
}

/** The requests of people to whom less is visible, where there are such people. */
async function ofOthers(declaration: Declaration): Promise<Sending[]> {
  if (rowOf(declaration).may.who === 'everybody') return [];
  const { cast, own } = scene;
  return Promise.all([
    buildSending(declaration, own.ARCHIVED, cast.chelsea),
    buildSending(declaration, own.PUBLISHED, cast.chelsea),
    buildSending(declaration, own.PUBLISHED, cast.oscar),
  ]);
}

/** Requests that show everything that an operation needs: the valid one, others, and those of less privileged people. */
async function revealing(declaration: Declaration): Promise<Sending[]> {
  const { places } = scene;
  const valid = await validSending(declaration, scene);
  const headers = declaration.idempotent ? { ...valid.headers, 'idempotency-key': crypto.randomUUID() } : valid.headers;
  const more = rowOf(declaration).others
    ? await otherSendings(declaration, await newResources(places.own, 'PUBLISHED'))
    : [];
  return [...(await ofOthers(declaration)), { ...valid, headers }, ...more];
}

/** The requests whose needs show only when storage refuses the write. */
async function refused(declaration: Declaration): Promise<Sending[]> {
  return nameOf(declaration) === 'forms.createForm' ? otherSendings(declaration, scene.own.PUBLISHED) : [];
}

/** A table that refuses what is created under an organization, as when that is deleted meanwhile. */
const refusing = (table: App['table']): Partial<App['table']> => ({
  write: async (writes) => {
    const index = writes.findIndex((write) => 'check' in write);
    if (index >= 0) throw new WriteRefused([{ index, found: undefined }]);
    await table.write(writes);
  },
});

describe('declares what it uses, and uses what it declares', () => {
  test.for(named(operations))('%s', async ([, declaration]) => {
    const used = await readNeeds(await revealing(declaration));
    const late = await refused(declaration);
    for (const need of await withTable(refusing, () => readNeeds(late))) used.add(need);
    expect([...used].sort()).toEqual(operationNeeds(declaration).sort());
  });
});

test('no operation makes a call that its role does not allow', () => {
  expect(recorded.calls.size).toBe(operations.length);
  expect(deniedCalls(recorded.functions(), recorded.calls)).toEqual([]);
  console.log(`Grants that were not used:\n${listUnusedGrants(recorded.functions(), recorded.calls).join('\n')}`);
});
