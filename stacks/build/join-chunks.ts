/**
 * Joins the chunks of a bundle. Splitting makes one for every set of pages that have a module in common, so that a page would load
 * forty at its first request, most of them smaller than 2 KB; to find, read and link one takes as long as to load 30 KB more.
 */
import { rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

type Outputs = Metafile['outputs'];
type Options = BuildOptions & { metafile: true };

/** The part of the pages of a function that load a chunk, at least, if it is joined. */
const LEAST_PART = 1 / 3;
const SHARED = 'shared.mjs';

/**
 * Joins the chunks that many `roots` of a bundle load into `shared.mjs`, and returns the outputs with what they import then. Whatever
 * loads a chunk loads its imports, too, so that the joined ones import none that stays apart, and nothing is loaded in a circle.
 *
 * @param loads the outputs that each root loads: each page, or the only handler.
 */
export async function joinChunks(
  options: Options,
  { directory, outputs, loads }: { directory: string; outputs: Outputs; loads: readonly ReadonlySet<string>[] },
): Promise<Outputs> {
  const isJoined = (path: string): boolean => {
    const count = loads.filter((loaded) => loaded.has(path)).length;
    return (
      outputs[path]?.entryPoint === undefined &&
      count >= Math.min(2, loads.length) &&
      count >= LEAST_PART * loads.length
    );
  };
  const chunks = Object.keys(outputs).filter(isJoined);
  if (chunks.length === 0) return outputs;
  const bundle = { directory, outputs, chunks: new Set(chunks) };
  const common = { ...options, format: 'esm', allowOverwrite: true } as const;
  const contents = chunks.map(
    (path) => `export { ${listExports(outputs, path, toShared)} } from './${basename(path)}';`,
  );
  const { metafile: shared } = await build({
    ...common,
    stdin: { contents: contents.join('\n'), resolveDir: directory },
    outfile: join(directory, SHARED),
    plugins: [apart(bundle)],
  });
  const { metafile: others } = await build({
    ...common,
    entryPoints: Object.keys(outputs).filter((path) => !bundle.chunks.has(path)),
    entryNames: '[name]',
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    plugins: [fromShared(bundle), apart(bundle)],
  });
  await Promise.all(chunks.map((path) => rm(path)));
  const inputs = Object.assign({}, ...chunks.map((path) => outputs[path]?.inputs));
  const joined = [
    ...Object.entries(shared.outputs).map(([path, output]) => [path, { ...output, inputs }] as const),
    ...Object.entries(others.outputs).map(([path, { entryPoint: _, ...output }]) => {
      const { inputs = {}, entryPoint } = outputs[path] ?? {};
      return [path, { ...output, inputs, ...(entryPoint !== undefined && { entryPoint }) }] as const;
    }),
  ];
  const paths = new Set(joined.map(([path]) => path));
  const withPaths = ({ path, ...each }: Outputs[string]['imports'][number]): Outputs[string]['imports'][number] => {
    const file = relative(process.cwd(), join(directory, path));
    return paths.has(file) ? { path: file, kind: each.kind } : { path, ...each };
  };
  return Object.fromEntries(
    joined.map(([path, output]) => [path, { ...output, imports: output.imports.map(withPaths) }]),
  );
}

type Bundle = { directory: string; outputs: Outputs; chunks: ReadonlySet<string> };

/** Chunks export short names, so that `shared.mjs` has them with the name of the chunk: `a` of `chunk-7VQME.mjs` as `c7VQME_a`. */
const nameInShared = (path: string, name: string): string => `${basename(path, '.mjs').replace('chunk-', 'c')}_${name}`;
const toShared = (path: string, name: string): string => `${name} as ${nameInShared(path, name)}`;
const ofShared = (path: string, name: string): string => `${nameInShared(path, name)} as ${name}`;
const listExports = (outputs: Outputs, path: string, toText: typeof toShared): string =>
  (outputs[path]?.exports ?? []).map((name) => toText(path, name)).join(', ');

const FILES = /^\.\/.*\.mjs$/;

/** Leaves files of the bundle apart that are not joined. */
const apart = ({ directory, chunks }: Bundle): Plugin => ({
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: FILES }, ({ path, kind }) => {
      if (kind === 'entry-point' || chunks.has(relative(process.cwd(), join(directory, path)))) return undefined;
      return { path, external: true };
    });
  },
});

/** Replaces each joined chunk by what `shared.mjs` has of it. */
const fromShared = ({ directory, outputs, chunks }: Bundle): Plugin => ({
  name: 'from shared',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: FILES }, ({ path, kind }) => {
      const chunk = relative(process.cwd(), join(directory, path));
      return kind !== 'entry-point' && chunks.has(chunk) ? { path: chunk, namespace: 'shared' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
      contents: `export { ${listExports(outputs, path, ofShared)} } from './${SHARED}';`,
    }));
  },
});
