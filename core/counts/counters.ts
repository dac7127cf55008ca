/**
 * The counters of a form: how many responses are drafts and how many are submitted, and how often each choice of one
 * question was selected in the submitted ones. They are spread over a few items, so that workers of a busy form rarely
 * write the same one.
 *
 * Each count belongs to an epoch. A recount starts the next epoch on all items; every response then moves what it counts
 * from the epoch in which it was counted to the current one, in one write, so the sum over the epochs stays correct in
 * the meantime. Once all responses have moved, what is left of earlier epochs is drift: the current epoch becomes the
 * base, and earlier ones no longer count.
 */
import { COUNT_SHARDS, type Key, keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { queueJob } from '#core/jobs/job.ts';
import type { ResponseProgress } from '#core/responses/model.ts';
import { countUpTo } from '#core/responses/store.ts';
import { parseStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';

/** What all counter items of a form have in common; every write of a counter is conditional on `epoch` and `base`. */
export type CounterState = {
  /** The current epoch, from 1. */
  epoch: number;
  /** The first epoch that counts; 0 until the first recount is complete. */
  base: number;
  /** The epoch in which the question was chosen. */
  questionSince: number;
  /** The question whose choices are counted. */
  questionId: string | undefined;
};

/** The counters of a form, added up. */
export type Counters = {
  drafts: number;
  submitted: number;
  /**
   * How many changes of submitted responses were counted: submitted, edited, cancelled, deleted. If it is the same as
   * before, none has changed, apart from the last seconds.
   */
  changes: number;
  /** By choice id. */
  choices: ReadonlyMap<string, number>;
  questionId: string | undefined;
  /** Whether the responses that there were before the counters are included. */
  isComplete: boolean;
  /** Whether the choices of all responses are included. */
  isQuestionComplete: boolean;
};

/**
 * The data of the job that counts a form again. `all`: passes through all responses. `recent`: passes once more
 * through those of the last minutes, which a lagging index may have left out. `again`: starts the next recount.
 */
export type Recount = {
  formId: string;
  epoch: number;
  /** When the recount began; in the phase `again`, when the last one ended. */
  startedAt: string;
  phase: 'all' | 'recent' | 'again';
  /** `changes` of the counters at the end of the last recount; if it is the same a week later, nothing is to be done. */
  changes?: number;
  /** Where the pass continues: the partition of responses, and the position in it. */
  partition?: number;
  after?: string;
};

const shards = Array.from({ length: COUNT_SHARDS }, (_, shard) => shard);

/** Lists the keys of the counters of a form. */
export const counterKeys = (formId: string): Key[] => shards.map((shard) => keys.counters(formId, shard));

/** Parses the common state of a counter item. */
export const parseCounterState = ({ epoch, base, asked, questionId }: Item): CounterState => ({
  epoch: Number(epoch),
  base: Number(base),
  questionSince: Number(asked),
  questionId: questionId === undefined ? undefined : String(questionId),
});

/** Names the attribute that holds a count: `3#DRAFT`, `3#SUBMITTED`, or an epoch and the id of a choice. */
export const countAttribute = (epoch: number, counted: string): string => `${epoch}#${counted}`;

/** The attribute that counts the changes of submitted responses, in all epochs. */
export const CHANGES = 'changes';

/** A count in a counter item. */
export type Count = { attribute: string; epoch: number; counted: string; value: number };

/** Parses the counts of a counter item. */
export const parseCounts = (item: Item): Count[] =>
  Object.entries(item).flatMap(([attribute, value]) => {
    const [, epoch, counted] = /^(\d+)#(.+)$/.exec(attribute) ?? [];
    return counted === undefined ? [] : [{ attribute, epoch: Number(epoch), counted, value: Number(value) }];
  });

/** Reads the counters of a form, one small item for each shard; undefined when it has none yet. */
export async function loadCounters(table: Table, formId: string): Promise<Counters | undefined> {
  return sumCounters(await table.read(counterKeys(formId)));
}

function sumCounters(items: readonly (Item | undefined)[]): Counters | undefined {
  const totals = { DRAFT: 0, SUBMITTED: 0 };
  const choices = new Map<string, number>();
  let changes = 0;
  let state: CounterState | undefined;
  for (const item of items) {
    if (!item) return undefined;
    changes += Number(item[CHANGES] ?? 0);
    state = parseCounterState(item);
    for (const { epoch, counted, value } of parseCounts(item)) {
      if (epoch < state.base) continue;
      if (counted === 'DRAFT' || counted === 'SUBMITTED') totals[counted] += value;
      else if (epoch >= state.questionSince) choices.set(counted, (choices.get(counted) ?? 0) + value);
    }
  }
  return (
    state && {
      drafts: totals.DRAFT,
      submitted: totals.SUBMITTED,
      changes,
      choices,
      questionId: state.questionId,
      isComplete: state.base > 0,
      isQuestionComplete: state.base > 0 && state.base >= state.questionSince,
    }
  );
}

/**
 * Builds the writes that let the counters of a form count the choices of its highlighted question, and queue the recount. None
 * when they do already. They are part of the transaction that changes the highlight.
 */
export async function countHighlighted({ table, now }: Pick<Ports, 'table' | 'now'>, structure: Structure) {
  const questionId = structure.highlight?.questionId;
  if (questionId === undefined) return [];
  const [item] = await table.read([keys.counters(structure.formId, 0)]);
  if (!item) return firstCounters(structure.formId, questionId, now());
  const state = parseCounterState(item);
  if (state.questionId === questionId) return [];
  return [...nextEpoch(structure.formId, state, questionId), queueRecount(structure.formId, state.epoch + 1, now())];
}

/**
 * Creates the counters of a form and queues the count of the responses that it has. Does nothing when another worker
 * creates them, or the form was deleted.
 */
export async function createCounters(app: Pick<Ports, 'table' | 'now'>, formId: string): Promise<void> {
  const structure = parseStructure((await app.table.read([keys.formStructure(formId)]))[0]);
  if (!structure) return;
  const formExists: Write = { check: keys.formGate(formId), when: { absent: false } };
  await wasWritten(app.table, [...firstCounters(formId, structure.highlight?.questionId, app.now()), formExists]);
}

const firstCounters = (formId: string, questionId: string | undefined, now: Date): Write[] => [
  ...counterKeys(formId).map(
    (key): Write => ({
      put: { ...key, epoch: 1, base: 0, asked: 1, ...(questionId && { questionId }) },
      when: { absent: true },
    }),
  ),
  queueRecount(formId, 1, now),
];

/** Builds the writes that start the next epoch, in which a question is counted; undefined keeps the question. */
export function nextEpoch(formId: string, state: CounterState, questionId: string | undefined): Write[] {
  const isNew = questionId !== undefined && questionId !== state.questionId;
  const set = { epoch: state.epoch + 1, ...(isNew ? { asked: state.epoch + 1, questionId } : {}) };
  return counterKeys(formId).map((key) => ({ update: key, set, when: { equals: { epoch: state.epoch } } }));
}

const queueRecount = (formId: string, epoch: number, now: Date): Write =>
  queueJob<Recount>(
    {
      key: keys.recount(formId),
      kind: 'recount',
      data: { formId, epoch, startedAt: now.toISOString(), phase: 'all' },
    },
    now,
  );

// How many responses a form has. Up to 200 are counted directly, which is exact at once; more are read from the
// counters, which follow a change within seconds.

/** The largest number of responses that a request counts. */
export const MAX_COUNTED_DIRECTLY = 200;

/** `counting`: the counters are being built; there are at least as many responses. */
export type ResponseCounts = { draftCount: number; submittedCount: number; counting: boolean };

/** Counts the responses of a form with these counters. Looks at a bounded number of index entries. */
export async function countResponses(
  table: Table,
  formId: string,
  counters: Counters | undefined,
): Promise<ResponseCounts> {
  if (counters?.isComplete && counters.drafts + counters.submitted > MAX_COUNTED_DIRECTLY) {
    return { draftCount: counters.drafts, submittedCount: counters.submitted, counting: false };
  }
  const [drafts, submitted] = await Promise.all([
    countDirectly(table, formId, 'DRAFT'),
    countDirectly(table, formId, 'SUBMITTED'),
  ]);
  return {
    draftCount: drafts.isExact ? drafts.count : Math.max(drafts.count, counters?.drafts ?? 0),
    submittedCount: submitted.isExact ? submitted.count : Math.max(submitted.count, counters?.submitted ?? 0),
    counting: !(drafts.isExact && submitted.isExact) && !counters?.isComplete,
  };
}

/** Counts a form's responses with a progress; beyond 200 the number may be larger. */
export async function countDirectly(
  table: Table,
  formId: string,
  progress: ResponseProgress,
): Promise<{ count: number; isExact: boolean }> {
  const count = await countUpTo(table, formId, progress, MAX_COUNTED_DIRECTLY + 1);
  return { count, isExact: count <= MAX_COUNTED_DIRECTLY };
}
