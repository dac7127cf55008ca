/**
 * Builds the static assets of the pages into `dist/assets`: the style sheet and the browser modules by esbuild, the
 * fonts of forms, the icon. Names contain a hash of the content; texts are precompressed; `manifest.json` maps each plain
 * name to the built one.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { FONTS } from '#core/forms/fonts.ts';
import { ASSETS_DIRECTORY } from '#core/pages/shell/assets.ts';
import { sha256 } from '#core/schema/hash.ts';
import { replaceFile } from './replace-file.ts';

const ROOT = join(import.meta.dirname, '../..');

type Asset = { name: string; bytes: Uint8Array };

/** Builds everything; returns the names of the assets. Can run while another process builds the same sources. */
export async function buildAssets(directory = join(ROOT, ASSETS_DIRECTORY)): Promise<Record<string, string>> {
  mkdirSync(directory, { recursive: true });
  const icon = { name: 'icon.svg', bytes: readFileSync(join(ROOT, 'core/pages/style/icon.svg')) };
  const assets = [...(await bundles()), icon, ...fonts()];
  const names = Object.fromEntries(assets.map((asset) => [asset.name, store(directory, asset)]));
  replaceFile(join(directory, 'manifest.json'), JSON.stringify(names));
  return names;
}

/** The style sheet, and the modules of the pages. */
async function bundles(): Promise<Asset[]> {
  const { outputFiles } = await build({
    entryPoints: [
      { in: join(ROOT, 'core/pages/style/style.css'), out: 'style' },
      { in: join(ROOT, 'core/pages/browser/page.ts'), out: 'page' },
      { in: join(ROOT, 'core/pages/browser/answers.ts'), out: 'answers' },
      { in: join(ROOT, 'core/pages/browser/one-question.ts'), out: 'one-question' },
      { in: join(ROOT, 'core/pages/browser/proof.ts'), out: 'proof' },
      { in: join(ROOT, 'core/pages/browser/in-place.ts'), out: 'in-place' },
      { in: join(ROOT, 'core/pages/browser/editor.ts'), out: 'editor' },
    ],
    outdir: ROOT,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['es2023', 'chrome123', 'firefox128', 'safari17.5'],
    logLevel: 'warning',
  });
  return outputFiles.map(({ path, contents }) => ({ name: path.slice(ROOT.length + 1), bytes: contents }));
}

/** The Latin subsets of the fonts, in two weights. Fonts without a package are those of the reader's system. */
function fonts(): Asset[] {
  return FONTS.flatMap(({ id }) =>
    [400, 700].flatMap((weight) => {
      const file = fontFile(id, weight);
      return file === undefined ? [] : [{ name: `${id}-${weight}.woff2`, bytes: readFileSync(file) }];
    }),
  );
}

function fontFile(id: string, weight: number): string | undefined {
  const path = join(ROOT, `node_modules/@fontsource/${id}/files/${id}-latin-${weight}-normal.woff2`);
  return existsSync(path) ? path : undefined;
}

/** Stores an asset under a name with its hash, texts also compressed. Returns the name. */
function store(directory: string, { name, bytes }: Asset): string {
  const extension = extname(name);
  const hash = sha256(bytes, 'base64url').replaceAll(/[-_]/g, '').slice(0, 10);
  const built = `${name.slice(0, -extension.length)}.${hash}${extension}`;
  const path = join(directory, built);
  if (existsSync(path)) return built;
  if (extension !== '.woff2') {
    replaceFile(`${path}.br`, brotliCompressSync(bytes));
    replaceFile(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
  replaceFile(path, bytes);
  return built;
}

if (process.argv[1] === import.meta.filename) console.log(await buildAssets());
