/** A bundled function reads its secrets from SSM when it needs them, as it does when it is deployed. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '#stacks/build/bundle.ts';
import { apiFunctions } from '#stacks/functions.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { type Cast, newCast } from '#test/support/fixtures.ts';

const FILE = 'functions/auth/login-internal.ts';
const { TOKEN_KEY, TOKEN_PUBLIC_KEYS } = newSecrets();
const PARAMETER = '/form-service/test/TOKEN_KEY';

let outdir: string;
let directory: string;
let cast: Cast;
beforeAll(async () => {
  outdir = await mkdtemp(join(tmpdir(), 'secrets-'));
  const deployed = apiFunctions.find(({ file }) => file === FILE);
  if (!deployed) throw new Error(`${FILE} is not deployed`);
  const [[bundled], people] = await Promise.all([bundle([deployed], outdir), newCast()]);
  directory = bundled?.directory ?? '';
  cast = people;
});
afterAll(() => rm(outdir, { recursive: true, force: true }));

type Asked = { authorization: string | undefined; target: string | undefined; body: unknown };

/** A stand-in for SSM that has the parameter, and notes what it is asked. */
async function startSsm(asked: Asked[]): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const { authorization, 'x-amz-target': target } = request.headers;
    asked.push({ authorization, target: String(target), body: await json(request) });
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify({ Parameters: [{ Name: PARAMETER, Value: TOKEN_KEY }], InvalidParameters: [] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, server };
}

/**
 * Signs in twice with the bundled handler, in a process of its own; `first` runs before it is loaded. Returns both
 * results, and its output.
 */
async function signInTwice(
  environment: Record<string, string>,
  { first = '', uid = cast.alice.id } = {},
): Promise<{ results: unknown; stdout: string }> {
  const event = {
    rawPath: '/api/auth/login/internal',
    rawQueryString: '',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uid }),
    isBase64Encoded: false,
    requestContext: { requestId: 'r1', http: { method: 'POST', path: '/api/auth/login/internal' } },
  };
  const script = `${first}
    const { handler } = await import(${JSON.stringify(join(directory, 'index.mjs'))});
    const event = ${JSON.stringify(event)};
    const context = { getRemainingTimeInMillis: () => 15_000 };
    const results = [await handler(event, context), await handler(event, context)];
    console.log('RESULTS' + JSON.stringify(results));
    process.exit(0);`;
  const { TABLE_NAME = '', DYNAMODB_ENDPOINT = '' } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: {
      TABLE_NAME,
      DYNAMODB_ENDPOINT,
      TOKEN_PUBLIC_KEYS,
      TOKEN_KEY_PARAMETER: PARAMETER,
      INTERNAL_LOGIN: 'true',
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      ...environment,
    },
  });
  const [, results = '[]'] = /^RESULTS(.*)$/m.exec(stdout) ?? [];
  return { results: JSON.parse(results), stdout };
}

test('it signs in with the key of the parameter, which it reads once', async () => {
  const asked: Asked[] = [];
  const { url, server } = await startSsm(asked);
  const { results } = await signInTwice({ AWS_ENDPOINT_URL_SSM: url });
  server.close();
  expect(results).toMatchObject([{ statusCode: 200 }, { statusCode: 200 }]);
  expect(asked).toEqual([
    {
      authorization: expect.stringContaining('/eu-central-1/ssm/aws4_request'),
      target: 'AmazonSSM.GetParameters',
      body: { Names: [PARAMETER], WithDecryption: true },
    },
  ]);
});

test('a request that signs no token reads nothing', async () => {
  const asked: Asked[] = [];
  const { url, server } = await startSsm(asked);
  const { results } = await signInTwice({ AWS_ENDPOINT_URL_SSM: url }, { uid: crypto.randomUUID() });
  server.close();
  expect(results).toMatchObject([{ statusCode: 404 }, { statusCode: 404 }]);
  expect(asked).toEqual([]);
});

test('without another endpoint it asks SSM in its region', async () => {
  const refuse = `const https = process.getBuiltinModule('node:https');
    https.request = ({ host }) => { throw new Error('request to ' + host); };`;
  const { results, stdout } = await signInTwice({}, { first: refuse });
  expect(results).toMatchObject([{ statusCode: 500 }, { statusCode: 500 }]);
  expect(stdout).toContain('request to ssm.eu-central-1.amazonaws.com');
});
