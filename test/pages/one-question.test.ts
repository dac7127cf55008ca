/** Forms that show one question at a time, as the service sends them: what only they have, and where their sections open. */
import { expect, test } from 'vitest';
import { newCast, newForm, type QuestionKind } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { save, start, text } from '#test/support/responses.ts';

const cast = await newCast();
const pages = pagesOf(cast.dave);

const LINE: QuestionKind = { type: 'SHORT_TEXT' };
const ROW: QuestionKind = { type: 'SINGLE_CHOICE', choices: [{ name: 'Yes' }, { name: 'No' }], grid: true };

async function draft(sections: QuestionKind[][], layout: 'SECTIONS' | 'ONE_QUESTION') {
  const form = await newForm(cast.alice, cast.slug, sections, { layout });
  const responseId = await start(cast.dave, form.formId);
  const [sectionId] = form.sectionIds;
  return { ...form, responseId, first: `/r/${responseId}/s/${sectionId}` };
}

test.each([
  ['all questions', [LINE, LINE], 'SECTIONS'],
  ['one question', [LINE], 'ONE_QUESTION'],
  ['one table', [ROW, ROW], 'ONE_QUESTION'],
  ['none', [], 'ONE_QUESTION'],
] as const)('a section that shows %s has nothing of the script', async (_, questions, layout) => {
  const { first } = await draft([[...questions]], layout);
  expect(await pages.show(first)).not.toMatch(/one-question|data-next-question|data-question-step/);
});

test('a section of several questions has the script, and the buttons hidden', async () => {
  const { first } = await draft([[LINE, ROW, ROW]], 'ONE_QUESTION');
  const html = await pages.show(first);
  expect(html).toMatch(/<script type="module" src="\/assets\/one-question\.\w+\.js" blocking="render">/);
  expect(html).toMatch(/<button type="button" class="large" data-next-question hidden>Next<\/button>/);
  expect(html).toMatch(/data-question-step hidden/);
});

/** Where a respondent gets to from an address. */
const leadsTo = async (path: string) => (await pages.get(path)).headers.get('location');

test('who returns gets to the first question that misses an answer, or the one after the last answer', async () => {
  const required = { ...LINE, required: true };
  const form = await draft([[LINE, LINE, required, LINE], [required]], 'ONE_QUESTION');
  const { responseId, first, questionIds } = form;
  const answer = (index: number) => save(cast.dave, responseId, [text(questionIds[index] ?? '', 'yes')]);
  expect(await leadsTo(`/r/${responseId}`)).toBe(first);
  await answer(0);
  expect(await leadsTo(`/r/${responseId}`)).toBe(`${first}#q-${questionIds[1]}`);
  await answer(3);
  expect(await leadsTo(`/r/${responseId}`)).toBe(`${first}#q-${questionIds[2]}`);
});

test('who goes back gets to the last question of the section before', async () => {
  for (const layout of ['ONE_QUESTION', 'SECTIONS'] as const) {
    const { responseId, first, sectionIds, questionIds } = await draft([[LINE, LINE], [LINE]], layout);
    const response = await pages.post(`/r/${responseId}/s/${sectionIds[1]}`, [['do', 'back']]);
    const fragment = layout === 'ONE_QUESTION' ? `#q-${questionIds[1]}` : '';
    expect(response.headers.get('location')).toBe(first + fragment);
  }
});

test('who connects an account comes back to that question', async () => {
  const account: QuestionKind = { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' };
  for (const layout of ['ONE_QUESTION', 'SECTIONS'] as const) {
    const { first, questionIds } = await draft([[LINE, account]], layout);
    const leaving = await pages.post(first, [['do', `connect:${questionIds[1]}`]]);
    const [, address = ''] = (leaving.headers.get('refresh') ?? '').split('url=');
    const fragment = layout === 'ONE_QUESTION' ? `#q-${questionIds[1]}` : '';
    expect(new URL(address, 'http://localhost').searchParams.get('r')).toBe(first + fragment);
  }
});
