/**
 * What tests of forms and their structure need beside the cast: forms, sections and responses in one line each, raw
 * requests for what the typed client would not send, whole lists across their pages, and a look at the bare table.
 */
import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Client } from '#core/api/client.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { replaceStructure, structureOf } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { emulatorClient } from '#stacks/local/table.ts';
import { type Person, send } from './world.ts';

type CreateForm = Parameters<Client['forms']['createForm']>[0]['body'];
type AnswerInputs = Parameters<Client['responses']['submitResponse']>[0]['body']['answers'];

/** The settings that a form must have, and whatever else is said. */
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

/** A response with some answers, a draft; its id. */
export async function draftResponse(person: Person, formId: string, answers: AnswerInputs = []): Promise<string> {
  const responseId = (await person.client.responses.startResponse({ params: { formId } })).body.id;
  if (answers.length > 0) await person.client.responses.updateAnswers({ params: { responseId }, body: { answers } });
  return responseId;
}

/** A submitted response; its id. */
export async function submittedResponse(person: Person, formId: string, answers: AnswerInputs = []): Promise<string> {
  const responseId = await draftResponse(person, formId);
  await person.client.responses.submitResponse({ params: { responseId }, body: { answers } });
  return responseId;
}

/** A request as it is: for bodies and queries that the typed client would not send. */
export async function ask(person: Person | undefined, method: string, path: string, body?: unknown) {
  const answer = await send(method, path, {
    headers: person ? { authorization: `Bearer ${person.token}` } : {},
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** The pointers of all that is wrong with a request; fails the test when the request is not refused with 400. */
export async function faultsOf(person: Person, method: string, path: string, body: unknown): Promise<string[]> {
  const answer = await ask(person, method, path, body);
  if (answer.status !== 400) throw new Error(`expected 400, got ${answer.status}: ${JSON.stringify(answer.body)}`);
  return Refusal.parse(answer.body)
    .errors.map(({ pointer }) => pointer)
    .sort();
}

const Refusal = z.object({ errors: z.array(z.object({ pointer: z.string(), detail: z.string() })) });
const Listed = z.array(z.looseObject({ id: z.string() }));

/** The ids of every page of a list whose cursor is in `Link`, page by page. */
export async function pagesOf(person: Person, path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await ask(person, 'GET', next);
    if (answer.status !== 200 || pages.length > 100) throw new Error(`${next} answered ${answer.status}`);
    pages.push(Listed.parse(answer.body).map(({ id }) => id));
    next = nextOf(answer.headers);
  }
  return pages;
}

/** Where the `Link` of an answer says that the list goes on. */
export const nextOf = (headers: Headers): string | undefined =>
  /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

/** Puts a structure in the place of a form's, to begin a test from one that would take hundreds of requests. */
export async function plantStructure(formId: string, edit: (structure: Structure) => Structure): Promise<void> {
  const [item] = await app().table.read([keys.formStructure(formId)]);
  const stored = structureOf(item);
  if (!stored) throw new Error(`there is no structure of ${formId}`);
  const next = { ...edit(stored.structure), version: stored.structure.version + 1 };
  await app().table.write([replaceStructure(next)]);
}

/** The keys of all items in this file's table that mention a text, wherever. */
export async function itemsMentioning(text: string): Promise<string[]> {
  const client = emulatorClient(process.env.DYNAMODB_ENDPOINT ?? '');
  const found: Record<string, AttributeValue>[] = [];
  for await (const page of paginateScan({ client }, { TableName: app().config.tableName, ConsistentRead: true })) {
    found.push(...(page.Items ?? []).filter((item) => JSON.stringify(item).includes(text)));
  }
  client.destroy();
  return found.map(({ pk, sk }) => `${pk?.S} ${sk?.S}`).sort();
}
