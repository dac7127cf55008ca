/**
 * What tests of responses and exports share: one call for each thing a respondent does, forms that branch, a form with
 * a question of every type, responses that are stored without requests, and a clock that only tests move.
 */
import { afterAll, vi } from 'vitest';
import type * as z from 'zod';
import { idWithin } from '#core/db/keys.ts';
import { StorageBusy, type Write, WriteRefused } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { newResponse } from '#core/responses/edits.ts';
import type { AnswerInput, Response, ResponsePreview } from '#core/responses/model.ts';
import { createResponse } from '#core/responses/store.ts';
import type { QuestionDocument, QuestionInput, QuestionType } from '#core/structure/question-model.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { QUESTION_TYPES } from '#core/structure/types/traits.ts';
import { replaceStoredStructure } from './building.ts';
import { type Built, type Cast, newCast, newForm, type Person } from './fixtures.ts';

export const NOW = '2026-05-01T12:00:00.000Z';

/** Stops the clock of a test file at NOW and gives it a cast. Only `pass` moves it. */
export function castAt(now = NOW): Promise<Cast> {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
  afterAll(() => {
    vi.useRealTimers();
  });
  return newCast();
}

/** Moves the clock by some seconds and returns the new time. */
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
): Sent => ({ questionId, questionType, value, ...(otherText === undefined ? {} : { otherText }) });

/** An answer to a SHORT_TEXT question as it is sent. */
export const text = (questionId: string, value: string): Sent => sent(questionId, 'SHORT_TEXT', value);

type Headers = Record<string, string>;
const withHeaders = (headers: Headers | undefined) => (headers ? { headers } : {});

/** A draft with these answers; its id. */
export const start = async ({ client }: Person, formId: string, answers: Sent[] = []): Promise<string> =>
  (await client.responses.startResponse({ params: { formId }, body: { answers } })).body.id;

/** A submitted response with these answers; its id. */
export const respond = async ({ client }: Person, formId: string, answers: Sent[] = []): Promise<string> =>
  (await client.responses.startResponse({ params: { formId }, body: { answers, submit: true } })).body.id;

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

export const readTable = async ({ client }: Person, formId: string, questionIds: readonly string[]) =>
  (await client.exports.previewTable({ params: { formId }, body: { questionIds: [...questionIds] } })).body;

/** What a preview displays of each question, by its id; null without an answer. */
export const displays = ({ sections }: ResponsePreview): Record<string, string | null> =>
  Object.fromEntries(
    sections.flatMap(({ answerDetails }) =>
      answerDetails.map(({ question, payload }) => [question.id, payload?.displayValue ?? null]),
    ),
  );

/** The progress of each section of a preview, in its order. */
export const progresses = ({ sections }: ResponsePreview): string[] => sections.map(({ progress }) => progress);

type Form = Pick<Built, 'formId' | 'sectionIds'>;
export type Contents = Record<string, AnswerContent>;

/** A draft as requests would have stored it. */
export function draftOf({ formId }: Form, userId: string, at: string, contents: Contents = {}): Response {
  const answers = Object.entries(contents).map(([id, content]) => [id, { ...content, createdAt: at, updatedAt: at }]);
  return { ...newResponse(idWithin(formId, app().uuid()), formId, userId, at), answers: Object.fromEntries(answers) };
}

/** A response whose path is all sections of its form, as requests would have stored it. */
export const submissionOf = (form: Form, userId: string, at: string, contents?: Contents): Response => ({
  ...draftOf(form, userId, at, contents),
  progress: 'SUBMITTED',
  submittedAt: at,
  path: form.sectionIds,
});

/** Writes responses to the table, 100 in a transaction. */
export async function store(responses: readonly Response[]): Promise<void> {
  for (let index = 0; index < responses.length; index += 100) {
    await writeWhenFree(responses.slice(index, index + 100).map(createResponse));
  }
}

/** Writes as soon as storage is not too busy; a write that was refused after that had succeeded before. */
export async function writeWhenFree(writes: readonly Write[]): Promise<void> {
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      await app().table.write(writes);
      return;
    } catch (error) {
      if (isRepeated && error instanceof WriteRefused) return;
      if (!(error instanceof StorageBusy)) throw error;
    }
  }
}

type Kind = { type: QuestionType } & Partial<QuestionInput>;
type Branches = { first: Kind[]; yes: Kind[]; no: Kind[]; last?: Kind[] };
type Rule = { pattern: string; source?: 'CHOICE' | 'NON_CHOICE' };
/** The ids of a form that branches; `asked` is the first question of `first`, which decides the path. */
export type Branched = { formId: string; asked: string; sectionIds: string[] } & Record<keyof Branches, string[]>;

/** A published form START → first → (asked matches pattern?) → yes or no → last → END. */
export async function branchedForm(
  { person, slug }: { person: Person; slug: string },
  { first, yes, no, last = [] }: Branches,
  { pattern, source = 'NON_CHOICE' }: Rule = { pattern: '^yes' },
  options: Parameters<typeof newForm>[3] = {},
): Promise<Branched> {
  const { formId, questionIds, sectionIds } = await newForm(person, slug, [first, yes, no, last], options);
  const [firstId, nextTrue = '', nextFalse = '', lastId = ''] = sectionIds;
  const conditionId = idWithin(formId, app().uuid());
  const conditionRule = { source, question: questionIds[0] ?? '', pattern };
  const condition = {
    type: 'CONDITION' as const,
    label: 'New Condition',
    payload: {},
    conditionRule,
    nextTrue,
    nextFalse,
  };
  await replaceStoredStructure(formId, (structure) => {
    const nodes = structure.nodes.map((node) => {
      if (node.id === firstId) return { ...node, next: conditionId };
      return node.id === nextTrue ? { ...node, next: lastId } : node;
    });
    return { ...structure, nodes: [...nodes, { id: conditionId, ...condition }] };
  });
  const rest = [...questionIds];
  const ids = { first: rest.splice(0, first.length), yes: rest.splice(0, yes.length), no: rest.splice(0, no.length) };
  return { formId, sectionIds, asked: ids.first[0] ?? '', ...ids, last: rest };
}

/** The questions of a form as the API returns them, in its order. */
export const readQuestions = async ({ client }: Person, formId: string): Promise<QuestionDocument[]> =>
  (await client.sections.listSections({ params: { formId } })).body.flatMap(({ questions }) => questions ?? []);

/** A question of a form as the API returns it. */
export async function readQuestion(
  person: Person,
  formId: string,
  questionId: string | undefined,
): Promise<QuestionDocument> {
  const found = (await readQuestions(person, formId)).find(({ id }) => id === questionId);
  if (!found) throw new Error(`the form ${formId} has no question ${questionId}`);
  return found;
}

/** The id of the choice of a question that has this name. */
export function choice({ choices }: QuestionDocument, name: string): string {
  const found = choices?.find((each) => each.name === name);
  if (!found) throw new Error(`there is no choice ${name}`);
  return found.id;
}

/** Changes some members of a question. */
export async function editQuestion(
  { client }: Person,
  { id, sectionId, ...question }: QuestionDocument,
  change: Partial<QuestionInput>,
): Promise<QuestionDocument> {
  const params = { sectionId, questionId: id };
  return (await client.questions.updateQuestion({ params, body: { ...question, ...change } })).body;
}

export const CHOICES = [{ name: 'Red' }, { name: 'Blue' }, { name: 'Other', isOther: true }];
const DAY = { hasYear: true, hasMonth: true, hasDay: true };

const OPTIONS: Record<QuestionType, Omit<Kind, 'type'>> = {
  SHORT_TEXT: {},
  LONG_TEXT: {},
  SINGLE_CHOICE: { choices: CHOICES },
  MULTIPLE_CHOICE: { choices: CHOICES },
  DROPDOWN: { choices: CHOICES },
  DETAILED_MULTIPLE_CHOICE: { choices: CHOICES },
  DATE: { date: DAY },
  UPLOAD_FILE: { uploadFile: { allowedFileTypes: ['PDF'], maxFileAmount: 2, maxFileSizeLimit: 1_000 } },
  LINEAR_SCALE: { scale: { minVal: 1, maxVal: 10 } },
  RATING: { scale: { minVal: 1, maxVal: 5, icon: 'star' } },
  RANKING: { choices: CHOICES },
  OAUTH_CONNECT: { oauthConnect: 'PROVIDER_ONE' },
  HYPERLINK: {},
};

/** One question of each type, in the order of `QUESTION_TYPES`; choice questions offer Red, Blue and Other. */
export const EVERY_TYPE: Kind[] = QUESTION_TYPES.map((type) => ({ type, ...OPTIONS[type] }));

export type EveryType = Built & { byType: Record<QuestionType, QuestionDocument> };

/** A published form with one section that has a question of each type. */
export async function everyTypeForm(person: Person, slug: string): Promise<EveryType> {
  const built = await newForm(person, slug, [EVERY_TYPE]);
  const views = await readQuestions(person, built.formId);
  const byType = Object.fromEntries(views.map((view) => [view.type, view])) as Record<QuestionType, QuestionDocument>;
  return { ...built, byType };
}
