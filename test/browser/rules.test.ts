/** The rules of a form in a browser: an author makes a branch, with and without scripts, narrow, dark, in Chinese. */
import { expect, test } from 'vitest';
import { expectAccessible, LOOKS, servePages } from './page-server.ts';

const server = servePages();

test.for(LOOKS)('an author adds a rule to a form with branches: %j', async (options) => {
  const page = await server().open('bob', options);
  const check = () => expectAccessible(page, !('javaScriptEnabled' in options));
  await page.goto(`${server().url}/o/demo/new`);
  await page.locator('button[value="template:application"]').click();
  await page.waitForURL('**?done=created*');
  await page.locator('.tabs a[href$="/rules"]').click();
  await check();
  const sentences = page.locator('.builder-section li');
  const before = await sentences.count();
  await page.locator('.builder-section a[href$="/rules"]').first().click();
  await check();
  if (await page.locator('.rule-table').isVisible()) {
    await page.locator('main a[href$="?as=rows"]').click();
    await check();
  }
  const rules = page.locator('.rule');
  const count = await rules.count();
  await page.locator('button[value="add-rule"]').click();
  await expect.poll(() => rules.count()).toBe(count + 1);
  // Enter saves, which says what is missing.
  await page.locator('main button[value="save"]').last().click();
  await page.locator('.error-summary').waitFor();
  await check();
  await rules.last().locator('input[type="checkbox"]').first().check();
  await rules.last().locator('select[name="rule.target"]').selectOption({ index: 1 });
  await page.locator('main button[value="save"]').last().click();
  await page.waitForURL('**/rules?done=saved*');
  await check();
  expect(await sentences.count()).toBe(before + 1);

  // The rules are tried: an answer decides the path.
  await page.locator('main a[href$="/rules/try"]').click();
  await check();
  await page.locator('[data-question] input[type="radio"]').first().check();
  await page.locator('main button[value="show"]').last().click();
  await page.locator('[data-question] input[type="radio"]:checked').first().waitFor();
  await check();

  // A condition that another client has made is changed by itself.
  const [, formId = ''] = /\/build\/([^/?]+)/.exec(page.url()) ?? [];
  const created = await page.request.post(`${server().url}/api/forms/${formId}/workflow/nodes`, {
    headers: { origin: server().url },
    data: { type: 'CONDITION', payload: {} },
  });
  expect(created.status()).toBe(201);
  const { id } = (await created.json()) as { id: string };
  await page.goto(`${server().url}/build/${formId}/rules`);
  await check();
  await page.locator(`.faults a[href$="/c/${id}"]`).click();
  await check();
  await page.locator('select[name="rule.question"]').selectOption({ index: 0 });
  await page.locator('button[value="question"]').click();
  await page.locator('main button[value="save"]').last().click();
  await page.locator('.error-summary').waitFor();
  await check();

  // It is deleted, which can be undone.
  await page.locator(`a[href$="/c/${id}/delete"]`).click();
  // With scripts the question is asked in a dialog, without on a page of its own.
  const confirm = page.locator('form[action$="/delete"] button.danger');
  await confirm.waitFor();
  await check();
  await confirm.click();
  await page.waitForURL('**/rules?done=conditionDeleted*');
  await page.locator('button[form="undo"]').waitFor();
  await check();
  expect(await page.locator('.faults').count()).toBe(0);

  // The form is tried as respondents see it, to its end.
  await page.goto(page.url().replace(/\/rules.*/, '/preview'));
  await check();
  for (const state of ['closed', 'done']) {
    await page.locator(`a[href$="as=${state}"]`).click();
    await page.locator(`[aria-current][href$="as=${state}"]`).waitFor();
    await check();
  }
  expect(await page.locator('.done-mark').count()).toBe(1);
  await page.locator('a[href$="as=open"]').click();
  await page.locator('form[action$="/preview"] button').click();
  await page.locator('[data-question]').first().waitFor();
  await check();
  await page.locator('button.large[value="next"]').click();
  await page.locator('.error-summary').waitFor();
  await check();
  await page.context().close();
});
