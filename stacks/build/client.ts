/**
 * Builds the typed client that the package exports: two small JavaScript files for browsers and Node, and the type
 * declarations they depend on. `npm pack ./client` runs it.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Builds `core` and the OpenAPI document in `directory`, and replaces them. */
export function buildClient(directory = join(ROOT, 'client/dist')): void {
  rmSync(join(directory, 'core'), { recursive: true, force: true });
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(ROOT, 'tsconfig.client.json'), '--outDir', directory], {
    stdio: 'inherit',
  });
  for (const file of globSync('**/*.d.ts', { cwd: directory })) publishTypes(directory, file);
  for (const name of ['client', 'routes']) publishCode(directory, `core/api/${name}`);
  copyFileSync(join(ROOT, 'stacks/build/openapi/openapi.json'), join(directory, 'openapi.json'));
}

/** Turns the project's import names (`#core/…`) into relative paths, which resolve outside of it. */
function publishTypes(directory: string, file: string): void {
  const path = join(directory, file);
  const relativeTo = (target: string): string => {
    const relativePath = relative(dirname(path), join(directory, target));
    return relativePath.startsWith('.') ? relativePath : `./${relativePath}`;
  };
  const text = readFileSync(path, 'utf8')
    .replace(/(['"])#(core\/[^'"]+)\.ts\1/g, (_, quote, target) => `${quote}${relativeTo(target)}.js${quote}`)
    .replace(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1');
  writeFileSync(path, text);
}

function publishCode(directory: string, name: string): void {
  const source = readFileSync(join(ROOT, `${name}.ts`), 'utf8');
  const code = stripTypeScriptTypes(source).replace(/from '(\.\/[^']+)\.ts'/g, "from '$1.js'");
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, `${name}.js`), code);
}

if (process.argv[1] === import.meta.filename) buildClient();
