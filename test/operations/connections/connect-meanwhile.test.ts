/** What went on while a person was at the provider, and what went wrong there (contract section 10). */
import { beforeAll, describe, expect, test } from 'vitest';
import { accountForm, branchedAccountForm, bring, CLOSED_STATES, NAMES } from '#test/support/connections.ts';
import { withTable } from '#test/support/faults.ts';
import { type Browser, browserOf, connectUrl, FRONT, locationOf, withProviders } from '#test/support/journeys.ts';
import { pick } from '#test/support/provider.ts';
import {
  answerTo,
  branchedForm,
  editQuestion,
  preview,
  questionOf,
  save,
  start,
  submit,
  text,
} from '#test/support/responses.ts';
import { everythingStored } from '#test/support/stored.ts';
import { type Cast, newCast, problemOf } from '#test/support/world.ts';

const DONE = `${FRONT}/done`;

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

/** Begins a connection, lets something happen while the person is away, and brings them back. */
async function meanwhile(
  { responseId, one }: { responseId: string; one: string },
  happens: () => Promise<unknown>,
  browser: Browser = browserOf(cast.dave),
): Promise<string> {
  const callback = await pick(await connectUrl(browser, { responseId, questionId: one, r: DONE }), 'dave');
  await happens();
  return locationOf(await browser.visit(callback));
}

const NOT_EDITABLE = `${DONE}?status=error&error=not_editable`;

describe('a connection ends as not_editable, with nothing stored, when meanwhile', () => {
  test.for(CLOSED_STATES)('the form became %s', async (state) => {
    const made = await accountForm(cast);
    expect(await meanwhile(made, () => bring(cast, made.formId, state))).toBe(NOT_EDITABLE);
    expect((await problemOf(answerTo(cast.dave, made.responseId, made.one))).status).toBe(404);
  });

  test('the response was submitted and may not be edited', async () => {
    const made = await accountForm(cast, { allowEditResponse: false });
    expect(await meanwhile(made, () => submit(cast.dave, made.responseId))).toBe(NOT_EDITABLE);
    expect((await problemOf(answerTo(cast.dave, made.responseId, made.one))).status).toBe(404);
  });

  test('the question was removed', async () => {
    const made = await accountForm(cast);
    const params = { sectionId: made.sectionIds[0] ?? '', questionId: made.one };
    expect(await meanwhile(made, () => cast.alice.client.questions.deleteQuestion({ params }))).toBe(NOT_EDITABLE);
    const shown = await preview(cast.dave, made.formId, made.responseId);
    expect(JSON.stringify(shown)).not.toContain('person-dave');
  });

  test.for([
    { type: 'SHORT_TEXT' },
    { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_TWO' },
  ] as const)('the question became %j', async (change) => {
    const made = await accountForm(cast);
    const question = await questionOf(cast.alice, made.formId, made.one);
    expect(await meanwhile(made, () => editQuestion(cast.alice, question, change))).toBe(NOT_EDITABLE);
  });

  test('the response was deleted', async () => {
    const made = await accountForm(cast);
    const params = { formId: made.formId, responseId: made.responseId };
    const storedNow = async () => (await everythingStored()).filter((item) => !item.startsWith('STATE#'));
    let left: string[] = [];
    const end = await meanwhile(made, async () => {
      await cast.alice.client.responses.deleteResponse({ params });
      left = await storedNow();
    });
    expect(end).toBe(NOT_EDITABLE);
    expect(await storedNow()).toEqual(left);
  });

  test('the way through the form turned away from the question', async () => {
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
    const made = await accountForm(cast);
    const browser = browserOf(cast.dave);
    const callback = await pick(
      await connectUrl(browser, { responseId: made.responseId, questionId: made.one, r: DONE }),
      'dave',
    );
    let isOpen = true;
    const answer = await withTable(
      (table) => ({
        write: async (writes, writeId) => {
          if (isOpen && writes.some((write) => 'put' in write && write.put.sk === 'RESPONSE')) {
            isOpen = false;
            // Another request is faster, so this one reads again, and finds the form archived.
            await save(cast.dave, made.responseId, [text(made.other, 'faster')]);
            await bring(cast, made.formId, 'archived');
          }
          await table.write(writes, writeId);
        },
      }),
      () => browser.visit(callback),
    );
    expect(locationOf(answer)).toBe(NOT_EDITABLE);
  });
});

describe('what went wrong at the provider is told to r, whatever became of the response', () => {
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

  test('a code that is not taken', async () => {
    const { responseId, one } = await accountForm(cast);
    const browser = browserOf(cast.dave);
    const callback = new URL(await pick(await connectUrl(browser, { responseId, questionId: one, r: DONE }), 'dave'));
    callback.searchParams.set('code', 'another');
    expect(locationOf(await browser.visit(callback.href))).toBe(`${DONE}?status=error&error=exchange_failed`);
    expect((await problemOf(answerTo(cast.dave, responseId, one))).status).toBe(404);
  });

  test('a profile that says nothing', async () => {
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
