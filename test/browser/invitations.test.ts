/** Invitations on the pages of a form, on a phone: from pasted lines to a mail, a new code, the print sheet and the deletion. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { hashAddress, isWithoutMails } from '#core/organizations/guest-mails.ts';
import { findSlugOwner } from '#core/organizations/store.ts';
import { expectAccessible, servePages } from './page-server.ts';

const server = servePages();

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const newForm = async (): Promise<string> =>
  (
    await server().newForm([[{ type: 'SHORT_TEXT', title: 'Which lake?' }]], {
      ...{ audience: 'INVITED', visibility: 'PRIVATE', title: 'Lakes' },
    })
  ).formId;

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

describe.each([
  ['with scripts', true, 'light'],
  ['without scripts, in the dark', false, 'dark'],
] as const)('%s', (_, hasScripts, colorScheme) => {
  test('an admin invites, sends, replaces a code, revokes, prints and deletes', { timeout: 240_000 }, async () => {
    const formId = await newForm();
    const page = await server().open('alice', { ...PHONE, colorScheme, javaScriptEnabled: hasScripts });
    await page.goto(`${server().url}/build/${formId}/invitations`);
    await page.getByLabel('Invite people').fill('lin@example.org\tMs Lin\nwu@example.org\tMr Wu\nOn paper');
    await press(page, 'Invite');
    await page.getByRole('heading', { name: 'Invited people' }).waitFor();
    await expectAccessible(page, hasScripts);

    await follow(page, 'Send by mail');
    await page.getByLabel('Subject').fill('Your lake');
    await expectAccessible(page, hasScripts);
    await press(page, 'Preview');
    await page.getByText('It goes to 2 people.').waitFor();
    await expectAccessible(page, hasScripts);
    await press(page, 'Change the text');
    expect(await page.getByLabel('Subject').inputValue()).toBe('Your lake');
    await press(page, 'Preview');
    await press(page, 'Send');
    await page.getByRole('heading', { name: 'The last sending' }).waitFor();
    await page.getByText('The mails of this form were sent within a day.').waitFor();
    await expectAccessible(page, hasScripts);
    if (!hasScripts) {
      // Back, and the same press: nothing begins again. With scripts, Back leads past the preview.
      await page.goBack();
      await press(page, 'Send');
      await page.getByText('The mails of this form were sent within a day.').waitFor();
    }
    await press(page, 'Stop');
    await page.getByText('Stopped', { exact: true }).waitFor();

    await page.goto(`${server().url}/build/${formId}/invitations`);
    await follow(page, 'Ms Lin');
    await page.getByLabel('Label').fill('Ms Lin, row 3');
    await press(page, 'Save');
    await page.getByRole('heading', { name: 'Ms Lin, row 3' }).waitFor();
    await expectAccessible(page, hasScripts);
    const codeOf = () => page.locator('.facts dd').first().innerText();
    const before = await codeOf();
    await press(page, 'New code');
    await page.getByText('The invitation has a new code.').first().waitFor();
    expect(await codeOf()).not.toBe(before);
    await press(page, 'Revoke');
    await page.getByText('This invitation is revoked').waitFor();
    await expectAccessible(page, hasScripts);

    await page.goto(`${server().url}/build/${formId}/invitation-sheet`);
    await page.getByRole('img', { name: 'QR code of the link of Mr Wu' }).waitFor();
    expect(await page.getByRole('img', { name: /row 3/ }).count()).toBe(0);
    await expectAccessible(page, hasScripts);

    await page.goto(`${server().url}/build/${formId}/invitations`);
    await follow(page, 'Ms Lin, row 3');
    await follow(page, 'Delete');
    await page.getByRole('heading', { name: 'Delete Ms Lin, row 3?' }).waitFor();
    await press(page, 'Delete');
    await page.getByText('The person was deleted').first().waitFor();
    expect(await page.getByText('Ms Lin, row 3').count()).toBe(0);
    await page.context().close();
  });
});

test('a sending is written, previewed and begun with the keyboard alone', async () => {
  const formId = await newForm();
  const page = await server().open('alice', { forcedColors: 'active' });
  await page.goto(`${server().url}/build/${formId}/invitations`);
  await page.getByLabel('Invite people').fill('lin@example.org');
  await press(page, 'Invite');
  await page.goto(`${server().url}/build/${formId}/invitation-mails`);
  await page.getByRole('radio', { name: 'Everybody who is invited' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Lakes of the north');
  await page.keyboard.press('Enter');
  await page.getByText('It goes to 1 person.').waitFor();
  await expectAccessible(page);
  await page.getByText('Lakes of the north').first().waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Those who have not submitted a response').first().waitFor();
  await page.context().close();
});

test('the page behind the link in a mail asks, and says that it is done', async () => {
  const orgId = (await findSlugOwner(app().table, 'demo')) ?? '';
  const mail = await app().tokens.signUnsubscribe(
    { orgId, addressHash: hashAddress(orgId, 'lin@example.org') },
    app().now(),
  );
  const page = await server().open('nobody', { ...PHONE, javaScriptEnabled: false });
  await page.goto(`${server().url}/unsubscribe?mail=${mail}`);
  await expectAccessible(page, false);
  await press(page, 'End these mails');
  await page.getByRole('heading', { name: 'No more mails' }).waitFor();
  await expectAccessible(page, false);
  await page.reload();
  await page.getByRole('heading', { name: 'No more mails' }).waitFor();
  expect(await isWithoutMails(app().table, orgId, 'Lin@example.org')).toBe(true);
  await page.context().close();
});
