/** Requests before they are sent: the valid one as it is on the wire, in the parts that mutations change. */
import type { Declaration } from '#core/api/declare.ts';
import { pathWith, type Sending } from '#test/support/requests.ts';
import type { Sent } from './runtime.ts';
import { jsonText } from './values.ts';

/** `path` and `query` are encoded; `json` is the body unless `bytes` are given. */
export type Draft = {
  declaration: Declaration;
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  json: unknown;
  bytes?: Buffer;
  /** It may be routed to another operation or none. */
  pathIsMutated: boolean;
};

/** A valid request as a browser writes it. */
export async function draftOf(sending: Sending): Promise<Draft> {
  const { declaration, body: json, form, by } = sending;
  const [path = '', query = ''] = pathWith(sending, {}).split('?');
  const written = form && new Response(form);
  const type = written?.headers.get('content-type') ?? (declaration.body ? 'application/json' : undefined);
  const headers = {
    ...(by ? { authorization: `Bearer ${by.token}` } : {}),
    ...(type ? { 'content-type': type } : {}),
    ...sending.headers,
  };
  const draft = { declaration, method: declaration.method, path, query, headers, json, pathIsMutated: false };
  return written ? { ...draft, bytes: Buffer.from(await written.arrayBuffer()) } : draft;
}

/** A query with some parameters set; a list is a repeated parameter. */
export function withParameters(query: string, values: object): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    parameters.delete(name);
    for (const each of [value].flat()) {
      const text = typeof each === 'string' ? each : jsonText(each ?? null);
      parameters.append(name, text.toWellFormed().slice(0, 3_000));
    }
  }
  return parameters.toString();
}

/** The bytes of the body; undefined if there is none. */
export const bytesOf = ({ bytes, json }: Draft): Buffer | undefined =>
  bytes ?? (json === undefined ? undefined : Buffer.from(jsonText(json)));

/** The request as it is sent. */
export function toSent(draft: Draft): Sent {
  const { method, path, query, headers } = draft;
  const body = bytesOf(draft);
  return { method, path: query === '' ? path : `${path}?${query}`, headers, ...(body ? { body } : {}) };
}
