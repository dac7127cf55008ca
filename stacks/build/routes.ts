/** Writes `core/api/routes.ts`, the routes that the typed client needs at run time: `npm run generate`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { api } from '#core/api/index.ts';

const FILE = join(import.meta.dirname, '../../core/api/routes.ts');

const HEAD = `/** Generated from the declarations by \`npm run generate\`: method and path of each operation, for the typed client. */

export type ClientRoute = readonly [method: string, path: string];

export const ROUTES = `;

/** The text of \`routes.ts\`. */
export function routesFile(): string {
  const nouns = Object.entries(api).map(([noun, operations]) => {
    const routes = Object.values(operations).map(({ name, method, path }) => `    ${name}: ['${method}', '${path}'],`);
    return `  ${noun}: {\n${routes.join('\n')}\n  },`;
  });
  return `${HEAD}{\n${nouns.join('\n')}\n} as const satisfies Record<string, Record<string, ClientRoute>>;\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(FILE, routesFile());
