/**
 * What a visitor sees of a form for people with an address or a code that is closed, not open yet or full, on a phone, with and without
 * scripts: why, and how those find their answers who have begun.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { newAddress, newAddressed } from '#test/support/addresses.ts';
import { type FormSettings, type Person, send } from '#test/support/fixtures.ts';
import { guestWith, newInvitation } from '#test/support/invitations.ts';
import { start } from '#test/support/responses.ts';
import { expectAccessible, servePages, signInAs } from './page-server.ts';

const server = servePages();

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const HOUR = 3_600_000;
const timeIn = (hours: number): string => new Date(app().now().getTime() + hours * HOUR).toISOString();

const KINDS = {
  EMAIL: {
    title: 'Enter your e-mail address',
    lead: 'If you have begun it before, we send you a link with which you find your answers.',
  },
  INVITED: { title: 'Enter your code', lead: 'If you have begun it before, your code shows what there is of you.' },
} as const;
type Audience = keyof typeof KINDS;

/** A form of an audience with a guest who has not begun it, and the code of the guest, if they have one. */
async function newForm(audience: Audience, settings: FormSettings) {
  const question = { type: 'SHORT_TEXT', title: 'Which lake?' } as const;
  const form = { audience, visibility: 'PRIVATE', title: 'Lakes', ...settings } as const;
  const { formId } = await server().newForm([[question]], form);
  return { formId, ...(await newVisitor(audience, formId)) };
}

async function newVisitor(audience: Audience, formId: string): Promise<{ guest: Person; code: string }> {
  if (audience === 'EMAIL') return { guest: await newAddressed(formId, newAddress()), code: '' };
  const { code } = await newInvitation({ formId, member: await signInAs('alice') });
  return { guest: await guestWith(formId, code), code };
}

/** Gives a page the credential of a guest, as a visit before has done. */
async function comeBack(page: Page, formId: string, { token }: Person): Promise<void> {
  const cookie = { name: `guest_${formId.slice(0, 18)}`, value: token, url: server().url };
  await page.context().addCookies([cookie]);
  await page.goto(`${server().url}/f/${formId}`);
}

describe.each([
  ['EMAIL', true],
  ['EMAIL', false],
  ['INVITED', true],
  ['INVITED', false],
] as const)('a form of %s, with scripts: %s,', (audience, hasScripts) => {
  const open = () => server().open('nobody', { ...PHONE, javaScriptEnabled: hasScripts });

  test.for([
    ['is closed', { deadline: -1 }, 'This form is closed', 'It closed on'],
    ['is not open yet', { publishTime: 1 }, 'This form is not open yet', 'It opens on'],
  ] as const)('that %s says so in place of inviting to begin', async ([, hours, title, detail]) => {
    const settings = Object.fromEntries(Object.entries(hours).map(([name, value]) => [name, timeIn(value)]));
    const { formId, guest } = await newForm(audience, settings);
    const page = await open();
    await page.goto(`${server().url}/f/${formId}`);
    await page.getByRole('heading', { name: KINDS[audience].title }).waitFor();
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByText(detail).waitFor();
    await page.getByText(KINDS[audience].lead).waitFor();
    // The title is for those who are let in.
    expect(await page.getByText('Lakes').count()).toBe(0);
    await expectAccessible(page, hasScripts);
    await comeBack(page, formId, guest);
    await page.getByRole('heading', { name: 'Lakes' }).waitFor();
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await page.getByRole('button', { name: 'Start', exact: true }).count()).toBe(0);
    await expectAccessible(page, hasScripts);
    await page.context().close();
  });

  test('that was closed meanwhile shows those their draft who have begun', async () => {
    const { formId, guest, code } = await newForm(audience, {});
    await start(guest, formId);
    const alice = await signInAs('alice');
    await alice.client.forms.updateForm({ params: { formId }, body: { deadline: timeIn(-1) } });
    const page = await open();
    if (audience === 'INVITED') {
      await page.goto(`${server().url}/f/${formId}`);
      await page.getByLabel('Code of your invitation').fill(code);
      await page.getByRole('button', { name: 'Continue', exact: true }).tap();
    } else await comeBack(page, formId, guest);
    await page.getByRole('heading', { name: 'This form is closed' }).waitFor();
    await page.getByText('Draft').first().waitFor();
    await expectAccessible(page, hasScripts);
    await page.context().close();
  });

  test('that is full says so to whoever is let in', async () => {
    const { formId, guest } = await newForm(audience, { maxResponses: 1, closedMessage: 'Come again in spring.' });
    const { guest: first } = await newVisitor(audience, formId);
    const submitted = await send('POST', `/api/forms/${formId}/responses`, {
      headers: { authorization: `Bearer ${first.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ submit: true }),
    });
    expect(submitted.status).toBe(201);
    const page = await open();
    await page.goto(`${server().url}/f/${formId}`);
    await page.getByRole('heading', { name: KINDS[audience].title }).waitFor();
    await comeBack(page, formId, guest);
    await page.getByRole('heading', { name: 'All places are taken' }).waitFor();
    await page.getByText('Come again in spring.').waitFor();
    expect(await page.getByRole('button', { name: 'Start', exact: true }).count()).toBe(0);
    await expectAccessible(page, hasScripts);
    await page.context().close();
  });
});
