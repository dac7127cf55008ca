/** A bundle contains what its function starts with, and only what it may use; the code of a function is complete. */
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import type { Need } from '#core/api/declare.ts';
import { listSecrets } from '#core/aws/secrets.ts';
import { assetNames } from '#core/pages/shell/assets.ts';
import { allFunctions, type DeployedFunction } from '#stacks/functions.ts';
import { readDeployed, STAGE_NAMES } from './deployed.ts';

const withNeed =
  (...allowed: Need[]) =>
  ({ needs }: DeployedFunction): boolean =>
    needs.some((need) => allowed.includes(need));
const withFiles = withNeed(
  ...(['files:read', 'files:write', 'files:remove', 'covers:remove', 'exports:remove', 'objects:remove'] as const),
  ...(['covers:read', 'covers:write', 'exports:read', 'exports:write', 'assets:read'] as const),
);
const withSecrets = ({ needs }: DeployedFunction): boolean => listSecrets(needs).length > 0;
/** Handlers that walk the paths of responses, or store a structure, whose patterns have a budget. */
const MATCHING =
  /^functions\/(?:responses|connections|workflow|sections|questions|exports|files\/(?:upload|complete|clear|delete)|forms\/(?:create|duplicate|publish|import|restore|[a-z]+-(?:highlight|changes))|views\/list-distinct|pages\/(?:respondents|reviewers|organizers|builders|authors)|workers)/;

/** Packages that only some functions may contain. */
const LIMITED: Readonly<Record<string, (deployed: DeployedFunction) => boolean>> = {
  '@aws-sdk/client-s3': withFiles,
  '@aws-sdk/s3-request-presigner': withFiles,
  '@aws-sdk/client-ssm': withSecrets,
  '@aws-sdk/client-ses': withNeed('mail:send'),
  'openid-client': withNeed('providers:call'),
  re2js: ({ file }) => MATCHING.test(file),
};
/** Packages of the local service and of tests. */
const NEVER = ['exceljs', 'fauxqs', 'oidc-provider', 'zod-openapi'];

/** The bundles of all functions by their file. */
const bundles = new Map(inject('bundles').map((each) => [each.file, each]));
const withPackage = (name: string): DeployedFunction[] =>
  allFunctions.filter(({ file }) => bundles.get(file)?.packages.has(name));
const namesOf = (functions: readonly DeployedFunction[]): string[] => functions.map(({ name }) => name);

test('every function has a bundle', () => {
  expect(allFunctions.map(({ file }) => file).filter((file) => !bundles.has(file))).toEqual([]);
});

test.for(Object.entries(LIMITED))('%s is only in bundles of functions that may use it', ([name, mayUse]) => {
  const users = withPackage(name);
  expect(users).not.toEqual([]);
  expect(namesOf(users.filter((each) => !mayUse(each)))).toEqual([]);
});

test.for(NEVER)('%s is in no bundle', (name) => {
  expect(namesOf(withPackage(name))).toEqual([]);
});

test('every function with secrets has the client that reads them', () => {
  const readers = new Set(withPackage('@aws-sdk/client-ssm'));
  expect(namesOf(allFunctions.filter((each) => withSecrets(each) && !readers.has(each)))).toEqual([]);
});

/**
 * The most KB of 1,000 bytes that a function loads when it starts, or a function of pages until it responds with one of them
 * (`functions/pages/respondents.ts: core/pages/respondent/landing.page.ts`): those of the first pattern that matches.
 */
const CEILINGS_KB: readonly (readonly [file: RegExp, kilobytes: number])[] = [
  // Authors also merge, restore and undo, see warnings and drawings of rules, order all
  // questions, and preview the pages of respondents.
  [/^functions\/pages\/authors/, 650],
  // With the templates in two languages; the editor shows the fields of respondents.
  [/^functions\/pages\/builders.*\/overview\.page/, 595],
  [/^functions\/pages\/builders/, 545],
  [/^functions\/pages\/respondents.*\/landing\.page/, 450],
  // With the filter, and the addresses that keep it.
  [/^functions\/pages\/(?:respondents|reviewers|organizers)/, 485],
  [/^functions\/(?:pages\/assets|fallback)/, 300],
  // The handlers of jobs are loaded on demand.
  [/^functions\/workers\//, 360],
  // With the clients of S3 or of identity providers, or with every rule of a form.
  [
    /^functions\/(?:files|connections)\/|\/(?:get-cover|upload-cover|(?:create|update|duplicate|import)-form|(?:set|update)-highlight|download-export|get-statistics-count)\.ts$/,
    425,
  ],
  // With the checks of a workflow, the merge of changes and the words for what changed; with jobs and the writer of XLSX.
  [
    /^functions\/(?:forms\/(?:publish-form|(?:get|publish)-changes|restore-version|get-highlight)|exports\/download-table)\.ts$/,
    400,
  ],
  [/^/, 355],
];

test('no function loads more before its first response than its ceiling', () => {
  // The first request of a function of pages loads one of them.
  const loaded = [...bundles.values()].flatMap(({ file, startBytes, pageBytes }): [string, number][] => [
    [file, startBytes],
    ...[...pageBytes].map(([page, bytes]): [string, number] => [`${file}: ${page}`, bytes]),
  ]);
  const excess = loaded.flatMap(([what, bytes]): string[] => {
    const [, ceiling = 0] = CEILINGS_KB.find(([pattern]) => pattern.test(what)) ?? [];
    const kilobytes = Math.round(bytes / 1_000);
    return kilobytes > ceiling ? [`${what}: ${kilobytes} of ${ceiling}`] : [];
  });
  expect(excess).toEqual([]);
});

const Archive = z.object({ key: z.string(), source: z.object({ path: z.string() }) });
/** The end of a module that exports `handler`, as esbuild writes it. */
const EXPORTS_HANDLER = /export\s*\{[^}]*\bhandler\b[^}]*\};?\s*$/;

test.for(STAGE_NAMES)('the code of every function of %s has its handler, and the assets of pages', (stage) => {
  const { all } = readDeployed(stage);
  const stored = [...all('s3.BucketObjectv2').values()].map((each) => Archive.parse(each));
  const paths = new Map(stored.map(({ key, source }) => [key, source.path]));
  const lambdas = all('lambda.Function');
  for (const { name, directory } of allFunctions) {
    const path = paths.get(String(lambdas.get(`${name}Function`)?.s3Key));
    const files: string[] = [];
    const { 'index.mjs': module } = unzipSync(readFileSync(path ?? expect.fail(`${name} has no code`)), {
      filter: (file) => files.push(file.name) > 0 && file.name === 'index.mjs',
    });
    expect(Buffer.from(module ?? '').toString(), `index.mjs of ${name}`).toMatch(EXPORTS_HANDLER);
    const assets = directory ? ['manifest.json', ...Object.values(assetNames())] : [];
    expect(files, name).toEqual(expect.arrayContaining(assets.map((asset) => `${directory}/${asset}`)));
  }
});
