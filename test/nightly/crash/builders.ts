/** A worker of the crash test that builds organizations and forms, and the form that the respondents answer. */
import { expect } from 'vitest';
import type { Client } from '#core/api/client.ts';
import { settings } from '#test/support/building.ts';
import { linkInOrder, type QuestionKind, question } from '#test/support/fixtures.ts';
import { type Run, untilKilled, type Worker } from './worker.ts';

/** What a form must have at least: every step of its creation that was acknowledged. */
type Built = { slug: string; questions: string[]; isPublished: boolean };
type Memory = Map<string, Built>;

/** Creates organizations, in each a form with a section and two questions, and publishes it. */
export function builder(name: string): Worker {
  const orgs: string[] = [];
  const forms: Memory = new Map();
  let [round, cutOff] = [0, 0];
  return {
    async work(client, run) {
      await untilKilled(async () => {
        round += 1;
        const slug = `${name}-${round}`;
        const body = { name: 'Rivers', description: '', metadata: {}, slug };
        await run.attempt(client.orgs.createOrganization({ body }));
        orgs.push(slug);
        await build(client, slug, run, forms);
      });
      cutOff += 1;
    },
    async check(client) {
      const mine = (await client.orgs.listMyOrganizations()).body.map(({ slug }) => slug);
      const created = mine.filter((slug) => slug.startsWith(`${name}-`));
      expect(created).toEqual(expect.arrayContaining(orgs));
      expect(created.length - orgs.length).toBeLessThanOrEqual(cutOff);
      for (const slug of created) await checkOrganization(client, slug, forms);
    },
  };
}

/** Builds a form with two questions, publishes it, and remembers each step of it that was acknowledged. */
async function build(client: Client, slug: string, { attempt }: Run, forms: Memory): Promise<void> {
  const params = { formId: (await attempt(client.forms.createForm({ params: { slug }, body: settings() }))).body.id };
  const built: Built = { slug, questions: [], isPublished: false };
  forms.set(params.formId, built);
  const node = await attempt(client.workflow.createNode({ params, body: { type: 'SECTION', payload: {} } }));
  for (const title of ['first', 'second']) {
    const body = question({ type: 'SHORT_TEXT', title, order: 1 });
    const created = await attempt(client.questions.createQuestion({ params: { sectionId: node.body.id }, body }));
    built.questions.unshift(created.body.id);
  }
  await attempt(linkInOrder(client, params.formId, [node.body.id]));
  await attempt(client.forms.publishForm({ params }));
  built.isPublished = true;
}

async function checkOrganization(client: Client, slug: string, forms: Memory): Promise<void> {
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
export async function demoForm(client: Client) {
  const { body: form } = await client.forms.createForm({ params: { slug: 'demo' }, body: settings() });
  const params = { formId: form.id };
  const sectionId = (await client.workflow.createNode({ params, body: { type: 'SECTION', payload: {} } })).body.id;
  const create = async (kind: QuestionKind) =>
    (await client.questions.createQuestion({ params: { sectionId }, body: question(kind) })).body.id;
  const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 5, maxFileSizeLimit: 100_000 };
  const texts = [await create({ type: 'SHORT_TEXT' }), await create({ type: 'SHORT_TEXT' })] as const;
  const fileQuestionId = await create({ type: 'UPLOAD_FILE', uploadFile });
  await linkInOrder(client, form.id, [sectionId]);
  await client.forms.publishForm({ params });
  return { formId: form.id, questionIds: texts, fileQuestionId };
}
