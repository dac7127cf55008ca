/**
 * The data that a run starts with, and more of it while the run deletes: organizations with members and units, forms
 * with every question type, with conditions and in every status, with responses and views. Organizations and forms are
 * written by the stores and then read over HTTP, so that the responses fill the pool like any other.
 */
import { type Client, createClient } from '#core/api/client.ts';
import { app } from '#core/http/app.ts';
import { editChanges, reloadDraft } from '#core/structure/changes.ts';
import type { QuestionInput } from '#core/structure/question-model.ts';
import { updateSection } from '#core/structure/questions.ts';
import { buildExports } from '#test/support/exports.ts';
import { linkInOrder, newForm, newOrganization, type Person, person, writingApp } from '#test/support/fixtures.ts';
import { storeMail } from '#test/support/mail.ts';
import { newUnit } from '#test/support/scene.ts';
import { webp } from '#test/support/webp.ts';
import { SMALL_PDF } from './multipart.ts';
import { emptyPool, type Pool, type PoolForm, type PoolOrg, pick } from './pool.ts';
import { type Exchange, OWN_ORIGIN, type Runtime } from './runtime.ts';

/** The runtime, the pool, and a listener for every exchange. */
export type Context = { runtime: Runtime; pool: Pool; onExchange: (exchange: Exchange) => void };

type Kind = Pick<QuestionInput, 'type'> & Partial<QuestionInput>;
type Editor = { alice: Person; slug: string };

const choices = [{ name: 'Yes' }, { name: 'No', description: 'Not at all' }, { name: 'Other', isOther: true }];

const UPLOAD: Kind = {
  type: 'UPLOAD_FILE',
  uploadFile: { allowedFileTypes: ['PDF'], maxFileAmount: 2, maxFileSizeLimit: 1_000 },
};
const CONNECT: Kind = { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' };

/** One question of every type. */
const ALL_TYPES: Kind[][] = [
  [{ type: 'SHORT_TEXT', required: true }, { type: 'LONG_TEXT' }, { type: 'HYPERLINK' }],
  [
    { type: 'SINGLE_CHOICE', required: true, choices },
    { type: 'MULTIPLE_CHOICE', choices },
    { type: 'DROPDOWN', choices },
    { type: 'DETAILED_MULTIPLE_CHOICE', choices },
    { type: 'RANKING', choices },
  ],
  [
    { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } },
    { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: false } },
    { type: 'LINEAR_SCALE', scale: { minVal: 0, maxVal: 10 } },
    { type: 'RATING', scale: { minVal: 1, maxVal: 5, icon: 'star' } },
    UPLOAD,
    CONNECT,
  ],
];
const SHORT: Kind[][] = [
  [
    { type: 'SHORT_TEXT', required: true },
    { type: 'SINGLE_CHOICE', choices },
  ],
  [{ type: 'LONG_TEXT' }, UPLOAD, CONNECT],
];

/** A pool with the people of the run. */
export async function initialPool(): Promise<Pool> {
  const names = ['alice', 'bob', 'chelsea', 'dave', 'erin', 'newcomer'];
  const people = await Promise.all(names.map((name) => person(name, { onboarded: name !== 'newcomer' })));
  const oscar = await person('oscar', { email: 'oscar@example.org' });
  const longAgo = new Date(app().now().getTime() - 7 * 24 * 3_600_000);
  const expired = await app().tokens.sign({ id: people[0]?.id ?? '', roles: ['USER'] }, longAgo);
  return emptyPool([...people, oscar], expired);
}

/** Creates a form with each builder. */
export async function buildScene(context: Context): Promise<void> {
  for (let round = 0; round < BUILDERS.length; round += 1) await refill(context, round);
}

/** Creates new data, with another builder each round, and reads some forms again. */
export async function refill(context: Context, round: number): Promise<void> {
  const { pool } = context;
  const [alice, bob, , dave, erin] = pool.people.map((each) => withClient(each, context));
  if (!alice || !bob || !dave || !erin) throw new Error('a person of the cast is missing');
  await alice.client.auth.loginInternal({ body: { uid: pick(pool.people, round)?.id ?? '' } });
  for (const oauthProvider of ['LOGIN_PROVIDER_1', 'LOGIN_PROVIDER_2']) {
    await alice.client.auth.startLogin({ params: { oauthProvider }, query: { c: `${OWN_ORIGIN}/in` } });
  }
  // Organizations to delete, so that those with forms stay.
  for (let made = 0; made < 3; made += 1) await newOrganization(alice, bob);
  const home = await homeOf(alice, pool);
  const slug = round % 3 === 0 || !home ? await newHome(alice, bob) : home.slug;
  const formId = (await BUILDERS[round % BUILDERS.length]?.({ alice, slug })) ?? '';
  await readForm(alice.client, formId);
  const form = pool.forms.get(formId);
  if (form) await populate(form, { alice, slug }, [dave, erin]);
  if (form) await readLists(alice, slug, form);
  for (let index = 0; index < 4; index += 1) await readAgain(pick(pool.forms.values(), round * 4 + index), context);
}

/** An organization that alice can still edit. Reading hers corrects what concurrent requests left unclear in the pool. */
async function homeOf(alice: Person, pool: Pool): Promise<PoolOrg | undefined> {
  const hers = new Set((await alice.client.orgs.listMyOrganizations()).body.map(({ id }) => id));
  return [...pool.orgs.values()].find(
    ({ id, members }) => hers.has(id) && members.get(alice.id) === 'ADMIN' && members.size > 1,
  );
}

/** A person whose client sends its requests over HTTP and reports every exchange. */
function withClient(by: Person, { runtime, onExchange }: Context): Person {
  const client = createClient({
    baseUrl: '',
    token: by.token,
    fetch: async (path, init) => {
      const request = new Request(`http://localhost${path}`, init);
      const body = Buffer.from(await request.arrayBuffer());
      const sent = { method: request.method, path, headers: Object.fromEntries(request.headers) };
      const exchange = await runtime.exchange(body.length > 0 ? { ...sent, body } : sent, by);
      onExchange(exchange);
      const { status, bytes: content } = exchange.received;
      const received = new Headers(exchange.received.headers);
      for (const line of exchange.received.cookies) received.append('set-cookie', line);
      return new Response(status === 204 ? null : new Uint8Array(content), { status, headers: received });
    },
  });
  return { ...by, client };
}

async function newHome(alice: Person, bob: Person): Promise<string> {
  const { slug, orgId } = await newOrganization(alice);
  await alice.client.orgs.listMyOrganizations();
  await alice.client.orgs.addMember({ params: { slug }, body: { email: bob.email } });
  const units = [
    await newUnit(alice.client, slug),
    await newUnit(alice.client, slug),
    await newUnit(alice.client, slug),
  ];
  const [parentId = '', childId = ''] = units;
  await alice.client.units.linkUnits({ body: { parentId, childId, orgId } });
  return slug;
}

/** Each creates a form and returns its id. */
const BUILDERS: readonly ((editor: Editor) => Promise<string>)[] = [
  async ({ alice, slug }) => (await newForm(alice, slug, ALL_TYPES)).formId,
  async ({ alice, slug }) => (await newForm(alice, slug, SHORT, { visibility: 'PRIVATE' })).formId,
  withConditions,
  async ({ alice, slug }) => (await newForm(alice, slug, SHORT, { publish: false })).formId,
  async ({ alice, slug }) => {
    const { formId } = await newForm(alice, slug, SHORT, { allowEditResponse: false });
    await alice.client.forms.archiveForm({ params: { formId } });
    return formId;
  },
  async ({ alice, slug }) => (await newForm(alice, slug, SHORT, { allowEditResponse: false })).formId,
  withWideForms,
];

/** Text that grows when it is escaped as HTML or JSON. */
const WIDE = {
  type: 'doc' as const,
  content: [{ type: 'paragraph', content: [{ type: 'text', text: '"&<'.repeat(16_000) }] }],
};

/** Forms of an organization, and responses to a form, that do not fit into one HTTP response. */
async function withWideForms({ alice, slug }: Editor): Promise<string> {
  const settings = { title: 'Wide', visibility: 'PUBLIC' as const, allowEditResponse: true, description: WIDE };
  for (let made = 0; made < 20; made += 1) await alice.client.forms.createForm({ params: { slug }, body: settings });
  const questions = Array.from({ length: 11 }, () => ({ type: 'LONG_TEXT' as const }));
  const { formId, questionIds } = await newForm(alice, slug, [questions]);
  for (let number = 0; number < 11; number += 1) {
    const responseId = (await alice.client.responses.startResponse({ params: { formId } })).body.id;
    const value = `${number}${'水'.repeat(9_900)}`;
    const answers = questionIds.map((questionId) => ({ questionId, questionType: 'LONG_TEXT' as const, value }));
    await alice.client.responses.submitResponse({ params: { responseId }, body: { answers } });
  }
  return formId;
}

/** A form whose second section depends on an answer in the first. */
async function withConditions({ alice, slug }: Editor): Promise<string> {
  const { client } = alice;
  const { formId, sectionIds, questionIds } = await newForm(alice, slug, SHORT, { publish: false });
  const [first = '', second = ''] = sectionIds;
  const params = { formId };
  const { id } = (await client.workflow.createNode({ params, body: { type: 'CONDITION', payload: {} } })).body;
  await linkInOrder(client, formId, [first, id, second]);
  const { workflow: nodes } = (await client.workflow.getWorkflow({ params })).body;
  const end = nodes.find(({ type }) => type === 'END')?.id ?? '';
  const conditionRule = { source: 'NON_CHOICE' as const, question: questionIds[0] ?? '', pattern: '(river|x|水).*' };
  const body = nodes.map((node) =>
    node.id === id ? { ...node, conditionRule, nextTrue: second, nextFalse: end } : node,
  );
  await client.workflow.updateWorkflow({ params, body });
  await client.forms.publishForm({ params });
  return formId;
}

/** Adds views, a highlight, a cover and, to an open form, responses, with mails of those that are submitted. */
async function populate(form: PoolForm, { alice }: Editor, respondents: readonly Person[]): Promise<void> {
  const params = { formId: form.id };
  await alice.client.views.createView({ params, body: {} });
  await alice.client.views.createView({ params });
  const sections = (await alice.client.sections.listSections({ params })).body;
  const questions = sections.flatMap((section) => section.questions ?? []);
  const choice = questions.find(({ type }) => type === 'SINGLE_CHOICE');
  if (choice) await alice.client.forms.setHighlight({ params, body: { questionId: choice.id } });
  const cover = new FormData();
  cover.append('coverImage', new File([webp(2, 2)], 'cover.webp'));
  await alice.client.forms.uploadCover({ params, form: cover });
  if (form.status !== 'PUBLISHED') return;
  const draft = await reloadDraft(app().table, form.id);
  await editChanges(writingApp(), { draft, formId: form.id, editorId: alice.id }, (structure) =>
    updateSection(structure, sections[0]?.section.id ?? '', { title: 'Changed' }, app().now().toISOString()),
  );
  await alice.client.forms.getChanges({ params });
  await alice.client.forms.listVersions({ params });
  const answers = questions.flatMap((each) => {
    if (!each.required) return [];
    const value = each.choices ? [each.choices[0]?.id ?? ''] : 'river';
    return [{ questionId: each.id, questionType: each.type, value }];
  });
  for (const { client } of respondents) {
    for (const isSubmitted of [false, true]) {
      const responseId = (await client.responses.startResponse({ params })).body.id;
      await client.responses.updateAnswers({ params: { responseId }, body: { answers: answers.slice(0, 1) } });
      for (const { id: questionId, type } of questions) {
        if (type === 'UPLOAD_FILE') await uploadTo(client, { responseId, questionId });
        const query = isSubmitted ? { r: `${OWN_ORIGIN}/on?a=b` } : {};
        if (type === 'OAUTH_CONNECT')
          await client.connections.startConnection({ params: { responseId, questionId }, query });
      }
      if (!isSubmitted) continue;
      await client.responses.submitResponse({ params: { responseId }, body: { answers } });
      // So that its mail can be sent again.
      await storeMail(responseId, 'sent');
    }
  }
}

/** Attaches one file and announces another. */
async function uploadTo(client: Client, params: { responseId: string; questionId: string }): Promise<void> {
  const form = new FormData();
  form.append('files', new File([SMALL_PDF], 'river.pdf'));
  await client.files.uploadFiles({ params, form });
  const announced = { filename: 'lake.pdf', contentType: '', size: 100, sha256: '0'.repeat(64) };
  await client.files.uploadFiles({ params, body: { files: [announced] } });
}

/** Reads a form again, which adds the effects of other requests to the pool. */
async function readAgain(form: PoolForm | undefined, context: Context): Promise<void> {
  const editor = context.pool.people.find(({ id }) => context.pool.orgs.get(form?.orgId ?? '')?.members.has(id));
  if (!form || !editor) return;
  const { client } = withClient(editor, context);
  const params = { formId: form.id };
  const reads = [
    readForm(client, form.id),
    client.views.listViews({ params }),
    client.responses.listResponses({ params, query: { limit: 20 } }),
    client.forms.getHighlight({ params }),
  ];
  // It may have been deleted, or be no longer visible to the editor.
  await Promise.allSettled(reads);
}

/** Reads a form with its questions and its workflow. */
const readForm = async ({ forms, sections, workflow }: Client, formId: string): Promise<void> => {
  await forms.getForm({ params: { formId } });
  await Promise.all([sections.listSections({ params: { formId } }), workflow.getWorkflow({ params: { formId } })]);
};

/** Reads the lists whose results can exceed one HTTP response. */
async function readLists({ client }: Person, slug: string, form: PoolForm): Promise<void> {
  const params = { formId: form.id };
  const questionIds = [...form.questions.keys()];
  await client.forms.listForms();
  await client.forms.listOrganizationForms({ params: { slug } });
  await client.responses.filterResponses({ params, body: { filters: [] } });
  await client.exports.previewTable({ params, body: { questionIds } });
  await client.exports.downloadTable({ params, body: { questionIds }, headers: { prefer: 'respond-async' } });
  await buildExports();
  await client.exports.listExports({ params });
  for (const viewId of form.views.keys()) {
    const ofView = { ...params, viewId, questionId: questionIds[0] ?? '' };
    await client.views.listDistinctAnswers({ params: ofView, body: { filters: [] } });
  }
}
