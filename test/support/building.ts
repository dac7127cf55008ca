/**
 * Support for tests of forms: forms, sections and links in one line each, raw requests that the typed client cannot send,
 * and all pages of lists.
 */
import * as z from 'zod';
import type { Client } from '#core/api/client.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { parseStructure, replaceStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { type Person, send } from './fixtures.ts';

type CreateForm = Parameters<Client['forms']['createForm']>[0]['body'];

/** The required settings of a form, and more. */
export const settings = <T extends Partial<CreateForm>>(more?: T) => ({
  title: 'Spring survey',
  visibility: 'PUBLIC' as const,
  allowEditResponse: true,
  ...more,
});

/** A new DRAFT form whose START leads straight to END. */
export const draftForm = async (editor: Person, slug: string, more: Partial<CreateForm> = {}) =>
  (await editor.client.forms.createForm({ params: { slug }, body: settings(more) })).body;

/** A new published form without sections. */
export async function openForm(editor: Person, slug: string, more: Partial<CreateForm> = {}) {
  const { id: formId } = await draftForm(editor, slug, more);
  return (await editor.client.forms.publishForm({ params: { formId } })).body;
}

/** A new unlinked node of a form; its id. */
export async function newNode(editor: Person, formId: string, type: 'SECTION' | 'CONDITION' = 'SECTION') {
  return (await editor.client.workflow.createNode({ params: { formId }, body: { type, payload: {} } })).body.id;
}

/** Sends a raw request: for bodies and queries that the typed client would not send. */
export async function requestAs(
  person: Person | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const result = await send(method, path, {
    headers: { ...(person ? { authorization: `Bearer ${person.token}` } : {}), ...headers },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await result.text();
  return { status: result.status, headers: result.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** An unused `Idempotency-Key`. */
export const newKey = (): string => `key-${crypto.randomUUID()}`;

/** Sends a POST with an `Idempotency-Key`; `path` is below `/api`. */
export const postWithKey = (person: Person, path: string, key: string, body?: unknown) =>
  requestAs(person, 'POST', `/api${path}`, body, { 'idempotency-key': key });

/** The pointers of all faults of a request; fails the test when the request is not refused with 400. */
export async function readFaults(person: Person, method: string, path: string, body: unknown): Promise<string[]> {
  const result = await requestAs(person, method, path, body);
  if (result.status !== 400) throw new Error(`expected 400, got ${result.status}: ${JSON.stringify(result.body)}`);
  return Refusal.parse(result.body)
    .errors.map(({ pointer }) => pointer)
    .sort();
}

const Refusal = z.object({ errors: z.array(z.object({ pointer: z.string(), detail: z.string() })) });
const Listed = z.array(z.looseObject({ id: z.string() }));

/** The ids of every page of a list whose cursor is in `Link`, page by page. */
export async function readPages(person: Person, path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const result = await requestAs(person, 'GET', next);
    if (result.status !== 200 || pages.length > 100) throw new Error(`${next} returned ${result.status}`);
    pages.push(Listed.parse(result.body).map(({ id }) => id));
    next = nextOf(result.headers);
  }
  return pages;
}

/** The address of the next page in a `Link` header; undefined at the end of the list. */
export const nextOf = (headers: Headers): string | undefined =>
  /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

/** Edits the stored structure of a form, to start from one that would take hundreds of requests. */
export async function replaceStoredStructure(formId: string, edit: (structure: Structure) => Structure): Promise<void> {
  const [item] = await app().table.read([keys.formStructure(formId)]);
  const stored = parseStructure(item);
  if (!stored) throw new Error(`the form ${formId} has no structure`);
  const next = { ...edit(stored), version: stored.version + 1 };
  await app().table.write(replaceStructure(next));
}

type NodeInput = Parameters<Client['workflow']['updateWorkflow']>[0]['body'][number];
export type Change = Partial<NodeInput>;

/** The workflow of a form as a member reads it. */
export const readWorkflow = async (person: Person, formId: string) =>
  (await person.client.workflow.getWorkflow({ params: { formId } })).body;

/** The ids of START and END. */
export async function readEnds(person: Person, formId: string): Promise<{ start: string; end: string }> {
  const { workflow: nodes } = await readWorkflow(person, formId);
  const idOf = (type: string): string => nodes.find((node) => node.type === type)?.id ?? '';
  return { start: idOf('START'), end: idOf('END') };
}

/** Sends a form's nodes back with some of them changed, by id; a member that is undefined is removed. */
export async function rewire(person: Person, formId: string, changes: Record<string, Change>) {
  const { workflow: nodes } = await readWorkflow(person, formId);
  const body = nodes.map((node) => ({ ...node, ...changes[node.id] }));
  return requestAs(person, 'PUT', `/api/forms/${formId}/workflow`, body);
}
