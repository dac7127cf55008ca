/**
 * Uploads directly to storage: the announced hash, the upload request, and the lifetimes of URLs and unused uploads.
 */
import * as z from 'zod';
import { type Infer, schema, Timestamp } from './schema.ts';

/** The lifetime of an upload URL. */
export const UPLOAD_URL_SECONDS = 30 * 60;
/** The lifetime of an upload that is not used. */
export const UNUSED_UPLOAD_SECONDS = 24 * 60 * 60;
/** When the bytes of an unused upload are removed: late enough that no request still uses it. */
export const CLEAN_UP_SECONDS = UNUSED_UPLOAD_SECONDS + 60 * 60;
/** The lifetime of a download URL. */
export const DOWNLOAD_URL_SECONDS = 60;

const HEX = /^[0-9a-fA-F]{64}$/;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;

/** A SHA-256 in hexadecimal or base64. */
export const Sha256 = schema(() =>
  z
    .string()
    .refine((value) => HEX.test(value) || BASE64.test(value), 'must be a SHA-256 as 64 hexadecimal digits or as base64')
    .meta({ pattern: `${HEX.source}|${BASE64.source}` })
    .describe('SHA-256 of the bytes, as 64 hexadecimal digits or as base64.'),
);

/** Converts a SHA-256 to the base64 that S3 uses. */
export const sha256Base64 = (sha256: string): string =>
  Buffer.from(sha256, HEX.test(sha256) ? 'hex' : 'base64').toString('base64');

/** The request that uploads a file directly to storage. */
export const Upload = schema(() =>
  z
    .object({
      method: z.literal('PUT'),
      url: z.string(),
      headers: z.record(z.string(), z.string()).describe('Send exactly these headers.'),
      expiresAt: Timestamp(),
    })
    .meta({ id: 'Upload' }),
);
export type Upload = Infer<typeof Upload>;
