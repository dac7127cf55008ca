/** The OpenAPI document is accepted by a strict public linter, with the rules of `redocly.yaml`. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '#test/support/sources.ts';

test('Redocly accepts the document', { timeout: 60_000 }, async () => {
  const linter = join(ROOT, 'node_modules/.bin/redocly');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
  const lint = promisify(execFile)(process.execPath, [linter, 'lint', '--format=stylish'], { cwd: ROOT, env });
  const { stderr } = await lint.catch((failure: { stdout: string; stderr: string }) => {
    throw new Error(`the linter refuses stacks/build/openapi/openapi.json:\n${failure.stdout}\n${failure.stderr}`);
  });
  expect(stderr).toContain('Your API description is valid');
  expect(stderr).not.toMatch(/warning/i);
});
