/** A worker of the crash test that builds organizations and forms, and the form that the respondents answer. */
import { expect } from 'vitest';
import type { Client } from '#core/api/client.ts';
import { linkInOrder } from '#test/support/fixtures.ts';
import { attempt, type Run, type Worker } from './worker.ts';

/** What a form must have at least: every step of its creation that was acknowledged. */
type Built = { slug: string; questions: string[]; isPublished: boolean };
type Memory = { name: string; orgs: string[]; forms: Map<string, Built>; round: number };

/** Creates organizations, in each a form with a section and two questions, and publishes it. */
export function builder(name: string): Worker {
  const memory: Memory = { name, orgs: [], forms: new Map(), round: 0 };
  let cutOff = 0;
  return {
    async work(client, run) {
      while (await build(client, run, memory));
      cutOff += 1;
    },
    async check(client) {
      const mine = (await client.orgs.listMyOrganizations()).body.map(({ slug }) => slug);
      const created = mine.filter((slug) => slug.startsWith(`${name}-`));
      expect(created).toEqual(expect.arrayContaining(memory.orgs));
      expect(created.length - memory.orgs.length).toBeLessThanOrEqual(cutOff);
      for (const slug of created) await checkOrganization(client, slug, memory);
    },
  };
}

/** Creates one organization with its form; false if the kill cut it off. */
async function build(client: Client, run: Run, memory: Memory): Promise<boolean> {
  memory.round += 1;
  const slug = `${memory.name}-${memory.round}`;
  const body = { name: 'Rivers', description: '', metadata: {}, slug };
  if (!(await attempt(run, client.orgs.createOrganization({ body })))) return false;
  memory.orgs.push(slug);
  const settings = { title: slug, visibility: 'PUBLIC' as const, allowEditResponse: true };
  const form = await attempt(run, client.forms.createForm({ params: { slug }, body: settings }));
  if (!form) return false;
  const built: Built = { slug, questions: [], isPublished: false };
  memory.forms.set(form.body.id, built);
  return fill(client, run, form.body.id, built);
}

async function fill(client: Client, run: Run, formId: string, built: Built): Promise<boolean> {
  const params = { formId };
  const node = await attempt(run, client.workflow.createNode({ params, body: { type: 'SECTION', payload: {} } }));
  if (!node) return false;
  for (const title of ['first', 'second']) {
    const created = await attempt(run, client.questions.createQuestion(questionAt(node.body.id, title, 1)));
    if (!created) return false;
    built.questions.unshift(created.body.id);
  }
  if (!(await attempt(run, linkInOrder(client, formId, [node.body.id])))) return false;
  if (!(await attempt(run, client.forms.publishForm({ params })))) return false;
  built.isPublished = true;
  return true;
}

const questionAt = (sectionId: string, title: string, order: number) => ({
  params: { sectionId },
  body: { type: 'SHORT_TEXT' as const, required: false, title, description: null, order },
});

async function checkOrganization(client: Client, slug: string, { forms }: Memory): Promise<void> {
  const params = { slug };
  expect((await client.orgs.getOrganization({ params })).body.slug).toBe(slug);
  expect((await client.orgs.listMembers({ params })).body).toHaveLength(1);
  const listed = (await client.forms.listOrganizationForms({ params })).body.map(({ id }) => id);
  const acknowledged = [...forms].filter(([, built]) => built.slug === slug).map(([id]) => id);
  expect(listed).toEqual(expect.arrayContaining(acknowledged));
  for (const formId of listed) await checkForm(client, formId, forms.get(formId));
}

/** A form is whole: its sections are its SECTION nodes, its questions are in order, nothing acknowledged is missing. */
async function checkForm(client: Client, formId: string, built: Built | undefined): Promise<void> {
  const params = { formId };
  const form = (await client.forms.getForm({ params })).body;
  const { workflow, info } = (await client.workflow.getWorkflow({ params })).body;
  const sections = (await client.sections.listSections({ params })).body;
  const nodes = workflow.filter(({ type }) => type === 'SECTION').map(({ id }) => id);
  expect(workflow.map(({ type }) => type)).toEqual(expect.arrayContaining(['START', 'END']));
  expect(sections.map(({ section }) => section.id).sort()).toEqual(nodes.sort());
  const questions = sections.flatMap((each) => each.questions ?? []);
  expect(questions.map(({ order }) => order)).toEqual(questions.map((_, at) => at + 1));
  // Each question is created at the first place, so one that was cut off may precede the acknowledged ones.
  const known = built?.questions ?? [];
  expect(questions.map(({ id }) => id).slice(questions.length - known.length)).toEqual(known);
  if (built?.isPublished) expect(form.status).toBe('PUBLISHED');
  if (form.status === 'PUBLISHED') expect(info).toEqual([]);
}

/** Creates a published form with two text questions and one for files in the demo organization. */
export async function demoForm(
  client: Client,
): Promise<{ formId: string; questionIds: string[]; fileQuestionId: string }> {
  const body = { title: 'Crash', visibility: 'PUBLIC' as const, allowEditResponse: true };
  const params = { formId: (await client.forms.createForm({ params: { slug: 'demo' }, body })).body.id };
  const sectionId = (await client.workflow.createNode({ params, body: { type: 'SECTION', payload: {} } })).body.id;
  const questionIds: string[] = [];
  for (const title of ['one', 'two']) {
    questionIds.push((await client.questions.createQuestion(questionAt(sectionId, title, 9))).body.id);
  }
  const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 5, maxFileSizeLimit: 100_000 };
  const fileQuestion = { ...questionAt(sectionId, 'files', 9).body, type: 'UPLOAD_FILE' as const, uploadFile };
  const created = await client.questions.createQuestion({ params: { sectionId }, body: fileQuestion });
  await linkInOrder(client, params.formId, [sectionId]);
  await client.forms.publishForm({ params });
  return { formId: params.formId, questionIds, fileQuestionId: created.body.id };
}
