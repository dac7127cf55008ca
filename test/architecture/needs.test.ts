/**
 * What an operation declares to need is what it uses (architecture section 7): less would fail in the cloud, more
 * would be granted for nothing. Each is sent requests that show all it does; the verbs behind them are recorded.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Declaration, Need } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { WriteRefused } from '#core/db/table.ts';
import { type App, app, replaceApp } from '#core/http/app.ts';
import { around, impliedNeeds } from '#core/http/needs.ts';
import { withTable } from '#test/support/faults.ts';
import { permissionOf } from '#test/support/permissions.ts';
import {
  named,
  nameOf,
  otherSendings,
  perform,
  rowOf,
  type Sending,
  sendingOf,
  validSending,
} from '#test/support/requests.ts';
import { newScene, newThings, type Scene } from '#test/support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await newScene();
});

/** An app that notes which needs are used. */
const recording = (world: App, used: Set<Need>): App =>
  around(world, (need, call) => (...args) => {
    used.add(need);
    return call(...args);
  });

/** The needs that some requests use, whether they go well or are refused. */
async function needsOf(sendings: readonly Sending[]): Promise<Set<Need>> {
  const used = new Set<Need>();
  const world = replaceApp(recording(app(), used));
  try {
    for (const sending of sendings) await perform(sending);
  } finally {
    replaceApp(world);
  }
  return used;
}

/** The requests of those who may know less, where there are such people. */
async function ofOthers(declaration: Declaration): Promise<Sending[]> {
  if (permissionOf(declaration).who === 'everybody') return [];
  const { cast, own } = scene;
  return Promise.all([
    sendingOf(declaration, own.ARCHIVED, cast.chelsea),
    sendingOf(declaration, own.PUBLISHED, cast.chelsea),
    sendingOf(declaration, own.PUBLISHED, cast.oscar),
  ]);
}

/** Requests that show all that an operation does: the valid one, an operator's, and those of who may know less. */
async function revealing(declaration: Declaration): Promise<Sending[]> {
  const { places } = scene;
  const valid = await validSending(declaration, scene);
  const headers = declaration.idempotent ? { ...valid.headers, 'idempotency-key': crypto.randomUUID() } : valid.headers;
  const more = rowOf(declaration).other
    ? await otherSendings(declaration, await newThings(places.own, 'PUBLISHED'))
    : [];
  return [...(await ofOthers(declaration)), { ...valid, headers }, ...more];
}

/** What an operation does when storage refuses its write, which no valid request can show. */
async function refused(declaration: Declaration): Promise<Sending[]> {
  return nameOf(declaration) === 'forms.createForm' ? otherSendings(declaration, scene.own.PUBLISHED) : [];
}

/** A table that refuses what is made under an organization, as when that is deleted meanwhile. */
const refusing = (table: App['table']): Partial<App['table']> => ({
  write: async (writes, writeId) => {
    if (writes.some((write) => 'check' in write)) throw new WriteRefused(writes.length - 1, undefined);
    await table.write(writes, writeId);
  },
});

describe('declares what it uses, and uses what it declares', () => {
  test.for(named(operations))('%s', async ([, declaration]) => {
    const used = await needsOf(await revealing(declaration));
    const late = await refused(declaration);
    for (const need of await withTable(refusing, () => needsOf(late))) used.add(need);
    expect([...used].sort()).toEqual(impliedNeeds(declaration).sort());
  });
});
