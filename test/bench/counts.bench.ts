/**
 * What requests, pages of reviewers and the worker `tally` cost with 10, 1,000 and 100,000 responses: round trips, calls and
 * capacity units; and what the counters of large forms weigh. Responses and counters are written to the table as requests
 * and a recount leave them. The emulator runs beside it. Run by hand: `node test/bench/counts.bench.ts [largest]`, eight
 * minutes with 100,000; it writes its tables into `docs/costs.md`. With 0 it writes that of the counters only.
 */

import { loadAllCells, loadQuestionCells } from '#core/counts/answer-counters.ts';
import {
  addCells,
  type CellSums,
  type Cells,
  chooseGroup,
  chooseGroups,
  listCells,
  toStored,
} from '#core/counts/cells.ts';
import { type Counters, countAttribute } from '#core/counts/counters.ts';
import { tallyResponses } from '#core/counts/tally.ts';
import { COUNT_SHARDS, keys } from '#core/db/keys.ts';
import { inRequestContext, requestContext } from '#core/db/request-context.ts';
import type { Write } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import type { Response } from '#core/responses/model.ts';
import { shortName } from '#core/schema/schema.ts';
import { reloadStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { buildAssets } from '#stacks/build/assets.ts';
import { writePart } from '#stacks/build/docs.ts';
import { startDynamo } from '#stacks/local/dynamo/dynamo.ts';
import { emulatorClient, ensureTable } from '#stacks/local/dynamo/table.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { type Cost, measureCost } from '#test/support/cost.ts';
import { type Cast, newCast, newForm } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import {
  draftOf,
  editQuestion,
  readQuestions,
  save,
  sent,
  start,
  store,
  submissionOf,
  submit,
} from '#test/support/responses.ts';

const PAGE = 50;
const DRAFTS = 250;
const DISTINCT = 'distinct answers to a choice question';
const at = (index: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();

/** The capacity units of some work. */
const unitsOf = (work: () => Promise<unknown>): Promise<number> =>
  inRequestContext({ calls: 0, capacityUnits: 0, deadline: Number.POSITIVE_INFINITY }, async () => {
    await work();
    return requestContext()?.capacityUnits ?? 0;
  });

/** Stores the counters of a form as a recount leaves them; `shards`: the cells of each. */
async function storeCounters(
  structure: Structure,
  shards: readonly Cells[],
  { submitted, drafts }: { submitted: number; drafts: number },
): Promise<void> {
  const { formId } = structure;
  const groupCount = chooseGroups(structure);
  const state = { epoch: 1, base: 1, groups: { 1: groupCount } };
  const writes = shards.flatMap((cells, shard): Write[] => {
    const share = (count: number): number => Math.floor((count + shard) / COUNT_SHARDS);
    const counts = {
      [countAttribute(1, 'SUBMITTED')]: share(submitted),
      [countAttribute(1, 'DRAFT')]: share(drafts),
    };
    const groups = Map.groupBy(cells, ([row]) => chooseGroup(row, groupCount));
    return [
      { put: { ...keys.counters(formId, shard), ...state, ...counts }, when: { absent: true } },
      ...[...groups].map(([group, rows]): Write => {
        const item = { ...keys.answerCounters(formId, 1, group, shard), cells: toStored(new Map(rows)), revision: 1 };
        return { put: item, when: { absent: true } };
      }),
    ];
  });
  for (const write of writes) await app().table.write([write]);
}

/** A form with a choice, a scale, a date and a text of 2 KB, with submitted responses and 250 drafts. */
async function seed({ alice, slug, dave }: Cast, count: number) {
  const choices = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name }));
  const date = { hasYear: true, hasMonth: true, hasDay: true };
  const kinds = [
    { type: 'SINGLE_CHOICE' as const, choices },
    { type: 'LINEAR_SCALE' as const, scale: { minVal: 1, maxVal: 10 } },
    { type: 'DATE' as const, date },
    { type: 'SHORT_TEXT' as const },
  ];
  const form = await newForm(alice, slug, [kinds]);
  const [choice, scale, day, text] = await readQuestions(alice, form.formId);
  if (!choice?.choices || !scale || !day || !text) throw new Error('a question is missing');
  const offered = choice.choices;
  const contents = (index: number): Record<string, AnswerContent> => {
    const { id = '', name = '' } = offered[index % 5] ?? {};
    return {
      [choice.id]: { type: 'SINGLE_CHOICE', value: [id], names: [name] },
      [scale.id]: { type: 'LINEAR_SCALE', value: 1 + (index % 10) },
      [day.id]: { type: 'DATE', value: `2026-05-0${1 + (index % 9)}` },
      [text.id]: { type: 'SHORT_TEXT', value: 'x'.repeat(1_800) },
    };
  };
  const { structure } = await reloadStructure(app().table, form.formId);
  const shards = Array.from({ length: COUNT_SHARDS }, (): CellSums => new Map());
  let newest = '';
  for (let from = 0; from < count; from += 1_000) {
    const batch = Array.from({ length: Math.min(1_000, count - from) }, (_, index): Response => {
      const response = submissionOf(form, dave.id, at(from + index), contents(from + index));
      addCells(shards[index % COUNT_SHARDS] ?? new Map(), listCells(response, structure));
      return response;
    });
    await store(batch);
    newest = batch.at(-1)?.id ?? '';
    dynamo.trimStreams(new Date());
  }
  await store(Array.from({ length: DRAFTS }, (_, index) => draftOf(form, dave.id, at(index), contents(index))));
  await storeCounters(structure, shards, { submitted: count, drafts: DRAFTS });
  return { ...form, choice, offered, scale, text, newest };
}

/** The costs of requests and of the pages of reviewers of a form with some responses. */
async function costsWith(cast: Cast, count: number): Promise<Record<string, Cost>> {
  const { bob, erin } = cast;
  const startedAt = performance.now();
  const { formId, choice, offered, scale, text, newest } = await seed(cast, count);
  console.log(`${count} responses are stored in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  const params = { formId };
  await bob.client.forms.setHighlight({ params, body: { questionId: choice.id } });
  const viewId = (await bob.client.views.createView({ params, body: {} })).body.id;
  const list = () => bob.client.responses.listResponses({ params, query: { limit: PAGE } });
  const distinct = async () => {
    const names = { ...params, viewId, questionId: choice.id };
    const { body } = await bob.client.views.listDistinctAnswers({ params: names, body: { filters: [] } });
    if (body.answers.length !== 5) throw new Error(`${body.answers.length} of 5 choices are listed`);
  };
  const { submittedCount, counting } = (await list()).body;
  if (submittedCount !== count || counting) throw new Error(`${submittedCount} of ${count} responses are counted`);
  const { show } = pagesOf(bob);
  const review = `/review/${formId}`;
  const byChoice = `f-${choice.id}=${offered[0]?.id}`;
  const byBoth = `${byChoice}&f-${scale.id}=1`;
  const pages = Object.entries({
    table: review,
    'table, filter of one choice': `${review}?${byChoice}`,
    'table, filter of two questions': `${review}?${byBoth}`,
    'table, filter open': `${review}?filter=open`,
    'table, filter open, texts asked for': `${review}?filter=${text.id}`,
    'table, filtered and open': `${review}?${byBoth}&filter=open`,
    'table, sorted by a scale': `${review}?sort=${scale.id}`,
    'table, search': `${review}?q=dave`,
    response: `${review}/r/${newest}`,
    'response, within a filter': `${review}/r/${newest}?${byChoice}`,
    drafts: `${review}/drafts`,
    statistics: `${review}/statistics`,
    'statistics, filtered': `${review}/statistics?${byChoice}`,
  }).map(([name, path]) => [`page: ${name}`, () => show(path)] as const);
  const reads: Record<string, () => Promise<unknown>> = {
    [`list of ${PAGE}`]: list,
    highlight: () => bob.client.forms.getHighlight({ params }),
    [DISTINCT]: distinct,
    statistics: () => bob.client.responses.getStatistics({ params }),
    ...Object.fromEntries(pages),
  };
  const costs: Record<string, Cost> = {};
  const selected = [sent(choice.id, 'SINGLE_CHOICE', [offered[1]?.id ?? ''])];
  // The first response shows that the question was answered.
  await submit(erin, await start(erin, formId), selected);
  const started = await measureCost(() => start(erin, formId));
  costs.start = started.cost;
  costs.save = (await measureCost(() => save(erin, started.result, selected))).cost;
  costs.submit = (await measureCost(() => submit(erin, started.result))).cost;
  for (const [name, read] of Object.entries(reads)) {
    // The function is warm from the second time on.
    await read();
    costs[name] = (await measureCost(read)).cost;
  }
  await editQuestion(bob, choice, { choices: offered.slice(0, 4) });
  await distinct();
  const removed = [`${DISTINCT}, one choice removed`, (await measureCost(distinct)).cost] as const;
  return Object.fromEntries(
    Object.entries(costs).flatMap((entry) => (entry[0] === DISTINCT ? [entry, removed] : [entry])),
  );
}

/** A table of what requests cost, a row for each page and a column for each number of responses. */
function requestsTable(byCount: ReadonlyMap<number, Record<string, Cost>>): string {
  const counts = [...byCount.keys()];
  const [smallest = {}] = byCount.values();
  const cell = (name: string, count: number): string => {
    const { roundTrips = 0, capacityUnits = 0 } = byCount.get(count)?.[name] ?? {};
    return `${roundTrips} / ${Math.round(capacityUnits).toLocaleString('en')}`;
  };
  return [
    `| Round trips / capacity units | ${counts.map((count) => `${count.toLocaleString('en')} responses`).join(' | ')} |`,
    `|---|${counts.map(() => '---|').join('')}`,
    ...Object.keys(smallest).map((name) => `| ${name} | ${counts.map((count) => cell(name, count)).join(' | ')} |`),
  ].join('\n');
}

/** How many questions and choices a form has; `largest`: choices of the first question. Each answer selects some of them. */
type Size = { questions: number; largest?: number; others?: number; selected?: number };

/** The capacity units of counting a submission to a form, alone and in a batch. */
async function tallies(
  cast: Cast,
  { questions: questionCount, largest = 5, others: fewer = 5, selected = 1 }: Size,
): Promise<Record<string, number>> {
  const choicesOf = (length: number) => Array.from({ length }, (_, index) => ({ name: `choice ${index}` }));
  const type = 'MULTIPLE_CHOICE' as const;
  const kinds = Array.from({ length: questionCount }, (_, index) => ({
    type,
    choices: choicesOf(index === 0 ? largest : fewer),
  }));
  const form = await newForm(cast.alice, cast.slug, [kinds]);
  const questions = await readQuestions(cast.alice, form.formId);
  const isSmall = questionCount < 100;
  const submissions = Array.from({ length: isSmall ? 96 : 14 }, (_, index) => {
    const chosen = questions.map(({ id, choices: offered = [] }, at): [string, AnswerContent] => {
      const picked = Array.from({ length: selected }, (_, each) => offered[(index + at + each) % offered.length]);
      const [ids, names] = [picked.map((each) => each?.id ?? ''), picked.map((each) => each?.name ?? '')];
      return [id, { type, value: ids, names }];
    });
    const at = new Date(Date.now() + index).toISOString();
    return submissionOf(form, cast.dave.id, at, Object.fromEntries(chosen));
  });
  for (const submission of submissions) await store([submission]);
  const [one = '', another = '', ...others] = submissions.map(({ id }) => id);
  // The first one creates the counters.
  await tallyResponses(app(), [one]);
  return {
    'by itself': await unitsOf(() => tallyResponses(app(), [another])),
    'each of ten': (await unitsOf(() => tallyResponses(app(), others.slice(0, 10)))) / 10,
    // A batch of a large form is more than the emulator writes within the time limit of a call.
    ...(isSmall && { 'each of 80': (await unitsOf(() => tallyResponses(app(), others.slice(10, 90)))) / 80 }),
  };
}

/** What the counters of a form weigh whose every choice was selected a million times, and what reading them costs. */
async function weigh({
  questions: questionCount,
  largest = 5,
  others: fewer = 5,
}: Size): Promise<Record<string, number>> {
  const id = (): string => app().uuid();
  const times = { createdAt: at(0), updatedAt: at(0) };
  const questions = Array.from({ length: questionCount }, (_, index) => ({
    ...{ id: id(), type: 'MULTIPLE_CHOICE' as const, title: 'Which?', description: null, required: false, ...times },
    choices: Array.from({ length: index === 0 ? largest : fewer }, () => ({ id: id(), name: 'a choice' })),
  }));
  const sections = [{ id: id(), description: null, questions, ...times }];
  const structure: Structure = { formId: id(), version: 1, nodes: [], sections, removed: [] };
  const count = 1_000_000 / COUNT_SHARDS;
  const cells = new Map(
    questions.map(({ id, choices }) => [
      shortName(id),
      new Map(['a', 'n', ...choices.map((choice) => shortName(choice.id))].map((cell) => [cell, count])),
    ]),
  );
  await storeCounters(structure, Array(COUNT_SHARDS).fill(cells), { submitted: 1_000_000, drafts: 0 });
  const groups = chooseGroups(structure);
  const counters: Counters = {
    drafts: 0,
    submitted: 0,
    changes: 0,
    seconds: '',
    isComplete: true,
    groups: new Map([[1, groups]]),
  };
  const bytes = Map.groupBy(cells, ([row]) => chooseGroup(row, groups))
    .values()
    .map((rows) => JSON.stringify(toStored(new Map(rows))).length);
  const { table } = app();
  const [first] = questions;
  return {
    items: groups * COUNT_SHARDS,
    'KB of the largest': Math.ceil(Math.max(...bytes) / 1_000),
    'to read one question': await unitsOf(() =>
      loadQuestionCells(table, structure.formId, counters, [first?.id ?? '']),
    ),
    // More is more than the emulator reads within the time limit of a call.
    ...(cells.size * fewer <= MOST_CHOICES && {
      'to read all': await unitsOf(() => loadAllCells(table, structure.formId, counters)),
    }),
  };
}

const SIZES: readonly Size[] = [
  { questions: 2 },
  { questions: 20 },
  { questions: 60 },
  { questions: 100, largest: 200, others: 20, selected: 10 },
  { questions: 500 },
  { questions: 300, largest: 200, others: 200 },
  { questions: 500, largest: 20, others: 20 },
];
/** The structure of a form with more choices would be larger than a form may be, so it can be weighed only. */
const MOST_CHOICES = 3_000;

/** A table of what the counters of forms weigh and cost. */
async function countersTable(cast: Cast): Promise<string> {
  const rows: Record<string, number | string>[] = [];
  for (const size of SIZES) {
    const { questions, largest = 5, others = 5 } = size;
    const choices = largest + (questions - 1) * others;
    const counted = choices > MOST_CHOICES ? {} : await tallies(cast, size);
    rows.push({ questions, choices: choices.toLocaleString('en'), ...(await weigh(size)), ...counted });
  }
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const cell = (value: string | number = '–') => (typeof value === 'number' ? Math.round(value) : value);
  return [
    line(names),
    `|${'---|'.repeat(names.length)}`,
    ...rows.map((row) => line(names.map((name) => cell(row[name])))),
  ].join('\n');
}

const [largest = '100000'] = process.argv.slice(2);
const dynamo = await startDynamo({ directory: null });
// No request reaches the bucket; its address is part of the policy of pages that show pictures.
const storage = { TABLE_NAME: 'bench', BUCKET_NAME: 'bench', DYNAMODB_ENDPOINT: dynamo.endpoint };
const settings = { ...storage, LOG: 'off', ALLOWED_ORIGINS: '' };
Object.assign(process.env, newSecrets(), settings);
await ensureTable(emulatorClient(dynamo.endpoint), settings.TABLE_NAME);
await buildAssets();
const cast = await newCast();
const byCount = new Map<number, Record<string, Cost>>();
if (largest !== '0') {
  for (const count of [10, 1_000, Number(largest)]) byCount.set(count, await costsWith(cast, count));
  writePart('costs.md', 'reviews', requestsTable(byCount));
}
writePart('costs.md', 'counters', await countersTable(cast));
await dynamo.stop();
process.exit(0);
