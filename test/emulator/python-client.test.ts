/** A client that `openapi-python-client` generates from the OpenAPI document does the main job. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { shellEnvironment, startChild } from '#test/support/child-service.ts';
import { ROOT } from '#test/support/sources.ts';
import { GENERATOR, installGenerator } from './python.ts';

const SOURCES = join(import.meta.dirname, 'python-client');

const ALICE = '00000000-0000-4000-8000-0000000000a1';
const DAVE = '00000000-0000-4000-8000-0000000000d0';

beforeAll(installGenerator);

test(
  'the generated client signs in, builds a form, answers, submits, lists and exports',
  {
    timeout: 300_000,
  },
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'python-client-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const { PATH = '', ...environment } = shellEnvironment();
    const run = (name: string, ...options: string[]): string =>
      execFileSync(join(GENERATOR, 'bin', name), options, {
        cwd: home,
        encoding: 'utf8',
        // The generator formats what it writes with a program that is installed beside it.
        env: { ...environment, PATH: [join(GENERATOR, 'bin'), PATH].join(delimiter), PYTHONPATH: home },
      });
    const options = ['--config', join(SOURCES, 'generator.yml'), '--meta', 'none', '--fail-on-warning'];
    const document = join(ROOT, 'stacks/build/openapi/openapi.json');
    run('openapi-python-client', 'generate', '--path', document, '--output-path', 'form_service_client', ...options);
    const service = await startChild(join(home, 'data'));
    onTestFinished(() => service.end('SIGTERM'));
    expect(JSON.parse(run('python', join(SOURCES, 'main_job.py'), service.url, ALICE, DAVE))).toEqual({
      modules: expect.any(Number),
      description: {
        type: 'doc',
        content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Once a week', marks: [{ type: 'bold' }] }] }],
      },
      published: 'PUBLISHED',
      saved: 4,
      progress: 'SUBMITTED',
      refused: [400, 'invalid_request'],
      unknown: [401, 'unauthorized'],
      listed: ['SUBMITTED'],
      workbook: 'PK',
    });
  },
);
