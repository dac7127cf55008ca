/** Who may do what: every operation by everybody, about own and foreign things in every status (`permissions.ts`). */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Declaration } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import {
  expectedStatus,
  type Name,
  PEOPLE,
  PERMISSIONS,
  type Permission,
  permissionOf,
  personOf,
  type Target,
  targetsOf,
  thingsOf,
} from '#test/support/permissions.ts';
import { type Answered, named, nameOf, perform, rowOf, type Sending, sendingOf } from '#test/support/requests.ts';
import { newScene, newThings, type Scene } from '#test/support/scene.ts';
import { person } from '#test/support/world.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await newScene();
});

test('every operation has its line in the table of permissions, and every line its operation', () => {
  expect(Object.keys(PERMISSIONS).sort()).toEqual(operations.map(nameOf).sort());
});

describe('who may, and what hides behind the 404 of a missing thing', () => {
  test.for(named(operations))('%s', async ([, declaration]) => {
    const permission = permissionOf(declaration);
    const missing = await missingThing(declaration, permission);
    const expected: Record<string, number> = {};
    const answered: Record<string, number> = {};
    for (const target of targetsOf(permission)) {
      for (const name of PEOPLE) {
        const status = expectedStatus(permission, target, name);
        const cell = `${name}, ${target.name}`;
        const answer = await perform(await cellOf(declaration, target, name, status === 'success'));
        expected[cell] = status === 'success' ? declaration.success.status : status;
        answered[cell] = answer.status;
        if (answer.status === 404) expect(withoutInstance(answer), cell).toEqual(missing);
      }
    }
    expect(answered).toEqual(expected);
  });
});

/** What is answered about a thing that nobody has; nothing for operations about none that could be hidden. */
async function missingThing(declaration: Declaration, { on }: Permission) {
  if (on === 'nothing' || on === 'organization') return undefined;
  const sending = await sendingOf(declaration, scene.own.PUBLISHED, scene.cast.alice);
  const params = Object.fromEntries(Object.keys(sending.params).map((name) => [name, crypto.randomUUID()]));
  const answer = await perform({ ...sending, params });
  expect(answer.status).toBe(404);
  return withoutInstance(answer);
}

/** All of an answer but what names the request itself. */
function withoutInstance({ status, headers, body }: Answered) {
  const told = typeof body === 'object' ? { ...body, instance: undefined } : body;
  const kept = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'content-length');
  return { status, headers: kept, body: told };
}

/** The request of a cell; about new things when it would use them up. */
async function cellOf(declaration: Declaration, target: Target, name: Name, goesWell: boolean): Promise<Sending> {
  const usesUp = goesWell && rowOf(declaration).consumes;
  const maker = target.maker === 'bob' ? scene.cast.bob : undefined;
  const things = usesUp ? await newThings(scene.places[target.side], target.status, maker) : thingsOf(scene, target);
  return sendingOf(declaration, things, personOf(scene, name));
}

describe('until onboarded a user creates no organizations and forms, but may be told who they are', () => {
  const askable = operations.filter((each) => {
    const { on, who } = permissionOf(each);
    return on === 'nothing' || who.startsWith('onboarded');
  });
  test.for(named(askable))('%s', async ([, declaration]) => {
    const newcomer = await person('newcomer', { onboarded: false });
    const { cast } = scene;
    await cast.alice.client.orgs.addMember({ params: { slug: cast.slug }, body: { email: newcomer.email } });
    const answer = await perform(await sendingOf(declaration, scene.own.PUBLISHED, newcomer));
    const isForOnboarded = permissionOf(declaration).who.startsWith('onboarded');
    expect(answer.status).toBe(isForOnboarded ? 403 : declaration.success.status);
  });
});

test('until onboarded a user may answer forms', async () => {
  const { client } = await person('newcomer', { onboarded: false });
  const { formId, questionId } = scene.own.PUBLISHED;
  const responseId = (await client.responses.startResponse({ params: { formId } })).body.id;
  const answers = [{ questionId, questionType: 'SHORT_TEXT' as const, value: 'Clear water' }];
  expect((await client.responses.updateAnswers({ params: { responseId }, body: { answers } })).status).toBe(200);
  expect((await client.responses.submitResponse({ params: { responseId }, body: { answers } })).status).toBe(201);
});
