/**
 * What requests and pages use beside earlier commits: CPU of the process, read and write units. Each commit is checked out into
 * a worktree of its own, with the packages of this one, and measured by this file in processes of its own, the emulators beside
 * them. Commits take turns at each piece of work, so that the machine's moods hit all alike. What else the machine does only
 * adds to what a process uses: a process counts for the lower quartile of its turns. Processes of one commit differ by some
 * percent (how code was compiled, where memory lies): each commit runs in several, and their spread is written beside the ratio.
 * A commit that equals this one shows how much of a ratio is chance.
 *
 * Run by hand: `node test/bench/paired.bench.ts <commits> [turns] [processes]`, such as `03f0069,4295fa7 12 5`; it writes its
 * table into `docs/costs.md`.
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
/** Turns of each piece of work that do not count. */
const WARM_UP = 3;

/** What one run of a piece of work used. */
type Used = Meter & { cpuMs: number };

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
    'start, save, submit': { runs: 100, run: await newJourney(cast, {}) },
    'the same with mail and row': { runs: 100, run: await newJourney(cast, both) },
    'page of a section': { runs: 200, run: await newSectionPage(cast) },
    [`table of ${RESPONSES.toLocaleString('en')} responses`]: { runs: 40, run: () => show(review) },
    'statistics of them': { runs: 80, run: () => show(`${review}/statistics`) },
    'statistics of texts of 8 KB': { runs: 40, run: () => show(`/review/${texts}/statistics`) },
    [`home with ${FORMS} forms`]: { runs: 60, run: () => show('/') },
  };
}

/** Measures a turn of a piece of work whenever the parent names it. */
async function serve(): Promise<void> {
  const dynamo = await startDynamo({ directory: null });
  const storage = { TABLE_NAME: 'bench', BUCKET_NAME: 'bench', DYNAMODB_ENDPOINT: dynamo.endpoint };
  Object.assign(process.env, { ...storage, LOG: 'off', ALLOWED_ORIGINS: '' });
  await ensureTable(emulatorClient(dynamo.endpoint), storage.TABLE_NAME);
  await buildAssets();
  const works = new Map<string, Work>();
  for (const [name, work] of Object.entries(await listWorks(await newCast()))) {
    // A commit can lack a page.
    const isPossible = await work.run().then(
      () => true,
      () => false,
    );
    if (isPossible) works.set(name, work);
  }
  const { config } = app();
  const client = dynamoClient(config);
  const meter: Meter = { reads: 0, writes: 0 };
  measure(client, meter);
  const measureTurn = async (name: string): Promise<Used> => {
    const { runs, run } = works.get(name) as Work;
    const before = { ...meter };
    const cpuBefore = process.cpuUsage();
    for (let count = 0; count < runs; count += 1) await run();
    const { user, system } = process.cpuUsage(cpuBefore);
    const { reads, writes } = { reads: meter.reads - before.reads, writes: meter.writes - before.writes };
    return { cpuMs: (user + system) / 1_000 / runs, reads: reads / runs, writes: writes / runs };
  };
  const change = () => ({ table: dynamoTable(client, config.tableName) });
  process.on('message', async (name: string) => process.send?.(await withApp(change, () => measureTurn(name))));
  process.on('disconnect', () => dynamo.stop().then(() => process.exit(0)));
  process.send?.([...works.keys()]);
}

// The process that compares them. What it alone uses is imported by need, since earlier commits may lack it.

/** A commit, where its files are, and the turns of each of its processes by piece of work. */
type Version = { commit: string; tree: string; turns: Map<string, Used[]>[] };
type Measured = { version: Version; child: ChildProcess; turns: Map<string, Used[]> };

async function startProcess(version: Version): Promise<Measured> {
  const file = join(version.tree, 'test/bench/paired.bench.ts');
  const { newSecrets } = await import('#stacks/operate/new-keys.ts');
  const child = fork(file, ['serve'], { cwd: version.tree, env: { ...process.env, ...newSecrets() } });
  const names = (await receive(child)) as string[];
  return { version, child, turns: new Map(names.map((name) => [name, []])) };
}

/** Checks a commit out into a directory, with the packages of this worktree. */
function checkOut(commit: string, directory: string): void {
  execFileSync('git', ['worktree', 'add', '--detach', '--quiet', directory, commit], { cwd: ROOT });
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  for (const file of COPIED) copyFileSync(join(ROOT, file), join(directory, file));
}

async function takeTurn({ child, turns }: Measured, name: string): Promise<void> {
  const ofWork = turns.get(name);
  if (ofWork === undefined) return;
  child.send(name);
  ofWork.push((await receive(child)) as Used);
}

/** Runs one process of each version, in turns; what they used is added to the versions. */
async function measureProcesses(versions: readonly Version[], turns: number): Promise<void> {
  const processes: Measured[] = [];
  for (const version of versions) processes.push(await startProcess(version));
  const names = [...(processes[0]?.turns.keys() ?? [])];
  // Before the first turns that count, code is compiled and connections are opened.
  for (let round = 0; round < WARM_UP; round += 1)
    for (const name of names) for (const each of processes) await takeTurn(each, name);
  for (const each of processes) for (const ofWork of each.turns.values()) ofWork.length = 0;
  for (const name of names)
    for (let turn = 0; turn < turns; turn += 1)
      for (const each of turn % 2 === 0 ? processes : processes.toReversed()) await takeTurn(each, name);
  for (const { version, child, turns: used } of processes) {
    version.turns.push(used);
    child.disconnect();
    await once(child, 'exit');
  }
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

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
const median = (values: readonly number[]): number => at(values, 1 / 2);

/** What each process of a version used for a piece of work; empty where the commit lacks it. */
const valuesOf = ({ turns }: Version, name: string, unit: keyof Used): number[] =>
  turns.flatMap((used) => {
    const values = used.get(name)?.map((turn) => turn[unit]);
    return values === undefined ? [] : [at(values, 1 / 4)];
  });

/** Now, and as a share of what each earlier commit used: by the medians of processes, and from the best to the worst pair. */
function pairedTable(now: Version, earlier: readonly Version[]): string {
  const rows = [...(now.turns[0]?.keys() ?? [])].flatMap((name) =>
    (['cpuMs', 'reads', 'writes'] as const).flatMap((unit) => {
      const values = valuesOf(now, name, unit);
      if (median(values) === 0) return [];
      const ratios = earlier.map((version) => {
        const before = valuesOf(version, name, unit);
        if (before.length === 0) return '–';
        const ratio = (median(values) / median(before)).toFixed(2);
        if (unit !== 'cpuMs') return ratio;
        const pairs = values.map((value, index) => value / (before[index] ?? value));
        return `${ratio} (${Math.min(...pairs).toFixed(2)}–${Math.max(...pairs).toFixed(2)})`;
      });
      const label = { cpuMs: 'ms of CPU', reads: 'read units', writes: 'write units' }[unit];
      return [`| ${name} | ${label} | ${median(values).toFixed(unit === 'cpuMs' ? 2 : 1)} | ${ratios.join(' | ')} |`];
    }),
  );
  const titles = ['Work', 'Unit', 'Now', ...earlier.map(({ commit }) => `of \`${commit}\``)];
  return [`| ${titles.join(' | ')} |`, `|${titles.map(() => '---|').join('')}`, ...rows].join('\n');
}

async function compare(commits: readonly string[], turns: number, processes: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'paired-'));
  const earlier = commits.map((commit): Version => ({ commit, tree: join(directory, commit), turns: [] }));
  const now: Version = { commit: 'now', tree: ROOT, turns: [] };
  try {
    for (const { commit, tree } of earlier) checkOut(commit, tree);
    for (let count = 0; count < processes; count += 1) {
      const versions = [now, ...earlier];
      await measureProcesses(count % 2 === 0 ? versions : versions.toReversed(), turns);
      console.log(pairedTable(now, earlier));
    }
    const { writePart } = await import('#stacks/build/docs.ts');
    writePart('costs.md', 'paired', pairedTable(now, earlier));
  } finally {
    for (const { tree } of earlier) execFileSync('git', ['worktree', 'remove', '--force', tree], { cwd: ROOT });
    rmSync(directory, { recursive: true, force: true });
  }
}

const [argument = '', turns = '12', processes = '5'] = process.argv.slice(2);
if (argument === 'serve') await serve();
else {
  await compare(argument.split(','), Number(turns), Number(processes));
  process.exit(0);
}
