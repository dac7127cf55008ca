/** The valid requests of `operations.ts`, from which the tests of every operation start: changed, sent and checked. */
import { expect } from 'vitest';
import { buildPath } from '#core/api/client.ts';
import { type Declaration, listProblems, ProblemObject } from '#core/api/declare.ts';
import { type Api, operations } from '#core/api/index.ts';
import { TITLES } from '#core/problems/problems.ts';
import { type Person, send } from './fixtures.ts';
import { type Row, rows } from './operations.ts';
import { senderOf } from './permissions.ts';
import { newResources, type Resources, type Scene } from './scene.ts';

/** `forms.createForm`, and so on: the name of every declared operation. */
export type OperationName = { [N in keyof Api]: `${N}.${keyof Api[N] & string}` }[keyof Api];

type AnyInput = {
  params?: Record<string, string | undefined> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  form?: FormData | undefined;
  headers?: Record<string, string> | undefined;
};

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

/** The row of an operation, by its declaration or its name with the noun. */
export function rowOf(operation: Declaration | string): Row<AnyInput> {
  const name = typeof operation === 'string' ? operation : nameOf(operation);
  const row = rowsByName.get(name);
  if (!row) throw new Error(`${name} has no row in test/support/operations.ts`);
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
export async function buildSending(
  declaration: Declaration,
  resources: Resources,
  by?: Person | 'nobody',
): Promise<Sending> {
  const { input } = rowOf(declaration);
  return sendingBy(declaration, typeof input === 'function' ? await input(resources) : input, resources, by);
}

/** The other requests of an operation on some resources. */
export const otherSendings = async (declaration: Declaration, resources: Resources): Promise<Sending[]> =>
  ((await rowOf(declaration).others?.(resources)) ?? []).map((input) => sendingBy(declaration, input, resources));

/** Puts in the sender, and the ids of the resources that the path names. */
function sendingBy(declaration: Declaration, input: AnyInput, resources: Resources, by?: Person | 'nobody'): Sending {
  const { query = {}, body, form, headers = {} } = input;
  const { may, by: name = senderOf(may) } = rowOf(declaration);
  const sender = by ?? (name === 'nobody' ? 'nobody' : resources[name]);
  const known: Record<string, unknown> = { ...resources, responseId: resources.submittedId, ...input.params };
  const named = [...declaration.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, known[name]]);
  const params: Record<string, string> = Object.fromEntries(named);
  return { declaration, params, query, body, form, headers, by: sender === 'nobody' ? undefined : sender };
}

/** The valid request of an operation; on new resources if it consumes them. */
export async function validSending(declaration: Declaration, { own, places }: Scene): Promise<Sending> {
  const { on = 'PUBLISHED', consumes } = rowOf(declaration);
  return buildSending(declaration, consumes ? await resourcesToConsume(declaration, places.own, on) : own[on]);
}

/** New resources for an operation that consumes them. */
export async function resourcesToConsume(
  declaration: Declaration,
  ...place: Parameters<typeof newResources>
): Promise<Resources> {
  const resources = await newResources(...place);
  await rowOf(declaration).prepare?.(resources);
  return resources;
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
