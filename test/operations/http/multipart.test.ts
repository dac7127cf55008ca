/** Operations that take files or JSON: what their handlers receive, and how an Idempotency-Key compares files. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { declare } from '#core/api/declare.ts';
import { operation } from '#core/http/operation.ts';
import { createRouter } from '#stacks/local/gateway/router.ts';
import { newKey } from '#test/support/building.ts';
import { person } from '#test/support/fixtures.ts';

const Entry = z.object({ filename: z.string(), contentType: z.string(), size: z.int() });
const Echo = () => z.object({ files: z.array(Entry), note: z.string(), run: z.int() });
const { echo } = declare('files', {
  echo: {
    method: 'POST',
    path: '/echo',
    summary: 'Return what was sent',
    access: { credential: 'user' },
    needs: ['table:read', 'table:write'],
    body: () => z.object({ note: z.string() }),
    parts: { name: 'files', max: 3, description: 'Some files.', otherwise: '' },
    idempotent: true,
    success: { status: 201, description: 'What was sent.', body: Echo },
  },
});

let runs = 0;
const opener = async () => ({ resource: {}, roles: [] });
const handler = operation(echo, opener, async ({ parts = [], body }) => {
  runs += 1;
  const files = parts.map(({ bytes, ...file }) => ({ ...file, size: bytes.length }));
  return { body: { files, note: body?.note ?? '', run: runs } };
});
const router = createRouter([{ method: 'POST', path: '/api/echo', handler }]);

const alice = await person('alice');

type Body = { body: Buffer; type: string };

async function post({ body, type }: Body, key = newKey()) {
  const response = await router.dispatch({
    method: 'POST',
    url: '/api/echo',
    headers: [
      ['authorization', `Bearer ${alice.token}`],
      ['content-type', type],
      ['idempotency-key', key],
    ],
    body,
    remoteAddress: '127.0.0.1',
    httpVersion: '1.1',
  });
  return { status: response.status, headers: response.headers, json: JSON.parse(response.body.toString()) };
}

const json: Body = { body: Buffer.from('{"note":"so"}'), type: 'application/json' };

type FilePart = { filename?: string; content?: string; contentType?: string };

/** A form with one file. */
function form({ filename = 'a.txt', content = 'hi', contentType = 'text/plain' }: FilePart = {}, boundary = 'B'): Body {
  const headers = `Content-Disposition: form-data; name="files"; filename="${filename}"\r\nContent-Type: ${contentType}`;
  const body = `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n--${boundary}--\r\n`;
  return { body: Buffer.from(body), type: `multipart/form-data; boundary=${boundary}` };
}

test('a handler receives files or JSON', async () => {
  const file = { filename: 'a.txt', contentType: 'text/plain', size: 2 };
  expect(await post(form())).toMatchObject({ status: 201, json: { files: [file], note: '' } });
  expect(await post(json)).toMatchObject({ status: 201, json: { files: [], note: 'so' } });
});

test('a form that cannot be read is a problem', async () => {
  const { body, type } = form();
  expect(await post({ body: body.subarray(0, 20), type })).toMatchObject({
    status: 400,
    json: { title: 'Bad Request', errors: [{ pointer: '/body' }] },
  });
});

describe('the same Idempotency-Key', () => {
  test('with the same files under another boundary replays the first result', async () => {
    const key = newKey();
    const first = await post(form(), key);
    const again = await post(form({}, 'another-boundary'), key);
    expect(again).toMatchObject({ status: 201, json: first.json, headers: { 'idempotency-replayed': 'true' } });
  });

  test.for<[string, Body]>([
    ['other bytes', form({ content: 'ho' })],
    ['another name', form({ filename: 'b.txt' })],
    ['another type', form({ contentType: 'text/html' })],
    ['JSON', json],
  ])('with %s is 409', async ([, other]) => {
    const key = newKey();
    await post(form(), key);
    expect(await post(other, key)).toMatchObject({ status: 409, json: { title: 'Conflict' } });
  });
});
