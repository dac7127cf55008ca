/**
 * By which boundary a multipart body is read (contract sections 1 and 8): the one that its Content-Type names, however
 * that is written; the same one by which its parts are counted, so that no other parameter hides thousands of them.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { filesOf } from '#core/http/request.ts';

const SPEC = { name: 'files', max: 3, description: 'Some files.', otherwise: '' };

/** A body of empty fields and then one file, under a boundary. */
const bodyOf = (boundary: string, fields = 0): string =>
  [
    ...Array(fields).fill(`--${boundary}\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n`),
    `--${boundary}\r\nContent-Disposition: form-data; name=files; filename="a.txt"\r\n\r\nhi\r\n--${boundary}--\r\n`,
  ].join('');

/** The names of the files in a body that came under a content type. */
async function read(type: string, body: string): Promise<string[]> {
  const headers = { 'content-type': type };
  const event: Partial<APIGatewayProxyEventV2> = { headers, body, isBase64Encoded: false };
  return (await filesOf(event as APIGatewayProxyEventV2, SPEC)).map(({ filename }) => filename);
}

const FORMS: [string, string][] = [
  ['boundary=B', 'B'],
  ['BOUNDARY=B', 'B'],
  ['boundary="B"', 'B'],
  ['boundary="a;b"', 'a;b'],
  ['boundary="a\\"b"', 'a"b'],
  ['boundary="a\\\\b"', 'a\\b'],
  ['boundary="boundary=x"', 'boundary=x'],
  ['xboundary=zzzz; boundary=B', 'B'],
  ['x="boundary=zzzz"; boundary=B', 'B'],
  ['boundary=B; boundary=zzzz', 'B'],
  ['charset=utf-8; boundary=B', 'B'],
];

describe.for(FORMS)('a body under %s', ([parameters, boundary]) => {
  const type = `multipart/form-data; ${parameters}`;

  test('is read by it', async () => {
    expect(await read(type, bodyOf(boundary))).toEqual(['a.txt']);
  });

  test('has a hundred parts at most', async () => {
    expect(await read(type, bodyOf(boundary, 99))).toEqual(['a.txt']);
    const tooMany = [{ pointer: '/body', detail: 'has more than 100 parts' }];
    await expect(read(type, bodyOf(boundary, 1_000))).rejects.toMatchObject({ status: 400, errors: tooMany });
  });
});

test.for<string[]>([
  ['multipart/form-data; xboundary=B'],
  ['multipart/form-data; boundary=""'],
  ['multipart/mixed; boundary=B'],
  ['multipart/; boundary=B'],
])('what comes under %s cannot be read', async ([type = '']) => {
  const errors = [{ pointer: '/body', detail: 'is not readable as multipart/form-data (RFC 7578)' }];
  await expect(read(type, bodyOf('B'))).rejects.toMatchObject({ status: 400, errors });
});
