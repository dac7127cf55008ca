/** Workers of the crash test that answer a form: with texts, with files, and one that starts many responses. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Client, uploadFiles } from '#core/api/client.ts';
import { text } from '#test/support/responses.ts';
import { repeating, type Step, untilKilled, type Worker } from './worker.ts';

type State = { progress: 'DRAFT' | 'SUBMITTED'; texts: (string | null)[] };

/** Saves, submits, edits, cancels and clears one response over and over; its two answers are always sent together. */
export function respondent(formId: string, questionIds: readonly [string, string]): Worker {
  const stepsOf = (responseId: string, round: number, { progress, texts }: State): Step<State>[] => {
    const params = { responseId };
    const [one, two, three] = [`one ${round}`, `two ${round}`, `three ${round}`];
    const headers = { 'idempotency-key': randomUUID() };
    const both = (value: string) => ({ answers: questionIds.map((questionId) => text(questionId, value)) });
    const cancel: Step<State>['request'] = ({ responses }) => responses.cancelResponse({ params });
    const save = (value: string, progress: State['progress']): Step<State> => ({
      leadsTo: { progress, texts: [value, value] },
      request: ({ responses }) => responses.updateAnswers({ params, body: both(value) }),
    });
    return [
      ...(progress === 'SUBMITTED' ? [{ leadsTo: { progress: 'DRAFT' as const, texts }, request: cancel }] : []),
      save(one, 'DRAFT'),
      {
        leadsTo: { progress: 'SUBMITTED', texts: [two, two] },
        request: ({ responses }) => responses.submitResponse({ params, body: both(two), headers }),
      },
      save(three, 'SUBMITTED'),
      { leadsTo: { progress: 'DRAFT', texts: [three, three] }, request: cancel },
      {
        leadsTo: { progress: 'DRAFT', texts: [three, null] },
        request: ({ responses }) => responses.clearAnswer({ params: { responseId, questionId: questionIds[1] } }),
      },
    ];
  };
  const read = async (client: Client, responseId: string): Promise<State> => {
    const { progress, sections } = (await client.responses.getResponse({ params: { formId, responseId } })).body;
    const { responses } = (await client.responses.listResponses({ params: { formId }, query: { progress } })).body;
    expect(responses.map(({ id }) => id)).toContain(responseId);
    const details = sections.flatMap(({ answerDetails }) => answerDetails);
    const own = details.filter(({ question }) => questionIds.includes(question.id));
    return { progress, texts: own.map(({ payload }) => payload?.displayValue ?? null) };
  };
  return repeating<State>(formId, { progress: 'DRAFT', texts: [null, null] }, stepsOf, read);
}

/** The content of a file contains its name, so it identifies the file after a crash. */
const fileOf = (name: string): File => new File([`This is ${name}. `.repeat(500)], name, { type: 'text/plain' });

/** Uploads files, directly to storage and through the API in turn, and replaces and deletes them; the state: their names. */
export function uploader(formId: string, questionId: string): Worker {
  const stepsOf = (responseId: string, round: number): Step<string[]>[] => {
    const params = { responseId, questionId };
    const direct = [`one ${round}.txt`, `two ${round}.txt`];
    const small = `three ${round}.txt`;
    const form = new FormData();
    form.append('files', fileOf(small));
    return [
      { leadsTo: direct, request: (client) => uploadFiles(client, params, direct.map(fileOf)) },
      { leadsTo: [small], request: ({ files }) => files.uploadFiles({ params, form }) },
      { leadsTo: [], request: ({ files }) => files.clearFiles({ params }) },
    ];
  };
  /** Each file must be whole and in the list of files. */
  const read = async (client: Client, responseId: string): Promise<string[]> => {
    const found = await client.responses.getAnswer({ params: { responseId, questionId } }).catch(() => undefined);
    const value = found?.body.answer.answer.value ?? [];
    const files = Array.isArray(value) ? value.filter((each) => typeof each !== 'string') : [];
    for (const { fileId, originalFilename } of files) {
      const { headers } = await client.files.downloadFile({ params: { fileId } });
      const downloaded = await fetch(headers.get('location') ?? '');
      expect(await downloaded.text()).toBe(await fileOf(originalFilename).text());
    }
    const listed = (await client.files.listMyFiles()).body.map(({ id }) => id);
    expect(listed).toEqual(expect.arrayContaining(files.map(({ fileId }) => fileId)));
    return files.map(({ originalFilename }) => originalFilename);
  };
  return repeating<string[]>(formId, [], stepsOf, read);
}

/** Fewer than one person may have to a form. */
const MAX_STARTED = 80;

/** Starts one response after the other, each with an idempotency key; what is cut off is repeated with the same key. */
export function starter(formId: string): Worker {
  /** Response ids by key. */
  const started = new Map<string, string>();
  let key = randomUUID();
  const start = async ({ responses }: Client) => {
    const headers = { 'idempotency-key': key };
    const result = await responses.startResponse({ params: { formId }, headers });
    return { id: result.body.id, isReplayed: result.headers.has('idempotency-replayed') };
  };
  return {
    work: (client, run) =>
      untilKilled(
        async () => {
          started.set(key, (await run.attempt(start(client))).id);
          key = randomUUID();
        },
        () => started.size >= MAX_STARTED,
      ),
    async check(client) {
      started.set(key, (await start(client)).id);
      expect(await start(client)).toEqual({ id: started.get(key), isReplayed: true });
      key = randomUUID();
      const { body } = await client.responses.listMyResponses({ params: { formId }, query: { limit: 100 } });
      expect(body.nextCursor).toBeNull();
      expect(body.responses.map(({ id }) => id).sort()).toEqual([...started.values()].sort());
    },
  };
}
