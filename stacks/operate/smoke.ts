/**
 * `npm run smoke -- URL`: drives a running stage, deployed or local, through the main flow, and deletes what it has
 * created. The user needs permission to create organizations. They are signed in by an access token in `SMOKE_TOKEN`,
 * which is the cookie `access_token` of a browser, or by `--uid ID` where sign-in by user id is enabled.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Client, createClient, uploadFiles } from '#core/api/client.ts';

const USAGE = 'usage: npm run smoke -- URL [--uid USER_ID], with an access token in SMOKE_TOKEN or a user id';

/** Logs each step with the milliseconds that it took. */
type Step = <T>(name: string, run: () => Promise<T>) => Promise<T>;

type SmokeOptions = { url: string; token: string; log: (line: string) => void };

/**
 * Creates an organization with a form, answers the form with a file, reviews the response, and deletes everything, also
 * when a step fails. Throws with the name of the step that failed.
 */
export async function smoke({ url, token, log }: SmokeOptions): Promise<void> {
  const client = createClient({ baseUrl: url, token });
  const step: Step = async (name, run) => {
    const startedAt = performance.now();
    try {
      return await run();
    } catch (cause) {
      throw new Error(`${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    } finally {
      log(`${String(Math.round(performance.now() - startedAt)).padStart(6)} ms  ${name}`);
    }
  };
  await step('the service is healthy', () => client.health.getHealth({}));
  await step('an unknown path is a problem', () => checkUnknownPath(url));
  await step('the sign-in page has its style sheet', () => checkPage(url));
  const slug = `smoke-${crypto.randomUUID().slice(0, 8)}`;
  await step('create an organization', () =>
    client.orgs.createOrganization({
      body: { name: 'Smoke test', description: 'Deleted at the end of the test', metadata: {}, slug },
    }),
  );
  const remove = () => step('delete the organization', () => client.orgs.deleteOrganization({ params: { slug } }));
  try {
    const form = await buildForm(client, slug, step);
    const responseId = await answer(client, form, step);
    await review(client, form, responseId, step);
    await step('delete the form', () => client.forms.deleteForm({ params: { formId: form.formId } }));
  } catch (error) {
    // The first failure is the one to report, whatever happens to the clean-up.
    await remove().catch((later: Error) => log(`           ${later.message}`));
    throw error;
  }
  await remove();
}

/** API Gateway must lead unknown paths to the service instead of answering itself. */
async function checkUnknownPath(url: string): Promise<void> {
  const response = await fetch(`${url}/api/no-such-operation`);
  const type = response.headers.get('content-type');
  await response.body?.cancel();
  if (response.status !== 404 || type !== 'application/problem+json') throw new Error(`${response.status} ${type}`);
}

/** A page, and an asset to which it refers. */
async function checkPage(url: string): Promise<void> {
  const page = await fetch(`${url}/sign-in`);
  const [asset] = /\/assets\/[^"'/]+\.css/.exec(await page.text()) ?? [];
  if (page.status !== 200 || !asset) throw new Error(`${page.status}, without a style sheet`);
  const sheet = await fetch(url + asset);
  await sheet.body?.cancel();
  if (sheet.status !== 200) throw new Error(`${asset}: ${sheet.status}`);
}

type Form = { formId: string; reasonId: string; pictureId: string };

/** A published form with a text question and a file question. */
async function buildForm(client: Client, slug: string, step: Step): Promise<Form> {
  const created = await step('create a form', () =>
    client.forms.createForm({
      params: { slug },
      body: { title: 'Smoke test', visibility: 'PRIVATE', allowEditResponse: true },
    }),
  );
  const params = { formId: created.body.id };
  const section = await step('add a section', () =>
    client.workflow.createNode({ params, body: { type: 'SECTION', payload: { x: 0, y: 120 } } }),
  );
  const sectionId = section.body.id;
  const common = { required: true, description: null };
  const reason = await step('add a text question', () =>
    client.questions.createQuestion({
      params: { sectionId },
      body: { ...common, type: 'SHORT_TEXT', title: 'Why?', order: 1 },
    }),
  );
  const uploadFile = { allowedFileTypes: ['PNG' as const], maxFileAmount: 1, maxFileSizeLimit: 1_048_576 };
  const picture = await step('add a file question', () =>
    client.questions.createQuestion({
      params: { sectionId },
      body: { ...common, type: 'UPLOAD_FILE', title: 'Picture', order: 2, uploadFile },
    }),
  );
  await step('link the workflow', async () => {
    const { workflow } = (await client.workflow.getWorkflow({ params })).body;
    const readId = (type: string): string => workflow.find((node) => node.type === type)?.id ?? '';
    const [start, end] = [readId('START'), readId('END')];
    await client.workflow.updateWorkflow({
      params,
      body: [
        { id: start, label: 'Start', payload: {}, next: sectionId },
        { id: sectionId, label: 'Questions', payload: {}, next: end },
        { id: end, label: 'End', payload: {} },
      ],
    });
  });
  await step('publish', () => client.forms.publishForm({ params }));
  return { formId: params.formId, reasonId: reason.body.id, pictureId: picture.body.id };
}

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Answers and submits; returns the id of the response. */
async function answer(client: Client, { formId, reasonId, pictureId }: Form, step: Step): Promise<string> {
  const started = await step('start a response', () => client.responses.startResponse({ params: { formId } }));
  const params = { responseId: started.body.id };
  await step('save an answer', () =>
    client.responses.updateAnswers({
      params,
      body: { answers: [{ questionId: reasonId, questionType: 'SHORT_TEXT', value: 'To see whether it works' }] },
    }),
  );
  const [file] = await step('upload a file', () =>
    uploadFiles(client, { ...params, questionId: pictureId }, [new File([PIXEL], 'pixel.png', { type: 'image/png' })]),
  );
  await step('download the file', () => download(client, file?.fileId ?? ''));
  await step('submit', () => client.responses.submitResponse({ params, body: { answers: [] } }));
  return params.responseId;
}

/** The API redirects to storage; the bytes must be those that were sent. */
async function download(client: Client, fileId: string): Promise<void> {
  const { headers } = await client.files.downloadFile({ params: { fileId } });
  const response = await fetch(headers.get('location') ?? '');
  if (!Buffer.from(await response.arrayBuffer()).equals(PIXEL)) throw new Error('the bytes differ');
}

/** How long a list may lag behind. */
const LAG_MS = 30_000;

async function review(client: Client, { formId, reasonId }: Form, responseId: string, step: Step): Promise<void> {
  const params = { formId };
  await step('the response is in the list', async () => {
    const deadline = performance.now() + LAG_MS;
    while (performance.now() < deadline) {
      // Lists may lag behind.
      const { responses } = (await client.responses.listResponses({ params, query: { progress: 'SUBMITTED' } })).body;
      if (responses.some(({ id }) => id === responseId)) return;
      await sleep(500);
    }
    throw new Error(`after ${LAG_MS / 1_000} seconds it is not`);
  });
  const body = { questionIds: [reasonId] };
  await step('preview the table', () => client.exports.previewTable({ params, body }));
  await step('download a spreadsheet', () => client.exports.downloadTable({ params, body }));
}

/** The access token of a user, where sign-in by user id is enabled. */
export async function signInByUserId(url: string, uid: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/login/internal`, { method: 'POST', body: JSON.stringify({ uid }) });
  const [, token] = /access_token=([^;]+)/.exec(response.headers.getSetCookie().join()) ?? [];
  if (!token) throw new Error(`sign-in as ${uid}: ${response.status} ${await response.text()}`);
  return token;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { uid: { type: 'string' } }, allowPositionals: true });
  const url = positionals[0]?.replace(/(?<!\/)\/+$/, '');
  if (!url || (!values.uid && !process.env.SMOKE_TOKEN)) throw new Error(USAGE);
  const token = values.uid ? await signInByUserId(url, values.uid) : (process.env.SMOKE_TOKEN ?? '');
  await smoke({ url, token, log: console.log });
  console.log(`${url} works`);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
