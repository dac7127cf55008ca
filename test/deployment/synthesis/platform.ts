/** Installs SST's components with the provider of AWS into `.sst`, with nothing but the package registry. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#test/support/sources.ts';

/** Runs `sst install`, which does nothing when all is there. Throws with its output when it fails. */
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
