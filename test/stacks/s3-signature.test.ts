/**
 * Who gets past the gate of the local S3: presigned requests, as they were signed and in their time; everybody else is
 * refused with S3's own codes. Time passes by moving the clock.
 */
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Bucket, clientOf, codeOf, type Gated, startGated } from './s3-gated.ts';

let s3: Gated;
beforeAll(async () => {
  s3 = await startGated();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => s3.stop());

/** A URL with a parameter changed or removed. */
function changed(url: string, name: string, value?: string): string {
  const other = new URL(url);
  if (value === undefined) other.searchParams.delete(name);
  else other.searchParams.set(name, value);
  return other.href;
}

describe('who may come in', () => {
  test('nobody without a signature', async () => {
    const object = `${s3.url}/${Bucket}/digits`;
    for (const [url, init] of [
      [object, {}],
      [object, { method: 'PUT', body: 'x' }],
      [object, { method: 'DELETE' }],
      [`${s3.url}/${Bucket}?list-type=2`, {}],
      [`${s3.url}/${Bucket}`, { method: 'POST', body: new FormData() }],
      [s3.url, {}],
    ] as const) {
      expect(await codeOf(await fetch(url, init))).toEqual([403, 'AccessDenied']);
    }
  });

  test('nobody who signed with another secret, or under another name', async () => {
    const forger = clientOf(s3.url, 'guessed');
    expect(await codeOf(await fetch(await s3.toGet({}, 60, forger)))).toEqual([403, 'SignatureDoesNotMatch']);
    const stranger = clientOf(s3.url, 'local', 'stranger');
    expect(await codeOf(await fetch(await s3.toGet({}, 60, stranger)))).toEqual([403, 'InvalidAccessKeyId']);
  });

  test('not the SDK itself, which signs in a header', async () => {
    const call = s3.signer.send(new GetObjectCommand({ Bucket, Key: 'digits' }));
    await expect(call).rejects.toMatchObject({ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=local' };
    expect(await codeOf(await fetch(await s3.toGet(), { headers }))).toEqual([400, 'InvalidArgument']);
  });

  test('a URL for one verb is no good for another', async () => {
    const url = await s3.toGet();
    for (const method of ['HEAD', 'PUT', 'DELETE', 'POST']) {
      const { status } = await fetch(url, { method, ...(method === 'PUT' ? { body: 'x' } : {}) });
      expect(status, method).toBe(403);
    }
  });

  test('a URL is good at the host that it was signed for', async () => {
    const { port } = new URL(s3.url);
    const elsewhere = (await s3.toGet()).replace('127.0.0.1', 'localhost');
    expect(await codeOf(await fetch(elsewhere))).toEqual([403, 'SignatureDoesNotMatch']);
    const here = await s3.toGet({}, 60, clientOf(`http://localhost:${port}`));
    expect((await fetch(here)).status).toBe(200);
  });

  test('a parameter that was added is not signed', async () => {
    const url = changed(await s3.toGet(), 'response-content-type', 'text/html');
    expect(await codeOf(await fetch(url))).toEqual([403, 'SignatureDoesNotMatch']);
  });

  test('a header in x-amz- that was not signed is refused by its name', async () => {
    const response = await fetch(await s3.toPut('unsigned'), {
      method: 'PUT',
      body: 'hello',
      headers: { 'x-amz-checksum-sha256': 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=', 'x-amz-acl': 'public-read' },
    });
    expect(response.status).toBe(403);
    const text = await response.text();
    expect(text).toContain('<Code>AccessDenied</Code>');
    expect(text).toContain('<HeadersNotSigned>x-amz-acl, x-amz-checksum-sha256</HeadersNotSigned>');
    expect(await s3.isStored('unsigned')).toBe(false);
  });

  test.for([
    ['X-Amz-Algorithm', undefined],
    ['X-Amz-Algorithm', 'AWS4-ECDSA-P256-SHA256'],
    ['X-Amz-Credential', undefined],
    ['X-Amz-Credential', 'local/eu-central-1/s3/aws4_request'],
    ['X-Amz-Credential', 'local/20260501/eu-central-1/dynamodb/aws4_request'],
    ['X-Amz-Date', undefined],
    ['X-Amz-Date', '2026-05-01T00:00:00Z'],
    ['X-Amz-Date', '20261301T000000Z'],
    ['X-Amz-Expires', undefined],
    ['X-Amz-Expires', 'soon'],
    ['X-Amz-Expires', '-1'],
    ['X-Amz-Expires', '604801'],
    ['X-Amz-SignedHeaders', undefined],
    ['X-Amz-Signature', undefined],
  ] as const)('with %s %s a URL is malformed', async ([name, value]) => {
    const url = changed(await s3.toGet(), name, value);
    expect(await codeOf(await fetch(url))).toEqual([400, 'AuthorizationQueryParametersError']);
  });

  test('a URL whose path is no text is refused', async () => {
    expect(await codeOf(await fetch(`${s3.url}/${Bucket}/%ff`))).toEqual([400, 'InvalidURI']);
  });

  test('what is signed but the gate cannot do is not taken for done', async () => {
    expect(await codeOf(await fetch(await s3.toGet({ VersionId: 'v1' })))).toEqual([501, 'NotImplemented']);
    const url = await getSignedUrl(s3.signer, new PutObjectCommand({ Bucket, Key: 'acl', ACL: 'public-read' }), {
      unhoistableHeaders: new Set(['x-amz-acl']),
    });
    const response = await fetch(url, { method: 'PUT', body: 'x', headers: { 'x-amz-acl': 'public-read' } });
    expect(await codeOf(response)).toEqual([501, 'NotImplemented']);
    expect(await s3.isStored('acl')).toBe(false);
  });
});

describe('time', () => {
  const at = (time: string) => vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) });

  test('a URL is good until it expires', async () => {
    at('2026-05-01T12:00:00Z');
    const url = await s3.toGet({}, 60);
    at('2026-05-01T12:00:59Z');
    expect((await fetch(url)).status).toBe(200);
    at('2026-05-01T12:01:01Z');
    const response = await fetch(url);
    expect(response.status).toBe(403);
    const text = await response.text();
    expect(text).toContain('<Code>AccessDenied</Code><Message>Request has expired</Message>');
    expect(text).toContain('<Expires>2026-05-01T12:01:00.000Z</Expires>');
  });

  test('nothing is stored after the end', async () => {
    at('2026-05-01T12:00:00Z');
    const url = await s3.toPut('late');
    at('2026-05-01T12:01:01Z');
    expect(await codeOf(await fetch(url, { method: 'PUT', body: 'x' }))).toEqual([403, 'AccessDenied']);
    expect(await s3.isStored('late')).toBe(false);
  });

  test('a clock may be ahead by a quarter of an hour, not more', async () => {
    at('2026-05-01T12:00:00Z');
    const url = await s3.toGet();
    at('2026-05-01T11:46:00Z');
    expect((await fetch(url)).status).toBe(200);
    at('2026-05-01T11:44:00Z');
    expect(await codeOf(await fetch(url))).toEqual([403, 'AccessDenied']);
  });

  test('a URL may be good for a week', async () => {
    at('2026-05-01T12:00:00Z');
    const url = await s3.toGet({}, 604_800);
    at('2026-05-08T11:59:00Z');
    expect((await fetch(url)).status).toBe(200);
  });
});
