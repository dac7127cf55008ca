/** Responses of a store in trouble that the SDK cannot read are reported as busy storage, like those that it can. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { lazyBucket } from '#core/aws/lazy.ts';
import { StorageBusy } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';

let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** A bucket in a store that responds to everything with this status and body. */
async function newBucket(status: number, body: string) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'text/html' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stop = () => server.close().closeAllConnections();
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return lazyBucket({ ...app().config, bucketName: 'files', s3Endpoint: `http://127.0.0.1:${address.port}` });
}

describe('a response of storage', () => {
  test.for([
    [500, 'no space left on device'],
    [502, '<html><body>Bad gateway<br></body></html>'],
    [503, ''],
  ] as const)('%i with the body %j means that it is busy', async ([status, body]) => {
    const bucket = await newBucket(status, body);
    await expect(bucket.put('a', Buffer.from('a'), 'text/plain')).rejects.toThrow(StorageBusy);
  });

  test('403 with a body that cannot be read does not', async () => {
    const bucket = await newBucket(403, '<html><br>');
    const error = await bucket.put('a', Buffer.from('a'), 'text/plain').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(StorageBusy);
  });
});
