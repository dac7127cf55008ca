/**
 * Parses a multipart/form-data body (RFC 7578) in memory, in one synchronous pass that stops at the first fault.
 * Streaming parsers continue beyond their limits and skip parts that they cannot read.
 */
import { MIMEType } from 'node:util';
import { parse } from 'content-disposition';
import { type Problem, problems } from '#core/problems/problems.ts';

/** The largest number of parts: 4 MB could contain hundreds of thousands of small ones. */
const MAX_PARTS = 100;
/** The longest headers of one part: room for a file name of 500 characters in any encoding. */
const MAX_HEADER_BYTES = 16_384;
const END_OF_HEADERS = '\r\n\r\n';

/** One part of a form: a field, or a file when it has a file name. */
type FormPart = { name: string; filename: string | undefined; contentType: string; bytes: Uint8Array };

/**
 * Parses the parts of a form, in order; `bytes` are views of the body. Throws 400 for a body that is not multipart/form-data,
 * is incomplete, has more than `maxParts` parts, or has a part that cannot be read.
 */
export function parseFormParts(body: Buffer, contentType: string, maxParts = MAX_PARTS): FormPart[] {
  // The first delimiter has no line break before it; with one, all delimiters match the same pattern.
  const raw = Buffer.concat([Buffer.from('\r\n'), body]);
  const boundary = escapeRegExp(parseBoundary(contentType));
  // A delimiter is a whole line, with optional padding; a line that only begins like one is content.
  const delimiter = new RegExp(`\\r\\n--${boundary}(--)?[ \\t]*(?=\\r\\n|$)`, 'g');
  const parts: FormPart[] = [];
  let start: number | undefined;
  for (const { 0: line, 1: closing, index } of raw.toString('latin1').matchAll(delimiter)) {
    if (start !== undefined) parts.push(readPart(raw.subarray(start, index), parts.length + 1));
    if (closing) return parts;
    if (parts.length === maxParts) throw fault(`has more than ${maxParts} parts`);
    start = index + line.length;
  }
  throw unreadableFault('its closing boundary is missing');
}

/** Reads a part: a line break, headers, an empty line, content. */
function readPart(part: Buffer, number: number): FormPart {
  const end = part.indexOf(END_OF_HEADERS);
  if (end === -1) throw unreadableFault(`part ${number} has no empty line after its headers`);
  if (end > MAX_HEADER_BYTES) throw unreadableFault(`the headers of part ${number} exceed ${MAX_HEADER_BYTES} bytes`);
  const headers = new Map(part.toString('utf8', 0, end).split('\r\n').map(parseHeader));
  const { type, parameters } = parse(encodeQuotes(headers.get('content-disposition') ?? ''), { multipart: true });
  const { name, filename } = parameters;
  if (type !== 'form-data' || name === undefined) {
    throw unreadableFault(`part ${number} has no Content-Disposition of type form-data with a name`);
  }
  const contentType = headers.get('content-type') || 'text/plain';
  return { name, filename, contentType, bytes: part.subarray(end + END_OF_HEADERS.length) };
}

function parseHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

/**
 * Converts \" in file names to %22. Browsers encode a quote as %22 and do not escape backslashes; other clients write
 * \" for a quote. A backslash before the closing quote of a value is kept.
 */
const encodeQuotes = (disposition: string): string => disposition.replaceAll(/\\"(?!\s*(?:;|$))/g, '%22');

function parseBoundary(contentType: string): string {
  const type = parseType(contentType);
  const boundary = type?.params.get('boundary');
  if (type?.essence !== 'multipart/form-data') throw unreadableFault('its Content-Type is not multipart/form-data');
  if (!boundary) throw unreadableFault('its Content-Type has no boundary');
  return boundary;
}

function parseType(contentType: string): MIMEType | undefined {
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
}

const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const fault = (detail: string): Problem => problems.invalid([{ pointer: '/body', detail }]);
const unreadableFault = (reason: string): Problem =>
  fault(`cannot be read as multipart/form-data (RFC 7578): ${reason}`);
