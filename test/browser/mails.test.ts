/** Mails as mail programs show them: on a phone and a desktop, light and dark, in both languages, and the mailbox page. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderExportMail } from '#core/mail/export-mail.ts';
import { renderMemberMail } from '#core/mail/member-mail.ts';
import { LANGUAGES } from '#core/schema/format.ts';
import { type RunningServer, startServer } from '#stacks/local/gateway/server.ts';
import { inboxPages } from '#stacks/local/mail/inbox-page.ts';
import { newForm, person } from '#test/support/fixtures.ts';
import { mailsTo, ownSes } from '#test/support/mail.ts';
import { IS_NIGHTLY } from '#test/support/nightly.ts';
import { castAt, sent } from '#test/support/responses.ts';
import { runSweep } from '#test/support/sweeps.ts';
import { closePages, shareBrowser } from './browser.ts';
import { expectAccessible } from './page-server.ts';

const cast = await castAt();
const ownMail = ownSes();
let browser: Browser;
let server: RunningServer;
beforeAll(async () => {
  browser = await shareBrowser();
  server = await startServer({ routes: [], port: 0, pages: inboxPages(ownMail().ses.mailbox) });
});
afterAll(async () => {
  await closePages();
  await server?.stop();
});

const LONG = `A word of ${'x'.repeat(120)} and a line of text.\nAnother line.`;

/** The HTML of the copy of a submission with long texts. */
async function copyIn(language: string): Promise<string> {
  const { alice, slug } = cast;
  const dave = await person('dave');
  const questions = [{ type: 'LONG_TEXT' as const, title: LONG.slice(0, 150) }, { type: 'SHORT_TEXT' as const }];
  const { formId, questionIds } = await newForm(alice, slug, [questions]);
  const settings = { sendResponseEmail: true, messageAfterSubmission: LONG, dressing: { color: '#ffee00' } };
  await alice.client.forms.updateForm({ params: { formId }, body: settings });
  const body = { answers: [sent(questionIds[0] ?? '', 'LONG_TEXT', LONG)], submit: true };
  const headers = { 'accept-language': language };
  await dave.client.responses.startResponse({ params: { formId }, body, headers });
  await runSweep();
  return mailsTo(ownMail(), dave)[0]?.html ?? '';
}

const looks = (['light', 'dark'] as const)
  .flatMap((colorScheme) => [320, 1_000].map((width) => ({ colorScheme, viewport: { width, height: 800 } })))
  .filter(({ colorScheme, viewport }) => IS_NIGHTLY || (colorScheme === 'dark') === (viewport.width === 320));

describe.for(LANGUAGES)('in %s', (language) => {
  test('every mail is readable at every width, light and dark', async () => {
    const link =
      'https://forms.example.org/review/019ad000-0000-8000-8000-000000000002/export/019ad000-0000-8000-8000-000000000001';
    const mails = [
      await copyIn(language),
      renderExportMail({ title: LONG, link, rows: 12, language }).html,
      renderMemberMail({ organization: LONG, addedBy: 'alice', link, language }).html,
    ];
    for (const look of looks) {
      const page = await browser.newPage(look);
      for (const mail of mails) {
        await page.setContent(mail);
        await expectAccessible(page);
      }
      await page.close();
    }
  });
});

test('the mailbox page shows a mail in a frame that runs nothing', async () => {
  await copyIn('en');
  for (const look of looks) {
    const page = await browser.newPage(look);
    await page.goto(`${server.url}/inbox`);
    await page.locator('tbody a').first().click();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.locator('iframe').getAttribute('sandbox')).not.toContain('allow-scripts');
    await page.close();
  }
});
