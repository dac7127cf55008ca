/**
 * What tests of operations start from: a fixed cast, clients that call the real handlers with real events, and
 * organizations and forms, which are written by the stores because most tests are not about creating them. Each test
 * file has its own table (`own-table.ts`).
 *
 * The cast: alice created the organization and is its admin, bob is a member, chelsea is an outsider, dave and erin
 * answer its forms, oscar operates the installation.
 */

import { chooseNames, createAccount } from '#core/accounts/accounts.ts';
import { getRoles } from '#core/accounts/model.ts';
import { type Client, createClient, ProblemError } from '#core/api/client.ts';
import { formIdFrom, formKey, guestIdWithin, idWithin, keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import { newForm as settingsOfNewForm } from '#core/forms/edit.ts';
import type { Form } from '#core/forms/model.ts';
import { createFormWrites as insertForm, replaceForm } from '#core/forms/store.ts';
import { app } from '#core/http/app.ts';
import { createOrganization } from '#core/organizations/service.ts';
import { insertMember } from '#core/organizations/store.ts';
import type { QuestionInput } from '#core/structure/question-model.ts';
import { createQuestion } from '#core/structure/questions.ts';
import { createStructure } from '#core/structure/store.ts';
import { createNode, newStructure } from '#core/structure/workflow-edits.ts';
import type { HttpRequest, HttpResponse } from '#stacks/local/gateway/http-to-event.ts';
import { createRouter } from '#stacks/local/gateway/router.ts';
import { routes } from '#stacks/local/gateway/routes.ts';

const router = createRouter(routes());

/**
 * A request as a browser or curl would send it, through the event, to the handler, and back; over HTTP where
 * `SERVICE_URL` names a deployment.
 */
export async function send(
  method: string,
  path: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string | Buffer | FormData } = {},
) {
  const { SERVICE_URL } = process.env;
  const content = Buffer.isBuffer(body) ? new Uint8Array(body) : body;
  if (SERVICE_URL) return fetch(SERVICE_URL + path, { method, headers, redirect: 'manual', body: content || null });
  // The platform writes a form as browsers do, under a boundary that the content type names.
  const written = new Response(content);
  const request: HttpRequest = {
    method,
    url: path,
    headers: Object.entries({ ...(body instanceof FormData && Object.fromEntries(written.headers)), ...headers }),
    body: Buffer.from(await written.arrayBuffer()),
    remoteAddress: '127.0.0.1',
    httpVersion: '1.1',
  };
  return toResponse(await router.dispatch(request));
}

function toResponse(result: HttpResponse): Response {
  const headers = new Headers(result.headers);
  for (const line of result.cookies) headers.append('set-cookie', line);
  const empty = result.status === 204 || result.status === 304;
  return new Response(empty ? null : new Uint8Array(result.body), { status: result.status, headers });
}

/** A client that calls the handlers in this process; with a token it is signed in. */
export const clientWith = (token?: string): Client =>
  createClient({
    baseUrl: '',
    ...(token ? { token } : {}),
    fetch: (url, init) =>
      send(init.method ?? 'GET', url, {
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(typeof init.body === 'string' || init.body instanceof FormData ? { body: init.body } : {}),
      }),
  });

export type Person = { id: string; email: string; token: string; client: Client };

/** A person with an account; onboarded by default. */
export async function person(name: string, options: { onboarded?: boolean; email?: string } = {}): Promise<Person> {
  const ports = app();
  const id = ports.uuid();
  const email = options.email ?? `${name}.${id.slice(0, 8)}@example.org`;
  const now = ports.now().toISOString();
  const account = await createAccount(ports.table, { id, emails: [email], avatarUrl: '', now });
  if (options.onboarded !== false) {
    await chooseNames(ports, account, { username: `${name}-${id.slice(0, 8)}`, name: `${name}_1` });
  }
  const token = await ports.tokens.sign({ id, roles: getRoles(account, ports.config.operatorEmails) }, ports.now());
  return { id, email, token, client: clientWith(token) };
}

/** A guest of a form, who has no account and no address. */
export async function newGuest(formId: string, uuid?: string): Promise<Person> {
  const { tokens, now, uuid: random } = app();
  const id = uuid === undefined ? guestIdWithin(formId, random) : idWithin(formId, uuid);
  const token = await tokens.signGuest({ id, roles: [], guestOf: formKey(formId) }, now());
  return { id, email: '', token, client: clientWith(token) };
}

export type Cast = Record<'alice' | 'bob' | 'chelsea' | 'dave' | 'erin' | 'oscar', Person> & {
  nobody: Client;
  slug: string;
  orgId: string;
};

/** A new cast around a new organization. Call it once a test file: oscar's e-mail address is that of the operator. */
export async function newCast(): Promise<Cast> {
  const [operator = 'oscar@example.org'] = app().config.operatorEmails;
  const [alice, bob, chelsea, dave, erin, oscar] = await Promise.all([
    person('alice'),
    person('bob'),
    person('chelsea'),
    person('dave'),
    person('erin'),
    person('oscar', { email: operator }),
  ]);
  const { slug, orgId } = await newOrganization(alice, bob);
  return { alice, bob, chelsea, dave, erin, oscar, nobody: clientWith(), slug, orgId };
}

/** The app for services that change something, without the headers of a request. */
export const writingApp = (): ChangePorts => ({
  ...app(),
  ifMatch: () => undefined,
  async commit(writes, result) {
    await app().table.write(writes);
    return result;
  },
});

let organizations = 0;

/** A new organization of an admin, with a member. */
export async function newOrganization(admin: Person, member?: Person): Promise<{ slug: string; orgId: string }> {
  organizations += 1;
  const slug = `org-${organizations}-${app().uuid().slice(0, 8)}`;
  const { maxOrganizations } = app().config;
  const input = { name: 'Rivers', description: 'Water quality', metadata: {}, slug };
  const { id: orgId } = (await createOrganization(writingApp(), { creatorId: admin.id, maxOrganizations }, input)).body;
  if (member) await app().table.write(insertMember(orgId, member.id, app().now().toISOString(), maxOrganizations));
  return { slug, orgId };
}

export type QuestionKind = { type: QuestionInput['type'] } & Partial<QuestionInput>;

/** A question input; members that are left out get defaults. */
export const question = (input: QuestionKind): QuestionInput => ({
  required: false,
  title: `A ${input.type} question`,
  description: null,
  order: 1_000,
  ...input,
});

/** A form whose sections are linked one after the other, from START to END. */
export type Built = { formId: string; sectionIds: string[]; questionIds: string[] };

export type FormSettings = { createdAt?: Date } & Partial<
  Pick<
    Form,
    | 'title'
    | 'description'
    | 'status'
    | 'visibility'
    | 'audience'
    | 'oncePerPerson'
    | 'maxResponses'
    | 'closedMessage'
    | 'retentionDays'
    | 'draftDays'
    | 'layout'
    | 'allowEditResponse'
    | 'sendResponseEmail'
    | 'deadline'
    | 'publishTime'
    | 'sendResponseEmail'
  >
>;

/** A form with a section for each list of questions, linked one after the other; published by default. */
export async function newForm(
  editor: Person,
  slug: string,
  sections: QuestionKind[][],
  { publish = true, ...settings }: FormSettings & { publish?: boolean } = {},
): Promise<Built> {
  const orgId = String((await app().table.read([keys.slug(slug)]))[0]?.orgId);
  return writeForm({ orgId, userId: editor.id }, sections, { status: publish ? 'PUBLISHED' : 'DRAFT', ...settings });
}

/** Forms without sections, by default DRAFT and each a millisecond younger than the one before; their ids. */
export async function seedForms(orgId: string, userId: string, seeds: readonly FormSettings[]): Promise<string[]> {
  const start = app().now().getTime();
  const ids: string[] = [];
  for (const [index, seed] of seeds.entries()) {
    ids.push((await writeForm({ orgId, userId }, [], { createdAt: new Date(start + index), ...seed })).formId);
  }
  return ids;
}

// Two forms of a millisecond can have the same key, as in tests with a fixed clock.
const writeForm = (...form: Parameters<typeof tryToWriteForm>) => untilWritten(() => tryToWriteForm(...form));

async function tryToWriteForm(
  by: { orgId: string; userId: string },
  sections: QuestionKind[][],
  { createdAt = app().now(), status = 'DRAFT', ...settings }: FormSettings,
): Promise<Built> {
  const { table, uuid } = app();
  const now = createdAt.toISOString();
  const formId = formIdFrom(uuid(), createdAt);
  const newId = () => idWithin(formId, uuid());
  const input = { title: 'Spring survey', visibility: 'PUBLIC' as const, allowEditResponse: true };
  const draft = { ...settingsOfNewForm(input, { id: formId, ...by, now }), ...settings };
  const questionIds: string[] = [];
  const ends = { start: newId(), end: newId() };
  let structure = newStructure(formId, ends);
  let after = ends.start;
  const sectionIds = sections.map((questions) => {
    const id = newId();
    structure = createNode(structure, { id, type: 'SECTION', payload: {}, now, after });
    after = id;
    for (const kind of questions) {
      const questionId = newId();
      questionIds.push(questionId);
      structure = createQuestion(structure, { sectionId: id, questionId, input: question(kind), now, newId });
    }
    return id;
  });
  await table.write([...insertForm(draft), createStructure(structure)]);
  if (status !== 'DRAFT') await table.write(replaceForm({ ...draft, status, version: 2 }, draft, 1));
  return { formId, sectionIds, questionIds };
}

/** Links START, some sections in order, and END. */
export async function linkInOrder(client: Client, formId: string, sectionIds: readonly string[]): Promise<void> {
  const { workflow: nodes } = (await client.workflow.getWorkflow({ params: { formId } })).body;
  const idOf = (type: string): string => nodes.find((node) => node.type === type)?.id ?? '';
  const chain = [idOf('START'), ...sectionIds, idOf('END')];
  const links = new Map(chain.slice(1).map((next, index) => [chain[index], { next }]));
  const body = nodes.map(({ id, label, payload }) => ({ id, label, payload, ...links.get(id) }));
  await client.workflow.updateWorkflow({ params: { formId }, body });
}

/** The problem with which a call is refused; fails the test when the call succeeds. */
export async function expectProblem(call: Promise<unknown>): Promise<ProblemError['problem']> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof ProblemError) return outcome.error.problem;
  if ('error' in outcome) throw outcome.error;
  throw new Error(`expected a problem, but the call succeeded: ${JSON.stringify(outcome.value)}`);
}
