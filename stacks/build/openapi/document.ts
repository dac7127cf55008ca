/**
 * Builds the OpenAPI 3.1 document from the declarations. `zod-openapi` converts the schemas; `rules.ts` describes what
 * refinements check and a conversion cannot see; `prose.ts` and `examples.ts` hold the texts and examples.
 * `npm run generate` writes the document to `openapi.json`.
 */
import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiContentObject,
  type ZodOpenApiMediaTypeObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import type { Access } from '#core/access/access.ts';
import {
  type Declaration,
  listProblems,
  PATH_PARAMETERS,
  type PartsSpec,
  type PathParameter,
  ProblemObject,
  parameterNames,
  type Success,
} from '#core/api/declare.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { BEHAVIOUR } from './behaviour.ts';
import { EXAMPLES, PAGE_EXAMPLE, PROBLEM_EXAMPLES } from './examples.ts';
import { COMMON_RULES, HEADER_PARAMETERS, HEADERS, NOUNS, PARAMETERS, ROLES, SECURITY_SCHEMES } from './prose.ts';
import { REQUEST_EXAMPLES } from './request-examples.ts';
import { type JsonSchema, withRules } from './rules.ts';

type Json = Record<string, unknown>;
type Parameter = { in?: string; schema?: JsonSchema; style?: string; explode?: boolean };
type Operation = Json & { operationId: string; parameters?: Parameter[]; responses: Json };

type OpenApiDocument = {
  openapi: string;
  info: Json;
  servers: Json[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Json> & { schemas: Record<string, JsonSchema>; parameters: Record<string, Parameter> };
};

/** The document of the given operations. Throws if a response has no example or a schema no JSON equivalent. */
export function openApiDocument(operations: readonly Declaration[]): OpenApiDocument {
  const problems = commonProblems(operations);
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    const path = `/api${operation.path}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationObject(operation, problems) };
  }
  const created = createDocument(
    {
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
      components: {
        parameters: HEADER_PARAMETERS,
        responses: Object.fromEntries([...problems].map(([status, why]) => [`Problem${status}`, problem(status, why)])),
        headers: HEADERS,
        examples: PROBLEM_EXAMPLES,
        securitySchemes: SECURITY_SCHEMES,
      },
    },
    { override: withoutSafeIntegerLimits },
  );
  const document: OpenApiDocument = JSON.parse(JSON.stringify(created));
  document.components.schemas = withRules(document.components.schemas);
  const inOperations = Object.values(document.paths).flatMap((path) => Object.values(path));
  for (const { parameters = [] } of [...inOperations, { parameters: Object.values(document.components.parameters) }]) {
    for (const parameter of parameters) tidyParameter(parameter);
  }
  return document;
}

/** The document as text: always the same for the same declarations. */
export const openApiText = (document: OpenApiDocument): string => `${JSON.stringify(document, null, 2)}\n`;

/** Zod bounds every integer by what JavaScript can represent, which tells the reader of a response nothing. */
const withoutSafeIntegerLimits: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  if (io === 'input') return;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

/** `zod-openapi` repeats the metadata of a parameter in its schema, and leaves the style of arrays to the default. */
function tidyParameter(parameter: Parameter): void {
  const { description: _, param: __, ...schema } = parameter.schema ?? {};
  if (parameter.schema) parameter.schema = schema;
  if (schema.type === 'array') Object.assign(parameter, { style: 'form', explode: true });
}

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const pathParameters = new Map<PathParameter, z.ZodType>();

/** A path parameter as one component: the same schema object wherever it is used. */
function pathParameter(name: PathParameter): z.ZodType {
  const param = { id: name, name, in: 'path', description: PARAMETERS[name] } as const;
  const parameter = pathParameters.get(name) ?? PATH_PARAMETERS[name]().meta({ param });
  pathParameters.set(name, parameter);
  return parameter;
}

function operationObject(declaration: Declaration, common: ReadonlyMap<number, string>): ZodOpenApiOperationObject {
  const { noun, name, summary, description, access, query, body, idempotent, ifMatch } = declaration;
  const parameters = [
    ...parameterNames(declaration.path).map(pathParameter),
    ...(idempotent ? [ref('parameters', 'IdempotencyKey')] : []),
    ...(ifMatch ? [ref('parameters', 'IfMatch')] : []),
  ];
  const problems = [...listProblems(declaration)].map(([status, why]) => [
    status,
    common.get(status) === why ? ref('responses', `Problem${status}`) : problem(status, why),
  ]);
  const successes = [declaration.success, ...(declaration.otherSuccess ? [declaration.otherSuccess] : [])];
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary,
    description: [description, BEHAVIOUR[`${noun}.${name}`], `May be called by ${describeCallers(access)}.`]
      .filter(Boolean)
      .join('\n\n'),
    security: toSecurity(access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(query ? { requestParams: { query: query() } } : {}),
    ...(body ? { requestBody: requestBody(declaration, body()) } : {}),
    responses: Object.fromEntries([
      ...successes.map((success) => [success.status, successResponse(success, declaration)]),
      ...problems,
    ]),
  };
}

const toSecurity = ({ credential, guests }: Access): Record<string, string[]>[] =>
  ({
    none: [],
    refresh: [{ refreshCookie: [] }],
    user: [{ cookie: [] }, { bearer: [] }, ...(guests ? [{ guest: [] }] : [])],
  })[credential];

function describeCallers({ credential, roles, target, onboarded, guests }: Access): string {
  if (credential === 'none') return 'everybody';
  if (credential === 'refresh') return 'the holder of a refresh token';
  const who = roles
    ? roles.map((role) => ROLES[role]).join(', and by ')
    : `every signed-in user${target ? ` to whom the ${target} is visible` : ''}`;
  return (
    who + (onboarded ? ', once they have chosen a username' : '') + (guests ? ', also as a guest of the form' : '')
  );
}

function requestBody({ noun, name, bodyOptional, parts }: Declaration, schema: z.ZodType) {
  const { body: example } = REQUEST_EXAMPLES[`${noun}.${name}`] ?? {};
  return {
    required: !bodyOptional,
    content: {
      'application/json': { schema, ...(example === undefined ? {} : { example }) },
      ...(parts ? { 'multipart/form-data': toMultipart(parts) } : {}),
    },
  };
}

/** Raw bytes have no JSON type; in OpenAPI 3.1 `contentMediaType` alone marks a part as a file. */
function toMultipart({ name, max, description }: PartsSpec): ZodOpenApiMediaTypeObject {
  const file = { contentMediaType: 'application/octet-stream' };
  const files = max === 1 ? file : { type: 'array' as const, items: file, minItems: 1, maxItems: max };
  return {
    schema: { type: 'object', properties: { [name]: { ...files, description } }, required: [name] },
    encoding: { [name]: { contentType: file.contentMediaType } },
  };
}

function successResponse(success: Success, { noun, name, idempotent }: Declaration): ZodOpenApiResponseObject {
  const { status, description, contentType } = success;
  const content = toContent(success, REQUEST_EXAMPLES[`${noun}.${name}`]?.response);
  const headers = {
    'x-request-id': 'RequestId',
    ETag: success.etag && 'ETag',
    Link: success.link && 'Link',
    'Set-Cookie': success.cookies && 'SetCookie',
    Location: (status === 302 || status === 202) && 'Location',
    'Content-Disposition': contentType && contentType !== PAGE && 'ContentDisposition',
    'Idempotency-Replayed': idempotent && 'IdempotencyReplayed',
  };
  return { description, headers: headerRefs(headers), ...(content ? { content } : {}) };
}

/** The content type of a response that a person reads in a browser. */
const PAGE = 'text/html';

function toContent(
  { contentType, otherContentTypes = [], body }: Success,
  example: unknown,
): ZodOpenApiContentObject | undefined {
  if (contentType === PAGE) return { [PAGE]: { schema: { type: 'string' }, example: PAGE_EXAMPLE } };
  if (contentType) {
    const file = { schema: { type: 'string' as const, format: 'binary' } };
    return Object.fromEntries([contentType, ...otherContentTypes].map((type) => [type, file]));
  }
  const schema = body?.();
  return schema && { 'application/json': { schema, example: example ?? findExample(schema) } };
}

const problem = (status: number, description: string): ZodOpenApiResponseObject => ({
  description,
  headers: headerRefs({
    'x-request-id': 'RequestId',
    'WWW-Authenticate': status === 401 && 'WwwAuthenticate',
    'Retry-After': [429, 503].includes(status) && 'RetryAfter',
  }),
  content: {
    'application/problem+json': {
      schema: ProblemObject(),
      examples: { problem: ref('examples', `Problem${status}`) },
    },
  },
});

/** References to the header components, without those that do not apply. */
const headerRefs = (headers: Record<string, string | false | undefined>) =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, kind]) => (kind ? [[name, ref('headers', kind)]] : [])));

/** The description that most operations give each problem, by status; it is written once, as a component. */
function commonProblems(operations: readonly Declaration[]): Map<number, string> {
  const all = operations.flatMap((declaration) => [...listProblems(declaration)]).sort(([a], [b]) => a - b);
  return new Map(
    [...Map.groupBy(all, ([status]) => status)].map(([status, each]) => {
      const byText = [...Map.groupBy(each, ([, why]) => why)].sort(([, a], [, b]) => b.length - a.length);
      return [status, byText[0]?.[0] ?? ''];
    }),
  );
}

/** The example of a response schema, found by its name; an array shows one item. Throws if there is none. */
export function findExample(schema: z.ZodType): unknown {
  const name = z.globalRegistry.get(schema)?.id;
  if (name !== undefined && Object.hasOwn(EXAMPLES, name)) return EXAMPLES[name];
  if (name === undefined && schema instanceof z.ZodArray && schema.element instanceof z.ZodType) {
    return [findExample(schema.element)];
  }
  throw new Error(
    `There is no example of ${name ?? 'a schema without a name'}. Add one to stacks/build/openapi/examples.ts.`,
  );
}
