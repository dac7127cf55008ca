/** The OpenAPI document: complete, fresh, true to the declarations, and clean for a strict public linter. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type Declaration, PATH_PARAMETERS, ProblemObject, parameterNames, problemsOf } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { TITLES } from '#core/problems/problems.ts';
import { exampleOf, openApiDocument, openApiText } from '#stacks/openapi/document.ts';
import { EXAMPLES } from '#stacks/openapi/examples.ts';
import { PROBLEM_EXAMPLES } from '#stacks/openapi/problem-examples.ts';
import { NOUNS } from '#stacks/openapi/prose.ts';

const document = openApiDocument(operations);
const top = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, top), 'utf8');
const nameOf = ({ noun, name }: Declaration): string => `${noun}.${name}`;
const described = (operation: Declaration) => document.paths[`/api${operation.path}`]?.[operation.method.toLowerCase()];
const byName = (name: string) => described(operations.find((it) => nameOf(it) === name) ?? expect.fail(name));
const answersOf = (name: string) => byName(name)?.responses;

test('stacks/openapi/openapi.json is what the declarations make: run `npm run generate` after changing one', () => {
  expect(read('stacks/openapi/openapi.json') === openApiText(document)).toBe(true);
});

test('every operation is described once, under its method, path and a name of its own', () => {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const ids = all.map(({ operationId }) => operationId);
  expect(ids.toSorted()).toEqual(operations.map(nameOf).sort());
  expect(new Set(ids).size).toBe(ids.length);
  for (const operation of operations) {
    expect(described(operation), nameOf(operation)).toMatchObject({
      operationId: nameOf(operation),
      tags: [operation.noun],
      summary: operation.summary,
    });
  }
});

test('every noun is a tag that says what it is about', () => {
  const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
  for (const { noun } of operations) expect(tags.get(noun), `NOUNS in openapi-words.ts lacks ${noun}`).toBeTruthy();
  expect(Object.keys(NOUNS)).toEqual(expect.arrayContaining([...tags.keys()]));
});

test.each(
  operations.map((operation) => [nameOf(operation), operation] as const),
)('%s is described in full', (_, it) => {
  const parameters = it.query ? Object.keys(it.query().shape).length : 0;
  const headers = (it.idempotent ? 1 : 0) + (it.ifMatch ? 1 : 0);
  const operation = described(it);
  expect(operation?.parameters ?? []).toHaveLength(parameterNames(it.path).length + parameters + headers);
  expect(operation?.requestBody !== undefined).toBe(it.body !== undefined);
  const other = it.otherSuccess ? [it.otherSuccess.status] : [];
  const statuses = [it.success.status, ...other, ...problemsOf(it).keys()];
  expect(Object.keys(operation?.responses ?? {}).sort()).toEqual(statuses.map(String).sort());
  const secured = { none: [], refresh: [{ refreshCookie: [] }], user: [{ cookie: [] }, { bearer: [] }] };
  expect(operation?.security).toEqual(secured[it.access.credential]);
});

test('an operation that takes files describes them beside its JSON, as many as it takes', () => {
  const [json, multipart] = ['application/json', 'multipart/form-data'].map((type) => ({ [type]: expect.anything() }));
  for (const it of operations) {
    if (!it.body) continue;
    const content = { ...json, ...(it.parts ? multipart : {}) };
    expect(described(it)?.requestBody, nameOf(it)).toEqual({ required: !it.bodyOptional, content });
  }
  const binary = { contentMediaType: 'application/octet-stream' };
  const files = { type: 'array', items: binary, minItems: 1, maxItems: 10 };
  const formOf = (name: string, schema: object) => ({
    schema: { type: 'object', required: [name], properties: { [name]: schema } },
    encoding: { [name]: { contentType: 'application/octet-stream' } },
  });
  const takes = (name: string, schema: object) => ({
    requestBody: { content: { 'multipart/form-data': formOf(name, schema) } },
  });
  expect(byName('files.uploadFiles')).toMatchObject(takes('files', files));
  expect(byName('forms.uploadCover')).toMatchObject(takes('coverImage', binary));
});

test('a redirect says where it goes, what signs in on the way sets cookies, and a page is HTML', () => {
  const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
  const redirect = { 302: { headers: { Location: header('Location') } } };
  expect(answersOf('files.downloadFile')).toMatchObject(redirect);
  expect(answersOf('files.downloadFile')).not.toHaveProperty('302.headers.Set-Cookie');
  expect(answersOf('auth.finishLogin')).toMatchObject({ 302: { headers: { 'Set-Cookie': header('SetCookie') } } });
  expect(answersOf('connections.finishConnection')).toMatchObject({
    ...redirect,
    200: {
      content: { 'text/html': { schema: { type: 'string' }, example: expect.stringContaining('<!doctype html>') } },
    },
  });
  expect(answersOf('connections.finishConnection')).not.toHaveProperty('200.headers.Content-Disposition');
});

test('every path parameter says what it names and what it must look like', () => {
  const names = new Set(operations.flatMap(({ path }) => parameterNames(path)));
  for (const name of names) {
    expect(document.components.parameters, name).toMatchObject({
      [name]: { name, in: 'path', required: true, description: expect.stringMatching(/\w/), schema: expect.anything() },
    });
    expect(PATH_PARAMETERS[name]().safeParse('no such thing!').success, name).toBe(false);
  }
});

test('every body has an example that the service would take', () => {
  for (const operation of operations) {
    if (!operation.body) continue;
    const taken = operation.body().safeParse(operation.example?.body);
    expect(taken.error?.issues ?? [], nameOf(operation)).toEqual([]);
  }
});

test('every answer has an example that the service could give, to the last member', () => {
  for (const operation of operations) {
    if (!operation.success.body) continue;
    const schema = operation.success.body();
    const example = operation.example?.answer ?? exampleOf(schema);
    const checked = schema.safeParse(example);
    expect(checked.error?.issues ?? [], nameOf(operation)).toEqual([]);
    // Answers are stripped of what is not declared: an example that loses something shows too much.
    expect(checked.data, nameOf(operation)).toEqual(example);
  }
});

test('every problem example is a problem as the service tells it', () => {
  for (const [name, { value }] of Object.entries(PROBLEM_EXAMPLES)) {
    expect(ProblemObject().parse(value), name).toEqual(value);
    expect(value).toMatchObject({ title: Object.entries(TITLES).find(([s]) => name === `Problem${s}`)?.[1] });
  }
  expect(Object.keys(PROBLEM_EXAMPLES).sort()).toEqual(Object.keys(TITLES).map((status) => `Problem${status}`));
});

test('every example answer is of a schema that is answered', () => {
  const text = JSON.stringify(document);
  const orphans = Object.keys(EXAMPLES).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
  expect(orphans).toEqual([]);
});

test('answers are exact and bodies may hold more', () => {
  expect(document.components.schemas).toMatchObject({ Form: { additionalProperties: false } });
  expect(document.components.schemas?.FormInput).not.toHaveProperty('additionalProperties');
  expect(document.components.schemas?.ScaleSent).not.toHaveProperty('additionalProperties');
  expect(document.components.schemas).toMatchObject({ Scale: { additionalProperties: false } });
});

test('nothing in the document is left open to anything by mistake', () => {
  const holes: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const here = `${path}/${key}`;
      const isSchema = /\/(?:schema|items)$|\/properties\/[^/]+$/.test(here) && !here.includes('/example');
      if (isSchema && JSON.stringify(member) === '{}') holes.push(here);
      look(member, here);
    }
  };
  look(document, '');
  expect(holes).toEqual([]);
});

test('Redocly finds nothing to complain of, with the rules of redocly.yaml', { timeout: 60_000 }, async () => {
  const linter = new URL('node_modules/.bin/redocly', top).pathname;
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
  const lint = promisify(execFile)(linter, ['lint', '--format=stylish'], { cwd: top, env });
  const { stderr } = await lint.catch((failure: { stdout: string; stderr: string }) => {
    throw new Error(`the linter refuses stacks/openapi/openapi.json:\n${failure.stdout}\n${failure.stderr}`);
  });
  expect(stderr).toContain('Your API description is valid');
  expect(stderr).not.toMatch(/warning/i);
});
