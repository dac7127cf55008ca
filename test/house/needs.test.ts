/**
 * What an operation declares to need is what it uses (architecture section 7): less would fail in the cloud, more
 * would be granted for nothing. Each is sent requests that show all it does; the verbs behind them are recorded.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Declaration, Need } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { type App, app, replaceApp } from '#core/http/app.ts';
import { impliedNeeds } from '#core/http/needs.ts';
import { permissionOf } from '#test/support/permissions.ts';
import { named, perform, type Sending, sendingOf, validSending } from '#test/support/requests.ts';
import { newScene, type Scene } from '#test/support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await newScene();
});

/** An app that notes which needs are used. */
function recording(world: App, used: Set<Need>): App {
  const noting =
    <A extends unknown[], R>(need: Need, call: (...args: A) => R) =>
    (...args: A): R => {
      used.add(need);
      return call(...args);
    };
  return {
    ...world,
    table: {
      read: noting('table:read', world.table.read),
      page: noting('table:list', world.table.page),
      count: noting('table:list', world.table.count),
      write: noting('table:write', world.table.write),
    },
    tokens: { ...world.tokens, sign: noting('tokens:sign', world.tokens.sign) },
  };
}

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

/** Requests that show all that an operation does: the valid one, an operator's, and those of who may know less. */
async function revealing(declaration: Declaration): Promise<Sending[]> {
  const { cast, own } = scene;
  const valid = await validSending(declaration, scene);
  const headers = declaration.idempotent ? { ...valid.headers, 'idempotency-key': crypto.randomUUID() } : valid.headers;
  const others = await Promise.all([
    sendingOf(declaration, own.ARCHIVED, cast.chelsea),
    sendingOf(declaration, own.PUBLISHED, cast.chelsea),
    sendingOf(declaration, own.PUBLISHED, cast.oscar),
  ]);
  return [...(permissionOf(declaration).who === 'everybody' ? [] : others), { ...valid, headers }];
}

describe('declares what it uses, and uses what it declares', () => {
  test.for(named(operations))('%s', async ([, declaration]) => {
    const used = await needsOf(await revealing(declaration));
    expect([...used].sort()).toEqual(impliedNeeds(declaration).sort());
  });
});
