/** Builds a form in the editor of a browser from its text on paper, as somebody does who knows the keys, and counts the presses. */
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import type { PaperForm, PaperQuestion } from './building-forms.ts';
import { isFocused, type servePages, WIDE } from './page-server.ts';

/**
 * Somebody who builds a form; a press is a click, a choice from a list, or a key that writes nothing of the text. `isPhone`: by
 * touch, without any keys but those of the text.
 */
export type Author = { page: Page; isPhone?: boolean; presses: number; loads: number };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

export async function click(author: Author, target: Locator): Promise<void> {
  await target.click();
  author.presses += 1;
}

export async function press(author: Author, key: string): Promise<void> {
  await author.page.keyboard.press(key);
  author.presses += 1;
}

/** Chooses the kind in the open menu, and types the question. */
async function typeNew(author: Author, question: PaperQuestion): Promise<void> {
  const { page } = author;
  await isFocused(page, '#type-search');
  await click(
    author,
    page.locator(`[data-kind="${question.preset ? `preset=${question.preset}` : `type=${question.type}`}"]`),
  );
  await isFocused(page, '.canvas-question #title');
  await page.keyboard.type(question.title);
  for (const choice of question.choices ?? []) {
    await page.keyboard.press('Enter');
    await page.keyboard.type(choice);
  }
  if (question.required) await click(author, page.locator('.canvas-row .switch'));
  await typeMembers(author, question);
}

/** Sets what is beside a question, or folded below it: bounds of a number, how many choices are selected, and whether it is a row of a table. */
async function typeMembers(author: Author, { bounds, selection, grid }: PaperQuestion): Promise<void> {
  const row = author.page.locator('.canvas-open');
  const isFolded = (await row.locator('.options[open]').count()) === 0;
  if (isFolded && (selection || grid)) await click(author, row.locator('.options > summary'));
  if (grid) await click(author, row.locator('#grid'));
  const typed = {
    'text-min': bounds?.[0],
    'text-max': bounds?.[1],
    'selection-min': selection?.[0],
    'selection-max': selection?.[1],
  };
  for (const [id, value] of Object.entries(typed)) {
    if (value === undefined) continue;
    await click(author, row.locator(`#${id}`));
    await author.page.keyboard.type(String(value));
  }
}

/** Copies the open question, and types another title. */
async function typeCopy(author: Author, { title }: PaperQuestion): Promise<void> {
  const { page } = author;
  const copied = page.waitForURL('**done=questionCopied*');
  if (author.isPhone) await click(author, page.locator('.canvas-open button[value^="copy:"]'));
  else await press(author, 'Control+d');
  await copied;
  await page.locator('.canvas-open').waitFor();
  await page.waitForFunction("getSelection().toString() !== '' && document.activeElement.id === 'title'");
  await page.keyboard.type(title);
  await page.locator('[data-save-state]', { hasText: /^Saved/ }).waitFor();
  await page.evaluate("history.replaceState(null, '', location.pathname)");
}

const isAlike = (question: PaperQuestion, above: PaperQuestion | undefined): boolean =>
  above !== undefined && isDeepStrictEqual({ ...question, title: '' }, { ...above, title: '' });

type Server = ReturnType<ReturnType<typeof servePages>>;

/** Builds a form of the demo organization. `beforeFirst`: the presses up to the title of the first question. */
export async function build(
  server: Server,
  { title, sections }: PaperForm,
  { isPhone = false } = {},
): Promise<{ author: Author; beforeFirst: number; formId: string }> {
  const author: Author = { page: await server.open('bob', isPhone ? PHONE : WIDE), isPhone, presses: 0, loads: 0 };
  const { page } = author;
  page.on('load', () => {
    author.loads += 1;
  });
  await page.goto(`${server.url}/o/demo`);
  await click(author, page.locator('a[href="/o/demo/new"]').first());
  await isFocused(page, '#title');
  await page.keyboard.type(title);
  await page.keyboard.press('Enter');
  await page.waitForURL('**?done=created*');
  const formId = /build\/([^?]+)/.exec(page.url())?.[1] ?? '';
  let beforeFirst = 0;
  for (const [index, section] of sections.entries()) {
    if (index === 0) {
      await click(author, page.locator('button[data-first]'));
      await isFocused(page, '#type-search');
      // With the choice of its kind, the cursor is in its title.
      beforeFirst = author.presses + 1;
    } else {
      const added = page.waitForURL('**done=sectionAdded*');
      await click(author, page.locator('.canvas-end button[value^="section:"]'));
      await added;
      await isFocused(page, '.canvas-head #title');
      await page.keyboard.type(section.title);
      await page.keyboard.press('Enter');
      await press(author, 'Enter');
    }
    for (const [at, question] of section.questions.entries()) {
      if (isAlike(question, section.questions[at - 1])) {
        await typeCopy(author, question);
        continue;
      }
      if (at > 0 && isPhone) await click(author, page.locator('.canvas-section p a[data-add]').last());
      else if (at > 0) await press(author, 'Control+Enter');
      await typeNew(author, question);
    }
  }
  // The first section came without a title.
  await click(author, page.locator('.canvas-head a[data-edit]').first());
  await isFocused(page, '.canvas-head #title');
  await page.keyboard.type(sections[0]?.title ?? '');
  if (isPhone) await click(author, page.locator('[data-close]'));
  else await press(author, 'Escape');
  await page.locator('.canvas-open').waitFor({ state: 'detached' });
  return { author, beforeFirst, formId };
}
