/**
 * The demo data of a new data directory: five people, the organization `demo`, a published form with all 13 question
 * types, and some responses. The people are written to the table; everything else is created through the API.
 */
import { getRoles } from '#core/accounts/model.ts';
import { type Client, createClient } from '#core/api/client.ts';
import { app } from '#core/http/app.ts';
import type { QuestionDocument } from '#core/structure/question-model.ts';
import { createPerson } from '../operate/create-person.ts';
import {
  answerDemoForm,
  DEMO_CLOSING,
  DEMO_SECTIONS,
  type DemoAnswers,
  firstVisitPattern,
  PICTURE,
} from './demo-form.ts';
import { createRouter } from './gateway/router.ts';
import { routes } from './gateway/routes.ts';

export const PEOPLE = [
  { name: 'alice', id: '00000000-0000-4000-8000-0000000000a1', role: 'admin of the organization demo' },
  { name: 'bob', id: '00000000-0000-4000-8000-0000000000b0', role: 'member of demo' },
  { name: 'chelsea', id: '00000000-0000-4000-8000-0000000000c0', role: 'outsider' },
  { name: 'dave', id: '00000000-0000-4000-8000-0000000000d0', role: 'respondent' },
  { name: 'oscar', id: '00000000-0000-4000-8000-000000000005', role: 'operator of the installation (role ADMIN)' },
] as const;
type Name = (typeof PEOPLE)[number]['name'];

/** Seeds an empty table. */
export async function seed(): Promise<void> {
  for (const person of PEOPLE) await createDemoPerson(person);
  const [alice, chelsea, dave] = await Promise.all([newClient('alice'), newClient('chelsea'), newClient('dave')]);
  await alice.orgs.createOrganization({
    body: {
      name: 'Demo organization',
      description: 'Created by npm start for trying things out',
      metadata: { contact: 'alice@example.org' },
      slug: 'demo',
    },
  });
  await alice.orgs.addMember({ params: { slug: 'demo' }, body: { email: 'bob@example.org' } });
  const formId = await createDemoForm(alice);
  await respond(dave, formId, { visited: true, rating: 5, submit: true });
  await respond(chelsea, formId, { visited: false, rating: 3, submit: true });
  await respond(dave, formId, { visited: true, rating: 4, submit: false });
}

/** Creates the account of a demo person. A nickname has at least four characters, so bob becomes bobby. */
export const createDemoPerson = ({ name, id }: { name: string; id: string }): Promise<void> =>
  createPerson(app(), {
    id,
    email: `${name}@example.org`,
    username: name,
    name: name.length < 4 ? `${name}by` : name,
  });

async function newClient(name: Name): Promise<Client> {
  const { tokens, now, config } = app();
  const id = PEOPLE.find((person) => person.name === name)?.id ?? '';
  const token = await tokens.sign(
    { id, roles: getRoles({ emails: [`${name}@example.org`] }, config.operatorEmails) },
    now(),
  );
  const router = createRouter(routes());
  return createClient({
    baseUrl: '',
    token,
    fetch: async (url, init) => {
      const request = new Request(new URL(url, 'http://localhost'), init);
      const result = await router.dispatch({
        method: request.method,
        url,
        headers: [...request.headers],
        body: Buffer.from(await request.arrayBuffer()),
        remoteAddress: '127.0.0.1',
        httpVersion: '1.1',
      });
      const body = result.status === 204 ? null : new Uint8Array(result.body);
      return new Response(body, { status: result.status, headers: result.headers });
    },
  });
}

async function createDemoForm(alice: Client): Promise<string> {
  const created = await alice.forms.createForm({
    params: { slug: 'demo' },
    body: {
      title: 'Visitor survey',
      visibility: 'PUBLIC',
      allowEditResponse: true,
      sendResponseEmail: true,
      description: {
        type: 'doc',
        content: [
          { type: 'paragraph', content: [{ type: 'text', text: 'Tell us about your visit to the river park.' }] },
        ],
      },
      messageAfterSubmission: DEMO_CLOSING,
      dressing: { color: '#2f6f4f', headerFont: 'noto-serif', textFont: 'noto-sans' },
    },
  });
  const params = { formId: created.body.id };
  const sectionIds: string[] = [];
  for (const [index, { title, questions }] of DEMO_SECTIONS.entries()) {
    const node = await alice.workflow.createNode({
      params,
      body: { type: 'SECTION', payload: { x: 0, y: index + 1 } },
    });
    sectionIds.push(node.body.id);
    await alice.sections.updateSection({ params: { ...params, sectionId: node.body.id }, body: { title } });
    for (const question of questions) {
      await alice.questions.createQuestion({ params: { sectionId: node.body.id }, body: question });
    }
  }
  await linkDemo(alice, params.formId, sectionIds);
  await alice.forms.publishForm({ params });
  return params.formId;
}

/** START → the visit → was it the first one? → (yes: first impressions) → in closing → END. The form highlights the question. */
async function linkDemo(
  alice: Client,
  formId: string,
  [visit = '', details = '', closing = '']: string[],
): Promise<void> {
  const params = { formId };
  const condition = (await alice.workflow.createNode({ params, body: { type: 'CONDITION', payload: { x: 0, y: 4 } } }))
    .body.id;
  const sections = (await alice.sections.listSections({ params })).body;
  const firstVisit = sections
    .flatMap(({ questions }) => questions ?? [])
    .find((question) => question.type === 'SINGLE_CHOICE');
  const { workflow } = (await alice.workflow.getWorkflow({ params })).body;
  const end = workflow.find((node) => node.type === 'END')?.id ?? '';
  const links = (id: string, type: string) => {
    if (type === 'START') return { next: visit };
    if (id === visit) return { next: condition };
    if (id === details) return { next: closing };
    if (id === closing) return { next: end };
    if (id !== condition || !firstVisit) return {};
    const conditionRule = {
      source: 'CHOICE' as const,
      question: firstVisit.id,
      pattern: firstVisitPattern(firstVisit),
    };
    return { conditionRule, nextTrue: details, nextFalse: closing };
  };
  const body = workflow.map(({ id, type, label, payload }) => ({ id, label, payload, ...links(id, type) }));
  await alice.workflow.updateWorkflow({ params, body });
  if (firstVisit) await alice.forms.setHighlight({ params, body: { questionId: firstVisit.id } });
}

async function respond(client: Client, formId: string, answers: DemoAnswers & { submit: boolean }): Promise<void> {
  const params = { responseId: (await client.responses.startResponse({ params: { formId } })).body.id };
  const sections = (await client.sections.listSections({ params: { formId } })).body;
  const questions = sections.flatMap((section) => section.questions ?? []);
  const body = { answers: answerDemoForm(questions, answers) };
  await client.responses.updateAnswers({ params, body });
  if (answers.visited) await sharePicture(client, params.responseId, questions);
  if (answers.submit) await client.responses.submitResponse({ params, body });
}

/** Uploads a picture as the answer to the UPLOAD_FILE question. */
async function sharePicture(client: Client, responseId: string, questions: readonly QuestionDocument[]): Promise<void> {
  const questionId = questions.find(({ type }) => type === 'UPLOAD_FILE')?.id ?? '';
  const form = new FormData();
  form.append('files', new File([PICTURE], 'heron.png', { type: 'image/png' }));
  await client.files.uploadFiles({ params: { responseId, questionId }, form });
}
