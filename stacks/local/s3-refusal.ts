/**
 * What the local S3 answers, and how it refuses: an error is a code and a message in S3's XML, so that whoever reads
 * it finds the same words in S3's documentation. Used by the other files of the local S3.
 */
import { randomUUID } from 'node:crypto';
import { escaped } from './markup.ts';

export type S3Answer = { status: number; headers: Record<string, string>; body: Uint8Array };

export type S3Refusal = {
  status: number;
  /** As in S3's list of error codes. */
  code: string;
  message: string;
  /** Further elements of the XML, by their names. */
  details?: Record<string, string>;
  headers?: Record<string, string>;
};

/** The refusal as it goes over the wire. */
export function refusalAnswer({ status, code, message, details = {}, headers = {} }: S3Refusal): S3Answer {
  const elements = { Code: code, Message: message, ...details, RequestId: randomUUID(), HostId: 'local' };
  const xml = Object.entries(elements).map(([name, text]) => `<${name}>${escaped(text)}</${name}>`);
  return {
    status,
    headers: { ...headers, 'content-type': 'application/xml' },
    body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<Error>${xml.join('')}</Error>`),
  };
}
