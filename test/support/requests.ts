/**
 * One valid request for every declared operation, from which the tests of every operation start. The rows are in
 * `requests/`, by noun. An operation that is declared without a row is a type error, and fails those tests.
 */
import { expect } from 'vitest';
import { buildPath, type CallInput } from '#core/api/client.ts';
import { type Declaration, listProblems, ProblemObject } from '#core/api/declare.ts';
import { type Api, operations } from '#core/api/index.ts';
import { TITLES } from '#core/problems/problems.ts';
import { fileRows } from '#test/support/requests/files.ts';
import { formRows } from '#test/support/requests/forms.ts';
import { orgRows } from '#test/support/requests/orgs.ts';
import { peopleRows } from '#test/support/requests/people.ts';
import { responseRows } from '#test/support/requests/responses.ts';
import { type Person, send } from './fixtures.ts';
import { newResources, type Place, type Resources, type Scene, type Status } from './scene.ts';

/** `forms.createForm`, and so on: the name of every declared operation. */
export type OperationName = { [N in keyof Api]: `${N}.${keyof Api[N] & string}` }[keyof Api];

/** Who sends a request: somebody of the organization, or nobody. */
export type Sender = keyof { [K in keyof Place as Place[K] extends Person ? K : never]: K } | 'nobody';

/** The valid request of an operation. */
export type Row<Input> = {
  /** Somebody who is allowed to. */
  by: Sender;
  /** The status of the form at which it succeeds; PUBLISHED by default. */
  on?: Status;
  /** It cannot be sent twice on the same resources, or changes them for others: it gets new ones. */
  consumes?: true;
  /** Creates what it needs beside them. */
  input: (resources: Resources) => Input | Promise<Input>;
  /** More requests, of an operation of which one request does not show everything that it needs. */
  others?: (resources: Resources) => Input[] | Promise<Input[]>;
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

/** The operation of a name. */
export function find(name: string): Declaration {
  const found = operations.find((each) => each.name === name);
  if (!found) throw new Error(`no operation is called ${name}`);
  return found;
}

/** Operations with their names, as `test.for` takes them. */
export const named = (list: readonly Declaration[]) =>
  list.map((declaration) => [nameOf(declaration), declaration] as const);

/** The names of all rows. */
export const rowNames = (): string[] => [...rowsByName.keys()];

/** The row of an operation. */
export function rowOf(declaration: Declaration): Row<AnyInput> {
  const row = rowsByName.get(nameOf(declaration));
  if (!row) throw new Error(`${nameOf(declaration)} has no row in test/support/requests`);
  return row;
}

/** A request that can be changed before it is sent. */
export type Sending = {
  declaration: Declaration;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
  /** Instead of a body: parts. */
  form?: FormData | undefined;
  headers: Record<string, string>;
  by: Person | undefined;
};

/** The valid request of an operation on some resources, by somebody who is allowed to or by the given person. */
export const sendingOf = async (
  declaration: Declaration,
  resources: Resources,
  by?: Person | 'nobody',
): Promise<Sending> => sendingBy(declaration, await rowOf(declaration).input(resources), resources, by);

/** The other requests of an operation on some resources. */
export const otherSendings = async (declaration: Declaration, resources: Resources): Promise<Sending[]> =>
  ((await rowOf(declaration).others?.(resources)) ?? []).map((input) => sendingBy(declaration, input, resources));

function sendingBy(declaration: Declaration, input: AnyInput, resources: Resources, by?: Person | 'nobody'): Sending {
  const { params = {}, query = {}, body, form, headers = {} } = input;
  const name = rowOf(declaration).by;
  const sender = by ?? (name === 'nobody' ? 'nobody' : resources[name]);
  return { declaration, params, query, body, form, headers, by: sender === 'nobody' ? undefined : sender };
}

/** The valid request of an operation; on new resources if it consumes them. */
export async function validSending(declaration: Declaration, { own, places }: Scene): Promise<Sending> {
  const { on = 'PUBLISHED', consumes } = rowOf(declaration);
  return sendingOf(declaration, consumes ? await newResources(places.own, on) : own[on]);
}

export type ReceivedResponse = { status: number; headers: Headers; body: unknown; bytes: Uint8Array };

/** What is sent instead of the request's own; `path` begins with `/api`. */
export type Instead = { path?: string; body?: string | Buffer; headers?: Record<string, string> };

/** Sends a request and checks what holds for every response. */
export async function perform(sending: Sending, instead: Instead = {}): Promise<ReceivedResponse> {
  const path = pathOf(sending, instead);
  const received = await exchange(sending, instead);
  expectWellFormed(sending.declaration, path, received);
  return received;
}

const pathOf = (sending: Sending, { path }: Instead): string => path ?? buildPath(sending.declaration.path, sending);

/** Sends a request, whatever the response is. */
export async function exchange(sending: Sending, instead: Instead = {}): Promise<ReceivedResponse> {
  const { declaration, by } = sending;
  const json: string | undefined = JSON.stringify(sending.body);
  const body = instead.body ?? sending.form ?? json;
  const headers = {
    ...(by ? { authorization: `Bearer ${by.token}` } : {}),
    ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    ...sending.headers,
    ...instead.headers,
  };
  const init = { headers, ...(body === undefined ? {} : { body }) };
  return read(await send(declaration.method, pathOf(sending, instead), init));
}

/** The path of a request with some parameters put in as they are, unencoded. */
export function pathWith({ declaration, params, query }: Sending, raw: Record<string, string>): string {
  const path = declaration.path.replace(/\{(\w+)\}/g, (whole, name: string) => raw[name] ?? whole);
  return buildPath(path, { params, query });
}

async function read(response: Response): Promise<ReceivedResponse> {
  const bytes = await response.bytes();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const body: unknown = isJson && bytes.length > 0 ? JSON.parse(Buffer.from(bytes).toString()) : undefined;
  return { status: response.status, headers: response.headers, body, bytes };
}

let strictProblem: ReturnType<ReturnType<typeof ProblemObject>['strict']> | undefined;

/** What holds for every response: a request id, a declared status, problems by RFC 9457. */
function expectWellFormed(declaration: Declaration, path: string, { status, headers, body }: ReceivedResponse): void {
  const name = nameOf(declaration);
  expect(headers.get('x-request-id'), `${name} sends a request id`).toMatch(/^[\w-]{10,}$/);
  const other = declaration.otherSuccess ? [declaration.otherSuccess.status] : [];
  const declared = [declaration.success.status, ...other, ...listProblems(declaration).keys()];
  expect(declared, `${name} declares its status: ${JSON.stringify(body)}`).toContain(status);
  if (status < 400) return;
  expect(headers.get('content-type'), name).toBe('application/problem+json');
  strictProblem ??= ProblemObject().strict();
  expect(strictProblem.parse(body), name).toMatchObject({
    type: 'about:blank',
    title: Object.entries(TITLES).find(([code]) => Number(code) === status)?.[1],
    status,
    instance: path.split('?')[0],
  });
  if (status === 401) expect(headers.get('www-authenticate'), name).toBe('Bearer');
  expect(status, `${name} has a defect: ${JSON.stringify(body)}`).not.toBe(500);
}
