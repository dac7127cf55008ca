/**
 * How many people `npm start` lets answer a second beside an earlier commit: each starts a response, saves five answers and
 * submits with five more. Each service has workers and data of its own; 1, 16 and 64 clients send to one and then to the
 * other, so that the machine's moods hit both alike, while the other one is stopped. Every journey is that of another person.
 *
 * Run by hand on a machine that does nothing else: `node test/bench/rate.bench.ts <commit> [rounds]`, such as `7824e9a 7`; it
 * writes its table into `docs/costs.md`. Compare ratios; rates depend on the machine.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#core/api/client.ts';
import { signedTokens } from '#core/identity/tokens.ts';
import { writePart } from '#stacks/build/docs.ts';
import { PEOPLE } from '#stacks/local/seed.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLIENTS = [1, 16, 64] as const;
const WINDOW_MS = 3_000;
/** Time for the workers to finish what the window has left. */
const DRAIN_MS = 2_000;
const QUESTIONS = 10;
const ANSWER = 'The river was high this week, and brown after the rain. '.repeat(5);

const secrets = newSecrets();
const tokens = signedTokens({
  ...{ publicKeys: JSON.parse(secrets.TOKEN_PUBLIC_KEYS), key: JSON.parse(secrets.TOKEN_KEY) },
  ...{ issuer: 'form-service', audience: 'form-service', accessMinutes: 600 },
});
const newToken = (id: string = crypto.randomUUID()): Promise<string> =>
  tokens.sign({ id, roles: ['USER'] }, new Date());

type Answers = { questionId: string; questionType: 'SHORT_TEXT'; value: string }[];
type Service = { commit: string; child: ChildProcess; url: string; formId: string; answers: Answers };

/** Starts the service of a checkout, and publishes a form in it. */
async function startService(commit: string, tree: string, data: string): Promise<Service> {
  const child = spawn(join(tree, 'node_modules/.bin/node'), ['stacks/local/start.ts', '--port', '0', '--data', data], {
    cwd: tree,
    env: { ...process.env, ...secrets },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^ready (\S+)$/.exec(line)?.[1];
    if (url) return { commit, child, url, ...(await publishForm(url)) };
  }
  throw new Error(`${commit} has ended before it was ready`);
}

async function publishForm(url: string): Promise<{ formId: string; answers: Answers }> {
  const { forms, workflow, questions } = createClient({ baseUrl: url, token: await newToken(PEOPLE[0].id) });
  const body = { title: 'Rivers', visibility: 'PUBLIC' as const, allowEditResponse: true };
  const formId = (await forms.createForm({ params: { slug: 'demo' }, body })).body.id;
  const params = { formId };
  const sectionId = (await workflow.createNode({ params, body: { type: 'SECTION', payload: {} } })).body.id;
  const { workflow: nodes } = (await workflow.getWorkflow({ params })).body;
  const end = nodes.find(({ type }) => type === 'END')?.id ?? '';
  const next: Record<string, string> = { START: sectionId, SECTION: end };
  await workflow.updateWorkflow({
    params,
    body: nodes.map(({ type, ...node }) => ({ ...node, ...(next[type] && { next: next[type] }) })),
  });
  const answers: Answers = [];
  for (let index = 1; index <= QUESTIONS; index += 1) {
    const question = {
      type: 'SHORT_TEXT' as const,
      title: `Question ${index}`,
      description: null,
      required: false,
      order: index,
    };
    const questionId = (await questions.createQuestion({ params: { sectionId }, body: question })).body.id;
    answers.push({ questionId, questionType: 'SHORT_TEXT', value: ANSWER });
  }
  await forms.publishForm({ params });
  return { formId, answers };
}

type Send = (method: string, path: string, token: string, body?: object) => Promise<{ id: string }>;

/**
 * Opens a connection that is kept alive, and returns what sends a request over it and waits for the response. Throws for a
 * problem. Written on a socket: the processor time of an HTTP client would be taken from the services.
 */
async function openConnection(url: string): Promise<{ send: Send; close: () => void }> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay();
  await once(socket, 'connect');
  let received = '';
  let done = Promise.withResolvers<string>();
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
    const end = received.indexOf('\r\n\r\n');
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1]);
    if (end === -1 || Buffer.byteLength(received) < end + 4 + length) return;
    done.resolve(received);
  });
  const send: Send = async (method, path, token, body) => {
    const content = body ? JSON.stringify(body) : '';
    received = '';
    done = Promise.withResolvers();
    socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(content)}\r\n\r\n${content}`,
    );
    const response = await done.promise;
    if (!/^HTTP\/1\.1 2/.test(response)) throw new Error(`${method} ${path}: ${response}`);
    return JSON.parse(response.slice(response.indexOf('\r\n\r\n')));
  };
  return { send, close: () => socket.destroy() };
}

async function submitOnce({ formId, answers }: Service, send: Send, token: string): Promise<void> {
  const { id } = await send('POST', `/api/forms/${formId}/responses`, token);
  await send('PATCH', `/api/responses/${id}/answers`, token, { answers: answers.slice(0, 5) });
  await send('POST', `/api/responses/${id}/submit`, token, { answers: answers.slice(5) });
}

/** Submissions a second of some clients within a window. */
async function measureRate(service: Service, clients: number): Promise<number> {
  service.child.kill('SIGCONT');
  const unused = await Promise.all(Array.from({ length: (WINDOW_MS / 1_000) * 600 }, () => newToken()));
  const connections = await Promise.all(Array.from({ length: clients }, () => openConnection(service.url)));
  const begin = performance.now();
  let count = 0;
  await Promise.all(
    connections.map(async ({ send }) => {
      while (performance.now() - begin < WINDOW_MS) {
        await submitOnce(service, send, unused.pop() ?? (await newToken()));
        count += 1;
      }
    }),
  );
  const seconds = (performance.now() - begin) / 1_000;
  for (const { close } of connections) close();
  await sleep(DRAIN_MS);
  service.child.kill('SIGSTOP');
  return count / seconds;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function compare(commit: string, rounds: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rate-'));
  const tree = join(directory, commit);
  execFileSync('git', ['worktree', 'add', '--detach', '--quiet', tree, commit], { cwd: ROOT });
  const services: Service[] = [];
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    services.push(await startService(commit, tree, join(directory, 'before')));
    services.push(await startService('now', ROOT, join(directory, 'now')));
    for (const service of services) await measureRate(service, 16);
    const rows: string[] = [];
    for (const clients of CLIENTS) {
      const rates: number[][] = services.map(() => []);
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, service] of services.entries()) rates[index]?.push(await measureRate(service, clients));
      }
      const [before = [], now = []] = rates;
      const ratio = median(now.map((rate, round) => rate / (before[round] ?? rate)));
      rows.push(`| ${clients} | ${median(before).toFixed(0)} | ${median(now).toFixed(0)} | ${ratio.toFixed(2)} |`);
      console.log(rows.at(-1));
    }
    const heads = `| Clients | \`${commit}\`, submissions a second | Now | Ratio |\n|---|---|---|---|`;
    writePart('costs.md', 'rates', [heads, ...rows].join('\n'));
  } finally {
    for (const { child } of services) {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    execFileSync('git', ['worktree', 'remove', '--force', tree], { cwd: ROOT });
    rmSync(directory, { recursive: true, force: true });
  }
}

const [commit = '', rounds = '7'] = process.argv.slice(2);
await compare(commit, Number(rounds));
process.exit(0);
