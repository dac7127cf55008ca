/**
 * The service is killed without warning, again and again, while people build forms and answer them. After each restart
 * on the same data everything that was answered with 2xx is there, and every request that was cut off has happened
 * wholly or not at all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Client, ProblemError } from '#core/api/client.ts';
import { PEOPLE } from '#stacks/local/seed.ts';
import { type ChildService, startChild } from '#test/support/child-service.ts';

const directory = mkdtempSync(join(tmpdir(), 'crash-'));
let service: ChildService | undefined;
afterAll(async () => {
  await service?.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
}, 30_000);

const KILLS = 4;
const uidOf = (name: string): string => PEOPLE.find((person) => person.name === name)?.id ?? '';

/** Counts what was acknowledged, and kills the service when enough was; from then on every request may be cut off. */
type Fate = { acknowledged(): void; doomed: boolean };

function fateOf(running: ChildService, after: number): Fate {
  let count = 0;
  const fate: Fate = {
    doomed: false,
    acknowledged() {
      count += 1;
      if (count !== after) return;
      fate.doomed = true;
      void running.end('SIGKILL');
    },
  };
  return fate;
}

/** Answers what a request answered, or undefined when the service died under it. A refusal is a failure of the test. */
async function survived<T>(fate: Fate, request: Promise<T>): Promise<T | undefined> {
  try {
    const answer = await request;
    fate.acknowledged();
    return answer;
  } catch (error) {
    if (error instanceof ProblemError || !fate.doomed) throw error;
    return undefined;
  }
}

/** One that works until the service dies, and after the restart checks what became of it. */
type Worker = { work(client: Client, fate: Fate): Promise<void>; check(client: Client): Promise<void> };

const SENT = { progress: 'SUBMITTED' } as const;
type State = { progress: 'DRAFT' | 'SUBMITTED'; words: (string | null)[] };

/** Saves, submits, edits, cancels and clears one response, over and over; two answers always go together. */
function respondent(formId: string, questionIds: readonly string[]): Worker {
  let responseId = '';
  let round = 0;
  let known: State = { progress: 'DRAFT', words: [null, null] };
  let next: State | undefined;
  const answers = (...words: string[]) =>
    words.map((value, at) => ({ questionId: questionIds[at] ?? '', questionType: 'SHORT_TEXT' as const, value }));

  function* journey(client: Client): Generator<[State, () => Promise<unknown>]> {
    const { responses } = client;
    const params = { responseId };
    const [one, two, three] = ['one', 'two', 'three'].map((word) => `${word} ${round}`) as [string, string, string];
    if (known.progress === 'SUBMITTED') {
      yield [{ ...known, progress: 'DRAFT' }, () => responses.cancelResponse({ params })];
    }
    const save = (word: string) => () => responses.updateAnswers({ params, body: { answers: answers(word, word) } });
    yield [{ progress: 'DRAFT', words: [one, one] }, save(one)];
    const submit = () => responses.submitResponse({ params, body: { answers: answers(two, two) } });
    yield [{ ...SENT, words: [two, two] }, submit];
    yield [{ ...SENT, words: [three, three] }, save(three)];
    yield [{ progress: 'DRAFT', words: [three, three] }, () => responses.cancelResponse({ params })];
    const clear = () => responses.clearAnswer({ params: { ...params, questionId: questionIds[1] ?? '' } });
    yield [{ progress: 'DRAFT', words: [three, null] }, clear];
  }

  return {
    async work(client, fate) {
      if (responseId === '') {
        const started = await survived(fate, client.responses.startResponse({ params: { formId } }));
        if (!started) return;
        responseId = started.body.id;
      }
      for (;;) {
        round += 1;
        for (const [state, request] of journey(client)) {
          next = state;
          if ((await survived(fate, request())) === undefined) return;
          known = state;
          next = undefined;
        }
      }
    },
    async check(client) {
      if (responseId === '') return;
      const { progress, sections } = (await client.responses.getResponse({ params: { formId, responseId } })).body;
      const details = sections.flatMap(({ answerDetails }) => answerDetails);
      const found: State = { progress, words: details.map(({ payload }) => payload?.displayValue ?? null) };
      expect([known, next ?? known]).toContainEqual(found);
      const { responses } = (await client.responses.listResponses({ params: { formId }, query: { progress } })).body;
      expect(responses.map(({ id }) => id)).toContain(responseId);
      known = found;
      next = undefined;
    },
  };
}

/** Starts one response after the other. */
function starter(formId: string): Worker {
  const started = new Set<string>();
  let cutOff = 0;
  return {
    async work(client, fate) {
      for (;;) {
        const answer = await survived(fate, client.responses.startResponse({ params: { formId } }));
        if (!answer) break;
        started.add(answer.body.id);
      }
      cutOff += 1;
    },
    async check(client) {
      const found = new Set<string>();
      let cursor: string | undefined;
      do {
        const query = cursor === undefined ? {} : { cursor };
        const { responses, nextCursor } = (await client.responses.listMyResponses({ params: { formId }, query })).body;
        for (const { id } of responses) found.add(id);
        cursor = nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect([...started].filter((id) => !found.has(id))).toEqual([]);
      expect(found.size - started.size).toBeLessThanOrEqual(cutOff);
      for (const responseId of [...found].slice(-3)) {
        const { body } = await client.responses.getResponse({ params: { formId, responseId } });
        expect(body).toMatchObject({ id: responseId, progress: 'DRAFT' });
      }
    },
  };
}

/** Makes organizations, in each a form with a section and two questions, and publishes it. */
function builder(name: string): Worker {
  const orgs: string[] = [];
  /** What a form must have at least: every step of its building that was acknowledged. */
  const forms = new Map<string, { slug: string; questions: string[]; published: boolean }>();
  let round = 0;
  let cutOff = 0;

  async function build(client: Client, fate: Fate): Promise<boolean> {
    round += 1;
    const slug = `${name}-${round}`;
    const body = { name: 'Rivers', description: '', metadata: {}, slug };
    if (!(await survived(fate, client.orgs.createOrganization({ body })))) return false;
    orgs.push(slug);
    const settings = { title: slug, visibility: 'PUBLIC' as const, allowEditResponse: true };
    const form = await survived(fate, client.forms.createForm({ params: { slug }, body: settings }));
    if (!form) return false;
    const params = { formId: form.body.id };
    const facts = { slug, questions: [] as string[], published: false };
    forms.set(params.formId, facts);
    const section = { type: 'SECTION' as const, payload: {} };
    const node = await survived(fate, client.workflow.createNode({ params, body: section }));
    if (!node) return false;
    for (const title of ['first', 'second']) {
      const question = { type: 'SHORT_TEXT' as const, required: false, title, description: null, order: 1 };
      const made = client.questions.createQuestion({ params: { sectionId: node.body.id }, body: question });
      const answer = await survived(fate, made);
      if (!answer) return false;
      facts.questions.unshift(answer.body.id);
    }
    if (!(await survived(fate, link(client, params, node.body.id)))) return false;
    if (!(await survived(fate, client.forms.publishForm({ params })))) return false;
    facts.published = true;
    return true;
  }

  return {
    async work(client, fate) {
      while (await build(client, fate));
      cutOff += 1;
    },
    async check(client) {
      const mine = (await client.orgs.listMyOrganizations()).body.map(({ slug }) => slug);
      const made = mine.filter((slug) => slug.startsWith(`${name}-`));
      expect(made).toEqual(expect.arrayContaining(orgs));
      expect(made.length - orgs.length).toBeLessThanOrEqual(cutOff);
      for (const slug of made) {
        const params = { slug };
        expect((await client.orgs.getOrganization({ params })).body.slug).toBe(slug);
        expect((await client.orgs.listMembers({ params })).body).toHaveLength(1);
        const listed = (await client.forms.listOrganizationForms({ params })).body.map(({ id }) => id);
        const acknowledged = [...forms].filter(([, facts]) => facts.slug === slug).map(([id]) => id);
        expect(listed).toEqual(expect.arrayContaining(acknowledged));
        for (const formId of listed) await checkForm(client, formId, forms.get(formId));
      }
    },
  };
}

async function link(client: Client, params: { formId: string }, sectionId: string): Promise<unknown> {
  const { workflow } = (await client.workflow.getWorkflow({ params })).body;
  const end = workflow.find(({ type }) => type === 'END')?.id ?? '';
  const body = workflow.map(({ type, ...node }) => {
    if (type === 'START') return { ...node, next: sectionId };
    return type === 'SECTION' ? { ...node, next: end } : node;
  });
  return client.workflow.updateWorkflow({ params, body });
}

/** A form is whole: its sections are its SECTION nodes, its questions stand in order, nothing acknowledged is missing. */
async function checkForm(
  client: Client,
  formId: string,
  facts: { questions: string[]; published: boolean } | undefined,
) {
  const params = { formId };
  const form = (await client.forms.getForm({ params })).body;
  const { workflow, info } = (await client.workflow.getWorkflow({ params })).body;
  const sections = (await client.sections.listSections({ params })).body;
  const nodes = workflow.filter(({ type }) => type === 'SECTION').map(({ id }) => id);
  expect(workflow.map(({ type }) => type)).toEqual(expect.arrayContaining(['START', 'END']));
  expect(sections.map(({ section }) => section.id).sort()).toEqual(nodes.sort());
  const questions = sections.flatMap((each) => each.questions ?? []);
  expect(questions.map(({ order }) => order)).toEqual(questions.map((_, at) => at + 1));
  expect(questions.map(({ id }) => id).slice(-(facts?.questions.length ?? 0))).toEqual(
    facts?.questions.length ? facts.questions : questions.map(({ id }) => id),
  );
  if (facts?.published) expect(form.status).toBe('PUBLISHED');
  if (form.status === 'PUBLISHED') expect(info).toEqual([]);
}

async function publishedForm(client: Client) {
  const body = { title: 'Crash', visibility: 'PUBLIC' as const, allowEditResponse: true };
  const params = { formId: (await client.forms.createForm({ params: { slug: 'demo' }, body })).body.id };
  const section = { type: 'SECTION' as const, payload: {} };
  const sectionId = (await client.workflow.createNode({ params, body: section })).body.id;
  const questionIds: string[] = [];
  for (const title of ['one', 'two']) {
    const question = { type: 'SHORT_TEXT' as const, required: false, title, description: null, order: 9 };
    questionIds.push((await client.questions.createQuestion({ params: { sectionId }, body: question })).body.id);
  }
  await link(client, params, sectionId);
  await client.forms.publishForm({ params });
  return { formId: params.formId, questionIds };
}

test('what was answered with 2xx survives a crash, and the rest is absent or whole', async () => {
  service = await startChild(directory, { fresh: true });
  const { formId, questionIds } = await publishedForm(await service.clientOf(uidOf('alice')));
  const workers: [string, Worker][] = [
    ['alice', builder('alice')],
    ['bob', builder('bob')],
    ['dave', respondent(formId, questionIds)],
    ['dave', respondent(formId, questionIds)],
    ['oscar', respondent(formId, questionIds)],
    ['chelsea', starter(formId)],
  ];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const running = service;
    const after = 1 + Math.floor(Math.random() * 120);
    const fate = fateOf(running, after);
    const ready = await Promise.all(
      workers.map(async ([who, worker]) => ({ worker, client: await running.clientOf(uidOf(who)) })),
    );
    await Promise.all(ready.map(({ worker, client }) => worker.work(client, fate)));
    await running.end('SIGKILL');
    const restarted = await startChild(directory);
    service = restarted;
    for (const [who, worker] of workers) {
      await worker.check(await restarted.clientOf(uidOf(who))).catch((cause: unknown) => {
        throw new Error(`${who} found damage after kill ${kill}, at ${after} acknowledged requests`, { cause });
      });
    }
  }
}, 90_000);
