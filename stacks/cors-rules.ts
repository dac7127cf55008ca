/** What pages of other origins may send and read. The origins are those of `ALLOWED_ORIGINS`. */

/** CORS of the API. Credentials are always allowed, so no origin is ever `*`. */
export const API_CORS = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  headers: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'prefer'],
  exposeHeaders: [
    'etag',
    'idempotency-replayed',
    'link',
    'location',
    'retry-after',
    'x-request-id',
    'content-disposition',
  ],
  maxAgeSeconds: 600,
} as const;

/** CORS of the bucket, to which browsers send files straight; also from pages of the service itself. */
export const BUCKET_CORS = {
  methods: ['GET', 'HEAD', 'PUT'],
  headers: ['content-type', 'x-amz-checksum-sha256'],
  exposeHeaders: ['ETag', 'Content-Disposition'],
  maxAgeSeconds: 600,
} as const;
