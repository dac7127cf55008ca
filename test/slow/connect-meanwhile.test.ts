/** Changes between the start and the callback of a connection, and failures at the provider. */
import { describe, expect, test } from 'vitest';
import { accountForm, branchedAccountForm, bring, CLOSED_STATES, NAMES } from '#test/support/connections.ts';
import { withTable } from '#test/support/faults.ts';
import { expectProblem, newCast } from '#test/support/fixtures.ts';
import { type Browser, browserOf, connectUrl, FRONT, locationOf, withProviders } from '#test/support/oauth.ts';
import { pick } from '#test/support/provider.ts';
import {
  answerTo,
  branchedForm,
  editQuestion,
  preview,
  readQuestion,
  save,
  start,
  submit,
  text,
} from '#test/support/responses.ts';
import { everythingStored } from '#test/support/stored.ts';

const DONE = `${FRONT}/done`;

const cast = await newCast();

/** Starts a connection, makes a change, and visits the callback. */
async function meanwhile(
  { responseId, one }: { responseId: string; one: string },
  change: () => Promise<unknown>,
  browser: Browser = browserOf(cast.dave),
): Promise<string> {
  const callback = await pick(await connectUrl(browser, { responseId, questionId: one, r: DONE }), 'dave');
  await change();
  return locationOf(await browser.visit(callback));
}

const NOT_EDITABLE = `${DONE}?status=error&error=not_editable`;

describe('a connection ends as not_editable, with nothing stored, when meanwhile', () => {
  test.for(CLOSED_STATES)('the form became %s', async (state) => {
    const scene = await accountForm(cast);
    expect(await meanwhile(scene, () => bring(cast, scene.formId, state))).toBe(NOT_EDITABLE);
    expect((await expectProblem(answerTo(cast.dave, scene.responseId, scene.one))).status).toBe(404);
  });

  test('the response was submitted and may not be edited', async () => {
    const scene = await accountForm(cast, { allowEditResponse: false });
    expect(await meanwhile(scene, () => submit(cast.dave, scene.responseId))).toBe(NOT_EDITABLE);
    expect((await expectProblem(answerTo(cast.dave, scene.responseId, scene.one))).status).toBe(404);
  });

  test('the question was removed', async () => {
    const scene = await accountForm(cast);
    const params = { sectionId: scene.sectionIds[0] ?? '', questionId: scene.one };
    expect(await meanwhile(scene, () => cast.alice.client.questions.deleteQuestion({ params }))).toBe(NOT_EDITABLE);
    const shown = await preview(cast.dave, scene.formId, scene.responseId);
    expect(JSON.stringify(shown)).not.toContain('person-dave');
  });

  test.for([
    { type: 'SHORT_TEXT' },
    { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_TWO' },
  ] as const)('the question became %j', async (change) => {
    const scene = await accountForm(cast);
    const question = await readQuestion(cast.alice, scene.formId, scene.one);
    expect(await meanwhile(scene, () => editQuestion(cast.alice, question, change))).toBe(NOT_EDITABLE);
  });

  test('the response was deleted', async () => {
    const scene = await accountForm(cast);
    const params = { formId: scene.formId, responseId: scene.responseId };
    const storedNow = async () => (await everythingStored()).filter((item) => !item.startsWith('STATE#'));
    let left: string[] = [];
    const end = await meanwhile(scene, async () => {
      await cast.alice.client.responses.deleteResponse({ params });
      left = await storedNow();
    });
    expect(end).toBe(NOT_EDITABLE);
    expect(await storedNow()).toEqual(left);
  });

  test('the path through the form left the question', async () => {
    const { formId: _, asked, responseId, off } = await branchedAccountForm(cast);
    await save(cast.dave, responseId, [text(asked, 'yes')]);
    const end = await meanwhile({ responseId, one: off }, () => save(cast.dave, responseId, [text(asked, 'no')]));
    expect(end).toBe(NOT_EDITABLE);
  });

  test('the answer would make a submitted response incomplete', async () => {
    const { formId, asked } = await branchedForm(
      { person: cast.alice, slug: cast.slug },
      {
        first: [{ type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' }],
        yes: [{ type: 'SHORT_TEXT', required: true }],
        no: [],
      },
      { pattern: '^dave$' },
      { allowEditResponse: true },
    );
    const responseId = await start(cast.dave, formId);
    const browser = browserOf(cast.dave);
    await browser.visit(await pick(await connectUrl(browser, { responseId, questionId: asked }), 'bob'));
    await submit(cast.dave, responseId);
    expect(await meanwhile({ responseId, one: asked }, async () => undefined, browser)).toBe(NOT_EDITABLE);
    expect((await answerTo(cast.dave, responseId, asked)).answer.value).toMatchObject({ username: 'bob' });
  });

  test('the form closed between reading it and writing the answer', async () => {
    const scene = await accountForm(cast);
    const browser = browserOf(cast.dave);
    const callback = await pick(
      await connectUrl(browser, { responseId: scene.responseId, questionId: scene.one, r: DONE }),
      'dave',
    );
    let isOpen = true;
    const answer = await withTable(
      (table) => ({
        write: async (writes) => {
          if (isOpen && writes.some((write) => 'put' in write && write.put.sk === 'RESPONSE')) {
            isOpen = false;
            // Another request is faster, so this one reads again, and finds the form archived.
            await save(cast.dave, scene.responseId, [text(scene.other, 'faster')]);
            await bring(cast, scene.formId, 'archived');
          }
          await table.write(writes);
        },
      }),
      () => browser.visit(callback),
    );
    expect(locationOf(answer)).toBe(NOT_EDITABLE);
  });
});

describe('a failure at the provider is reported to r', () => {
  test('a denial', async () => {
    const { responseId, one } = await accountForm(cast);
    const browser = browserOf(cast.dave);
    const callback = await pick(await connectUrl(browser, { responseId, questionId: one, r: `${DONE}?x=1` }), 'deny');
    expect(locationOf(await browser.visit(callback))).toBe(`${DONE}?x=1&status=error&error=access_denied`);
  });

  test('a missing code', async () => {
    const { responseId, one } = await accountForm(cast);
    const browser = browserOf(cast.dave);
    const callback = new URL(await pick(await connectUrl(browser, { responseId, questionId: one, r: DONE }), 'dave'));
    callback.searchParams.delete('code');
    expect(locationOf(await browser.visit(callback.href))).toBe(`${DONE}?status=error&error=missing_code`);
  });

  test('a code that is refused', async () => {
    const { responseId, one } = await accountForm(cast);
    const browser = browserOf(cast.dave);
    const callback = new URL(await pick(await connectUrl(browser, { responseId, questionId: one, r: DONE }), 'dave'));
    callback.searchParams.set('code', 'another');
    expect(locationOf(await browser.visit(callback.href))).toBe(`${DONE}?status=error&error=exchange_failed`);
    expect((await expectProblem(answerTo(cast.dave, responseId, one))).status).toBe(404);
  });

  test('a profile without a subject', async () => {
    const { responseId, one } = await accountForm(cast);
    const browser = browserOf(cast.dave);
    const callback = await pick(await connectUrl(browser, { responseId, questionId: one, r: DONE }), 'dave');
    const settings = JSON.parse(process.env.PROVIDER_ONE ?? '');
    const mapping = { parameters: {}, profile: { ...NAMES, subject: 'nothing' } };
    await withProviders({ PROVIDER_ONE: { ...settings, ...mapping } }, async () => {
      expect(locationOf(await browser.visit(callback))).toBe(`${DONE}?status=error&error=profile_failed`);
    });
  });
});
