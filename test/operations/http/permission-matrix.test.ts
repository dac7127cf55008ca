/** Who may do what: every operation by everybody, on own and foreign resources in every status (`permissions.ts`). */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Declaration } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { person } from '#test/support/fixtures.ts';
import {
  expectedStatus,
  type Name,
  peopleOf,
  personOf,
  resourcesOf,
  type Target,
  targetsOf,
} from '#test/support/permissions.ts';
import {
  buildSending,
  named,
  nameOf,
  perform,
  type ReceivedResponse,
  resourcesToConsume,
  rowOf,
  type Sending,
} from '#test/support/requests.ts';
import { newScene, type Scene } from '#test/support/scene.ts';
import { everythingStored } from '#test/support/stored.ts';

/** Somebody who tries an operation on a target. */
type Attempt = { declaration: Declaration; target: Target; name: Name };

let scene: Scene;
/** The request of each operation on each target, which refused attempts share because they change nothing. */
const shared = new Map<Declaration, Map<Target, Sending>>();
let before: string[];
beforeAll(async () => {
  scene = await newScene();
  for (const declaration of operations) {
    const sendings = new Map<Target, Sending>();
    for (const target of targetsOf(rowOf(declaration).may)) {
      sendings.set(target, await buildSending(declaration, resourcesOf(scene, target)));
    }
    shared.set(declaration, sendings);
  }
  // Those of whom something is stored are there before anything is tried.
  for (const target of new Set([...shared.values()].flatMap((sendings) => [...sendings.keys()]))) {
    for (const name of peopleOf(target)) await personOf(scene, name, resourcesOf(scene, target));
  }
  before = await everythingStored();
});

const attemptsOn = (declaration: Declaration): Attempt[] =>
  targetsOf(rowOf(declaration).may).flatMap((target) =>
    peopleOf(target).map((name) => ({ declaration, target, name })),
  );
const expectedOf = ({ declaration, target, name }: Attempt) => expectedStatus(rowOf(declaration).may, target, name);
const labelOf = ({ target, name }: Attempt): string => `${name}, ${target.name}`;
const refusedOn = (declaration: Declaration): Attempt[] =>
  attemptsOn(declaration).filter((attempt) => expectedOf(attempt) !== 'success');
const allowedOn = (declaration: Declaration): Attempt[] =>
  attemptsOn(declaration).filter((attempt) => expectedOf(attempt) === 'success');

describe('refused, and as if it did not exist when it is not visible', () => {
  const refusing = operations.filter((each) => refusedOn(each).length > 0);
  test.for(named(refusing))('%s', async ([, declaration]) => {
    const missing = await missingResource(declaration);
    const attempts = refusedOn(declaration);
    const responses = await Promise.all(attempts.map(async (attempt) => perform(await sharedBy(attempt))));
    const statuses = attempts.map((attempt, index) => [labelOf(attempt), responses[index]?.status]);
    expect(statuses).toEqual(attempts.map((attempt) => [labelOf(attempt), expectedOf(attempt)]));
    for (const response of responses) {
      if (response.status === 404) expect(withoutInstance(response)).toEqual(missing);
    }
  });

  test('and nothing was changed by all of that', async () => {
    expect(await everythingStored()).toEqual(before);
  });
});

/** The shared request of an operation on a target, by somebody. */
async function sharedBy({ declaration, target, name }: Attempt): Promise<Sending> {
  const sending = shared.get(declaration)?.get(target);
  if (!sending) throw new Error(`${nameOf(declaration)} has no request on ${target.name}`);
  const sender = await personOf(scene, name, resourcesOf(scene, target));
  return { ...sending, by: sender === 'nobody' ? undefined : sender };
}

/** The response for a resource that does not exist; undefined for operations on none that could be hidden. */
async function missingResource(declaration: Declaration) {
  const { on } = rowOf(declaration).may;
  if (on === 'nothing' || on === 'organization') return undefined;
  const [sending] = shared.get(declaration)?.values() ?? [];
  if (!sending) throw new Error(`${nameOf(declaration)} has no target`);
  const params = Object.fromEntries(Object.keys(sending.params).map((name) => [name, crypto.randomUUID()]));
  const response = await perform({ ...sending, params, by: scene.cast.alice });
  expect(response.status).toBe(404);
  return withoutInstance(response);
}

/** A response without what identifies the request. */
function withoutInstance({ status, headers, body }: ReceivedResponse) {
  const problem = typeof body === 'object' ? { ...body, instance: undefined } : body;
  const kept = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'content-length');
  return { status, headers: kept, body: problem };
}

describe('allowed', () => {
  test.for(named(operations))('%s', async ([, declaration]) => {
    const attempts = allowedOn(declaration);
    const call = async (attempt: Attempt) => (await perform(await allowedBy(attempt))).status;
    // Reads run at once; writes of one resource would only wait for each other.
    const isParallel = declaration.method === 'GET' || rowOf(declaration).consumes;
    const statuses: number[] = isParallel ? await Promise.all(attempts.map(call)) : [];
    if (!isParallel) for (const attempt of attempts) statuses.push(await call(attempt));
    expect(attempts.map((attempt, index) => [labelOf(attempt), statuses[index]])).toEqual(
      attempts.map((attempt) => [labelOf(attempt), declaration.success.status]),
    );
  });
});

/** The request of an allowed attempt; on new resources when it consumes them. */
async function allowedBy({ declaration, target, name }: Attempt): Promise<Sending> {
  const maker = target.maker === 'bob' ? scene.cast.bob : undefined;
  const resources = rowOf(declaration).consumes
    ? await resourcesToConsume(declaration, scene.places[target.side], target.status, maker)
    : resourcesOf(scene, target);
  return buildSending(declaration, resources, await personOf(scene, name, resources));
}

describe('until onboarded a user creates no organizations and forms, but may see who they are', () => {
  const askable = operations.filter((each) => {
    const { on, who } = rowOf(each).may;
    return on === 'nothing' || who.startsWith('onboarded');
  });
  test.for(named(askable))('%s', async ([, declaration]) => {
    const newcomer = await person('newcomer', { onboarded: false });
    const { cast } = scene;
    await cast.alice.client.orgs.addMember({ params: { slug: cast.slug }, body: { email: newcomer.email } });
    const response = await perform(await buildSending(declaration, scene.own.PUBLISHED, newcomer));
    const isForOnboarded = rowOf(declaration).may.who.startsWith('onboarded');
    expect(response.status).toBe(isForOnboarded ? 403 : declaration.success.status);
  });
});

test('until onboarded a user may answer forms', async () => {
  const { client } = await person('newcomer', { onboarded: false });
  const { formId, questionId } = scene.own.PUBLISHED;
  const answers = [{ questionId, questionType: 'SHORT_TEXT' as const, value: 'Clear water' }];
  const { body } = await client.responses.startResponse({ params: { formId }, body: { answers } });
  const params = { responseId: body.id };
  expect((await client.responses.submitResponse({ params, body: { answers } })).status).toBe(201);
});
