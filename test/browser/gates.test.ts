/**
 * *Show this section only if* in a browser: an author sets it with and without scripts, narrow, dark, in Chinese, is told what
 * is missing, and respondents see the section after the answers that it names.
 */
import { expect, test } from 'vitest';
import { expectAccessible, LOOKS, servePages } from './page-server.ts';

const server = servePages();

test.for(LOOKS)('an author shows a section only after some answers: %j', async (options) => {
  const questions = [
    { type: 'SHORT_TEXT' as const, title: 'How old are you?', text: { format: 'NUMBER' as const } },
    { type: 'SINGLE_CHOICE' as const, title: 'Do you drive?', choices: [{ name: 'Yes' }, { name: 'No' }] },
  ];
  const { formId, sectionIds, questionIds } = await server().newForm(
    [questions, [{ type: 'SHORT_TEXT', title: 'Which licence?' }], [{ type: 'SHORT_TEXT', title: 'Anything else?' }]],
    { publish: false },
  );
  const page = await server().open('alice', options);
  const check = () => expectAccessible(page, !('javaScriptEnabled' in options));
  await page.goto(`${server().url}/build/${formId}/s/${sectionIds[1]}/rules`);
  const comparisons = page.locator('#gate .rule');
  const save = page.locator('#gate button[value="save"]').last();
  for (const [index, questionId = ''] of questionIds.slice(0, 2).entries()) {
    await page.locator('select[name="gateQuestion"]').selectOption(questionId);
    await page.locator('button[value="gate-add"]').click();
    await comparisons.nth(index).waitFor();
  }
  await check();
  await comparisons.nth(0).locator('select[name="rule.test"]').selectOption('atLeast');
  await comparisons.nth(0).locator('input[name="rule.text"]').fill('many');
  await save.click();
  // The message is at its control, and read first in the summary.
  const summary = page.locator('.error-summary');
  await summary.waitFor();
  expect(await summary.locator('li').count()).toBe(2);
  const control = comparisons.nth(0).locator('input[name="rule.text"]');
  expect(await control.inputValue()).toBe('many');
  expect(await control.getAttribute('aria-describedby')).toContain('-error');
  await check();
  await control.fill('18');
  await comparisons.nth(1).locator('input[type="checkbox"]').first().check();
  await save.click();
  await page.waitForURL('**done=saved*');
  await check();
  const publish = `${server().url}/api/forms/${formId}/publish`;
  expect((await page.request.post(publish, { headers: { origin: server().url } })).status()).toBe(200);
  await page.context().close();

  const respondent = await server().open('dave', options);
  const answer = async (age: string) => {
    await respondent.goto(`${server().url}/f/${formId}`);
    await respondent.locator(`form[action="/f/${formId}/start"] button`).first().click();
    await respondent.locator(`[name="q.${questionIds[0]}"]`).fill(age);
    await respondent.locator(`input[name="q.${questionIds[1]}"]`).first().check();
    await respondent.locator('button[value="next"].large').click();
    await respondent.waitForURL((url) => !url.pathname.endsWith(sectionIds[0] ?? ''));
    return new URL(respondent.url()).pathname.split('/').at(-1);
  };
  expect(await answer('17')).toBe(sectionIds[2]);
  expect(await answer('18')).toBe(sectionIds[1]);
  await respondent.context().close();
});
