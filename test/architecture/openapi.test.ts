/** The OpenAPI document: complete, up to date and true to the declarations. A slow test lints it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Declaration, listProblems, PATH_PARAMETERS, ProblemObject, parameterNames } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { getTraits, QUESTION_TYPES } from '#core/structure/types/traits.ts';
import { findExample, openApiDocument, openApiText } from '#stacks/build/openapi/document.ts';
import { EXAMPLES, PROBLEM_EXAMPLES } from '#stacks/build/openapi/examples.ts';
import { NOUNS } from '#stacks/build/openapi/prose.ts';
import { REQUEST_EXAMPLES } from '#stacks/build/openapi/request-examples.ts';
import { pageFiles } from '#stacks/build/pages.ts';
import { routesFile } from '#stacks/build/routes.ts';

const document = openApiDocument(operations);
const { schemas } = document.components;
const top = new URL('../../', import.meta.url);
const nameOf = ({ noun, name }: Declaration): string => `${noun}.${name}`;
const described = (operation: Declaration) => document.paths[`/api${operation.path}`]?.[operation.method.toLowerCase()];
const byName = (name: string) => described(operations.find((it) => nameOf(it) === name) ?? expect.fail(name));
const responsesOf = (name: string) => byName(name)?.responses;

test('stacks/build/openapi/openapi.json is up to date: run `npm run generate` after changing a declaration', () => {
  const text = readFileSync(new URL('stacks/build/openapi/openapi.json', top), 'utf8');
  expect(text === openApiText(document)).toBe(true);
});

test('core/api/routes.ts is up to date: run `npm run generate` after changing a declaration', () => {
  const normal = (text: string): string => text.replace(/\s+/g, ' ');
  expect(normal(readFileSync(new URL('core/api/routes.ts', top), 'utf8'))).toBe(normal(routesFile()));
});

test('the functions of pages and their routes are up to date: run `npm run generate` after changing a page', async () => {
  // The formatter breaks long lists, with a comma behind the last item.
  const normal = (text: string): string => text.replace(/,(?=\s*[\]}])|\s+/g, '');
  for (const [file, text] of await pageFiles())
    expect(normal(readFileSync(new URL(file, top), 'utf8')), file).toBe(normal(text));
});

test('every operation is described once, with its parameters, body, responses and security', () => {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(all.map(({ operationId }) => operationId).sort()).toEqual(operations.map(nameOf).sort());
  const secured = { none: [], refresh: [{ refreshCookie: [] }], user: [{ cookie: [] }, { bearer: [] }] };
  for (const it of operations) {
    const guests = it.access.guests ? [{ guest: [] }] : [];
    const operation = described(it);
    expect(operation, nameOf(it)).toMatchObject({
      operationId: nameOf(it),
      tags: [it.noun],
      summary: it.summary,
      security: [...secured[it.access.credential], ...guests],
    });
    const query = it.query ? Object.keys(it.query().shape).length : 0;
    const headers = (it.idempotent ? 1 : 0) + (it.ifMatch ? 1 : 0);
    const parameters = parameterNames(it.path).length + query + headers;
    expect(operation?.parameters ?? [], nameOf(it)).toHaveLength(parameters);
    expect(operation?.requestBody !== undefined, nameOf(it)).toBe(it.body !== undefined);
    const statuses = [
      it.success.status,
      ...(it.otherSuccess ? [it.otherSuccess.status] : []),
      ...listProblems(it).keys(),
    ];
    expect(Object.keys(operation?.responses ?? {}).sort(), nameOf(it)).toEqual(statuses.map(String).sort());
  }
});

test('every noun is a tag with a description', () => {
  const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
  for (const { noun } of operations) expect(tags.get(noun), `NOUNS in prose.ts lacks ${noun}`).toBeTruthy();
  expect([...tags.keys()].sort()).toEqual(Object.keys(NOUNS).sort());
});

test('an operation that accepts files describes them beside its JSON, with their number', () => {
  const [json, multipart] = ['application/json', 'multipart/form-data'].map((type) => ({ [type]: expect.anything() }));
  for (const it of operations) {
    if (!it.body) continue;
    const content = { ...json, ...(it.parts ? multipart : {}) };
    expect(described(it)?.requestBody, nameOf(it)).toEqual({ required: !it.bodyOptional, content });
  }
  const binary = { contentMediaType: 'application/octet-stream' };
  const files = { type: 'array', items: binary, minItems: 1, maxItems: 10 };
  const accepts = (name: string, schema: object) => ({
    requestBody: {
      content: {
        'multipart/form-data': {
          schema: { type: 'object', required: [name], properties: { [name]: schema } },
          encoding: { [name]: { contentType: 'application/octet-stream' } },
        },
      },
    },
  });
  expect(byName('files.uploadFiles')).toMatchObject(accepts('files', files));
  expect(byName('forms.uploadCover')).toMatchObject(accepts('coverImage', binary));
});

test('a redirect has a Location, signing in sets cookies, and a page is HTML', () => {
  const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
  const redirect = { 302: { headers: { Location: header('Location') } } };
  expect(responsesOf('files.downloadFile')).toMatchObject(redirect);
  expect(responsesOf('files.downloadFile')).not.toHaveProperty('302.headers.Set-Cookie');
  expect(responsesOf('auth.finishLogin')).toMatchObject({ 302: { headers: { 'Set-Cookie': header('SetCookie') } } });
  const page = { schema: { type: 'string' }, example: expect.stringContaining('<!doctype html>') };
  expect(responsesOf('connections.finishConnection')).toMatchObject({
    ...redirect,
    200: { content: { 'text/html': page } },
  });
  expect(responsesOf('connections.finishConnection')).not.toHaveProperty('200.headers.Content-Disposition');
});

test('every path parameter has a description and a schema that refuses nonsense', () => {
  for (const name of new Set(operations.flatMap(({ path }) => parameterNames(path)))) {
    const schema = { $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) };
    expect(document.components.parameters[name], name).toEqual({
      name,
      in: 'path',
      required: true,
      description: expect.stringMatching(/\w/),
      schema,
    });
    expect(PATH_PARAMETERS[name]().safeParse('nothing like that!').success, name).toBe(false);
  }
});

test('every body has an example that the service accepts', () => {
  for (const operation of operations) {
    if (!operation.body) continue;
    const parsed = operation.body().safeParse(REQUEST_EXAMPLES[`${operation.noun}.${operation.name}`]?.body);
    expect(parsed.error?.issues ?? [], nameOf(operation)).toEqual([]);
  }
});

test('every response has an example with exactly the declared members', () => {
  for (const operation of operations) {
    if (!operation.success.body) continue;
    const schema = operation.success.body();
    const example = REQUEST_EXAMPLES[`${operation.noun}.${operation.name}`]?.response ?? findExample(schema);
    // Parsing strips undeclared members, so an example with one of those differs from its parsed self.
    expect(schema.safeParse(example), nameOf(operation)).toEqual({ success: true, data: example });
  }
});

test('every example is used', () => {
  const text = JSON.stringify(document);
  const unused = Object.keys(EXAMPLES).filter((name) => !new RegExp(`schemas/${name}(?:Output)?"`).test(text));
  expect(unused).toEqual([]);
});

test('every documented problem has an example of its status', () => {
  const documented = new Set(operations.flatMap((operation) => [...listProblems(operation).keys()]));
  expect(Object.keys(PROBLEM_EXAMPLES).sort()).toEqual([...documented].map((status) => `Problem${status}`).sort());
  for (const [name, { value }] of Object.entries(PROBLEM_EXAMPLES)) {
    expect(ProblemObject().parse(value), name).toEqual(value);
    expect(`Problem${value.status}`).toBe(name);
    expect(schemas.Problem?.properties?.code?.enum, name).toContain(value.code);
  }
});

test('the code of a problem is one of a closed list', () => {
  const codes = ['not_found', 'slug_taken', 'response_incomplete', 'provider_unavailable', 'onboarding_required'];
  expect(schemas.Problem?.properties?.code?.enum).toEqual(expect.arrayContaining(codes));
});

test('responses have exactly the described members, bodies may have more', () => {
  expect(schemas).toMatchObject({
    Form: { additionalProperties: false },
    ScaleOutput: { additionalProperties: false },
  });
  expect(schemas.FormInput).not.toHaveProperty('additionalProperties');
  expect(schemas.Scale).not.toHaveProperty('additionalProperties');
});

test('rules between the members of a body are in its description', () => {
  const { QuestionInput, AnswerInput, ChoiceInput, DateOptions, RichText } = schemas;
  expect(QuestionInput?.description).toContain('- RATING: `scale` with `icon`, and 1 as `minVal`');
  expect(QuestionInput?.description).toContain(
    '- SINGLE_CHOICE, MULTIPLE_CHOICE, DROPDOWN, RANKING: `choices` (1 to 500), or `sourceId`',
  );
  expect(AnswerInput?.description).toContain('- SINGLE_CHOICE, DROPDOWN: an array with the id of one choice');
  expect(AnswerInput?.description).toContain('- SHORT_TEXT: a string of at most 500 characters');
  expect(ChoiceInput?.description).toContain('`isOther`');
  expect(DateOptions?.description).toContain('hasYear, hasMonth and hasDay');
  expect(RichText?.description).toContain('- code_block: text');
});

test('the descriptions name each type that needs an option, and each whose answers are sent', () => {
  const { QuestionInput, AnswerInput } = schemas;
  const missing = (description: unknown, types: readonly string[]): string[] =>
    types.filter((type) => !new RegExp(`^- .*\\b${type}\\b.*: `, 'm').test(String(description)));
  const withOption = QUESTION_TYPES.filter((type) => getTraits(type).option !== undefined);
  expect(missing(QuestionInput?.description, withOption)).toEqual([]);
  expect(
    missing(
      AnswerInput?.description,
      QUESTION_TYPES.filter((type) => type !== 'OAUTH_CONNECT'),
    ),
  ).toEqual([]);
});

/** Every schema of the document below a value, with its path. */
function listSchemas(value: unknown, path = ''): { path: string; schema: Record<string, unknown> }[] {
  if (typeof value !== 'object' || value === null) return [];
  const isSchema = /\/(?:schema|items|additionalProperties)$|\/(?:properties|schemas|anyOf|oneOf|allOf)\/[^/]+$/.test(
    path,
  );
  const below = Object.entries(value).flatMap(([key, member]) =>
    /^examples?$/.test(key) ? [] : listSchemas(member, `${path}/${key}`),
  );
  return isSchema ? [{ path, schema: { ...value } }, ...below] : below;
}

describe('what generators of clients cannot read', () => {
  const all = listSchemas(document);
  const where = (holds: (schema: Record<string, unknown>) => boolean): string[] =>
    all.filter(({ schema }) => holds(schema)).map(({ path }) => path);

  test('no schema has alternatives beside members, or only in some of them', () => {
    expect(all.length).toBeGreaterThan(1000);
    const alternatives = ['anyOf', 'oneOf', 'allOf', 'if'];
    expect(where((schema) => 'properties' in schema && alternatives.some((each) => each in schema))).toEqual([]);
    expect(where((schema) => 'properties' in schema && schema.type !== 'object')).toEqual([]);
    expect(where(({ const: only }) => typeof only === 'boolean')).toEqual([]);
  });

  test('every array says what its items are', () => {
    expect(where(({ type, items }) => [type].flat().includes('array') && items === undefined)).toEqual([]);
  });

  test('no schema refers to itself', () => {
    const references = new Map(
      Object.entries(schemas).map(([name, schema]) => [
        name,
        [...JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, other = '']) => other),
      ]),
    );
    const reach = (name: string, seen: Set<string>): Set<string> => {
      for (const other of references.get(name) ?? []) if (!seen.has(other)) reach(other, seen.add(other));
      return seen;
    };
    expect(Object.keys(schemas).filter((name) => reach(name, new Set()).has(name))).toEqual([]);
  });

  test('no two members of a schema have one name in Go, where underscores and capitals are joined', () => {
    const names = ({ properties = {} }: Record<string, unknown>): string[] =>
      Object.entries(Object(properties)).map(([name, member]) => {
        const named: unknown = Object(member)['x-go-name'];
        return typeof named === 'string' ? named : name.replaceAll(/(?:^|_)(.)/g, (_, letter) => letter.toUpperCase());
      });
    expect(where((schema) => new Set(names(schema)).size < names(schema).length)).toEqual([]);
  });
});

test('no schema allows any value by mistake', () => {
  const open: string[] = [];
  const search = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const here = `${path}/${key}`;
      const isSchema = /\/(?:schema|items)$|\/properties\/[^/]+$/.test(here) && !here.includes('/example');
      if (isSchema && JSON.stringify(member) === '{}') open.push(here);
      search(member, here);
    }
  };
  search(document, '');
  expect(open).toEqual([]);
});
