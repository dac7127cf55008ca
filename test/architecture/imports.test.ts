/**
 * Who may import whom: the table of architecture section 1 as the house is now. A file is held to the first line
 * that its path matches. `import type` loads nothing, so it may name any file whose words it needs; only the table's
 * "never" holds for it too.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Import, importsOf, ROOT, sources } from '#test/support/sources.ts';

type Line = {
  files: RegExp;
  /** What may be loaded. */
  may: RegExp;
  /** What may not even be named by a type. */
  never: RegExp;
};

const MODEL = /^core\/[\w-]+\/(?:[\w-]+-)?model\.ts$/.source;
const NOTHING = /(?!)/;
/** Modules of Node and packages; which packages, is said below. */
const OUTSIDE = /^(?![./]|package\.json$|(?:core|functions|stacks|test)\/)/.source;
const NOUN = /^core\/(?!api\/|aws\/|db\/|http\/)[\w-]+\//.source;
const any = (...sourcesOfPatterns: string[]): RegExp => new RegExp(sourcesOfPatterns.join('|'));

const TABLE: Record<string, Line> = {
  'functions import declarations, core/http and nouns': {
    files: /^functions\//,
    may: any('^core/(?:api|http)/', NOUN),
    never: /^(?:functions|stacks|test|core\/(?:db|aws))\//,
  },
  'declarations import nothing that runs: zod and models': {
    files: /^core\/api\/(?!client|openapi|routes)/,
    may: any('^zod$', '^core/api/', MODEL),
    never: /^(?:functions|stacks|test|core\/(?:db|aws))\//,
  },
  'the client and the OpenAPI writer import declarations': {
    files: /^core\/api\//,
    may: any('^zod$', '^node:', '^package.json$', '^core/api/', '^core/http/problems.ts$', MODEL),
    never: /^(?:functions|stacks|test|core\/(?:db|aws))\//,
  },
  'models import zod and other models': {
    files: new RegExp(MODEL),
    may: any('^zod$', MODEL),
    never: /^(?:functions|stacks|test|core\/(?:db|aws|http|api))\//,
  },
  'a store imports its own noun, models and core/db': {
    files: /^core\/[\w-]+\/(?:[\w-]+-)?store\.ts$/,
    may: any('^node:', '^core/db/', MODEL),
    never: /^(?:functions|stacks|test|core\/(?:aws|http|api))\//,
  },
  'core/db stands alone': {
    files: /^core\/db\//,
    may: any('^node:', '^core/db/'),
    never: /^(?:functions|stacks|test|core\/(?:aws|http|api))\//,
  },
  'core/aws knows neither http nor nouns': {
    files: /^core\/aws\//,
    may: any('^node:', '^zod$', '^@(?:aws-sdk|smithy)/', '^core/(?:aws|db)/'),
    never: /^(?:functions|stacks|test|core\/(?:http|api))\//,
  },
  'the app of a process is made of core/aws, and what is observed is measured there': {
    files: /^core\/http\/(?:app|log|observe)\.ts$/,
    may: any('^node:', '^core/(?:http|db|aws)/'),
    never: /^(?:functions|stacks|test)\//,
  },
  'core/http knows declarations and core/db, and of nouns only the models': {
    files: /^core\/http\//,
    may: any(OUTSIDE, '^core/(?:http|db|api)/', MODEL),
    never: /^(?:functions|stacks|test)\//,
  },
  'nouns know each other, core/http and core/db': {
    files: /^core\//,
    may: any(OUTSIDE, '^core/(?:http|db)/', NOUN),
    never: /^(?:functions|stacks|test|core\/aws)\//,
  },
  'the plan is made of declarations': {
    files: /^stacks\/plan\.ts$/,
    may: any('^core/api/', '^core/http/needs.ts$'),
    never: /^(?:functions|test|stacks)\//,
  },
  'the deployment is made of the plan': {
    files: /^stacks\/aws\//,
    may: any(OUTSIDE, '^core/api/', '^core/db/keys.ts$', '^stacks/(?:plan.ts|aws/)'),
    never: /^(?:functions|test)\//,
  },
  'the build of the client knows no code': {
    files: /^stacks\/client\//,
    may: any(OUTSIDE),
    never: /^(?:core|functions|test)\//,
  },
  'the local cloud knows everything but the deployment and the tests': {
    files: /^stacks\/local\//,
    may: /./,
    never: /^(?:stacks\/aws|test)\//,
  },
  'tests of the deployment know it': { files: /^test\/(?:stacks|support)\//, may: /./, never: NOTHING },
  'other tests do not know the deployment': { files: /^test\//, may: /./, never: /^stacks\/aws\// },
  'at the top there is only configuration': {
    files: /^[\w.]+$/,
    may: any(OUTSIDE, '^test/support/'),
    never: NOTHING,
  },
};

/** What breaks the table and is known: from which file, what, and how it could be mended. Nothing may be added. */
const KNOWN: Record<string, string> = {
  'core/forms/model.ts → core/forms/fonts.ts': 'a list of names, as pure as a model',
  'core/http/operation.ts → core/aws/meter.ts': 'the meter is a count; only counting knows AWS',
};

const all: readonly Import[] = sources().flatMap(importsOf);
const lineOf = (path: string): string | undefined => Object.keys(TABLE).find((name) => TABLE[name]?.files.test(path));
const isBreach = ({ path, to, typeOnly }: Import): boolean => {
  const line = TABLE[lineOf(path) ?? ''];
  return !line || line.never.test(to) || (!typeOnly && !line.may.test(to));
};
const told = ({ path, to }: Import): string => `${path} → ${to}`;
const breaches = [...new Set(all.filter(isBreach).map(told))];

describe('the table of imports', () => {
  test.for(Object.keys(TABLE))('%s', (name) => {
    const found = breaches.filter((breach) => lineOf(breach.split(' ')[0] ?? '') === name && !KNOWN[breach]);
    expect(found).toEqual([]);
  });

  test('has a line for every file', () => {
    expect(sources().filter(({ path }) => lineOf(path) === undefined)).toEqual([]);
  });

  test('names no known breach that is mended', () => {
    expect(Object.keys(KNOWN).filter((breach) => !breaches.includes(breach))).toEqual([]);
  });
});

test('only core/aws, the local cloud and tests talk to AWS', () => {
  const strangers = all.filter(
    ({ to, path }) => /^@(?:aws-sdk|smithy)\//.test(to) && !/^(?:core\/aws|stacks|test)\//.test(path),
  );
  expect(strangers.map(told)).toEqual([]);
});

test('only core/aws/config.ts reads the environment', () => {
  const readers = sources().filter(
    ({ path, text }) => /^(?:core|functions)\//.test(path) && /process\.env\b/.test(codeOf(text)),
  );
  expect(readers.map(({ path }) => path)).toEqual(['core/aws/config.ts']);
});

test('models are pure: no clock, no chance, no process', () => {
  const impure = sources().filter(
    ({ path, text }) =>
      new RegExp(MODEL).test(path) && /Date\.now|new Date\(\)|Math\.random|randomUUID|\bprocess\./.test(codeOf(text)),
  );
  expect(impure.map(({ path }) => path)).toEqual([]);
});

/** A text without its comments. */
const codeOf = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');

test('imports say the file with its ending, and reach beyond their folder by # only', () => {
  const odd = all.filter(
    ({ from, to }) =>
      /^[.#]/.test(from) &&
      !/^(?:\.\/|#(?:core|functions|stacks|test)\/)[\w./-]+\.(?:ts|json)$/.test(from) &&
      to !== 'package.json',
  );
  expect(odd.map(told)).toEqual([]);
});

test('zod is imported as a namespace, so that bundles hold only what is used of it', () => {
  const others = sources().filter(
    (source) =>
      importsOf(source).some(({ to }) => to === 'zod') && !/^import (?:type )?\* as z from 'zod';$/m.test(source.text),
  );
  expect(others.map(({ path }) => path)).toEqual([]);
});

test('what runs in the service comes from dependencies, what only tests and tools need from devDependencies', () => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  const packageOf = (to: string) => /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to;
  const running = all.filter(
    ({ path, to, typeOnly }) => /^(?:core|functions)\//.test(path) && !typeOnly && new RegExp(OUTSIDE).test(to),
  );
  const foreign = running.filter(({ to }) => !to.startsWith('node:') && !(packageOf(to) in dependencies));
  expect(foreign.map(told)).toEqual([]);
  const unused = Object.keys(dependencies).filter(
    (name) => !all.some(({ path, to }) => !path.startsWith('test/') && packageOf(to) === name),
  );
  expect(unused).toEqual([]);
});
