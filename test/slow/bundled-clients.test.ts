/** Bundled clients of AWS without the endpoints of this machine: they call AWS in their region, with a role's credentials. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '#stacks/build/bundle.ts';

let outdir: string;
beforeAll(async () => {
  outdir = await mkdtemp(join(tmpdir(), 'clients-'));
});
afterAll(() => rm(outdir, { recursive: true, force: true }));

/** What Lambda and the deployment set. */
const ENVIRONMENT = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'AKIA',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'token',
  TABLE_NAME: 'forms',
  BUCKET_NAME: 'files',
  MAIL_FROM: 'forms@example.org',
};

test('the bundles leave out nothing that a call of AWS needs', async () => {
  const file = 'test/support/every-client.ts';
  const [bundled] = await bundle([{ file, needs: ['table:read', 'files:read', 'mail:send'] }], outdir);
  const script = `
    const requests = {};
    process.getBuiltinModule('node:https').request = ({ host, headers }) => {
      requests[host] = [headers['x-amz-security-token'], headers.authorization];
      throw new Error('refused');
    };
    const { handler } = await import(${JSON.stringify(join(bundled?.directory ?? '', 'index.mjs'))});
    await handler();
    console.log(JSON.stringify(requests));
    process.exit(0);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: ENVIRONMENT,
  });
  const signed = (service: string) => ['token', expect.stringContaining(`/eu-west-1/${service}/aws4_request`)];
  expect(JSON.parse(stdout)).toEqual({
    'dynamodb.eu-west-1.amazonaws.com': signed('dynamodb'),
    'files.s3.eu-west-1.amazonaws.com': signed('s3'),
    'email.eu-west-1.amazonaws.com': signed('ses'),
  });
});
