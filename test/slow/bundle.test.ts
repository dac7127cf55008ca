/** The bundles of the functions that respondents call most: their size, their packages, and that they work. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LambdaHandler } from '#core/http/chain.ts';
import { type Bundle, bundle } from '#stacks/build/bundle.ts';
import { SDK_PATCHES } from '#stacks/build/sdk-patches.ts';
import { createRouter, type Route } from '#stacks/local/gateway/router.ts';
import { type Cast, newCast } from '#test/support/fixtures.ts';
import { hotFunctions } from '#test/support/hot-functions.ts';
import { branchedForm, text } from '#test/support/responses.ts';

/** The most bytes that one of these functions may load when it starts. */
const MAX_START_BYTES = 353_000;

let outdir: string;
let bundles: Bundle[];
let cast: Cast;
beforeAll(async () => {
  outdir = await mkdtemp(join(tmpdir(), 'bundles-'));
  [bundles, cast] = await Promise.all([bundle(hotFunctions, outdir), newCast()]);
});
afterAll(() => rm(outdir, { recursive: true, force: true }));

const bundleOf = (file: string): Bundle => {
  const found = bundles.find((each) => each.file === file);
  if (!found) throw new Error(`there is no bundle of ${file}`);
  return found;
};

test.for(hotFunctions.map(({ file }) => file))('%s loads at most 353 KB when it starts', (file) => {
  expect(bundleOf(file).startBytes).toBeLessThanOrEqual(MAX_START_BYTES);
});

test.for(SDK_PATCHES.map((patch) => [patch.reason, patch] as const))('at least 8 KB are saved: %s', async ([
  ,
  patch,
]) => {
  const file = 'functions/responses/submit-response.ts';
  const submit = hotFunctions.filter((each) => each.file === file);
  const others = SDK_PATCHES.filter((each) => each !== patch);
  const [without] = await bundle(submit, join(outdir, 'without-patch'), others);
  const savedKb = ((without?.startBytes ?? 0) - bundleOf(file).startBytes) / 1_000;
  expect(savedKb).toBeGreaterThanOrEqual(8);
  expect(Math.abs(savedKb - patch.savesKb)).toBeLessThan(1.5);
});

test('no bundle has clients and libraries that its function does not use', () => {
  const unused = /^@aws-sdk\/(?:client-(?!dynamodb)|lib-)|^(?:openid-client|exceljs|yazl|file-type|image-size|hono)$/;
  const found = bundles.flatMap(({ file, packages }) =>
    [...packages.keys()].filter((name) => unused.test(name)).map((name) => `${file} → ${name}`),
  );
  expect(found).toEqual([]);
});

test('RE2 is in the bundles of functions that walk a path, and not loaded when they start', () => {
  const withRe2 = bundles.filter(({ packages }) => packages.has('re2js')).map(({ file }) => file);
  expect(withRe2.toSorted()).toEqual([
    'functions/responses/start-response.ts',
    'functions/responses/submit-response.ts',
    'functions/responses/update-answers.ts',
  ]);
  expect(bundles.filter(({ startPackages }) => startPackages.has('re2js'))).toEqual([]);
});

test('the builtin modules that nothing uses are not loaded when a function starts', async () => {
  const file = join(bundleOf('functions/responses/submit-response.ts').directory, 'index.mjs');
  const script = `await import(${JSON.stringify(pathToFileURL(file).href)}); console.log(process.moduleLoadList.join())`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(stdout).toContain('NativeModule https');
  // What `util`, `fs`, `http` and `navigator` load when their properties are listed or read.
  const unused = /worker_threads|internal\/(?:fs\/streams|util\/diff|navigator|deps\/undici)/;
  expect(stdout.split(',').filter((name) => unused.test(name))).toEqual([]);
});

test('the bundles answer a form whose path depends on a pattern', async () => {
  const { alice, dave, slug } = cast;
  const TEXT = { type: 'SHORT_TEXT' } as const;
  const { formId, asked } = await branchedForm({ person: alice, slug }, { first: [TEXT], yes: [], no: [TEXT] });
  const routes = hotFunctions.map(({ method, path, file }): Route => {
    const module = pathToFileURL(join(bundleOf(file).directory, 'index.mjs')).href;
    return { method, path, handler: async (...args) => (await importHandler(module))(...args) };
  });
  const router = createRouter(routes);
  const call = async (method: string, url: string, body?: object) => {
    const response = await router.dispatch({
      method,
      url,
      headers: [['authorization', `Bearer ${dave.token}`]],
      body: Buffer.from(body ? JSON.stringify(body) : ''),
      remoteAddress: '127.0.0.1',
      httpVersion: '1.1',
    });
    return { status: response.status, body: JSON.parse(response.body.toString()) };
  };
  expect(await call('GET', `/api/forms/${formId}`)).toMatchObject({ status: 200, body: { id: formId } });
  expect(await call('GET', `/api/forms/${formId}/sections`)).toMatchObject({ status: 200 });
  const { id } = (await call('POST', `/api/forms/${formId}/responses`)).body;
  // Storage refuses all but one of these writes at first, and the handler repeats them.
  const saves = ['no', 'nearly', 'perhaps'].map((value) => ({ answers: [text(asked, value)] }));
  const saved = await Promise.all(saves.map((body) => call('PATCH', `/api/responses/${id}/answers`, body)));
  expect(saved.map(({ status }) => status)).toEqual([200, 200, 200]);
  const answers = [text(asked, 'yes')];
  expect(await call('PATCH', `/api/responses/${id}/answers`, { answers })).toMatchObject({ status: 200 });
  expect(await call('POST', `/api/responses/${id}/submit`, { answers })).toMatchObject({
    status: 201,
    body: { progress: 'SUBMITTED' },
  });
});

async function importHandler(module: string): Promise<LambdaHandler> {
  const { handler } = await import(module);
  return handler;
}
