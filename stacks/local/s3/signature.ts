/**
 * Checks presigned URLs as S3 does (Signature Version 4 in the query): the signer of the SDK signs the request as it
 * arrived, and the result must equal its signature, so method, path, parameters and signed headers are unchanged.
 */
import { timingSafeEqual } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import * as z from 'zod';
import type { S3Error } from './response.ts';

/** The credentials with which `core/aws/s3-bucket.ts` signs. */
const LOCAL_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

/** A request that claims to be presigned. */
export type PresignedRequest = {
  method: string;
  /** Decoded. */
  path: string;
  query: URLSearchParams;
  /** By lower-case name; repeated ones are joined with commas. */
  headers: Readonly<Record<string, string>>;
};

const MAX_EXPIRES_SECONDS = 604_800;
const MAX_SKEW_MS = 15 * 60_000;

const DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const DATE_RULE = `X-Amz-Date must be in the ISO8601 Long Format "yyyyMMdd'T'HHmmss'Z'"`;
const CREDENTIAL_RULE =
  'Error parsing the X-Amz-Credential parameter; expecting "<YOUR-AKID>/YYYYMMDD/REGION/s3/aws4_request".';
const ALL_RULE =
  'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, ' +
  'X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.';

const Authorization = z
  .object({
    'X-Amz-Algorithm': z.literal('AWS4-HMAC-SHA256', { error: 'X-Amz-Algorithm only supports "AWS4-HMAC-SHA256"' }),
    'X-Amz-Credential': z.string().regex(/^[^/]+\/\d{8}\/[a-z0-9-]+\/s3\/aws4_request$/, { error: CREDENTIAL_RULE }),
    'X-Amz-Date': z
      .string()
      .regex(DATE, { error: DATE_RULE, abort: true })
      .transform((text) => new Date(text.replace(DATE, '$1-$2-$3T$4:$5:$6Z')))
      .refine((date) => !Number.isNaN(date.getTime()), { error: DATE_RULE }),
    'X-Amz-Expires': z
      .string()
      .regex(/^-?\d+$/, { error: 'X-Amz-Expires should be a number', abort: true })
      .transform(Number)
      .refine((seconds) => seconds >= 0, { error: 'X-Amz-Expires must be non-negative' })
      .refine((seconds) => seconds <= MAX_EXPIRES_SECONDS, {
        error: `X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than ${MAX_EXPIRES_SECONDS} seconds`,
      }),
    'X-Amz-SignedHeaders': z.string().min(1),
    'X-Amz-Signature': z.string().min(1),
  })
  .transform((parameters) => {
    const [accessKeyId = '', , region = ''] = parameters['X-Amz-Credential'].split('/');
    return {
      accessKeyId,
      region,
      signedAt: parameters['X-Amz-Date'],
      expiresSeconds: parameters['X-Amz-Expires'],
      signedHeaders: parameters['X-Amz-SignedHeaders'].split(';'),
      signature: parameters['X-Amz-Signature'],
    };
  });
type Authorization = z.output<typeof Authorization>;

const AUTHORIZATION = Object.keys(Authorization.in.shape);

/**
 * The error of a request that was not presigned or is not valid now; undefined when it is good. Its signed headers can
 * be trusted then, and it has no unsigned x-amz- headers.
 */
export async function signatureError(request: PresignedRequest, now: Date): Promise<S3Error | undefined> {
  const isPresigned = AUTHORIZATION.some((name) => request.query.has(name));
  if (!isPresigned) return denied('Access Denied');
  if (request.headers.authorization !== undefined) return onlyOneWay;
  const given = toQuery(request.query);
  if (AUTHORIZATION.some((name) => given[name] === undefined)) return malformed(ALL_RULE);
  const parsed = Authorization.safeParse(given);
  if (!parsed.success) return malformed(parsed.error.issues[0]?.message ?? ALL_RULE);
  const authorization = parsed.data;
  if (authorization.accessKeyId !== LOCAL_CREDENTIALS.accessKeyId) return unknownKey(authorization.accessKeyId);
  return (
    outOfTime(authorization, now) ??
    notSigned(request, authorization) ??
    ((await isGenuine(request, authorization)) ? undefined : noMatch)
  );
}

function outOfTime({ signedAt, expiresSeconds }: Authorization, now: Date): S3Error | undefined {
  const expires = signedAt.getTime() + expiresSeconds * 1_000;
  const details = { Expires: new Date(expires).toISOString(), ServerTime: now.toISOString() };
  if (now.getTime() > expires) return { ...denied('Request has expired'), details };
  if (signedAt.getTime() > now.getTime() + MAX_SKEW_MS) return denied('Request is not valid yet');
  return undefined;
}

function notSigned({ headers }: PresignedRequest, { signedHeaders }: Authorization): S3Error | undefined {
  const amazon = Object.keys(headers).filter((name) => name.startsWith('x-amz-'));
  const unsigned = amazon.filter((name) => !signedHeaders.includes(name)).sort();
  if (unsigned.length === 0) return undefined;
  const message = 'There were headers present in the request which were not signed';
  return { ...denied(message), details: { HeadersNotSigned: unsigned.join(', ') } };
}

/** Provides the hash function only; it sends no requests. */
const { sha256 } = new S3Client({ region: 'us-east-1', credentials: LOCAL_CREDENTIALS }).config;
const presigner = new S3RequestPresigner({ credentials: LOCAL_CREDENTIALS, region: 'us-east-1', sha256 });

/** Computes the signature of a request. */
async function sign(
  { method, path, query, headers }: PresignedRequest,
  authorization: Authorization,
): Promise<unknown> {
  const { region, signedAt, expiresSeconds, signedHeaders } = authorization;
  const names = new Set(signedHeaders);
  const request = {
    method,
    protocol: 'http:',
    hostname: '',
    path: path.split('/').map(encoded).join('/'),
    query: Object.fromEntries(Object.entries(toQuery(query)).filter(([name]) => !AUTHORIZATION.includes(name))),
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => names.has(name))),
  };
  const signed = await presigner.presign(request, {
    signingDate: signedAt,
    signingRegion: region,
    expiresIn: expiresSeconds,
    signableHeaders: names,
    unhoistableHeaders: names,
  });
  return signed.query?.['X-Amz-Signature'];
}

async function isGenuine(request: PresignedRequest, authorization: Authorization): Promise<boolean> {
  // The signer sets this parameter itself and ignores the value in the request.
  if (request.query.get('X-Amz-Content-Sha256') !== 'UNSIGNED-PAYLOAD') return false;
  const expected = await sign(request, authorization);
  const given = authorization.signature;
  if (typeof expected !== 'string' || expected.length !== Buffer.byteLength(given)) return false;
  return timingSafeEqual(Buffer.from(expected), Buffer.from(given));
}

/** Parameters by name; a list where one is repeated. */
const toQuery = (query: URLSearchParams): Record<string, string | string[]> =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );

/** Percent-encodes everything but RFC 3986's unreserved characters, as the signature requires. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

const denied = (message: string): S3Error => ({ status: 403, code: 'AccessDenied', message });
const malformed = (message: string): S3Error => ({
  status: 400,
  code: 'AuthorizationQueryParametersError',
  message,
});
const unknownKey = (accessKeyId: string): S3Error => ({
  status: 403,
  code: 'InvalidAccessKeyId',
  message: 'The AWS Access Key Id you provided does not exist in our records.',
  details: { AWSAccessKeyId: accessKeyId },
});
const onlyOneWay: S3Error = {
  status: 400,
  code: 'InvalidArgument',
  message:
    'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified',
};
const noMatch: S3Error = {
  status: 403,
  code: 'SignatureDoesNotMatch',
  message:
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
};
