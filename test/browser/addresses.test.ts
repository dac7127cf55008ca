/** Somebody who confirms an address, on a phone: from the bare link by the mail to “submitted”, with and without scripts. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import type { Mail } from '#core/mail/ports.ts';
import { newAddress, newAddressed } from '#test/support/addresses.ts';
import { withApp } from '#test/support/faults.ts';
import { sweepIn } from '#test/support/sweeps.ts';
import { expectAccessible, servePages } from './page-server.ts';

const server = servePages();

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const LAKE = { type: 'SHORT_TEXT', title: 'Which lake?', required: true } as const;

/** Sends the mails that are queued, and finds the one to an address. */
async function mailTo(email: string): Promise<Mail | undefined> {
  const sent: Mail[] = [];
  const send = async (mail: Mail) => {
    sent.push(mail);
    return { result: 'done' as const };
  };
  await withApp(
    () => ({ mail: { send } }),
    // What is queued while the clock is ahead is due then.
    () => sweepIn(60),
  );
  return sent.find(({ to }) => to === email);
}

/** The address in the mail to somebody, as their mail program opens it. */
const linkTo = async (email: string): Promise<string> =>
  /^Open the form: (\S+)$/m.exec((await mailTo(email))?.text ?? '')?.[1] ?? '';

/** Types an address and waits until the link is sent. */
async function ask(page: Page, email: string, hasScripts: boolean): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.keyboard.press('Enter');
  if (!hasScripts) {
    await page.getByText('Please wait 20 seconds, then press the button.').waitFor();
    await expectAccessible(page, hasScripts);
    await withApp(
      ({ now }) => ({ now: () => new Date(now().getTime() + 25_000) }),
      async () => {
        await page.getByRole('button', { name: 'Send the link', exact: true }).tap();
        await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
      },
    );
  }
  await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
}

describe.each([
  ['with scripts', true],
  ['without scripts', false],
] as const)('%s', (_, hasScripts) => {
  test('somebody submits a form by the link that was mailed to their address, and finds it again', async () => {
    const settings = { audience: 'EMAIL', visibility: 'PRIVATE', title: 'Lakes' } as const;
    const { formId } = await server().newForm([[LAKE]], settings);
    const email = newAddress();
    const page = await server().open('nobody', { ...PHONE, javaScriptEnabled: hasScripts });
    await page.goto(`${server().url}/f/${formId}`);
    await page.getByRole('heading', { name: 'Enter your e-mail address' }).waitFor();
    await expectAccessible(page, hasScripts);
    await page.getByLabel('E-mail address').fill('ada');
    await page.getByRole('button', { name: 'Send the link', exact: true }).tap();
    await page.getByText('Enter an e-mail address such as name@example.org.').first().waitFor();
    await expectAccessible(page, hasScripts);
    await ask(page, email, hasScripts);
    await page.getByText(email).waitFor();
    await expectAccessible(page, hasScripts);
    const link = await linkTo(email);
    expect(new URL(link).origin).toBe(new URL(app().config.publicUrl).origin);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Begin with this address?' }).waitFor();
    await expectAccessible(page, hasScripts);
    await page.getByRole('button', { name: 'Begin', exact: true }).tap();
    await page.getByRole('heading', { name: 'Lakes' }).waitFor();
    await page.getByText(`You respond as ${email}`).waitFor();
    await expectAccessible(page, hasScripts);
    await page.getByRole('button', { name: 'Start', exact: true }).tap();
    await page.getByLabel('Which lake?').fill('Loch Ness');
    await page.getByRole('button', { name: 'Continue', exact: true }).tap();
    await page.getByRole('heading', { name: 'Check your answers' }).waitFor();
    await page.getByRole('button', { name: 'Submit', exact: true }).tap();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await page.getByRole('button', { name: `Send the link to ${email}` }).waitFor();
    await expectAccessible(page, hasScripts);
    await page.getByRole('button', { name: `Send the link to ${email}` }).tap();
    await page.getByText('The link is on its way to your address.').waitFor();
    await expectAccessible(page, hasScripts);
    // Tomorrow, on another device.
    const other = await server().open('nobody', { ...PHONE, javaScriptEnabled: hasScripts });
    await other.goto(await linkTo(email));
    await other.getByRole('heading', { name: 'Continue these answers?' }).waitFor();
    await other.getByRole('button', { name: 'Continue', exact: true }).tap();
    await other.getByText('Submitted').first().waitFor();
    await other.getByRole('link', { name: 'What is stored about you' }).tap();
    await other.getByRole('heading', { name: 'What is stored about you' }).waitFor();
    await expectAccessible(other, hasScripts);
    await other.context().close();
    await page.context().close();
  });
});

test.each([
  ['with scripts', true],
  ['without scripts', false],
] as const)('a member finds a confirmed address and ends its links, %s', async (_, hasScripts) => {
  const { formId } = await server().newForm([[LAKE]], { audience: 'EMAIL', visibility: 'PRIVATE', title: 'Lakes' });
  const [guest, other] = [await newAddressed(formId), await newAddressed(formId)];
  const page = await server().open('alice', { ...PHONE, javaScriptEnabled: hasScripts });
  await page.goto(`${server().url}/build/${formId}/share`);
  await page.getByRole('link', { name: 'Confirmed addresses' }).tap();
  await page.getByRole('link', { name: other.email }).waitFor();
  await expectAccessible(page, hasScripts);
  await page.getByRole('searchbox', { name: 'Find an address' }).fill('nobody@example.org');
  await page.keyboard.press('Enter');
  await page.getByText('Nobody has the address nobody@example.org.').waitFor();
  await expectAccessible(page, hasScripts);
  await page.getByRole('searchbox', { name: 'Find an address' }).fill(guest.email);
  await page.getByRole('button', { name: 'Find', exact: true }).tap();
  expect(await page.getByText(other.email).count()).toBe(0);
  await page.getByRole('link', { name: guest.email }).tap();
  await page.getByRole('heading', { name: guest.email }).waitFor();
  await expectAccessible(page, hasScripts);
  await page.getByRole('button', { name: 'End the links' }).tap();
  await page.getByText('The links that were mailed to this address have ended.').first().waitFor();
  await page.getByRole('button', { name: 'Revoke', exact: true }).tap();
  await page.getByText('This address is revoked').waitFor();
  await expectAccessible(page, hasScripts);
  await page.getByRole('link', { name: 'Confirmed addresses' }).tap();
  await page.getByText('Revoked', { exact: true }).waitFor();
  await page.context().close();
});
