/** The fields of a posted form, URL-encoded or multipart. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type FilePart, header, isMultipart, readRawBody } from '#core/http/request.ts';
import { type Problem, problems } from '#core/problems/problems.ts';

/** The texts of a form, in order, with line feeds as line ends, and its files by the name of their field. */
export type FormFields = { fields: URLSearchParams; files: readonly (FilePart & { name: string })[] };

/** The choices of a section whose answers are as large as a response can be, and a few fields of each question. */
const MAX_FIELDS = 10_000;

/**
 * Reads a posted form of at most `maxBytes`. An empty file field is left out. Throws 400 for a body that cannot be read
 * or has too many fields, 413 for a large one.
 */
export async function readFormFields(event: APIGatewayProxyEventV2, maxBytes: number): Promise<FormFields> {
  const body = readRawBody(event, { maxBytes });
  if (!isMultipart(event)) {
    // Counted before parsing, which takes quadratic time in the number of fields.
    if (countSeparators(body) >= MAX_FIELDS) throw tooManyFields();
    const fields = new URLSearchParams();
    for (const [name, value] of new URLSearchParams(body.toString())) fields.append(name, toLineFeeds(value));
    return { fields, files: [] };
  }
  const { parseFormParts } = await import('#core/http/multipart.ts');
  const type = header(event, 'content-type') ?? '';
  const fields = new URLSearchParams();
  const files: (FilePart & { name: string })[] = [];
  for (const { name, filename, contentType, bytes } of parseFormParts(body, type, MAX_FIELDS)) {
    if (filename === undefined) fields.append(name, toLineFeeds(Buffer.from(bytes).toString()));
    else if (filename !== '' || bytes.length > 0) files.push({ name, filename, contentType, bytes });
  }
  return { fields, files };
}

/** Browsers send line ends as CR LF. */
const toLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

function countSeparators(body: Buffer): number {
  let count = 0;
  for (let index = body.indexOf('&'); index !== -1; index = body.indexOf('&', index + 1)) count += 1;
  return count;
}

const tooManyFields = (): Problem =>
  problems.invalid([{ pointer: '/body', detail: `has more than ${MAX_FIELDS} fields` }]);
