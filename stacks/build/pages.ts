/**
 * Writes the functions of the audiences (`functions/pages/<audience>.ts`) and the routes of the plan (`stacks/page-routes.ts`)
 * from the files of the pages: `npm run generate`.
 */
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Audience, type Page, pageNeeds } from '#core/pages/shell/declare-page.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Who the audiences are. */
const AUDIENCES: Readonly<Record<Audience, string>> = {
  respondents: 'The pages of respondents',
  reviewers: 'The pages of reviewers',
  organizers: 'The pages of people who run organizations',
  builders: 'The pages of people who build forms',
  authors: 'The pages of people who make questions and rules',
  assets: 'Style sheet, scripts and pictures of the pages',
};

const GENERATED = 'generated from the files of the pages by `npm run generate`';

/** The text of each generated file, by its path. Throws if two pages have one path, or a file declares several. */
export async function pageFiles(): Promise<Map<string, string>> {
  const found = globSync('core/pages/*/*.page.ts', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
  const all = await Promise.all(
    found.map(async (file) => {
      const { page }: { page: Page } = await import(join(ROOT, file));
      const [first, ...others] = page.declarations;
      if (!first || others.some(({ path }) => path !== first.path)) throw new Error(`${file} is not one page`);
      return { file, path: first.path, audience: first.audience, needs: page.declarations.flatMap(pageNeeds) };
    }),
  );
  const pages = all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const twice = pages.find(({ path }, index) => pages[index + 1]?.path === path);
  if (twice) throw new Error(`two pages have the path ${twice.path}`);
  const rows = Object.entries(AUDIENCES).map(([audience, title]) => {
    const own = pages.filter((each) => each.audience === audience);
    const imports = own.map(({ path, file }) => `  '${path}': () => import('#${file}'),`);
    const text = `/** ${title}, in one function: ${GENERATED}. */
import { dispatch } from '#core/pages/shell/dispatch.ts';
${
  audience === 'assets'
    ? ''
    : `
// What all pages share is loaded while an instance starts; a page itself, at its first request.
await import('#core/pages/shell/page.ts');
`
}
export const handler = dispatch({
${imports.join('\n')}
});
`;
    const needs = [...new Set(own.flatMap((each) => each.needs))].sort();
    const route = `  ${audience}: {
    needs: [${needs.map((need) => `'${need}'`).join(', ')}],
    files: {
${own.map(({ path, file }) => `      '${path}': '${file}',`).join('\n')}
    },
  },`;
    return { file: `functions/pages/${audience}.ts`, text, route };
  });
  const routes = `/** The pages of each audience, ${GENERATED}: what their function needs, and the file at each path. */
import type { Need } from '#core/api/declare.ts';
import type { Audience } from '#core/pages/shell/declare-page.ts';

export const PAGE_ROUTES: Readonly<Record<Audience, { needs: readonly Need[]; files: Readonly<Record<string, string>> }>> = {
${rows.map(({ route }) => route).join('\n')}
};
`;
  return new Map([...rows.map(({ file, text }) => [file, text] as const), ['stacks/page-routes.ts', routes]]);
}

if (process.argv[1] === import.meta.filename)
  for (const [file, text] of await pageFiles()) writeFileSync(join(ROOT, file), text);
