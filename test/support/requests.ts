/**
 * One valid request for every declared operation: what the tests that hold of every operation start from. Rows stand
 * beside this file by noun. An operation that is declared without a row here is a type error, and fails those tests.
 */
import { expect } from 'vitest';
import { type CallInput, pathOf } from '#core/api/client.ts';
import { type Declaration, ProblemObject, problemsOf } from '#core/api/declare.ts';
import type { Api } from '#core/api/index.ts';
import { TITLES } from '#core/problems/problems.ts';
import { fileRows } from '#test/support/requests/files.ts';
import { formRows } from '#test/support/requests/forms.ts';
import { orgRows } from '#test/support/requests/orgs.ts';
import { peopleRows } from '#test/support/requests/people.ts';
import { responseRows } from '#test/support/requests/responses.ts';
import { newThings, type Place, type Scene, type Status, type Things } from './scene.ts';
import { type Person, send } from './world.ts';

/** `forms.createForm`, and so on: the name of every declared operation. */
export type OperationName = { [N in keyof Api]: `${N}.${keyof Api[N] & string}` }[keyof Api];

/** Who sends a request: somebody of the place that the things are in, or nobody. */
export type Sender = keyof { [K in keyof Place as Place[K] extends Person ? K : never]: K } | 'nobody';

/** The valid request of an operation. */
export type Row<Input> = {
  /** Somebody who may. */
  by: Sender;
  /** The status of the form at which it goes well; PUBLISHED unless told otherwise. */
  on?: Status;
  /** It cannot be sent twice about the same things, or it spoils them for others: it is given new ones. */
  consumes?: true;
  /** Makes what it needs beside the things. */
  input: (things: Things) => Input | Promise<Input>;
  /** Another valid request, of an operation that one request does not show in full. */
  other?: (things: Things) => Input | Promise<Input>;
};

/** The rows of some nouns: one for each of their operations. */
export type Rows<Noun extends keyof Api> = {
  [N in Noun]: { [O in keyof Api[N]]: Api[N][O] extends Declaration ? Row<CallInput<Api[N][O]>> : never };
};

type AnyInput = {
  params?: Record<string, string> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  form?: FormData | undefined;
  headers?: Record<string, string> | undefined;
};

const rows = { ...peopleRows, ...orgRows, ...formRows, ...responseRows, ...fileRows } satisfies Rows<keyof Api>;

const rowsByName = new Map<string, Row<AnyInput>>(
  Object.entries<Record<string, Row<AnyInput>>>(rows).flatMap(([noun, each]) =>
    Object.entries(each).map(([name, row]) => [`${noun}.${name}`, row] as const),
  ),
);

export const nameOf = ({ noun, name }: Declaration): string => `${noun}.${name}`;

/** Operations with their names, as `test.for` takes them. */
export const named = (list: readonly Declaration[]) =>
  list.map((declaration) => [nameOf(declaration), declaration] as const);

/** The names of all rows, to hold against those of the declarations. */
export const rowNames = (): string[] => [...rowsByName.keys()];

/** The row of an operation. */
export function rowOf(declaration: Declaration): Row<AnyInput> {
  const row = rowsByName.get(nameOf(declaration));
  if (!row) throw new Error(`${nameOf(declaration)} has no row in test/support/requests`);
  return row;
}

/** A request that is ready to be sent, or to be spoilt first. */
export type Sending = {
  declaration: Declaration;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
  /** In the place of the body: parts. */
  form?: FormData | undefined;
  headers: Record<string, string>;
  by: Person | undefined;
};

/** The valid request of an operation about some things, by somebody who may or by whoever is given. */
export const sendingOf = (declaration: Declaration, things: Things, by?: Person | 'nobody'): Promise<Sending> =>
  sendingBy(declaration, rowOf(declaration).input, things, by);

/** The other valid request of an operation about some things, if it has one. */
export async function otherSendings(declaration: Declaration, things: Things): Promise<Sending[]> {
  const { other } = rowOf(declaration);
  return other ? [await sendingBy(declaration, other, things)] : [];
}

async function sendingBy(
  declaration: Declaration,
  input: Row<AnyInput>['input'],
  things: Things,
  by?: Person | 'nobody',
): Promise<Sending> {
  const row = rowOf(declaration);
  const { params = {}, query = {}, body, form, headers = {} } = await input(things);
  const sender = by ?? (row.by === 'nobody' ? 'nobody' : things[row.by]);
  return { declaration, params, query, body, form, headers, by: sender === 'nobody' ? undefined : sender };
}

/** The valid request of an operation; about new things if it uses them up. */
export async function validSending(declaration: Declaration, { own, places }: Scene): Promise<Sending> {
  const { on = 'PUBLISHED', consumes } = rowOf(declaration);
  return sendingOf(declaration, consumes ? await newThings(places.own, on) : own[on]);
}

export type Answered = { status: number; headers: Headers; body: unknown; bytes: Uint8Array };

/** What is sent in the place of what the request says; `path` begins with `/api`. */
export type Instead = { path?: string; body?: string | Buffer; headers?: Record<string, string> };

/** Sends a request and holds its answer to what must hold of every answer. */
export async function perform(sending: Sending, instead: Instead = {}): Promise<Answered> {
  const { declaration, by } = sending;
  const path = instead.path ?? pathOf(declaration.path, sending);
  const parts = sending.form && new Response(sending.form);
  const own = parts ? Buffer.from(await parts.bytes()) : JSON.stringify(sending.body);
  const body: string | Buffer | undefined = instead.body ?? own;
  const type = (instead.body === undefined && parts?.headers.get('content-type')) || 'application/json';
  const headers = {
    ...(by ? { authorization: `Bearer ${by.token}` } : {}),
    ...(body === undefined ? {} : { 'content-type': type }),
    ...sending.headers,
    ...instead.headers,
  };
  const response = await send(declaration.method, path, { headers, ...(body === undefined ? {} : { body }) });
  const answered = await read(response);
  expectWellFormed(declaration, path, answered);
  return answered;
}

/** The path of a request with some parameters put in as they are, unencoded. */
export function pathWith({ declaration, params, query }: Sending, raw: Record<string, string>): string {
  const path = declaration.path.replace(/\{(\w+)\}/g, (whole, name: string) => raw[name] ?? whole);
  return pathOf(path, { params, query });
}

async function read(response: Response): Promise<Answered> {
  const bytes = await response.bytes();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const body: unknown = isJson ? JSON.parse(Buffer.from(bytes).toString()) : undefined;
  return { status: response.status, headers: response.headers, body, bytes };
}

/** What every answer keeps to (contract section 1): a request id, a declared status, problems by RFC 9457. */
function expectWellFormed(declaration: Declaration, path: string, { status, headers, body }: Answered): void {
  const name = nameOf(declaration);
  expect(headers.get('x-request-id'), `${name} answers a request id`).toMatch(/^[\w-]{10,}$/);
  const other = declaration.otherSuccess ? [declaration.otherSuccess.status] : [];
  const declared = [declaration.success.status, ...other, ...problemsOf(declaration).keys()];
  expect(declared, `${name} declares the status it answers: ${JSON.stringify(body)}`).toContain(status);
  if (status < 400) return;
  expect(headers.get('content-type'), name).toBe('application/problem+json');
  expect(ProblemObject().strict().parse(body), name).toMatchObject({
    type: 'about:blank',
    title: Object.entries(TITLES).find(([code]) => Number(code) === status)?.[1],
    status,
    instance: path.split('?')[0],
  });
  if (status === 401) expect(headers.get('www-authenticate'), name).toBe('Bearer');
  expect(status, `${name} has a defect: ${JSON.stringify(body)}`).not.toBe(500);
}
