/** Forms whose responses and choices are counted: what the service counts, and a count of everything that is stored. */
import { paginate } from '#core/api/client.ts';
import { loadAllCells } from '#core/counts/answer-counters.ts';
import type { Cells } from '#core/counts/cells.ts';
import { type Counters, loadCounters } from '#core/counts/counters.ts';
import { app } from '#core/http/app.ts';
import { restartRecount } from '#core/jobs/recount.ts';
import type { Response } from '#core/responses/model.ts';
import { shortName } from '#core/schema/schema.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { withApp } from './faults.ts';
import { type Built, type Cast, newForm, type Person } from './fixtures.ts';
import { choice, readQuestions, type Sent, sent, store, submissionOf } from './responses.ts';
import { deliverStream, runWorker } from './workers.ts';

const TYPE = 'MULTIPLE_CHOICE';
const DAY_SECONDS = 24 * 60 * 60;

/** A form with two questions of the same kind, each with the ids of its choices. */
export type Poll = Built & { questions: { id: string; choiceIds: string[] }[] };

/** A published form that asks twice for colours. */
export async function newPoll({ alice, slug }: Cast): Promise<Poll> {
  const choices = ['red', 'green', 'blue'].map((name) => ({ name }));
  const kinds = [{ type: TYPE, choices, title: 'Light?' } as const, { type: TYPE, choices, title: 'Dark?' } as const];
  const built = await newForm(alice, slug, [kinds]);
  const views = await readQuestions(alice, built.formId);
  const questions = views.map((view) => ({ id: view.id, choiceIds: choices.map(({ name }) => choice(view, name)) }));
  return { ...built, questions };
}

/** An answer to the n-th question, by the indexes of the chosen choices. */
export function choosing({ questions }: Poll, question: number, chosen: readonly number[]): Sent {
  const { id = '', choiceIds = [] } = questions[question] ?? {};
  return sent(
    id,
    TYPE,
    chosen.map((index) => choiceIds[index] ?? ''),
  );
}

/** Stores submissions that choose in turn red, green, blue in the first question, and red or green in the second. */
export async function seedSubmissions(
  poll: Poll,
  count: number,
  userId: string,
  from = Date.now(),
): Promise<Response[]> {
  const responses = Array.from({ length: count }, (_, index) =>
    submissionOf(poll, userId, new Date(from + index).toISOString(), {
      ...content(poll, 0, index % 3),
      ...content(poll, 1, index % 2),
    }),
  );
  await store(responses);
  return responses;
}

function content({ questions }: Poll, question: number, chosen: number): Record<string, AnswerContent> {
  const { id = '', choiceIds = [] } = questions[question] ?? {};
  return { [id]: { type: TYPE, value: [choiceIds[chosen] ?? ''], names: [['red', 'green', 'blue'][chosen] ?? ''] } };
}

export const highlight = ({ client }: Person, { formId, questions }: Poll, question: number) =>
  client.forms.setHighlight({ params: { formId }, body: { questionId: questions[question]?.id ?? '' } });

/** The highlight as the service shows it: the counts in order, and whether they are being built. */
export async function readHighlight({ client }: Person, { formId }: Poll) {
  const { choices, counting = false } = (await client.forms.getHighlight({ params: { formId } })).body;
  return { counts: choices.map(({ count }) => count), counting };
}

/** The counters of a form with all cells of its answers. */
export async function readCounters(formId: string): Promise<{ counters: Counters | undefined; cells: Cells }> {
  const counters = await loadCounters(app().table, formId);
  return { counters, cells: counters ? await loadAllCells(app().table, formId, counters) : new Map() };
}

/** How often the counters have each of some choices of a question. */
export async function choiceCounts(formId: string, questionId: string, choiceIds: readonly string[]) {
  const row = (await readCounters(formId)).cells.get(shortName(questionId));
  return choiceIds.map((id) => row?.get(shortName(id)) ?? 0);
}

/** The counts of the list as the service shows them. */
export async function listCounts({ client }: Person, { formId }: Poll) {
  const { body } = await client.responses.listResponses({ params: { formId }, query: { limit: 1 } });
  const { totalCount, draftCount, submittedCount, counting = false } = body;
  return { totalCount, draftCount, submittedCount, counting };
}

/** The numbers of all responses that lists and tables show, one by one. */
export async function countedOneByOne({ client }: Person, poll: Poll, question: number) {
  const { formId, questions } = poll;
  const params = { formId };
  const { id: questionId = '', choiceIds = [] } = questions[question] ?? {};
  let [draftCount, submittedCount, rows] = [0, 0, 0];
  for await (const { body } of paginate(client.responses.listResponses, { params, query: { limit: 100 } })) {
    draftCount += body.responses.filter(({ progress }) => progress === 'DRAFT').length;
    submittedCount += body.responses.filter(({ progress }) => progress === 'SUBMITTED').length;
  }
  const counts = choiceIds.map(() => 0);
  const input = { params, query: { limit: 100 }, body: { questionIds: [questionId] } };
  for await (const { body } of paginate(client.exports.previewTable, input)) {
    rows += body.rows.length;
    for (const { answers } of body.rows) {
      const value = answers[questionId]?.answer.value;
      choiceIds.forEach((id, index) => {
        if (Array.isArray(value) && value.some((each) => each === id)) counts[index] = (counts[index] ?? 0) + 1;
      });
    }
  }
  return {
    list: { totalCount: draftCount + submittedCount, draftCount, submittedCount, counting: false },
    rows,
    counts,
  };
}

/** A form with 240 submissions, of which the first question is highlighted, once the stream is idle. */
export async function largePoll(cast: Cast): Promise<Poll> {
  const poll = await newPoll(cast);
  await highlight(cast.bob, poll, 0);
  await seedSubmissions(poll, 240, cast.erin.id);
  await deliverStream();
  return poll;
}

/** Queues the next recount of a form now, although nothing has changed. */
export const recountNow = async ({ formId }: Pick<Poll, 'formId'>): Promise<void> => {
  await app().table.write([restartRecount(formId, app().now())]);
};

/** Runs the recount that is due within a week, and what follows it. The clock of requests stays: tokens expire. */
export async function repairCounts(week = 1): Promise<void> {
  const start = 8 * week * DAY_SECONDS;
  for (const seconds of [61, start, start + 61]) {
    const now = new Date(Date.now() + seconds * 1_000);
    await withApp(
      () => ({ now: () => now }),
      async () => {
        await runWorker('sweep');
        await deliverStream({ only: ['deliver'] });
      },
    );
  }
}
