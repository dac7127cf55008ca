/**
 * What a submission costs the API process: start, save and submit as three requests, and as one request (a start with
 * answers and `submit`), validation included, on a published form of ten questions, two sections and a condition.
 *
 * - Counts of each request in this process: sequential round trips to the table, calls, capacity units.
 * - CPU of this process (user and system) for each journey, without sockets, in alternating rounds.
 * - Submissions per second of 16 clients through the local HTTP server in a process of its own, and its CPU.
 *
 * Every journey is that of another person, as on a real form, so every token is verified once. The emulator runs beside
 * it. Run by hand: `node test/bench/hot-path.bench.ts [rounds]`. Compare counts and ratios; times depend on the machine.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { partitions } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { startDynamo } from '#stacks/local/dynamo/dynamo.ts';
import { emulatorClient, ensureTable } from '#stacks/local/dynamo/table.ts';
import { createRouter } from '#stacks/local/gateway/router.ts';
import { routes } from '#stacks/local/gateway/routes.ts';
import { startServer } from '#stacks/local/gateway/server.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { type Cost, measureCost } from '#test/support/cost.ts';
import { newCast, newForm, type Person } from '#test/support/fixtures.ts';

const WARM_UP = 300;
const JOURNEYS_A_ROUND = 50;
const CLIENTS = 16;
const SUBMISSIONS_A_CLIENT = 60;

type Answer = { questionId: string; questionType: string; value: string | number | string[] };
type Form = { formId: string; first: Answer[]; second: Answer[] };

/** Sends a request and returns its JSON body; throws for a problem. */
type Call = (token: string, method: string, path: string, body?: object, key?: string) => Promise<{ id: string }>;

const choices = ['Red', 'Green', 'Blue'].map((name) => ({ name }));
const scale = { minVal: 1, maxVal: 10 };
const QUESTIONS: Parameters<typeof newForm>[2] = [
  [
    { type: 'SHORT_TEXT', required: true },
    { type: 'SINGLE_CHOICE', required: true, choices },
    { type: 'LONG_TEXT' },
    { type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } },
    { type: 'LINEAR_SCALE', required: true, scale },
  ],
  [
    { type: 'SHORT_TEXT', required: true },
    { type: 'MULTIPLE_CHOICE', required: true, choices },
    { type: 'LONG_TEXT' },
    { type: 'SHORT_TEXT' },
    { type: 'LINEAR_SCALE', required: true, scale },
  ],
];

/** A published form START → section → (its first answer begins with yes?) → section → END, and answers to all of it. */
async function publishedForm(editor: Person, slug: string): Promise<Form> {
  const { formId, sectionIds, questionIds } = await newForm(editor, slug, QUESTIONS, { publish: false });
  const params = { formId };
  const { workflow, forms, sections } = editor.client;
  const condition = (await workflow.createNode({ params, body: { type: 'CONDITION', payload: {} } })).body.id;
  const { workflow: nodes } = (await workflow.getWorkflow({ params })).body;
  const [before = '', after = ''] = sectionIds;
  const end = nodes.find(({ type }) => type === 'END')?.id ?? '';
  const conditionRule = { source: 'NON_CHOICE' as const, question: questionIds[0] ?? '', pattern: '^yes' };
  const links: Record<string, object> = {
    [before]: { next: condition },
    [condition]: { conditionRule, nextTrue: after, nextFalse: end },
    [after]: { next: end },
  };
  const body = nodes.map(({ type: _, ...node }) => ({ ...node, ...links[node.id] }));
  await workflow.updateWorkflow({ params, body });
  await forms.publishForm({ params });
  const questions = (await sections.listSections({ params })).body.flatMap((section) => section.questions ?? []);
  const answers = questionIds.map((id): Answer => {
    const asked = questions.find((each) => each.id === id);
    if (!asked) throw new Error(`the form has no question ${id}`);
    const choice = asked.choices?.[0]?.id;
    return { questionId: id, questionType: asked.type, value: choice ? [choice] : (VALUES[asked.type] ?? '') };
  });
  return { formId, first: answers.slice(0, 5), second: answers.slice(5) };
}

const VALUES: Record<string, string | number> = {
  SHORT_TEXT: 'yes, near the mill',
  LONG_TEXT: 'The river was high this week, and the water was brown after the rain of Tuesday.',
  DATE: '2026-03-14',
  LINEAR_SCALE: 7,
};

/** The requests of a journey, each a function of the token and the id of the response. */
const requestsTo = ({ formId, first, second }: Form, call: Call) => ({
  start: (token: string) => call(token, 'POST', `/api/forms/${formId}/responses`),
  save: (token: string, id: string) => call(token, 'PATCH', `/api/responses/${id}/answers`, { answers: first }),
  submit: (token: string, id: string) => call(token, 'POST', `/api/responses/${id}/submit`, { answers: second }),
  one: (token: string, key?: string) =>
    call(token, 'POST', `/api/forms/${formId}/responses`, { answers: [...first, ...second], submit: true }, key),
});

type Requests = ReturnType<typeof requestsTo>;

const journeysOf = ({ start, save, submit, one }: Requests) => ({
  async 'three requests'(token: string) {
    const { id } = await start(token);
    await save(token, id);
    await submit(token, id);
  },
  async 'one request'(token: string) {
    await one(token);
  },
});

type Journey = keyof ReturnType<typeof journeysOf>;

/** Calls handlers in this process, with the events of API Gateway. */
function callsInProcess(): Call {
  const router = createRouter(routes());
  return async (token, method, url, body, key) => {
    const result = await router.dispatch({
      method,
      url,
      headers: headersOf(token, key),
      body: Buffer.from(body ? JSON.stringify(body) : ''),
      remoteAddress: '127.0.0.1',
      httpVersion: '1.1',
    });
    if (result.status >= 400) throw new Error(`${method} ${url}: ${result.status} ${result.body}`);
    return JSON.parse(result.body.toString());
  };
}

/** Calls a server over connections that are kept alive. */
function callsTo(url: string): Call {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  return async (token, method, path, body, key) => {
    const request = httpRequest(url + path, { agent, method, headers: Object.fromEntries(headersOf(token, key)) });
    request.end(body ? JSON.stringify(body) : '');
    const [response] = await once(request, 'response');
    const result = await text(response);
    if (response.statusCode >= 400) throw new Error(`${method} ${path}: ${response.statusCode} ${result}`);
    return JSON.parse(result);
  };
}

const headersOf = (token: string, key: string | undefined): [string, string][] => [
  ['authorization', `Bearer ${token}`],
  ['content-type', 'application/json'],
  ...(key ? [['idempotency-key', key] satisfies [string, string]] : []),
];

const newToken = (): Promise<string> => app().tokens.sign({ id: app().uuid(), roles: ['USER'] }, app().now());
const newTokens = (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, newToken));

/** The costs of all requests on a warm process, to a form whose questions have all been answered before. */
async function costs(requests: Requests): Promise<Record<string, Cost>> {
  const token = await newToken();
  const start = await measureCost(() => requests.start(token));
  const { id } = start.result;
  return {
    start: start.cost,
    save: (await measureCost(() => requests.save(token, id))).cost,
    submit: (await measureCost(() => requests.submit(token, id))).cost,
    'one request': (await measureCost(async () => requests.one(await newToken()))).cost,
    'one request with Idempotency-Key': (await measureCost(async () => requests.one(await newToken(), app().uuid())))
      .cost,
  };
}

/** The cost of a submit to a form that mails a copy. */
async function costOfMail(editor: Person, slug: string): Promise<Cost | undefined> {
  const form = await publishedForm(editor, slug);
  await editor.client.forms.updateForm({ params: { formId: form.formId }, body: { sendResponseEmail: true } });
  const requests = requestsTo(form, callsInProcess());
  for (const token of await newTokens(1)) await journeysOf(requests)['three requests'](token);
  return (await costs(requests)).submit;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** CPU milliseconds of a journey in this process, in alternating rounds so that the machine's moods hit all alike. */
async function measureCpu(requests: Requests, rounds: number): Promise<Record<string, string>> {
  const journeys = Object.entries(journeysOf(requests));
  const measured = new Map(journeys.map(([name]) => [name, [] as number[]]));
  for (const [, journey] of journeys) for (const token of await newTokens(WARM_UP)) await journey(token);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, journey] of journeys) {
      const tokens = await newTokens(JOURNEYS_A_ROUND);
      const before = process.cpuUsage();
      for (const token of tokens) await journey(token);
      const { user, system } = process.cpuUsage(before);
      measured.get(name)?.push((user + system) / 1_000 / JOURNEYS_A_ROUND);
    }
  }
  const [three = [], one = []] = [...measured.values()];
  return {
    'three requests, ms of CPU': median(three).toFixed(2),
    'one request, ms of CPU': median(one).toFixed(2),
    'one / three, median of paired ratios': median(one.map((ms, index) => ms / (three[index] ?? ms))).toFixed(2),
  };
}

/** Submissions per second of parallel clients through the HTTP server, and the CPU of its process. */
async function load(server: ChildProcess, requests: Requests, name: Journey) {
  const journey = journeysOf(requests)[name];
  const run = async (count: number): Promise<number[]> => {
    const times: number[] = [];
    for (const token of await newTokens(count)) {
      const startedAt = performance.now();
      await journey(token);
      times.push(performance.now() - startedAt);
    }
    return times;
  };
  const everybody = (count: number) => Promise.all(Array.from({ length: CLIENTS }, () => run(count)));
  await everybody(20);
  const cpuBefore = await cpuOfChild(server);
  const startedAt = performance.now();
  const times = (await everybody(SUBMISSIONS_A_CLIENT)).flat().sort((a, b) => a - b);
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpuMs = (await cpuOfChild(server)) - cpuBefore;
  return {
    'submissions/s': Math.round(times.length / seconds),
    'p50 ms': Math.round(times[Math.floor(times.length * 0.5)] ?? 0),
    'p95 ms': Math.round(times[Math.floor(times.length * 0.95)] ?? 0),
    'CPU ms of the API': (cpuMs / times.length).toFixed(2),
  };
}

async function cpuOfChild(server: ChildProcess): Promise<number> {
  server.send('cpu');
  const [ms] = await once(server, 'message');
  return Number(ms);
}

/** The API in a process of its own: sends its address, and its CPU milliseconds when it is asked for them. */
async function serve(): Promise<void> {
  const { url } = await startServer({ routes: routes(), port: 0 });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1_000);
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.(url);
}

async function measure(rounds: number): Promise<void> {
  const dynamo = await startDynamo({ directory: null });
  const settings = { TABLE_NAME: 'bench', DYNAMODB_ENDPOINT: dynamo.endpoint, LOG: 'off', ALLOWED_ORIGINS: '' };
  Object.assign(process.env, newSecrets(), settings);
  await ensureTable(emulatorClient(dynamo.endpoint), settings.TABLE_NAME);
  const { alice, slug } = await newCast();
  const form = await publishedForm(alice, slug);
  const requests = requestsTo(form, callsInProcess());
  for (const token of await newTokens(3)) await journeysOf(requests)['three requests'](token);
  console.table({ ...(await costs(requests)), 'submit with mail': await costOfMail(alice, slug) });
  console.table(await measureCpu(requests, rounds));
  const server = fork(import.meta.filename, ['serve']);
  const [url] = await once(server, 'message');
  const hot = await publishedForm(alice, slug);
  const overHttp = requestsTo(hot, callsTo(url));
  console.table({
    'three requests': await load(server, overHttp, 'three requests'),
    'one request': await load(server, overHttp, 'one request'),
  });
  const sent = 2 * CLIENTS * (20 + SUBMISSIONS_A_CLIENT);
  const counts = partitions.responsesOf(hot.formId, 'SUBMITTED').map((shard) => app().table.count(shard));
  const stored = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  console.log(`${stored} of ${sent} submissions are stored`);
  server.disconnect();
  await dynamo.stop();
}

const [argument = '10'] = process.argv.slice(2);
if (argument === 'serve') await serve();
else {
  await measure(Number(argument));
  process.exit(0);
}
