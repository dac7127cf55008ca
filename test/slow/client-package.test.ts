/** The typed client as a package: it is built, imported in Node and type-checked, and calls the service. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildClient } from '#stacks/build/client.ts';
import { routes } from '#stacks/local/gateway/routes.ts';
import { startServer } from '#stacks/local/gateway/server.ts';
import { person } from '#test/support/fixtures.ts';
import { ROOT } from '#test/support/sources.ts';

const home = mkdtempSync(join(tmpdir(), 'client-'));
const installed = join(home, 'node_modules/form-service');

beforeAll(() => {
  mkdirSync(installed, { recursive: true });
  buildClient(join(installed, 'dist'));
  const { name, version, type, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ name, version, type, exports }));
  symlinkSync(join(ROOT, 'node_modules/zod'), join(home, 'node_modules/zod'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

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
  // The example of the documentation, with what it leaves to the reader.
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/client.md'), 'utf8')) ?? [];
  expect(example).toContain('createClient');
  const given = 'declare const token: string, formId: string, etag: string;';
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
    JSON.stringify({ compilerOptions: options, files: ['use.ts', 'example.mts'] }),
  );
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  expect(spawnSync(process.execPath, [tsc, '-p', home], { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' });
});
