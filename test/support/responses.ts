/**
 * What tests of responses and exports share: one-line verbs for what a respondent does, forms that branch, a form with
 * every type that can be answered by saving, and a clock that only moves when a test moves it.
 */
import { afterAll, beforeAll, vi } from 'vitest';
import type * as z from 'zod';
import { app } from '#core/http/app.ts';
import type { AnswerInput, Response, ResponsePreview } from '#core/responses/model.ts';
import { createResponse } from '#core/responses/store.ts';
import type { QuestionInput, QuestionType, QuestionView } from '#core/structure/question-model.ts';
import { type Built, type Cast, newCast, newForm, type Person } from '#test/support/world.ts';

export const NOW = '2026-05-01T12:00:00.000Z';

/** Stops the clock of a test file at NOW and gives it a cast. Time passes through `pass` alone. */
export function castAt(now = NOW): () => Cast {
  let cast: Cast | undefined;
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
    cast = await newCast();
  });
  afterAll(() => {
    vi.useRealTimers();
  });
  return () => {
    if (!cast) throw new Error('the cast is there once the tests run');
    return cast;
  };
}

/** Lets time pass, and answers what the clock says then. */
export function pass(seconds: number): string {
  vi.setSystemTime(Date.now() + seconds * 1_000);
  return new Date().toISOString();
}

export type Sent = z.input<ReturnType<typeof AnswerInput>>;

/** An answer as it is sent. */
export const sent = (
  questionId: string,
  questionType: QuestionType,
  value: Sent['value'],
  otherText?: string,
): Sent => ({
  questionId,
  questionType,
  value,
  ...(otherText === undefined ? {} : { otherText }),
});

/** An answer to a SHORT_TEXT question as it is sent. */
export const text = (questionId: string, value: string): Sent => sent(questionId, 'SHORT_TEXT', value);

type Headers = Record<string, string>;
const withHeaders = (headers: Headers | undefined) => (headers ? { headers } : {});

export const start = async ({ client }: Person, formId: string): Promise<string> =>
  (await client.responses.startResponse({ params: { formId } })).body.id;

export const save = ({ client }: Person, responseId: string, answers: Sent[], headers?: Headers) =>
  client.responses.updateAnswers({ params: { responseId }, body: { answers }, ...withHeaders(headers) });

export const submit = ({ client }: Person, responseId: string, answers: Sent[] = [], headers?: Headers) =>
  client.responses.submitResponse({ params: { responseId }, body: { answers }, ...withHeaders(headers) });

export const cancel = ({ client }: Person, responseId: string, headers?: Headers) =>
  client.responses.cancelResponse({ params: { responseId }, ...withHeaders(headers) });

export const clear = ({ client }: Person, responseId: string, questionId: string, headers?: Headers) =>
  client.responses.clearAnswer({ params: { responseId, questionId }, ...withHeaders(headers) });

export const answerTo = async ({ client }: Person, responseId: string, questionId: string) =>
  (await client.responses.getAnswer({ params: { responseId, questionId } })).body.answer;

export const preview = async ({ client }: Person, formId: string, responseId: string): Promise<ResponsePreview> =>
  (await client.responses.getResponse({ params: { formId, responseId } })).body;

export const tableOf = async ({ client }: Person, formId: string, questionIds: readonly string[]) =>
  (await client.exports.previewTable({ params: { formId }, body: { questionIds: [...questionIds] } })).body;

/** Starts a response, submits these answers, and answers its id. */
export async function respond(person: Person, formId: string, answers: Sent[]): Promise<string> {
  const responseId = await start(person, formId);
  await submit(person, responseId, answers);
  return responseId;
}

/** What a preview says of each question, by its id: what is displayed, or null. */
export const displays = ({ sections }: ResponsePreview): Record<string, string | null> =>
  Object.fromEntries(
    sections.flatMap(({ answerDetails }) =>
      answerDetails.map(({ question, payload }) => [question.id, payload?.displayValue ?? null]),
    ),
  );

/** The progress of each section of a preview, in its order. */
export const progresses = ({ sections }: ResponsePreview): string[] => sections.map(({ progress }) => progress);

/** Puts responses into the table at once, 100 in a write, as so many requests would have made them. */
export async function store(responses: readonly Response[]): Promise<void> {
  for (let index = 0; index < responses.length; index += 100) {
    await app().table.write(responses.slice(index, index + 100).map(createResponse));
  }
}

type Kind = { type: QuestionType } & Partial<QuestionInput>;
type Branches = { first: Kind[]; yes: Kind[]; no: Kind[]; last?: Kind[] };
type Rule = { pattern: string; source?: 'CHOICE' | 'NON_CHOICE' };
/** The ids of a form that branches; `asked` is the first question of `first`, by which the way is chosen. */
export type Branched = { formId: string; asked: string; sectionIds: string[] } & Record<keyof Branches, string[]>;

/** A published form START → first → (asked matches pattern?) → yes or no → last → END. */
export async function branchedForm(
  { person, slug }: { person: Person; slug: string },
  { first, yes, no, last = [] }: Branches,
  { pattern, source = 'NON_CHOICE' }: Rule = { pattern: '^yes' },
  options: Parameters<typeof newForm>[3] = {},
): Promise<Branched> {
  const built = await newForm(person, slug, [first, yes, no, last], { ...options, publish: false });
  const { formId, questionIds, sectionIds } = built;
  const condition = await person.client.workflow.createNode({
    params: { formId },
    body: { type: 'CONDITION', payload: {} },
  });
  const [firstId = '', yesId = '', noId = '', lastId = ''] = sectionIds;
  const rule = { source, question: questionIds[0] ?? '', pattern };
  const links: Record<string, object> = {
    [firstId]: { next: condition.body.id },
    [yesId]: { next: lastId },
    [noId]: { next: lastId },
    [condition.body.id]: { conditionRule: rule, nextTrue: yesId, nextFalse: noId },
  };
  const { workflow: nodes } = (await person.client.workflow.getWorkflow({ params: { formId } })).body;
  const body = nodes.map(({ type: _, ...node }) => ({ ...node, ...links[node.id] }));
  await person.client.workflow.updateWorkflow({ params: { formId }, body });
  if (options.publish !== false) await person.client.forms.publishForm({ params: { formId } });
  const rest = [...questionIds];
  const ids = { first: rest.splice(0, first.length), yes: rest.splice(0, yes.length), no: rest.splice(0, no.length) };
  return { formId, sectionIds, asked: ids.first[0] ?? '', ...ids, last: rest };
}

/** The questions of a form as they are shown, in its order. */
export const questionsOf = async ({ client }: Person, formId: string): Promise<QuestionView[]> =>
  (await client.sections.listSections({ params: { formId } })).body.flatMap(({ questions }) => questions ?? []);

/** A question of a form as it is shown. */
export async function questionOf(
  person: Person,
  formId: string,
  questionId: string | undefined,
): Promise<QuestionView> {
  const found = (await questionsOf(person, formId)).find(({ id }) => id === questionId);
  if (!found) throw new Error(`the form ${formId} shows no question ${questionId}`);
  return found;
}

/** The id of the choice of a question that has this name. */
export function choice({ choices }: QuestionView, name: string): string {
  const found = choices?.find((each) => each.name === name);
  if (!found) throw new Error(`there is no choice ${name}`);
  return found.id;
}

/** Changes a question, all else of it as it is. */
export async function editQuestion(
  { client }: Person,
  { id, sectionId, ...question }: QuestionView,
  change: Partial<QuestionInput>,
): Promise<QuestionView> {
  const params = { sectionId, questionId: id };
  return (await client.questions.updateQuestion({ params, body: { ...question, ...change } })).body;
}

export const CHOICES = [{ name: 'Red' }, { name: 'Blue' }, { name: 'Other', isOther: true }];
const DAY = { hasYear: true, hasMonth: true, hasDay: true };

/** One question of each type, in the order of `QUESTION_TYPES`; choice questions offer Red, Blue and Other. */
export const EVERY_TYPE: Kind[] = [
  { type: 'SHORT_TEXT' },
  { type: 'LONG_TEXT' },
  { type: 'SINGLE_CHOICE', choices: CHOICES },
  { type: 'MULTIPLE_CHOICE', choices: CHOICES },
  { type: 'DROPDOWN', choices: CHOICES },
  { type: 'DETAILED_MULTIPLE_CHOICE', choices: CHOICES },
  { type: 'DATE', date: DAY },
  { type: 'UPLOAD_FILE', uploadFile: { allowedFileTypes: ['PDF'], maxFileAmount: 2, maxFileSizeLimit: 1_000 } },
  { type: 'LINEAR_SCALE', scale: { minVal: 1, maxVal: 10 } },
  { type: 'RATING', scale: { minVal: 1, maxVal: 5, icon: 'star' } },
  { type: 'RANKING', choices: CHOICES },
  { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' },
  { type: 'HYPERLINK' },
];

export type EveryType = Built & { byType: Record<QuestionType, QuestionView> };

/** A published form with one section that holds a question of each type. */
export async function everyTypeForm(person: Person, slug: string): Promise<EveryType> {
  const built = await newForm(person, slug, [EVERY_TYPE]);
  const views = await questionsOf(person, built.formId);
  const byType = Object.fromEntries(views.map((view) => [view.type, view])) as Record<QuestionType, QuestionView>;
  return { ...built, byType };
}
