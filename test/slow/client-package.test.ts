/** The typed client as a package: packed, installed in an empty project, imported in Node, type-checked; it calls the service. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '#stacks/local/gateway/routes.ts';
import { startServer } from '#stacks/local/gateway/server.ts';
import { person } from '#test/support/fixtures.ts';
import { ROOT } from '#test/support/sources.ts';

const home = mkdtempSync(join(tmpdir(), 'client-'));
const installed = join(home, 'node_modules/form-service');
const documentation = readFileSync(join(ROOT, 'client/README.md'), 'utf8');

beforeAll(() => {
  const [command = '', ...args] = /npm pack \S+client/.exec(documentation)?.[0].split(' ') ?? [];
  execFileSync(command, [...args, '--pack-destination', home], { cwd: ROOT, stdio: 'pipe' });
  writeFileSync(join(home, 'package.json'), '{}');
  // Without network: the zod of the project stands for that of the registry.
  const packed = readdirSync(home).filter((name) => name.endsWith('.tgz'));
  const zod = join(ROOT, 'node_modules/zod');
  execFileSync('npm', ['install', '--offline', ...packed.map((name) => `./${name}`), zod], {
    cwd: home,
    stdio: 'pipe',
  });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('the package brings zod and nothing else, and has the client, its types and the OpenAPI document', () => {
  const listed = execFileSync('npm', ['ls', '--all', '--parseable'], { cwd: home, encoding: 'utf8' });
  expect(
    listed
      .trim()
      .split('\n')
      .slice(1)
      .map((path) => basename(path))
      .sort(),
  ).toEqual(['form-service', 'zod']);
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const project = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(dependencies).toEqual({ zod: project.dependencies.zod });
  const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => relative(installed, join(parentPath, name)));
  const code = ['dist/core/api/client.js', 'dist/core/api/routes.js', 'dist/openapi.json'];
  const others = paths.filter((path) => !/^dist\/core\/.+\.d\.ts$/.test(path));
  expect(others.sort()).toEqual(['README.md', ...code, 'package.json']);
  expect(paths).toContain('dist/core/api/client.d.ts');
});

test('the installed client imports nothing but its own files', () => {
  const importsOf = (name: string): string[] => {
    const code = readFileSync(join(installed, 'dist/core/api', name), 'utf8');
    return [...code.matchAll(/from '([^']+)'/g)].map(([, from = '']) => from);
  };
  expect(importsOf('client.js')).toEqual(['./routes.js']);
  expect(importsOf('routes.js')).toEqual([]);
});

test('the installed client authenticates with a token, pages through a list and throws problems', async () => {
  const alice = await person('alice');
  const server = await startServer({ routes: routes(), port: 0 });
  try {
    const file = pathToFileURL(join(installed, 'dist/core/api/client.js')).href;
    const { createClient, paginate, ProblemError }: typeof import('#core/api/client.ts') = await import(file);
    const client = createClient({ baseUrl: server.url, token: alice.token });
    for (const slug of ['one', 'two', 'three']) {
      await client.orgs.createOrganization({ body: { name: slug, description: '', metadata: {}, slug } });
    }
    const slugs: string[] = [];
    for await (const page of paginate(client.orgs.listMyOrganizations, { query: { limit: 2 } })) {
      slugs.push(...page.body.map((org) => org.slug));
    }
    expect(slugs.toSorted()).toEqual(['one', 'three', 'two']);
    const missing = await client.orgs.getOrganization({ params: { slug: 'missing' } }).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(ProblemError);
    expect(missing).toMatchObject({ status: 404, problem: { code: 'not_found' } });
  } finally {
    await server.stop();
  }
});

test('the installed client has types that accept the documented example and refuse invalid calls', () => {
  const source = `
    import { addressOf, createClient, uploadFiles } from 'form-service/client';
    const client = createClient({ baseUrl: '' });
    export const title: Promise<string> = client.forms.getForm({ params: { formId: 'x' } }).then(({ body }) => body.title);
    // @ts-expect-error a form needs a title
    void client.forms.createForm({ params: { slug: 'x' }, body: { visibility: 'PUBLIC', allowEditResponse: true } });
    // @ts-expect-error SECRET is not a visibility
    void client.forms.updateForm({ params: { formId: 'x' }, body: { visibility: 'SECRET' } });
    // @ts-expect-error the path needs a formId
    void client.forms.getForm({ params: {} });
    const params = { responseId: 'x', questionId: 'y' };
    const body = { files: [{ filename: 'a', contentType: '', size: 1, sha256: '' }] };
    const form = new FormData();
    void client.files.uploadFiles({ params, body });
    void client.files.uploadFiles({ params, form });
    // @ts-expect-error files come as JSON or as a form, not as both
    void client.files.uploadFiles({ params, body, form });
    // @ts-expect-error one of them is required
    void client.files.uploadFiles({ params });
    // @ts-expect-error a form is created from JSON
    void client.forms.archiveForm({ params: { formId: 'x' }, form });
    export const ids: Promise<string[]> = uploadFiles(client, params, [new File([], 'a')], { keep: ['z'] }).then(
      (files) => files.map(({ fileId }) => fileId),
    );
    export const page: Promise<string | undefined> = client.connections
      .finishConnection({ params: { provider: 'PROVIDER_ONE' }, query: { state: 'x' } })
      .then(({ body }) => body);
    export const link: string = addressOf('', 'files.downloadFile', { params: { fileId: 'x' } });
    // @ts-expect-error only GET operations have an address
    addressOf('', 'files.uploadFiles', { params });
    // @ts-expect-error a provider is needed
    addressOf('', 'auth.startLogin', { query: { c: 'x' } });
  `;
  // The examples of the documentation, with what they leave to the reader.
  const [example = '', signIn = ''] = [...documentation.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  expect([example, signIn]).toEqual([expect.stringContaining('createClient'), expect.stringContaining('const token')]);
  const given = 'declare const token: string, formId: string;';
  writeFileSync(join(home, 'sign-in.mts'), `${signIn}\nexport { token };\ndeclare const baseUrl: string, uid: string;`);
  writeFileSync(join(home, 'use.ts'), source);
  writeFileSync(join(home, 'example.mts'), `${example}\n${given}`);
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom'],
    types: [],
  };
  writeFileSync(
    join(home, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['use.ts', 'example.mts', 'sign-in.mts'] }),
  );
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  expect(spawnSync(process.execPath, [tsc, '-p', home], { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' });
});
