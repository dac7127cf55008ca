/** Synthesizes the resources of a stage: the deployment program with SST's real components on Pulumi's mocks. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { ROOT } from '#test/support/sources.ts';

/** A resource as the program creates it. */
export type Resource = { type: string; name: string; inputs: Record<string, unknown> };
export type Synthesized = {
  /** What `app()` in `sst.config.ts` returns. */
  app: Record<string, unknown>;
  resources: Resource[];
  /** What the deployment prints. */
  outputs: Record<string, string>;
};

const PLATFORM = join(ROOT, '.sst/platform');
/** Packages that SST leaves out of the bundle of a program; they are installed with the platform. */
const EXTERNAL = ['@pulumi/*', '@pulumiverse/*', '@aws-sdk/*', 'esbuild', 'archiver', 'glob'];

/**
 * Installs SST's components with the provider of AWS into `.sst`, with nothing but the package registry; does nothing when
 * all is there. Throws with the output when it fails.
 */
export function installPlatform(): void {
  const home = join(ROOT, '.sst/cli');
  mkdirSync(home, { recursive: true });
  // The package `bun` only links this binary with an install script, and install scripts are not run here.
  const [bun] = globSync('node_modules/@oven/bun-*/bin/bun', { cwd: ROOT });
  execFileSync(join(ROOT, 'node_modules/.bin/sst'), ['install', '--stage', 'test'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      XDG_CONFIG_HOME: home,
      SST_LOG: join(home, 'sst.log'),
      SST_TELEMETRY_DISABLED: '1',
      // SST would download Pulumi, which only a real deployment uses.
      SST_SKIP_DEPENDENCY_CHECK: '1',
      BUN_INSTALL_CACHE_DIR: join(home, 'bun-cache'),
      ...(bun ? { SST_BUN_PATH: join(ROOT, bun) } : { SST_NO_BUN: '1' }),
    },
  });
}

/** Adds the imports that SST prepends to every file of a program. */
const withGlobals: Plugin = {
  name: 'with-globals',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^sst-config$/ }, () => ({ path: join(ROOT, 'sst.config.ts') }));
    onResolve({ filter: /^sst-platform\// }, ({ path }) => ({ path: path.replace('sst-platform', PLATFORM) }));
    onLoad({ filter: /\/(?:stacks\/aws\/[^/]+|sst\.config)\.ts$/ }, ({ path }) => ({
      contents: `import * as aws from '@pulumi/aws';\nimport * as sst from '${PLATFORM}/src/components';\n${readFileSync(path, 'utf8')}`,
      loader: 'ts',
    }));
  },
};

/**
 * Runs the program for a stage with the bundles of a directory. The module `provider`, if it is given, creates each
 * resource. Throws when the program fails, which prints why.
 */
export async function synthesize(
  stage: string,
  environment: Readonly<Record<string, string>>,
  bundles: string,
  provider?: string,
): Promise<Synthesized> {
  const directory = join(ROOT, '.sst/synthesis', stage);
  mkdirSync(directory, { recursive: true });
  // Within the platform, whose packages the program imports.
  const program = join(PLATFORM, `synthesis.${stage}.mjs`);
  const app = {
    name: 'form-service',
    stage,
    removal: 'remove',
    providers: { aws: { version: '7.20.0' } },
    protect: false,
  };
  const paths = { home: directory, root: ROOT, work: directory, platform: PLATFORM };
  await build({
    entryPoints: [join(ROOT, 'test/deployment/synthesis/program.ts')],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    mainFields: ['module', 'main'],
    inject: [join(PLATFORM, 'src/shim/run.js')],
    define: { $app: JSON.stringify(app), $cli: JSON.stringify({ command: 'deploy', paths }), $dev: 'false' },
    external: EXTERNAL,
    plugins: [withGlobals],
    logLevel: 'error',
    banner: { js: "import{createRequire as $r}from'node:module';const require=$r(import.meta.url);" },
  });
  const output = join(directory, 'resources.json');
  const child = spawn(process.execPath, [program], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      ...environment,
      BUNDLES: bundles,
      SYNTHESIS: JSON.stringify({ app, output, provider }),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the deployment program of ${stage} ended with ${code}`);
  return JSON.parse(readFileSync(output, 'utf8'));
}
