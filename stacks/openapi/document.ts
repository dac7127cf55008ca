/**
 * The OpenAPI 3.1 document, made of the declarations and nothing else. `openapi-schemas.ts` converts the schemas,
 * `openapi-words.ts` holds the prose, `examples.ts` and `problem-examples.ts` the answers shown. `npm run generate`
 * writes it to `openapi.json`.
 */
import * as z from 'zod';
import {
  type Access,
  type Declaration,
  PATH_PARAMETERS,
  type PartsSpec,
  type PathParameter,
  ProblemObject,
  parameterNames,
  problemsOf,
  type Success,
} from '#core/api/declare.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { EXAMPLES, PAGE_EXAMPLE } from './examples.ts';
import { PROBLEM_EXAMPLES } from './problem-examples.ts';
import { COMMON_RULES, HEADER_PARAMETERS, HEADERS, NOUNS, PARAMETERS, ROLES, SECURITY_SCHEMES } from './prose.ts';
import { type SchemaBook, schemaBook } from './schemas.ts';

type Json = Record<string, unknown>;

/** The content type of an answer that a person reads in a browser. */
const PAGE = 'text/html';

export type OpenApiDocument = {
  openapi: string;
  info: Json;
  servers: Json[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Json>>;
  components: Record<string, Json>;
};

/** The document of some operations. Throws when one cannot be described: no example, no words, no JSON schema. */
export function openApiDocument(operations: readonly Declaration[]): OpenApiDocument {
  const parameters = [...new Set(operations.flatMap(({ path }) => parameterNames(path)))].sort();
  const book = schemaBook(
    [
      ...parameters.map((name) => PATH_PARAMETERS[name]()),
      ...operations.flatMap(({ body, query }) => [...(body ? [body()] : []), ...(query ? [query()] : [])]),
    ],
    [...operations.flatMap(successesOf).flatMap(({ body }) => (body ? [body()] : [])), ProblemObject()],
  );
  const reasons = commonReasons(operations);
  const paths = pathsOf(operations, { book, reasons });
  const components = {
    schemas: book.components,
    parameters: { ...pathParameters(parameters, book), ...HEADER_PARAMETERS },
    responses: Object.fromEntries(
      [...reasons].map(([status, why]) => [`Problem${status}`, problemResponse(status, why)]),
    ),
    headers: HEADERS,
    examples: PROBLEM_EXAMPLES,
  };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Form service',
      version: packageJson.version,
      summary: packageJson.description,
      description: COMMON_RULES,
    },
    servers: [{ url: '/', description: 'The installation that serves this document.' }],
    tags: [...new Set(operations.map(({ noun }) => noun))].map((name) => ({ name, description: NOUNS[name] ?? '' })),
    paths,
    components: { ...referredTo(components, { paths, components }), securitySchemes: SECURITY_SCHEMES },
  };
}

/** The components that something refers to. */
function referredTo(components: Record<string, Json>, document: unknown): Record<string, Json> {
  const used = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+\/\w+)"/g)].map(([, name]) => name),
  );
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${kind}/${name}`))),
    ]),
  );
}

/** The document as it is written to a file: the same text for the same declarations. */
export const openApiText = (document: OpenApiDocument): string => `${JSON.stringify(document, null, 2)}\n`;

/** What operations of a document share: its schemas, and the usual reason of each problem. */
type Shared = { book: SchemaBook; reasons: ReadonlyMap<number, string> };

function pathsOf(operations: readonly Declaration[], shared: Shared): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const declaration of operations) {
    const path = `/api${declaration.path}`;
    paths[path] = { ...paths[path], [declaration.method.toLowerCase()]: operationObject(declaration, shared) };
  }
  return paths;
}

function operationObject(declaration: Declaration, shared: Shared): Json {
  const { noun, name, summary, description, access } = declaration;
  const parameters = parametersOf(declaration, shared.book);
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary,
    description: [description, `May be called by ${callersOf(access)}.`].filter(Boolean).join('\n\n'),
    security: securityOf(access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(declaration.body ? { requestBody: requestBody(declaration, declaration.body(), shared.book) } : {}),
    responses: responsesOf(declaration, shared),
  };
}

const securityOf = ({ credential }: Access): Json[] =>
  ({ none: [], refresh: [{ refreshCookie: [] }], user: [{ cookie: [] }, { bearer: [] }] })[credential];

function callersOf({ credential, roles, target, onboarded }: Access): string {
  if (credential === 'none') return 'everybody';
  if (credential === 'refresh') return 'whoever holds a refresh token';
  const who = roles
    ? roles.map((role) => ROLES[role]).join(', and by ')
    : `every signed-in user${target ? ` who may know the ${target}` : ''}`;
  return who + (onboarded ? ', once they have chosen a username' : '');
}

const component = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

function parametersOf(declaration: Declaration, book: SchemaBook): Json[] {
  return [
    ...parameterNames(declaration.path).map((name) => component('parameters', name)),
    ...queryParameters(declaration, book),
    ...(declaration.idempotent ? [component('parameters', 'IdempotencyKey')] : []),
    ...(declaration.ifMatch ? [component('parameters', 'IfMatch')] : []),
  ];
}

function queryParameters({ query }: Declaration, book: SchemaBook): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = book.sent(query());
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    ...(Array.isArray(required) && required.includes(name) ? { required: true } : {}),
    ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
    schema,
  }));
}

const pathParameters = (names: readonly PathParameter[], book: SchemaBook): Json =>
  Object.fromEntries(
    names.map((name) => [
      name,
      { name, in: 'path', required: true, description: PARAMETERS[name], schema: book.sent(PATH_PARAMETERS[name]()) },
    ]),
  );

function requestBody({ bodyOptional, parts, example }: Declaration, schema: z.ZodType, book: SchemaBook): Json {
  const json = { schema: book.sent(schema), ...(example?.body === undefined ? {} : { example: example.body }) };
  const multipart = parts ? { 'multipart/form-data': multipartOf(parts) } : {};
  return { required: !bodyOptional, content: { 'application/json': json, ...multipart } };
}

/** Raw bytes have no JSON type; OpenAPI 3.1 says by `contentMediaType` alone that a part is a file. */
function multipartOf({ name, max, description }: PartsSpec): Json {
  const file = { contentMediaType: 'application/octet-stream' };
  const property =
    max === 1 ? { ...file, description } : { type: 'array', items: file, minItems: 1, maxItems: max, description };
  return {
    schema: { type: 'object', properties: { [name]: property }, required: [name] },
    encoding: { [name]: { contentType: file.contentMediaType } },
  };
}

/** The ways in which an operation can go well. */
const successesOf = ({ success, otherSuccess }: Declaration): Success[] => [
  success,
  ...(otherSuccess ? [otherSuccess] : []),
];

function responsesOf(declaration: Declaration, { book, reasons }: Shared): Json {
  const answers = successesOf(declaration).map((success) => {
    const content = contentOf(success, declaration, book);
    const headers = successHeaders(success, declaration);
    return [String(success.status), { description: success.description, headers, ...(content ? { content } : {}) }];
  });
  const problems = [...problemsOf(declaration)].map(([status, why]) => [
    String(status),
    reasons.get(status) === why ? component('responses', `Problem${status}`) : problemResponse(status, why),
  ]);
  return Object.fromEntries([...answers, ...problems]);
}

const problemResponse = (status: number, why: string): Json => ({
  description: why,
  headers: { 'x-request-id': component('headers', 'RequestId'), ...problemHeaders(status) },
  content: {
    'application/problem+json': {
      schema: component('schemas', 'Problem'),
      examples: { problem: component('examples', `Problem${status}`) },
    },
  },
});

/** The reason that most operations give for each problem; it is said once, as a component. */
function commonReasons(operations: readonly Declaration[]): Map<number, string> {
  const given = operations.flatMap((declaration) => [...problemsOf(declaration)]);
  const common = [...Map.groupBy(given, ([status]) => status)].map(([status, each]): [number, string] => {
    const byReason = [...Map.groupBy(each, ([, why]) => why)].sort(([, a], [, b]) => b.length - a.length);
    return [status, byReason[0]?.[0] ?? ''];
  });
  return new Map(common.sort(([a], [b]) => a - b));
}

function problemHeaders(status: number): Json {
  if (status === 401) return { 'WWW-Authenticate': component('headers', 'WwwAuthenticate') };
  return [409, 429, 503].includes(status) ? { 'Retry-After': component('headers', 'RetryAfter') } : {};
}

function successHeaders(success: Success, { idempotent }: Declaration): Json {
  const header = (holds: unknown, name: string, kind: string): Json =>
    holds ? { [name]: component('headers', kind) } : {};
  return {
    'x-request-id': component('headers', 'RequestId'),
    ...header(success.etag, 'ETag', 'ETag'),
    ...header(success.link, 'Link', 'Link'),
    ...header(success.cookies, 'Set-Cookie', 'SetCookie'),
    ...header(success.status === 302 || success.status === 202, 'Location', 'Location'),
    ...header(success.contentType && !isPage(success), 'Content-Disposition', 'ContentDisposition'),
    ...header(idempotent, 'Idempotency-Replayed', 'IdempotencyReplayed'),
  };
}

const isPage = ({ contentType }: Success): boolean => contentType === PAGE;

function contentOf(success: Success, { example }: Declaration, book: SchemaBook): Json | undefined {
  if (isPage(success)) return { [PAGE]: { schema: { type: 'string' }, example: PAGE_EXAMPLE } };
  if (success.contentType) return { [success.contentType]: { schema: { type: 'string', format: 'binary' } } };
  if (!success.body) return undefined;
  const schema = success.body();
  return { 'application/json': { schema: book.shown(schema), example: example?.answer ?? exampleOf(schema) } };
}

/** The example of an answer: that of its schema's name, or a list of one. Throws when there is none. */
export function exampleOf(schema: z.ZodType): unknown {
  const name = z.globalRegistry.get(schema)?.id;
  if (name !== undefined && Object.hasOwn(EXAMPLES, name)) return EXAMPLES[name];
  if (name === undefined && schema instanceof z.ZodArray && schema.element instanceof z.ZodType) {
    return [exampleOf(schema.element)];
  }
  throw new Error(`there is no example of ${name ?? 'a schema without a name'}: add one to core/api/examples.ts`);
}
