/** Workers of the crash test that answer a form: one repeats the life cycle of a response, one starts many. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Client } from '#core/api/client.ts';
import { attempt, checkProgress, type Progress, type Step, takeSteps, type Worker } from './worker.ts';

type State = { progress: 'DRAFT' | 'SUBMITTED'; texts: (string | null)[] };

/** Saves, submits, edits, cancels and clears one response over and over; its two answers are always sent together. */
export function respondent(formId: string, questionIds: readonly string[]): Worker {
  const progress: Progress<State> = { known: { progress: 'DRAFT', texts: [null, null] } };
  let responseId = '';
  let round = 0;
  return {
    async work(client, run) {
      if (responseId === '') {
        const started = await attempt(run, client.responses.startResponse({ params: { formId } }));
        if (!started) return;
        responseId = started.body.id;
      }
      do round += 1;
      while (await takeSteps(client, run, progress, lifeCycle(responseId, questionIds, round, progress.known)));
    },
    async check(client) {
      if (responseId === '') return;
      await checkProgress(client, progress, () => read(client, { formId, responseId }, questionIds));
      const query = { progress: progress.known.progress };
      const { responses } = (await client.responses.listResponses({ params: { formId }, query })).body;
      expect(responses.map(({ id }) => id)).toContain(responseId);
    },
  };
}

function lifeCycle(
  responseId: string,
  questionIds: readonly string[],
  round: number,
  { progress, texts }: State,
): Step<State>[] {
  const params = { responseId };
  const both = (value: string) => ({
    answers: questionIds.map((questionId) => ({ questionId, questionType: 'SHORT_TEXT' as const, value })),
  });
  const [one, two, three] = [`one ${round}`, `two ${round}`, `three ${round}`];
  const draft = (...next: (string | null)[]): State => ({ progress: 'DRAFT', texts: next });
  const submitted = (...next: (string | null)[]): State => ({ progress: 'SUBMITTED', texts: next });
  const headers = { 'idempotency-key': randomUUID() };
  const cancel: Step<State>['request'] = ({ responses }) => responses.cancelResponse({ params });
  const save =
    (value: string): Step<State>['request'] =>
    ({ responses }) =>
      responses.updateAnswers({ params, body: both(value) });
  const clear: Step<State>['request'] = ({ responses }) =>
    responses.clearAnswer({ params: { responseId, questionId: questionIds[1] ?? '' } });
  return [
    ...(progress === 'SUBMITTED' ? [{ leadsTo: draft(...texts), request: cancel }] : []),
    { leadsTo: draft(one, one), request: save(one) },
    {
      leadsTo: submitted(two, two),
      request: ({ responses }) => responses.submitResponse({ params, body: both(two), headers }),
    },
    { leadsTo: submitted(three, three), request: save(three) },
    { leadsTo: draft(three, three), request: cancel },
    { leadsTo: draft(three, null), request: clear },
  ];
}

async function read(
  client: Client,
  params: { formId: string; responseId: string },
  questionIds: readonly string[],
): Promise<State> {
  const { progress, sections } = (await client.responses.getResponse({ params })).body;
  const details = sections
    .flatMap(({ answerDetails }) => answerDetails)
    .filter(({ question }) => questionIds.includes(question.id));
  return { progress, texts: details.map(({ payload }) => payload?.displayValue ?? null) };
}

/** Fewer than one person may have to a form. */
const MAX_STARTED = 80;

/** Starts one response after the other, each with an idempotency key; what is cut off is repeated with the same key. */
export function starter(formId: string): Worker {
  /** Response ids by key. */
  const started = new Map<string, string>();
  let key = randomUUID();
  const start = async (client: Client) => {
    const { body, headers } = await client.responses.startResponse({
      params: { formId },
      headers: { 'idempotency-key': key },
    });
    return { id: body.id, isReplayed: headers.has('idempotency-replayed') };
  };
  return {
    async work(client, run) {
      while (started.size < MAX_STARTED) {
        const result = await attempt(run, start(client));
        if (!result) return;
        started.set(key, result.id);
        key = randomUUID();
      }
    },
    async check(client) {
      started.set(key, (await start(client)).id);
      expect(await start(client)).toEqual({ id: started.get(key), isReplayed: true });
      key = randomUUID();
      const { responses, nextCursor } = (
        await client.responses.listMyResponses({ params: { formId }, query: { limit: 100 } })
      ).body;
      expect(nextCursor).toBeNull();
      expect(responses.map(({ id }) => id).sort()).toEqual([...started.values()].sort());
    },
  };
}
