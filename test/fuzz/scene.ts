/**
 * What the run starts from, and what it is given anew while it deletes: organizations with members and units, forms
 * of every question type, with conditions, in every status, answered and reviewed. All of it is made through the
 * service over HTTP, and seen like any other answer.
 */
import { type Client, createClient } from '#core/api/client.ts';
import { app } from '#core/http/app.ts';
import type { QuestionInput } from '#core/structure/question-model.ts';
import { newUnit } from '#test/support/scene.ts';
import { webp } from '#test/support/webp.ts';
import { linkInOrder, newForm, newOrganization, type Person, person } from '#test/support/world.ts';
import { pick } from './later.ts';
import { SMALL_PDF } from './multipart.ts';
import { nothingSeen, type Seen, type SeenForm, type SeenOrg } from './seen.ts';
import { type Exchange, OWN_ORIGIN, type Runtime } from './wire.ts';

/** The runtime, what was seen of it, and whoever wants to know of an answer. */
export type Desk = { runtime: Runtime; seen: Seen; saw: (exchange: Exchange) => void };

type Kind = Pick<QuestionInput, 'type'> & Partial<QuestionInput>;
type Editor = { alice: Person; slug: string };

const choices = [{ name: 'Yes' }, { name: 'No', description: 'Not at all' }, { name: 'Other', isOther: true }];

const UPLOAD: Kind = {
  type: 'UPLOAD_FILE',
  uploadFile: { allowedFileTypes: ['PDF'], maxFileAmount: 2, maxFileSizeLimit: 1_000 },
};
const CONNECT: Kind = { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' };

/** One question of every type. */
const EVERYTHING: Kind[][] = [
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

/** Who there is at the start. */
export async function newcomers(): Promise<Seen> {
  const names = ['alice', 'bob', 'chelsea', 'dave', 'erin', 'newcomer'];
  const people = await Promise.all(names.map((name) => person(name, { onboarded: name !== 'newcomer' })));
  const oscar = await person('oscar', { email: 'oscar@example.org' });
  const longAgo = new Date(app().now().getTime() - 7 * 24 * 3_600_000);
  const expired = await app().tokens.sign({ id: people[0]?.id ?? '', roles: ['USER'] }, longAgo);
  return nothingSeen([...people, oscar], expired);
}

/** Makes one of each thing. */
export async function setTheScene(desk: Desk): Promise<void> {
  for (let round = 0; round < BUILDERS.length; round += 1) await refill(desk, round);
}

/** Makes something new, a different thing each round, and looks again at some of what there is. */
export async function refill(desk: Desk, round: number): Promise<void> {
  const { seen } = desk;
  const [alice, bob, , dave, erin] = seen.people.map((each) => withClient(each, desk));
  if (!alice || !bob || !dave || !erin) throw new Error('the cast is not complete');
  await alice.client.auth.loginInternal({ body: { uid: pick(seen.people, round)?.id ?? '' } });
  for (const oauthProvider of ['LOGIN_PROVIDER_1', 'LOGIN_PROVIDER_2']) {
    await alice.client.auth.startLogin({ params: { oauthProvider }, query: { c: `${OWN_ORIGIN}/in` } });
  }
  // Some to be deleted, so that those with forms are spared.
  for (let made = 0; made < 3; made += 1) await newOrganization(alice, bob);
  const home = await homeOf(alice, seen);
  const slug = round % 3 === 0 || !home ? await newHome(alice, bob) : home.slug;
  const formId = await BUILDERS[round % BUILDERS.length]?.({ alice, slug });
  const form = seen.forms.get(formId ?? '');
  if (form) await populate(form, { alice, slug }, [dave, erin]);
  if (form) await askForAll(alice, slug, form);
  for (let index = 0; index < 4; index += 1) await lookAt(pick(seen.forms.values(), round * 4 + index), desk);
}

/** An organization that is still alice's to build in; reading hers sets right what two requests at once left unclear. */
async function homeOf(alice: Person, seen: Seen): Promise<SeenOrg | undefined> {
  const hers = new Set((await alice.client.orgs.listMyOrganizations()).body.map(({ id }) => id));
  return [...seen.orgs.values()].find(
    ({ id, members }) => hers.has(id) && members.get(alice.id) === 'ADMIN' && members.size > 1,
  );
}

/** A person whose requests go over HTTP and whose answers are seen. */
function withClient(by: Person, { runtime, saw }: Desk): Person {
  const client = createClient({
    baseUrl: '',
    token: by.token,
    fetch: async (path, { method = 'GET', headers, body }) => {
      const isForm = body instanceof FormData;
      const written = isForm || typeof body === 'string' ? new Response(body) : undefined;
      const type = isForm ? { 'content-type': written?.headers.get('content-type') ?? '' } : {};
      const sent = { method, path, headers: { ...Object.fromEntries(new Headers(headers)), ...type } };
      const bytes = written && Buffer.from(await written.arrayBuffer());
      const exchange = await runtime.exchange(bytes ? { ...sent, body: bytes } : sent, by);
      saw(exchange);
      const { status, bytes: content } = exchange.answer;
      const answer = new Headers(exchange.answer.headers);
      for (const line of exchange.answer.cookies) answer.append('set-cookie', line);
      return new Response(status === 204 ? null : new Uint8Array(content), { status, headers: answer });
    },
  });
  return { ...by, client };
}

async function newHome(alice: Person, bob: Person): Promise<string> {
  const { slug, orgId } = await newOrganization(alice, bob);
  const units = [
    await newUnit(alice.client, slug),
    await newUnit(alice.client, slug),
    await newUnit(alice.client, slug),
  ];
  const [parentId = '', childId = ''] = units;
  await alice.client.units.linkUnits({ body: { parentId, childId, orgId } });
  return slug;
}

/** Each makes a form and answers its id. */
const BUILDERS: readonly ((editor: Editor) => Promise<string>)[] = [
  async ({ alice, slug }) => (await newForm(alice, slug, EVERYTHING)).formId,
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

/** Texts that grow on their way: as HTML, as JSON, as JSON within JSON. */
const WIDE = {
  type: 'doc' as const,
  content: [{ type: 'paragraph', content: [{ type: 'text', text: '"&<'.repeat(16_000) }] }],
};

/** An organization whose forms, and a form whose responses, are more than one answer can carry. */
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

/** A form whose second section is reached by an answer to the first. */
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

/** Views, a highlight and responses; a form that is not open has none. */
async function populate(form: SeenForm, { alice }: Editor, respondents: readonly Person[]): Promise<void> {
  const params = { formId: form.id };
  await alice.client.views.createView({ params, body: {} });
  await alice.client.views.createView({ params });
  const asked = (await alice.client.sections.listSections({ params })).body.flatMap(({ questions }) => questions ?? []);
  const choice = asked.find(({ type }) => type === 'SINGLE_CHOICE');
  if (choice) await alice.client.forms.setHighlight({ params, body: { questionId: choice.id } });
  const cover = new FormData();
  cover.append('coverImage', new File([webp(2, 2)], 'cover.webp'));
  await alice.client.forms.uploadCover({ params, form: cover });
  if (form.status !== 'PUBLISHED') return;
  const answers = asked.flatMap((each) => {
    if (!each.required) return [];
    const value = each.choices ? [each.choices[0]?.id ?? ''] : 'river';
    return [{ questionId: each.id, questionType: each.type, value }];
  });
  for (const { client } of respondents) {
    for (const goesOn of [false, true]) {
      const responseId = (await client.responses.startResponse({ params })).body.id;
      await client.responses.updateAnswers({ params: { responseId }, body: { answers: answers.slice(0, 1) } });
      for (const { id: questionId, type } of asked) {
        if (type === 'UPLOAD_FILE') await uploadTo(client, { responseId, questionId });
        const query = goesOn ? { r: `${OWN_ORIGIN}/on?a=b` } : {};
        if (type === 'OAUTH_CONNECT')
          await client.connections.startConnection({ params: { responseId, questionId }, query });
      }
      if (goesOn) await client.responses.submitResponse({ params: { responseId }, body: { answers } });
    }
  }
}

/** A file that is attached, and one that is announced only. */
async function uploadTo(client: Client, params: { responseId: string; questionId: string }): Promise<void> {
  const form = new FormData();
  form.append('files', new File([SMALL_PDF], 'river.pdf'));
  await client.files.uploadFiles({ params, form });
  const announced = { filename: 'lake.pdf', contentType: '', size: 100, sha256: '0'.repeat(64) };
  await client.files.uploadFiles({ params, body: { files: [announced] } });
}

/** Reads again what a form holds: what other requests did to it is known then. */
async function lookAt(form: SeenForm | undefined, desk: Desk): Promise<void> {
  const editor = desk.seen.people.find(({ id }) => desk.seen.orgs.get(form?.orgId ?? '')?.members.has(id));
  if (!form || !editor) return;
  const { client } = withClient(editor, desk);
  const params = { formId: form.id };
  const reads = [
    client.forms.getForm({ params }),
    client.sections.listSections({ params }),
    client.workflow.getWorkflow({ params }),
    client.views.listViews({ params }),
    client.responses.listResponses({ params, query: { limit: 20 } }),
    client.forms.getHighlight({ params }),
  ];
  // It may be gone meanwhile, or somebody else's to read.
  await Promise.allSettled(reads);
}

/** Asks for all that one answer might not carry. */
async function askForAll({ client }: Person, slug: string, form: SeenForm): Promise<void> {
  const params = { formId: form.id };
  const questionIds = [...form.questions.keys()];
  await client.forms.listForms();
  await client.forms.listOrganizationForms({ params: { slug } });
  await client.responses.filterResponses({ params, body: { filters: [] } });
  await client.exports.previewTable({ params, body: { questionIds } });
  for (const viewId of form.views.keys()) {
    const ofView = { ...params, viewId, questionId: questionIds[0] ?? '' };
    await client.views.listDistinctAnswers({ params: ofView, body: { filters: [] } });
  }
}
