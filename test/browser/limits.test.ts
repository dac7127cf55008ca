/**
 * Places from their author to the last respondent: a limit typed at a choice and a cap in the settings, the preview and the form that say
 * what is left, and the choice that nobody can take any more. And the page that asks before responses are kept for a shorter time.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PEOPLE } from '#stacks/local/seed.ts';
import { store, submissionOf } from '#test/support/responses.ts';
import { expectAccessible, servePages, signInAs } from './page-server.ts';

const server = servePages();
const idOf = (who: string): string => PEOPLE.find(({ name }) => name === who)?.id ?? '';

/** A form with a question about courses that is not published yet. */
const coursesForm = () => {
  const choices = [{ name: 'Yoga' }, { name: 'Judo' }];
  return server().newForm([[{ type: 'SINGLE_CHOICE', title: 'Which course?', required: true, choices }]], {
    publish: false,
  });
};

const choiceOf = (page: Page, name: string) => page.getByRole('radio', { name });

test('an author limits a choice and the form by keys, and respondents see what is left', async () => {
  const { formId, questionIds } = await coursesForm();
  const author = await server().open('alice');
  await author.goto(`${server().url}/build/${formId}/q/${questionIds[0]}`);
  const limit = author.getByRole('textbox', { name: 'Places' }).first();
  await limit.focus();
  await author.keyboard.type('none');
  await author.keyboard.press('Enter');
  await author.locator('[aria-invalid="true"].choice-limit').first().waitFor();
  await expectAccessible(author);
  await author.locator('[aria-invalid="true"].choice-limit').first().fill('1');
  await author.keyboard.press('Enter');
  await author.waitForURL(/done=|#|\/build\/[^/]+$/);
  await author.goto(`${server().url}/build/${formId}/settings`);
  await author.locator('#maxResponses').fill('3');
  await author.locator('#maxResponses').press('Enter');
  await author.getByText('3 places').first().waitFor();
  await expectAccessible(author);

  // The preview shows what respondents will see, before anything is published.
  await author.goto(`${server().url}/build/${formId}/preview`);
  await author.getByText('3 places left').waitFor();
  await expectAccessible(author);
  await author.getByRole('button', { name: 'Start' }).press('Enter');
  await author.getByText('1 place left').waitFor();
  await expectAccessible(author);

  const { client: alice } = await signInAs('alice');
  await alice.forms.publishForm({ params: { formId } });
  const dave = await server().open('dave');
  await dave.goto(`${server().url}/f/${formId}`);
  await dave.getByText('3 places left').waitFor();
  await dave.getByRole('button', { name: 'Start' }).press('Enter');
  await dave.getByText('1 place left').waitFor();
  await choiceOf(dave, 'Yoga').focus();
  await dave.keyboard.press('Space');
  await dave.getByRole('button', { name: 'Continue' }).press('Enter');
  await dave.getByRole('button', { name: 'Submit' }).press('Enter');
  await dave.getByText('Thank you').first().waitFor();

  const chelsea = await server().open('chelsea');
  await chelsea.goto(`${server().url}/f/${formId}`);
  await chelsea.getByText('2 places left').waitFor();
  await chelsea.getByRole('button', { name: 'Start' }).press('Enter');
  await chelsea.getByText('No place left').waitFor();
  expect([await choiceOf(chelsea, 'Yoga').isDisabled(), await choiceOf(chelsea, 'Judo').isDisabled()]).toEqual([
    true,
    false,
  ]);
  await expectAccessible(chelsea);
  await author.goto(`${server().url}/build/${formId}/preview`);
  await author.getByText('2 places left').waitFor();
  for (const page of [author, dave, chelsea]) await page.context().close();
});

test('a shorter time is asked about on an accessible page, by keys, and Back keeps what was typed', async () => {
  const form = await server().newForm([[{ type: 'SHORT_TEXT' }]]);
  await store([submissionOf(form, idOf('dave'), '2026-01-01T00:00:00.000Z')]);
  const page = await server().open('alice');
  await page.goto(`${server().url}/build/${form.formId}/settings`);
  await page.locator('#retentionDays').fill('10');
  await page.locator('#retentionDays').press('Enter');
  const confirm = page.locator('[data-confirmation] button.danger');
  await confirm.waitFor();
  await page.getByText('1 response').first().waitFor();
  await expectAccessible(page);
  // The way back is reached by keys, and what was typed is there.
  await page.locator('[data-confirmation] button.secondary').press('Enter');
  await confirm.waitFor({ state: 'detached' });
  expect(await page.locator('#retentionDays').inputValue()).toBe('10');
  await page.locator('#retentionDays').press('Enter');
  await confirm.press('Enter');
  await confirm.waitFor({ state: 'detached' });
  const { client } = await signInAs('alice');
  const { body } = await client.forms.getForm({ params: { formId: form.formId } });
  expect(body.retentionDays).toBe(10);
  await expectAccessible(page);
  await page.context().close();
});
