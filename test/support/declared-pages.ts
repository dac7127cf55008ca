/** All pages with what they declare, in tests that go through all of them. */
import { join } from 'node:path';
import type { Audience, Page, PageDeclaration } from '#core/pages/shell/declare-page.ts';
import { PAGE_ROUTES } from '#stacks/page-routes.ts';
import { ROOT } from './sources.ts';

const FILES = Object.values(PAGE_ROUTES).flatMap(({ files }) => Object.entries(files));
const loaded = await Promise.all(
  FILES.map(async ([path, file]) => {
    const { page }: { page: Page } = await import(join(ROOT, file));
    return { path, file, page };
  }),
);

/** Every page, a row for each method. */
export const pages: readonly PageDeclaration[] = loaded.flatMap(({ page }) => page.declarations);

/** The pages of an audience. */
export const pagesFor = (audience: Audience): PageDeclaration[] => pages.filter((page) => page.audience === audience);

/** The page of a name, such as `showUnit`. */
export function pageNamed(name: string): PageDeclaration {
  const found = pages.find((page) => page.name === name);
  if (!found) throw new Error(`no page is called ${name}`);
  return found;
}

/** The file of a page. */
export function pageFile({ path }: Pick<PageDeclaration, 'path'>): string {
  const found = loaded.find((each) => each.path === path);
  if (!found) throw new Error(`no page has the path ${path}`);
  return found.file;
}
