/** Responses of the local S3. Errors are XML with the codes and messages that the documentation of S3 lists. */
import { randomUUID } from 'node:crypto';
import { escapeHtml } from '#core/schema/text.ts';

export type S3Response = { status: number; headers: Record<string, string>; body: Uint8Array };

export type S3Error = {
  status: number;
  /** An error code of S3. */
  code: string;
  message: string;
  /** Further XML elements, by name. */
  details?: Record<string, string>;
  headers?: Record<string, string>;
};

/** Renders an error. */
export function errorResponse({ status, code, message, details = {}, headers = {} }: S3Error): S3Response {
  const elements = { Code: code, Message: message, ...details, RequestId: randomUUID(), HostId: 'local' };
  const xml = Object.entries(elements).map(([name, text]) => `<${name}>${escapeHtml(text)}</${name}>`);
  return {
    status,
    headers: { ...headers, 'content-type': 'application/xml' },
    body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<Error>${xml.join('')}</Error>`),
  };
}
