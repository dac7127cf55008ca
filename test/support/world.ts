/**
 * What tests of operations start from: a fixed cast, clients that call the real handlers through real events, and
 * the things a test needs to be there. Each test file has a table of its own (`own-table.ts`).
 *
 * The cast: alice made the organization and is its admin, bob is a member, chelsea is nobody to it, dave and erin
 * answer its forms, oscar operates the installation.
 */
import { rolesOf } from '#core/accounts/model.ts';
import { createAccount, nameAccount } from '#core/accounts/store.ts';
import { type Client, createClient, ProblemError } from '#core/api/client.ts';
import { app } from '#core/http/app.ts';
import type { QuestionInput } from '#core/structure/question-model.ts';
import type { Answer, HttpRequest } from '#stacks/local/http-to-event.ts';
import { createRouter } from '#stacks/local/router.ts';
import { routes } from '#stacks/local/routes.ts';

const router = createRouter(routes());

/** A request as a browser or curl would send it, through the event, to the handler, and back. */
export async function send(
  method: string,
  path: string,
  init: { headers?: Record<string, string>; body?: string | Buffer | FormData } = {},
) {
  const { headers, body } = await encoded(init.body ?? '');
  const request: HttpRequest = {
    method,
    url: path,
    headers: Object.entries({ ...headers, ...init.headers }),
    body,
    remoteAddress: '127.0.0.1',
    httpVersion: '1.1',
  };
  return toResponse(await router.dispatch(request));
}

/** A body as bytes; the platform writes a form as browsers do, under a boundary that the content type names. */
async function encoded(body: string | Buffer | FormData): Promise<{ headers: Record<string, string>; body: Buffer }> {
  if (!(body instanceof FormData)) return { headers: {}, body: Buffer.from(body) };
  const written = new Response(body);
  const contentType = written.headers.get('content-type') ?? '';
  return { headers: { 'content-type': contentType }, body: Buffer.from(await written.arrayBuffer()) };
}

function toResponse(answer: Answer): Response {
  const headers = new Headers(answer.headers);
  for (const line of answer.cookies) headers.append('set-cookie', line);
  const empty = answer.status === 204 || answer.status === 304;
  return new Response(empty ? null : new Uint8Array(answer.body), { status: answer.status, headers });
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

/** A person with an account; onboarded unless told otherwise. */
export async function person(name: string, options: { onboarded?: boolean; email?: string } = {}): Promise<Person> {
  const world = app();
  const id = world.uuid();
  const email = options.email ?? `${name}.${id.slice(0, 8)}@example.org`;
  const now = world.now().toISOString();
  const account = await createAccount(world.table, { id, emails: [email], avatarUrl: '', now });
  if (options.onboarded !== false) {
    await nameAccount(world.table, account, { username: `${name}-${id.slice(0, 8)}`, name: `${name}_1` }, now);
  }
  const token = await world.tokens.sign({ id, roles: rolesOf(account, world.config.operatorEmails) }, world.now());
  return { id, email, token, client: clientWith(token) };
}

export type Cast = Record<'alice' | 'bob' | 'chelsea' | 'dave' | 'erin' | 'oscar', Person> & {
  nobody: Client;
  slug: string;
  orgId: string;
};

/** A new cast around a new organization. Call it once a test file: oscar's e-mail address is fixed. */
export async function newCast(): Promise<Cast> {
  const [alice, bob, chelsea, dave, erin, oscar] = await Promise.all([
    person('alice'),
    person('bob'),
    person('chelsea'),
    person('dave'),
    person('erin'),
    person('oscar', { email: 'oscar@example.org' }),
  ]);
  const { slug, orgId } = await newOrganization(alice, bob);
  return { alice, bob, chelsea, dave, erin, oscar, nobody: clientWith(), slug, orgId };
}

let made = 0;

/** A new organization of an admin, with a member. */
export async function newOrganization(admin: Person, member?: Person): Promise<{ slug: string; orgId: string }> {
  made += 1;
  const slug = `org-${made}-${admin.id.slice(0, 8)}`;
  const created = await admin.client.orgs.createOrganization({
    body: { name: 'Rivers', description: 'Water quality', metadata: {}, slug },
  });
  if (member) await admin.client.orgs.addMember({ params: { slug }, body: { email: member.email } });
  return { slug, orgId: created.body.id };
}

type QuestionKind = { type: QuestionInput['type'] } & Partial<QuestionInput>;

/** A question input with everything that is not said filled in. */
export const question = (input: QuestionKind): QuestionInput => ({
  required: false,
  title: `A ${input.type} question`,
  description: null,
  order: 1_000,
  ...input,
});

/** A form being built by a member: one section after the other, straight through to END. */
export type Built = { formId: string; sectionIds: string[]; questionIds: string[] };

/** A form with a section for each list of questions, linked one after the other, published unless told otherwise. */
export async function newForm(
  editor: Person,
  slug: string,
  sections: QuestionKind[][],
  options: { publish?: boolean; title?: string; visibility?: 'PUBLIC' | 'PRIVATE'; allowEditResponse?: boolean } = {},
): Promise<Built> {
  const { client } = editor;
  const body = {
    title: options.title ?? 'Spring survey',
    visibility: options.visibility ?? 'PUBLIC',
    allowEditResponse: options.allowEditResponse ?? true,
  };
  const formId = (await client.forms.createForm({ params: { slug }, body })).body.id;
  const sectionIds: string[] = [];
  const questionIds: string[] = [];
  for (const questions of sections) {
    const node = await client.workflow.createNode({ params: { formId }, body: { type: 'SECTION', payload: {} } });
    sectionIds.push(node.body.id);
    for (const each of questions) {
      const created = await client.questions.createQuestion({
        params: { sectionId: node.body.id },
        body: question(each),
      });
      questionIds.push(created.body.id);
    }
  }
  await linkInOrder(client, formId, sectionIds);
  if (options.publish !== false) await client.forms.publishForm({ params: { formId } });
  return { formId, sectionIds, questionIds };
}

/** Links START, some sections in order, and END. */
export async function linkInOrder(client: Client, formId: string, sectionIds: readonly string[]): Promise<void> {
  const { workflow: nodes } = (await client.workflow.getWorkflow({ params: { formId } })).body;
  const start = nodes.find((node) => node.type === 'START')?.id ?? '';
  const end = nodes.find((node) => node.type === 'END')?.id ?? '';
  const chain = [start, ...sectionIds, end];
  await client.workflow.updateWorkflow({
    params: { formId },
    body: nodes.map(({ id, label, payload }) => {
      const next = chain[chain.indexOf(id) + 1];
      return { id, label, payload, ...(chain.includes(id) && next ? { next } : {}) };
    }),
  });
}

/** The problem that a call is refused with; fails the test when the call goes well. */
export async function problemOf(call: Promise<unknown>): Promise<ProblemError['problem']> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof ProblemError) return outcome.error.problem;
  if ('error' in outcome) throw outcome.error;
  throw new Error(`expected a problem, but the call went well: ${JSON.stringify(outcome.value)}`);
}
