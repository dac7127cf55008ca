/** Workers of the crash test that answer a form: one goes through the life of a response, one starts many. */
import { expect } from 'vitest';
import type { Client } from '#core/api/client.ts';
import { type Fate, survived, type Worker } from './fate.ts';

type State = { progress: 'DRAFT' | 'SUBMITTED'; words: (string | null)[] };
/** What a respondent knows: the last state that was acknowledged, and the one asked for since. */
type Memory = {
  formId: string;
  questionIds: readonly string[];
  responseId: string;
  round: number;
  known: State;
  next?: State;
};
type Step = { leadsTo: State; request: () => Promise<unknown> };

/** Saves, submits, edits, cancels and clears one response to a form, over and over; its two answers go together. */
export function respondent(formId: string, questionIds: readonly string[]): Worker {
  const known: State = { progress: 'DRAFT', words: [null, null] };
  const memory: Memory = { formId, questionIds, responseId: '', round: 0, known };
  return {
    work: async (client, fate) => {
      if (memory.responseId === '') {
        const started = await survived(fate, client.responses.startResponse({ params: { formId } }));
        if (!started) return;
        memory.responseId = started.body.id;
      }
      while (await goRound(client, fate, memory));
    },
    check: async (client) => {
      if (memory.responseId !== '') await checkResponse(client, memory);
    },
  };
}

/** Takes the response through its life once; false when the service died under it. */
async function goRound(client: Client, fate: Fate, memory: Memory): Promise<boolean> {
  memory.round += 1;
  for (const { leadsTo, request } of lifeOf(client, memory)) {
    memory.next = leadsTo;
    if ((await survived(fate, request())) === undefined) return false;
    memory.known = leadsTo;
    delete memory.next;
  }
  return true;
}

function lifeOf({ responses }: Client, { questionIds, responseId, round, known }: Memory): Step[] {
  const params = { responseId };
  const both = (word: string) => ({
    answers: questionIds.map((questionId) => ({ questionId, questionType: 'SHORT_TEXT' as const, value: word })),
  });
  const [one, two, three] = [`one ${round}`, `two ${round}`, `three ${round}`];
  const draft = (...words: (string | null)[]): State => ({ progress: 'DRAFT', words });
  const sent = (...words: (string | null)[]): State => ({ progress: 'SUBMITTED', words });
  const cancel = () => responses.cancelResponse({ params });
  const save = (word: string) => () => responses.updateAnswers({ params, body: both(word) });
  const submit = () => responses.submitResponse({ params, body: both(two) });
  const clear = () => responses.clearAnswer({ params: { responseId, questionId: questionIds[1] ?? '' } });
  const back = { leadsTo: draft(...known.words), request: cancel };
  return [
    ...(known.progress === 'SUBMITTED' ? [back] : []),
    { leadsTo: draft(one, one), request: save(one) },
    { leadsTo: sent(two, two), request: submit },
    { leadsTo: sent(three, three), request: save(three) },
    { leadsTo: draft(three, three), request: cancel },
    { leadsTo: draft(three, null), request: clear },
  ];
}

/** The response is as it was acknowledged, or as the request that was cut off would have made it; lists agree. */
async function checkResponse(client: Client, memory: Memory): Promise<void> {
  const { formId, questionIds, responseId, known } = memory;
  const { progress, sections } = (await client.responses.getResponse({ params: { formId, responseId } })).body;
  const details = sections
    .flatMap(({ answerDetails }) => answerDetails)
    .filter(({ question }) => questionIds.includes(question.id));
  const found: State = { progress, words: details.map(({ payload }) => payload?.displayValue ?? null) };
  expect([known, memory.next ?? known]).toContainEqual(found);
  const listed = (await client.responses.listResponses({ params: { formId }, query: { progress } })).body.responses;
  expect(listed.map(({ id }) => id)).toContain(responseId);
  memory.known = found;
  delete memory.next;
}

/** Starts one response after the other. */
export function starter(formId: string): Worker {
  const started = new Set<string>();
  let cutOff = 0;
  return {
    async work(client, fate) {
      for (;;) {
        const answer = await survived(fate, client.responses.startResponse({ params: { formId } }));
        if (!answer) break;
        started.add(answer.body.id);
      }
      cutOff += 1;
    },
    async check(client) {
      const found = await ownResponses(client, formId);
      expect([...started].filter((id) => !found.has(id))).toEqual([]);
      expect(found.size - started.size).toBeLessThanOrEqual(cutOff);
      for (const responseId of [...found].slice(0, 3)) {
        const { body } = await client.responses.getResponse({ params: { formId, responseId } });
        expect(body).toMatchObject({ id: responseId, progress: 'DRAFT' });
      }
    },
  };
}

async function ownResponses(client: Client, formId: string): Promise<Set<string>> {
  const found = new Set<string>();
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? {} : { cursor };
    const { responses, nextCursor } = (await client.responses.listMyResponses({ params: { formId }, query })).body;
    for (const { id } of responses) found.add(id);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}
