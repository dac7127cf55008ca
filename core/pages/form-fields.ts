/** The fields of a posted form, URL-encoded or multipart. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { formParts } from '#core/http/multipart.ts';
import { header, isMultipart, type Part, rawBody } from '#core/http/request.ts';

/** The texts of a form, in order, and its files by the name of their field. */
export type FormFields = { fields: URLSearchParams; files: readonly (Part & { name: string })[] };

/** A section of 300 questions with a few fields each. */
const MAX_FIELDS = 2_000;

/** Reads a posted form. An empty file field is left out. Throws 400 for a body that cannot be read, 413 for a large one. */
export function fieldsOf(event: APIGatewayProxyEventV2): FormFields {
  const body = rawBody(event);
  if (!isMultipart(event)) return { fields: new URLSearchParams(body.toString()), files: [] };
  const type = header(event, 'content-type') ?? '';
  const fields = new URLSearchParams();
  const files: (Part & { name: string })[] = [];
  for (const { name, filename, contentType, bytes } of formParts(body, type, MAX_FIELDS)) {
    if (filename === undefined) fields.append(name, Buffer.from(bytes).toString());
    else if (filename !== '' || bytes.length > 0) files.push({ name, filename, contentType, bytes });
  }
  return { fields, files };
}
