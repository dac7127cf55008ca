/**
 * The counters of answers are what the previews of all submitted responses add up to, and what these were asked when they
 * were submitted: after any requests of respondents, any change of the form, versions that are restored, and workers that
 * get their batches twice, shuffled and late, die, or see an old index.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paginate } from '#core/api/client.ts';
import { ANSWERED, ASKED, EARLIER, nameRankCell, SECTIONS } from '#core/counts/cells.ts';
import type { Table } from '#core/db/table.ts';
import { shortName } from '#core/schema/schema.ts';
import type { QuestionDocument } from '#core/structure/question-model.ts';
import { muteErrors } from '#test/support/console.ts';
import { readCounters, recountNow } from '#test/support/counts.ts';
import { withApp, withTable } from '#test/support/faults.ts';
import { question } from '#test/support/fixtures.ts';
import { tries } from '#test/support/nightly.ts';
import {
  type Branched,
  branchedForm,
  cancel,
  castAt,
  editQuestion,
  pass,
  preview,
  readQuestions,
  respond,
  type Sent,
  save,
  sent,
  submit,
} from '#test/support/responses.ts';
import { deliverStream, runWorker } from '#test/support/workers.ts';

const cast = await castAt();
muteErrors();

const NAMES = ['Ash', 'Birch', 'Cedar', 'Dogwood'];
const choices = NAMES.map((name) => ({ name }));
const scale = { minVal: 0, maxVal: 5 };
const KINDS = {
  first: [{ type: 'SHORT_TEXT' as const }, { type: 'LINEAR_SCALE' as const, scale }],
  yes: [
    { type: 'MULTIPLE_CHOICE' as const, choices },
    { type: 'RANKING' as const, choices },
  ],
  no: [{ type: 'RATING' as const, scale: { minVal: 1, maxVal: 5, icon: 'star' as const } }],
  last: [
    { type: 'DROPDOWN' as const, choices },
    { type: 'DATE' as const, date: { hasYear: true, hasMonth: true, hasDay: true } },
  ],
};

type Step =
  | { do: 'respond' | 'save' | 'submit'; which: number; seed: number }
  | { do: 'cancel' | 'delete'; which: number }
  | { do: 'move' | 'changeChoices' | 'remove' | 'add' | 'restore'; which: number; to: number }
  | { do: 'recount' }
  | { do: 'work'; only: 'tally' | 'deliver' | 'all'; twice: boolean; kill: number; lags: boolean };

const which = fc.nat(20);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('respond', 'save', 'submit'), which, seed: fc.nat(9_999) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cancel', 'delete'), which }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'move',
        'move',
        'changeChoices',
        'changeChoices',
        'remove',
        'remove',
        'add',
        'restore',
        'restore',
      ),
      which,
      to: fc.nat(3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('recount') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('work'),
      only: fc.constantFrom('tally', 'deliver', 'all'),
      twice: fc.boolean(),
      kill: fc.nat(12),
      lags: fc.boolean(),
    }),
  },
);

/** An answer to each question that the seed chooses, of what it offers now. */
function answersFor(questions: readonly QuestionDocument[], asked: string, seed: number): Sent[] {
  return questions.flatMap(({ id, type, choices: offered = [] }, index) => {
    const digit = Math.floor(seed / 3 ** index) % 3;
    if (id === asked) return [sent(id, type, seed % 2 === 0 ? 'yes' : 'no')];
    if (digit === 0) return [];
    if (type === 'LINEAR_SCALE' || type === 'RATING') return [sent(id, type, 1 + (seed % 5))];
    if (type === 'DATE') return [sent(id, type, ['1899-12-31', '2026-05-01', '2026-05-31'][seed % 3] ?? '')];
    const ids = offered.map((each) => each.id);
    const turned = [...ids.slice(digit), ...ids.slice(0, digit)];
    if (type === 'RANKING') return [sent(id, type, turned)];
    return [sent(id, type, type === 'DROPDOWN' ? turned.slice(0, 1) : turned.slice(0, digit))];
  });
}

/** `asked`: the questions that each submitted response was asked, by its id. */
type Run = { form: Branched; responseIds: string[]; asked: Map<string, Set<string>> };

/** Does a step; what the service refuses, such as cancelling a draft, does nothing. */
async function take(run: Run, step: Step): Promise<void> {
  const now = pass(1);
  if (step.do === 'recount') await recountNow(run.form);
  else if (step.do === 'work') await work(step, run.responseIds.at(-1));
  else if ('to' in step) await restructure(run.form, step).catch(() => undefined);
  else await answer(run, step, now).catch(() => undefined);
}

async function answer(
  { form, responseIds, asked: askedBy }: Run,
  step: Extract<Step, { which: number }>,
  now: string,
): Promise<void> {
  const { alice, dave } = cast;
  const { formId, asked } = form;
  const responseId = responseIds[step.which % Math.max(responseIds.length, 1)];
  const answers = 'seed' in step ? answersFor(await readQuestions(alice, formId), asked, step.seed) : [];
  const keepAsked = async (id: string): Promise<void> => {
    const { progress, updatedAt, sections } = await preview(dave, formId, id);
    const shown = sections.filter((each) => each.progress !== 'SKIPPED').flatMap((each) => each.answerDetails);
    if (progress === 'SUBMITTED' && updatedAt === now) askedBy.set(id, new Set(shown.map((each) => each.question.id)));
  };
  if (step.do === 'respond') {
    const id = await respond(dave, formId, answers);
    responseIds.push(id);
    await keepAsked(id);
  }
  if (responseId === undefined) return;
  if (step.do === 'save') await save(dave, responseId, answers);
  if (step.do === 'submit') await submit(dave, responseId, answers);
  if (step.do === 'save' || step.do === 'submit') await keepAsked(responseId);
  if (step.do === 'cancel') await cancel(dave, responseId);
  if (step.do === 'delete') await alice.client.responses.deleteResponse({ params: { formId, responseId } });
}

async function restructure(form: Branched, step: Extract<Step, { to: number }>): Promise<void> {
  const { alice } = cast;
  if (step.do === 'restore') {
    const versions = (await alice.client.forms.listVersions({ params: form })).body;
    const version = String(versions[step.which % versions.length]?.version);
    await alice.client.forms.restoreVersion({ params: { ...form, version }, body: { force: true } });
    await alice.client.forms.publishChanges({ params: form });
  }
  const questions = (await readQuestions(alice, form.formId)).filter(({ id }) => id !== form.asked);
  const changed = questions[step.which % questions.length];
  const to = form.sectionIds[step.to] ?? '';
  if (step.do === 'add') {
    const body = question({ type: 'MULTIPLE_CHOICE', choices });
    await alice.client.questions.createQuestion({ params: { sectionId: to }, body });
  }
  if (!changed) return;
  const params = { sectionId: changed.sectionId, questionId: changed.id };
  if (step.do === 'remove') await alice.client.questions.deleteQuestion({ params });
  if (step.do === 'move') await alice.client.questions.moveQuestion({ params, body: { sectionId: to, after: null } });
  if (step.do === 'changeChoices' && changed.choices) {
    await editQuestion(alice, changed, { choices: [...changed.choices.slice(1), { name: `New ${step.to}` }] });
  }
}

async function work(
  { only, twice, kill, lags }: Extract<Step, { do: 'work' }>,
  newest: string | undefined,
): Promise<void> {
  const options = {
    twice,
    shuffle: 'all' as const,
    ...(only === 'all' ? {} : { only: [only] }),
    ...(kill === 0 ? {} : { kill: { call: kill, when: kill % 2 === 0 ? ('before' as const) : ('after' as const) } }),
  };
  const hidingNewest = ({ list }: Table): Partial<Table> => ({
    list: async (request) => {
      const { items, last } = await list(request);
      const isShown = ({ pk }: { pk: string }): boolean => newest === undefined || !pk.endsWith(newest);
      return { items: request.index ? items.filter(isShown) : items, last };
    },
  });
  await (lags ? withTable(hidingNewest, () => deliverStream(options)) : deliverStream(options));
}

/** Lets workers finish all they have to do, also what is due in some minutes. */
async function settle(): Promise<void> {
  await deliverStream();
  for (const seconds of [300, 600]) {
    const now = new Date(Date.now() + seconds * 1_000);
    await withApp(
      () => ({ now: () => now }),
      async () => {
        await runWorker('sweep');
        await deliverStream();
      },
    );
  }
}

type Sums = Record<string, Record<string, number>>;

/**
 * Adds up what the previews of all submitted responses show of the questions that the form has now; one that nobody was
 * asked has an empty row.
 */
async function addUpPreviews({ form: { formId }, asked }: Run): Promise<{ rows: Sums; submitted: number }> {
  const { alice } = cast;
  const rows: Sums = {};
  const add = (row: string, cell: string, by = 1): void => {
    const cells = rows[row] ?? {};
    rows[row] = { ...cells, [cell]: (cells[cell] ?? 0) + by };
  };
  const current = new Set((await readQuestions(alice, formId)).map(({ id }) => id));
  for (const row of [SECTIONS, ...[...current].map(shortName)]) rows[row] = {};
  let submitted = 0;
  for await (const { body } of paginate(alice.client.responses.listResponses, { params: { formId } })) {
    for (const { id, progress, submittedAt } of body.responses) {
      if (progress === 'DRAFT') continue;
      submitted += 1;
      add((submittedAt ?? '').slice(0, 7), (submittedAt ?? '').slice(8, 10));
      for (const questionId of asked.get(id) ?? []) if (current.has(questionId)) add(shortName(questionId), ASKED);
      const sections = (await preview(alice, formId, id)).sections.filter((each) => each.progress !== 'SKIPPED');
      // Removed questions are in a list of their own, under the id of their section.
      for (const sectionId of new Set(sections.map((each) => each.id))) add(SECTIONS, shortName(sectionId));
      for (const section of sections) {
        for (const { question: each, payload } of section.answerDetails) {
          const value = payload?.answer.value;
          const row = shortName(each.id);
          if (!current.has(each.id)) continue;
          if (payload) add(row, ANSWERED);
          if (typeof value === 'number') add(row, String(value));
          if (each.type === 'DATE' && value) add(row, String(value).startsWith('1899') ? EARLIER : '2026-05');
          for (const [index, choiceId] of (Array.isArray(value) ? value : []).entries()) {
            add(row, shortName(String(choiceId)));
            if (each.type === 'RANKING') add(row, nameRankCell(String(choiceId)), index + 1);
          }
        }
      }
    }
  }
  return { rows, submitted };
}

test('the counters of answers are exact after any requests, edits of the form and faults of workers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 40 }), async (steps) => {
      const author = { person: cast.alice, slug: cast.slug };
      const form = await branchedForm(author, KINDS, undefined, { publish: false });
      await cast.alice.client.forms.publishForm({ params: form });
      const run: Run = { form, responseIds: [], asked: new Map() };
      for (const step of steps) await take(run, step);
      await settle();
      const { rows, submitted } = await addUpPreviews(run);
      const { counters, cells } = await readCounters(form.formId);
      const counted = Object.fromEntries([...cells].map(([row, numbers]) => [row, Object.fromEntries(numbers)]));
      const months = Object.keys(counted).filter((row) => /^\d{4}-/.test(row));
      for (const row of new Set([...Object.keys(rows), ...months])) {
        expect([row, withoutZeros(counted[row] ?? {})]).toEqual([row, rows[row] ?? {}]);
      }
      expect(counters?.submitted ?? 0).toBe(submitted);
      const { body } = await cast.alice.client.responses.getStatistics({ params: { formId: form.formId } });
      expect(body.submittedCount).toBe(submitted);
      expect(body.overTime.periods.reduce((sum, { count }) => sum + count, 0)).toBe(submitted);
      for (const { questionId, askedCount, answeredCount, choices: listed = [], scale } of body.questions) {
        const row = rows[shortName(questionId)] ?? {};
        const counts: Record<string, number> = { [ASKED]: askedCount, [ANSWERED]: answeredCount };
        for (const { choiceId, count } of listed) counts[shortName(choiceId)] = count;
        for (const { value, count } of scale?.points ?? []) counts[value] = count;
        expect(counts).toEqual(Object.fromEntries(Object.keys(counts).map((cell) => [cell, row[cell] ?? 0])));
      }
    }),
    { numRuns: tries(25, 60), endOnFailure: true },
  );
});

const withoutZeros = (row: Record<string, number>) =>
  Object.fromEntries(Object.entries(row).filter(([, count]) => count !== 0));
