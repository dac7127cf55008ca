/**
 * S3 as a role without `s3:ListBucket` sees it: reading a missing key is 403 AccessDenied instead of 404. A proxy in
 * front of the local S3, so that the SDK throws the same error as on AWS.
 */
import { createServer, request as sendRequest } from 'node:http';
import { closeNow, HOST, listen } from '#stacks/local/gateway/listening.ts';

const ACCESS_DENIED = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

/** Starts the proxy in front of the local S3 at `endpoint` (see `S3_ENDPOINT`); use its endpoint in place of that. */
export async function startS3WithoutList(endpoint: string): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const proxy = createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const forwarded = sendRequest(new URL(url, endpoint), { method, headers }, (result) => {
      if (result.statusCode === 404 && (method === 'GET' || method === 'HEAD')) {
        result.resume();
        response.writeHead(403, { 'content-type': 'application/xml' }).end(ACCESS_DENIED);
      } else {
        response.writeHead(result.statusCode ?? 500, result.headers);
        result.pipe(response);
      }
    });
    forwarded.once('error', () => response.destroy());
    request.pipe(forwarded);
  });
  const port = await listen(proxy, 0);
  return { endpoint: `http://${HOST}:${port}`, stop: () => closeNow(proxy) };
}
