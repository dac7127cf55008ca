/**
 * What requests and pages use beside earlier commits: CPU of the process, read and write units. Each commit is checked out into
 * a worktree of its own, with the packages of this one, and measured by this file in a process of its own. Rounds alternate, so
 * that the machine's moods hit all alike. The emulators run beside them.
 *
 * Run by hand: `node test/bench/paired.bench.ts <commits> [rounds]`, such as `03f0069,4295fa7 12`; it writes its table into
 * `docs/costs.md`.
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dynamoClient } from '#core/aws/clients.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import { app } from '#core/http/app.ts';
import { buildAssets } from '#stacks/build/assets.ts';
import { startDynamo } from '#stacks/local/dynamo/dynamo.ts';
import { emulatorClient, ensureTable } from '#stacks/local/dynamo/table.ts';
import { type Meter, measure } from '#test/support/cost.ts';
import { newPoll, seedSubmissions } from '#test/support/counts.ts';
import { withApp } from '#test/support/faults.ts';
import { type Cast, clientWith, newCast, newForm, seedForms } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { store, submissionOf, text } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What earlier commits may lack. */
const COPIED = ['test/bench/paired.bench.ts', 'test/support/cost.ts'];
const QUESTIONS = 10;
const RESPONSES = 1_000;
const FORMS = 20;

/** What one run of a piece of work used. */
type Used = Meter & { cpuMs: number };
type Round = Record<string, Used>;

// The process that measures one commit.

/** A respondent who starts, saves and submits; everybody answers once. */
async function newJourney({ alice, slug }: Cast, settings: object): Promise<() => Promise<void>> {
  const kinds = Array.from({ length: QUESTIONS }, () => ({ type: 'SHORT_TEXT' as const }));
  const { formId, questionIds } = await newForm(alice, slug, [kinds]);
  const params = { formId };
  await alice.client.forms.updateForm({ params, body: settings });
  const answers = questionIds.map((id) =>
    text(id, 'The river was high this week, and brown after the rain. '.repeat(3)),
  );
  return async () => {
    const token = await app().tokens.sign({ id: app().uuid(), roles: ['USER'] }, app().now());
    const { responses } = clientWith(token);
    const response = { responseId: (await responses.startResponse({ params })).body.id };
    await responses.updateAnswers({ params: response, body: { answers: answers.slice(0, 5) } });
    await responses.submitResponse({ params: response, body: { answers: answers.slice(5) } });
  };
}

/** A form with a text that has been answered more often than a request counts; its id. */
async function newTexts({ alice, erin, slug }: Cast): Promise<string> {
  const form = await newForm(alice, slug, [[{ type: 'LONG_TEXT' }]]);
  const [questionId = ''] = form.questionIds;
  const answers = { [questionId]: { type: 'LONG_TEXT' as const, value: 'The river was high. '.repeat(400) } };
  const begin = Date.now();
  const at = (index: number): string => new Date(begin + index).toISOString();
  await store(Array.from({ length: 240 }, (_, index) => submissionOf(form, erin.id, at(index), answers)));
  await deliverStream();
  return form.formId;
}

/** The page of a section with texts and choices, of a draft that has some answers. */
async function newSectionPage({ alice, dave, slug }: Cast): Promise<() => Promise<string>> {
  const choices = ['Never', 'Sometimes', 'Often'].map((name) => ({ name }));
  const kinds = Array.from({ length: QUESTIONS }, (_, index) =>
    index % 2 === 0 ? { type: 'SHORT_TEXT' as const } : { type: 'SINGLE_CHOICE' as const, choices },
  );
  const { formId, sectionIds, questionIds } = await newForm(alice, slug, [kinds]);
  const answers = [text(questionIds[0] ?? '', 'The river was high this week.')];
  const { id } = (await dave.client.responses.startResponse({ params: { formId }, body: { answers } })).body;
  return () => pagesOf(dave).show(`/r/${id}/s/${sectionIds[0]}`);
}

type Work = { runs: number; run: () => Promise<unknown> };

async function listWorks(cast: Cast): Promise<Record<string, Work>> {
  const spreadsheetUrl = 'https://docs.google.com/spreadsheets/d/paired-bench/edit';
  const poll = await newPoll(cast);
  await seedSubmissions(poll, RESPONSES, cast.dave.id);
  await deliverStream();
  const { show } = pagesOf(cast.bob);
  const texts = await newTexts(cast);
  await seedForms(
    cast.orgId,
    cast.alice.id,
    Array.from({ length: FORMS }, () => ({ status: 'PUBLISHED' as const })),
  );
  const review = `/review/${poll.formId}`;
  const both = { sendResponseEmail: true, spreadsheetUrl };
  return {
    'start, save, submit': { runs: 30, run: await newJourney(cast, {}) },
    'the same with mail and row': { runs: 30, run: await newJourney(cast, both) },
    'page of a section': { runs: 30, run: await newSectionPage(cast) },
    [`table of ${RESPONSES.toLocaleString('en')} responses`]: { runs: 15, run: () => show(review) },
    'statistics of them': { runs: 15, run: () => show(`${review}/statistics`) },
    'statistics of texts of 8 KB': { runs: 15, run: () => show(`/review/${texts}/statistics`) },
    [`home with ${FORMS} forms`]: { runs: 10, run: () => show('/') },
  };
}

/** Measures a round whenever the parent asks for one. */
async function serve(): Promise<void> {
  const dynamo = await startDynamo({ directory: null });
  const storage = { TABLE_NAME: 'bench', BUCKET_NAME: 'bench', DYNAMODB_ENDPOINT: dynamo.endpoint };
  Object.assign(process.env, { ...storage, LOG: 'off', ALLOWED_ORIGINS: '' });
  await ensureTable(emulatorClient(dynamo.endpoint), storage.TABLE_NAME);
  await buildAssets();
  const works: [string, Work][] = [];
  for (const [name, work] of Object.entries(await listWorks(await newCast()))) {
    // A commit can lack a page.
    const isPossible = await work.run().then(
      () => true,
      () => false,
    );
    if (isPossible) works.push([name, work]);
  }
  const { config } = app();
  const client = dynamoClient(config);
  const meter: Meter = { reads: 0, writes: 0 };
  measure(client, meter);
  const measureRound = async (): Promise<Round> => {
    const round: Round = {};
    for (const [name, { runs, run }] of works) {
      const before = { ...meter };
      const cpuBefore = process.cpuUsage();
      for (let count = 0; count < runs; count += 1) await run();
      const { user, system } = process.cpuUsage(cpuBefore);
      const { reads, writes } = { reads: meter.reads - before.reads, writes: meter.writes - before.writes };
      round[name] = { cpuMs: (user + system) / 1_000 / runs, reads: reads / runs, writes: writes / runs };
    }
    return round;
  };
  const change = () => ({ table: dynamoTable(client, config.tableName) });
  process.on('message', async () => process.send?.(await withApp(change, measureRound)));
  process.on('disconnect', () => dynamo.stop().then(() => process.exit(0)));
  process.send?.('ready');
}

// The process that compares them. What it alone uses is imported by need, since earlier commits may lack it.

type Version = { commit: string; child: ChildProcess; rounds: Round[] };

async function startVersion(directory: string, commit: string): Promise<Version> {
  const file = join(directory, 'test/bench/paired.bench.ts');
  const { newSecrets } = await import('#stacks/operate/new-keys.ts');
  const child = fork(file, ['serve'], { cwd: directory, env: { ...process.env, ...newSecrets() } });
  await receive(child);
  return { commit, child, rounds: [] };
}

/** Checks a commit out into a directory, with the packages of this worktree. */
function checkOut(commit: string, directory: string): void {
  execFileSync('git', ['worktree', 'add', '--detach', '--quiet', directory, commit], { cwd: ROOT });
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  for (const file of COPIED) copyFileSync(join(ROOT, file), join(directory, file));
}

async function runRound({ child, rounds }: Version): Promise<void> {
  child.send('round');
  rounds.push((await receive(child)) as Round);
}

/** The next message of a process. Throws when the process ends before. */
async function receive(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  child.once('exit', end);
  try {
    const [message] = await once(child, 'message', { signal: ended.signal });
    return message;
  } finally {
    child.off('exit', end);
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Now, and as a share of what each earlier commit used: the median of the ratios of rounds that were run one after the other. */
function pairedTable(now: Version, earlier: readonly Version[]): string {
  const rows = Object.keys(now.rounds[0] ?? {}).flatMap((name) =>
    (['cpuMs', 'reads', 'writes'] as const).flatMap((unit) => {
      const valuesOf = ({ rounds }: Version): number[] => rounds.map((round) => round[name]?.[unit] ?? 0);
      const values = valuesOf(now);
      if (median(values) === 0) return [];
      const ratios = earlier.map((version) => {
        const before = valuesOf(version);
        return version.rounds[0]?.[name] === undefined
          ? '–'
          : median(values.map((value, index) => value / (before[index] ?? value))).toFixed(2);
      });
      const label = { cpuMs: 'ms of CPU', reads: 'read units', writes: 'write units' }[unit];
      return [`| ${name} | ${label} | ${median(values).toFixed(1)} | ${ratios.join(' | ')} |`];
    }),
  );
  const titles = ['Work', 'Unit', 'Now', ...earlier.map(({ commit }) => `of \`${commit}\``)];
  return [`| ${titles.join(' | ')} |`, `|${titles.map(() => '---|').join('')}`, ...rows].join('\n');
}

async function compare(commits: readonly string[], rounds: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'paired-'));
  const trees = commits.map((commit) => ({ commit, tree: join(directory, commit) }));
  try {
    for (const { commit, tree } of trees) checkOut(commit, tree);
    const now = await startVersion(ROOT, 'now');
    const earlier: Version[] = [];
    for (const { commit, tree } of trees) earlier.push(await startVersion(tree, commit));
    const versions = [now, ...earlier];
    // Before the first round that counts, code is compiled and connections are opened.
    for (const version of versions) await runRound(version);
    for (const version of versions) version.rounds.length = 0;
    for (let round = 0; round < rounds; round += 1) for (const version of versions) await runRound(version);
    for (const { child } of versions) child.disconnect();
    const table = pairedTable(now, earlier);
    console.log(table);
    const { writePart } = await import('#stacks/build/docs.ts');
    writePart('costs.md', 'paired', table);
  } finally {
    for (const { tree } of trees) execFileSync('git', ['worktree', 'remove', '--force', tree], { cwd: ROOT });
    rmSync(directory, { recursive: true, force: true });
  }
}

const [argument = '', rounds = '12'] = process.argv.slice(2);
if (argument === 'serve') await serve();
else {
  await compare(argument.split(','), Number(rounds));
  process.exit(0);
}
