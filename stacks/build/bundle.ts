/**
 * Bundles functions as they are deployed, each into a directory of its own with `index.mjs` and the chunks that it
 * loads on demand. What makes the start of a function fast:
 *
 * - Builtins come from `process.getBuiltinModule`: linking an ES module to `node:http` would load undici (28 ms). Of
 *   these, only the names that are used are read.
 * - ES modules of packages are preferred, so that unused parts can be left out; the AWS SDK is bundled.
 * - Modules that no function uses, or not this one, are replaced by empty ones.
 * - Small chunks are joined.
 * - Minified, without a source map.
 */
import { readFile, rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import type { Need } from '#core/api/declare.ts';
import { bundlePath } from '../functions.ts';
import { joinChunks } from './join-chunks.ts';
import { emptied, FILES, OBJECTS, type Patch, SDK_PATCHES, SECRETS } from './sdk-patches.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A function to bundle: its handler file, relative to the project, and the needs that it declares. */
type BundledFunction = { file: string; needs: readonly Need[] };

export type Bundle = {
  /** The handler file: `functions/forms/create-form.ts`. */
  file: string;
  /** The directory with `index.mjs`, which exports `handler`. */
  directory: string;
  /** The bytes that are loaded when the function starts: `index.mjs` and the chunks that it imports statically. */
  startBytes: number;
  /** For a function of pages: the bytes that are loaded at the start and the first request, by the file of the page. */
  pageBytes: ReadonlyMap<string, number>;
  /** The bytes of all chunks. */
  totalBytes: number;
  /** The packages that are loaded when the function starts, with their bytes. */
  startPackages: ReadonlyMap<string, number>;
  /** All packages of the bundle, with their bytes. */
  packages: ReadonlyMap<string, number>;
};

/** What all builds have in common. */
const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  // With `node`, packages with both kinds of modules would be bundled as CommonJS.
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'node24',
  minify: true,
  // Texts in Chinese would take twice as many bytes as escapes.
  charset: 'utf8',
  // The SDK asks whether a body is a stream of browsers, other packages which browser this is; the first mention of the class or
  // of `navigator` loads what belongs to it, for 2.5 ms.
  define: { ReadableStream: 'undefined', navigator: 'undefined' },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions & { metafile: true };

/**
 * The handler files, relative to the project, are bundled into directories of `outdir` such as `forms/create-form`.
 * `patches`: what is left out of packages.
 */
export async function bundle(
  functions: readonly BundledFunction[],
  outdir: string,
  patches: readonly Patch[] = SDK_PATCHES,
): Promise<Bundle[]> {
  // A handler that also serves HEAD has two rows in the plan.
  const distinct = [...new Map(functions.map((each) => [each.file, each])).values()];
  const bundles: Bundle[] = [];
  for (let index = 0; index < distinct.length; index += PARALLEL_BUILDS) {
    // One group after the other: all at once take 7 GB of memory.
    const group = distinct.slice(index, index + PARALLEL_BUILDS);
    bundles.push(...(await Promise.all(group.map((each) => bundleOne(each, outdir, patches)))));
  }
  return bundles;
}

/** How many functions are bundled at once. */
const PARALLEL_BUILDS = 16;

async function bundleOne({ file, needs }: BundledFunction, outdir: string, patches: readonly Patch[]): Promise<Bundle> {
  const directory = join(outdir, bundlePath(file));
  await rm(directory, { recursive: true, force: true });
  const clients = file.startsWith('functions/pages/')
    ? CLIENTS.filter((client) => client.needs.some((need) => needs.includes(need)))
    : [];
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: [file],
    entryNames: 'index',
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    splitting: true,
    plugins: [...clients.map(externalClient), builtins, withoutUnused(needs, patches, clients), pureSchemas],
  });
  const loads = listLoads(metafile.outputs, file);
  const outputs = await joinChunks(OPTIONS, { directory, outputs: metafile.outputs, loads });
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === file);
  if (entry === undefined) throw new Error(`esbuild made no bundle of ${file}`);
  const start = reached(outputs, entry, ['import-statement']);
  const all = reached(outputs, entry, ['import-statement', 'dynamic-import']);
  const pages = all.flatMap((path): [string, number][] => {
    const page = outputs[path]?.entryPoint;
    if (path === entry || !page?.endsWith('.page.ts')) return [];
    const chunks = [...start, ...reached(outputs, path, ['import-statement'])];
    const texts = chunks
      .flatMap((chunk) => outputs[chunk]?.imports ?? [])
      .filter(({ path: to }) => isEnglish(outputs, to));
    const ofTexts = texts.flatMap(({ path: to }) => reached(outputs, to, ['import-statement']));
    return [[page, sumBytes(outputs, [...new Set([...chunks, ...ofTexts])])]];
  });
  // Chunks of imports that are themselves unused.
  await Promise.all(Object.keys(outputs).map((path) => all.includes(path) || rm(join(ROOT, path))));
  const isIn = (module: string): boolean => all.some((path) => outputs[path]?.inputs[module]?.bytesInOutput);
  const apart: Outputs = Object.assign(
    {},
    ...(await Promise.all(clients.map((client) => bundleClient(directory, client, needs, patches)))),
    ...(await Promise.all(REQUIRED.map((each) => (isIn(each.loader) ? bundleRequired(directory, each) : {})))),
  );
  return {
    file,
    directory,
    startBytes: sumBytes(outputs, start),
    pageBytes: new Map(pages),
    totalBytes: sumBytes(outputs, all) + sumBytes(apart, Object.keys(apart)),
    startPackages: measurePackages(outputs, start),
    packages: measurePackages({ ...outputs, ...apart }, [...all, ...Object.keys(apart)]),
  };
}

/** Lists what each page of a function loads, or what a handler without pages does, before it responds to its first request. */
function listLoads(outputs: Outputs, file: string): Set<string>[] {
  const load = (isRoot: (entryPoint: string) => boolean): string[][] =>
    Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
      entryPoint !== undefined && isRoot(entryPoint) ? [reached(outputs, path, ['import-statement'])] : [],
    );
  const always = load((entryPoint) => entryPoint === file || entryPoint === 'core/pages/shell/page.ts').flat();
  const pages = load((entryPoint) => entryPoint.endsWith('.page.ts'));
  return (pages.length === 0 ? [[]] : pages).map((chunks) => new Set([...always, ...chunks]));
}

/** What modules load synchronously at its first use: in a bundle, from a file next to it. */
type Required = { loader: string; exported: string; entryPoint: string; file: string };
const REQUIRED: readonly Required[] = [
  { loader: 'core/structure/re2.ts', exported: 'loadRe2', entryPoint: 're2js', file: 're2js.cjs' },
  {
    loader: 'core/pages/builder/load-markdown.ts',
    exported: 'loadMarkdown',
    entryPoint: 'core/pages/builder/markdown.ts',
    file: 'markdown.cjs',
  },
];

async function bundleRequired(directory: string, { entryPoint, file }: Required): Promise<Outputs> {
  const outfile = join(directory, file);
  return (await build({ ...OPTIONS, entryPoints: [entryPoint], outfile, format: 'cjs' })).metafile.outputs;
}

/**
 * Clients that pages load from files of their own, since most of their requests need none: as chunks of the bundle, they
 * would share modules with the client of DynamoDB, and what only they use of these (50 KB) would be loaded by every start.
 */
type Client = { module: string; needs: readonly Need[] };

/** Imports the module of a client from a file next to the bundle. */
const externalClient = ({ module }: Client): Plugin => ({
  name: `external ${module}`,
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^\\./${module}\\.ts$`) }, () => ({ path: `./${module}.mjs`, external: true }));
  },
});

async function bundleClient(
  directory: string,
  { module }: Client,
  needs: readonly Need[],
  patches: readonly Patch[],
): Promise<Outputs> {
  const outfile = join(directory, `${module}.mjs`);
  const plugins = [builtins, withoutUnused(needs, patches)];
  const entryPoints = [`core/aws/${module}.ts`];
  return (await build({ ...OPTIONS, entryPoints, outfile, format: 'esm', plugins })).metafile.outputs;
}

type Outputs = Metafile['outputs'];

/** Whether a chunk has texts of pages in English; a request loads those of one language. */
const isEnglish = (outputs: Outputs, path: string): boolean =>
  /^core\/pages\/text\/(?:[\w-]+-)?en\.ts$/.test(outputs[path]?.entryPoint ?? '');

/** The chunks that a chunk loads by these kinds of imports, and that these load, including itself. */
function reached(outputs: Outputs, from: string, kinds: readonly string[]): string[] {
  const found = new Set([from]);
  for (const path of found) {
    for (const { kind, path: imported } of outputs[path]?.imports ?? []) if (kinds.includes(kind)) found.add(imported);
  }
  return [...found];
}

const sumBytes = (outputs: Outputs, paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);

/** The packages in chunks, with their bytes. */
function measurePackages(outputs: Outputs, paths: readonly string[]): Map<string, number> {
  const packages = new Map<string, number>();
  for (const [input, { bytesInOutput }] of paths.flatMap((path) => Object.entries(outputs[path]?.inputs ?? {}))) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
    if (name && bytesInOutput > 0) packages.set(name, (packages.get(name) ?? 0) + bytesInOutput);
  }
  return packages;
}

/**
 * Resolves builtin modules at run time, without linking to them. For ES modules, only the names that they import are read: listing the
 * properties of a builtin module makes it load parts that it loads lazily (`util` loads workers, 3 ms). Getters are read when they are
 * used, since they may load more, too.
 */
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    const bare = builtinModules.filter((name) => !name.startsWith('_')).map((name) => name.replace('/', '\\/'));
    const taken = (path: string): string => `/* @__PURE__ */ process.getBuiltinModule('${path}')`;
    onResolve({ filter: new RegExp(`^(?:node:.*|${bare.join('|')})$`) }, ({ path, kind, namespace }) => ({
      path: path.startsWith('node:') ? path : `node:${path}`,
      namespace: namespace === 'builtin' ? 'getters' : kind === 'import-statement' ? 'builtin' : 'required',
      sideEffects: false,
    }));
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const { getters, values } = listNames(path);
      return {
        contents: [
          `const builtin = ${taken(path)};`,
          'export default builtin;',
          ...values.map((name) => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})();`),
          `export { ${getters.join(', ')} } from '${path}';`,
        ].join('\n'),
      };
    });
    onLoad({ filter: /.*/, namespace: 'getters' }, ({ path }) => ({
      contents: `module.exports = { ${listNames(path).getters.map((name) => `get ${name}() { return ${taken(path)}.${name} }`)} }`,
    }));
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({ contents: `module.exports = ${taken(path)}` }));
  },
};

/** The names that a builtin module exports, apart from its default: those of getters and of values. */
function listNames(path: string): { getters: string[]; values: string[] } {
  const builtin = process.getBuiltinModule(path) ?? {};
  const names = Object.keys(builtin).filter((name) => name !== 'default');
  const isGetter = (name: string): boolean => Object.getOwnPropertyDescriptor(builtin, name)?.get !== undefined;
  return { getters: names.filter(isGetter), values: names.filter((name) => !isGetter(name)) };
}

const TEXT = String.raw`(?:'(?:[^'\\]|\\.)*'|${'`[^`$]*`'})`;

/**
 * Marks the declarations of schemas as free of side effects, so that those are left out that a function does not use; esbuild does not
 * follow `@__NO_SIDE_EFFECTS__` across modules. What describes them and the operations is for the OpenAPI document only, and left out.
 */
const pureSchemas: Plugin = {
  name: 'pure schemas',
  setup({ onLoad }) {
    const describe = new RegExp(String.raw`\.describe\(\s*${TEXT},?\s*\)`, 'g');
    const described = new RegExp(String.raw`\b(summary|description|4\d\d):\s*${TEXT}`, 'g');
    onLoad({ filter: /\/core\/.*\.ts$/ }, async ({ path }) => {
      const code = (await readFile(path, 'utf8'))
        .replaceAll(/^((?:export )?const \w+ =) schema\(/gm, '$1 /* @__PURE__ */ schema(')
        .replaceAll(describe, '');
      return { contents: /\/core\/api\//.test(path) ? code.replaceAll(described, "$1: ''") : code, loader: 'ts' };
    });
  },
};

const CLIENTS: readonly Client[] = [
  { module: 's3-bucket', needs: [...OBJECTS, 'objects:remove'] },
  { module: 'parameters', needs: SECRETS },
];

/** Modules that are used by functions with one of these needs only; the ports refuse all other calls. */
const USED_BY: readonly { module: string; needs: readonly Need[] }[] = [
  { module: 'core/aws/s3-bucket.ts', needs: FILES },
  { module: 'core/aws/ses-mail.ts', needs: ['mail:send'] },
  { module: 'core/google/sheets.ts', needs: ['sheets:call'] },
  { module: 'core/aws/parameters.ts', needs: SECRETS },
  { module: 'core/identity/providers.ts', needs: ['providers:call'] },
];

/**
 * Replaces modules that a function with these needs does not use, and those that load a file next to the bundle. The clients
 * `apart` are such files.
 */
function withoutUnused(needs: readonly Need[], patches: readonly Patch[], apart: readonly Client[] = []): Plugin {
  const inside = needs.filter((need) => !apart.some((client) => client.needs.includes(need)));
  const isUnneeded = (by: readonly Need[] = [], present = needs): boolean => !by.some((need) => present.includes(need));
  const rewrites = Object.fromEntries([
    ...USED_BY.filter((used) => isUnneeded(used.needs)).map(({ module }) => [module, emptied] as const),
    ...patches
      .filter((patch) => isUnneeded(patch.unlessNeeded, inside))
      .flatMap(({ modules }) => Object.entries(modules)),
    ...REQUIRED.map(({ loader, exported, file }) => {
      const load = `export const ${exported} = () => createRequire(import.meta.url)('./${file}');`;
      return [loader, () => `import { createRequire } from 'node:module';\n${load}`] as const;
    }),
  ]);
  return {
    name: 'without-unused',
    setup({ onLoad }) {
      for (const [module, rewrite] of Object.entries(rewrites)) {
        const filter = new RegExp(`/${module.replaceAll(/[./]/g, '\\$&')}$`);
        onLoad({ filter }, async ({ path }) => ({
          contents: rewrite(await readFile(path, 'utf8')),
          resolveDir: dirname(path),
          loader: 'js',
        }));
      }
    },
  };
}
