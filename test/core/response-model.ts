/**
 * Random forms that branch and a simple model of their responses, for property tests: a form is a list of sections, each
 * leading to a later one or by a condition to one of two; an answer is `a` or `b`. The model is independent of the code.
 */
import fc from 'fast-check';
import type { Gate } from '#core/forms/gate.ts';
import type { AnswerInput, Response } from '#core/responses/model.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { AnswerValue } from '#core/structure/types/content.ts';
import { condition, form, id, outcomeOf, question, section } from '#test/support/workflow.ts';

/** A question's place: its section and its position there. */
export type Place = [section: number, position: number];
export type AnyQuestion = { required: boolean; choice: boolean };
type Then = { to: number } | { asks: Place; is: string; yes: number; no: number };
/** A form of sections 0…n-1, of which 0 comes first and n is END. */
export type AnyForm = { questions: AnyQuestion[]; then: Then }[];

const PER_SECTION = 2;
const letter = fc.constantFrom('a', 'b');

/** Forms of two to four sections with two questions each; links lead forward only, and may skip sections. */
export const anyForm: fc.Arbitrary<AnyForm> = fc.integer({ min: 2, max: 4 }).chain((count) =>
  fc.tuple(
    ...Array.from({ length: count }, (_, at) => {
      const later = fc.integer({ min: at + 1, max: count });
      const asks = fc.tuple(fc.integer({ min: 0, max: at }), fc.nat(PER_SECTION - 1));
      const then: fc.Arbitrary<Then> = fc.oneof(
        { weight: 1, arbitrary: fc.record({ to: later }) },
        { weight: 3, arbitrary: fc.record({ asks, is: letter, yes: later, no: later }) },
      );
      const questions = fc.array(fc.record({ required: fc.boolean(), choice: fc.boolean() }), {
        minLength: PER_SECTION,
        maxLength: PER_SECTION,
      });
      return fc.record({ questions, then });
    }),
  ),
);

export const nameOf = ([at, position]: Place): string => `q${at}${position}`;
const sectionName = (any: AnyForm, at: number): string => (at === any.length ? 'end' : `s${at}`);
const questionAt = (any: AnyForm, [at, position]: Place): AnyQuestion =>
  any[at]?.questions[position] ?? { required: false, choice: false };
const choiceId = (name: string, value: string): string => id(name + (value === 'a' ? 1 : 2));

/** The places of all questions of a form. */
export const places = (any: AnyForm): Place[] =>
  any.flatMap(({ questions }, at) => questions.map((_, position): Place => [at, position]));

/** The stored structure of a form. */
export function structureOf(any: AnyForm): Structure {
  const parts = any.flatMap(({ questions, then }, at) => {
    const made = questions.map(({ required, choice }, position) =>
      question(nameOf([at, position]), choice ? 'SINGLE_CHOICE' : 'SHORT_TEXT', { required }),
    );
    if ('to' in then) return [section(`s${at}`, sectionName(any, then.to), made)];
    const name = nameOf(then.asks);
    const { choice } = questionAt(any, then.asks);
    const rule = choice
      ? { asks: name, source: 'CHOICE' as const, pattern: choiceId(name, then.is) }
      : { asks: name, pattern: `^${then.is}$` };
    const [yes, no] = [sectionName(any, then.yes), sectionName(any, then.no)];
    return [section(`s${at}`, `c${at}`, made), condition(`c${at}`, rule, yes, no)];
  });
  return form('s0', parts);
}

/** The answers of a response as the model knows them: `a` or `b` by the name of the question. */
export type Given = Record<string, string>;
/** One answer of a request; '' clears a text. */
export type Input = { place: Place; value: string };

/** Requests that answer some questions of a form, each once. */
export const anyInputs = (any: AnyForm): fc.Arbitrary<Input[]> =>
  fc
    .uniqueArray(fc.record({ place: fc.constantFrom(...places(any)), value: fc.constantFrom('a', 'b', '') }), {
      selector: ({ place }) => nameOf(place),
      minLength: 1,
      maxLength: 3,
    })
    .map((all) =>
      all.map((one) => (one.value === '' && questionAt(any, one.place).choice ? { ...one, value: 'a' } : one)),
    );

/** An answer as it is sent to the service. */
export function inputOf(any: AnyForm, { place, value }: Input): AnswerInput {
  const name = nameOf(place);
  return questionAt(any, place).choice
    ? { questionId: id(name), questionType: 'SINGLE_CHOICE', value: [choiceId(name, value)] }
    : { questionId: id(name), questionType: 'SHORT_TEXT', value };
}

/** The answers of a response as the model knows them. */
export const givenOf = (any: AnyForm, response: Response): Given =>
  Object.fromEntries(
    places(any).flatMap((place) => {
      const answer = response.answers[id(nameOf(place))];
      return answer ? [[nameOf(place), letterOf(nameOf(place), answer.value)]] : [];
    }),
  );

const letterOf = (name: string, value: AnswerValue): string => {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value[0] === choiceId(name, 'a') ? 'a' : 'b';
};

/**
 * The path of some answers through a form: its sections in order, and whether it reaches END. A question that was left empty
 * is neither `a` nor `b` where it is optional; `stopsAtEmpty`: the path stops there all the same, as a preview shows it.
 */
export function pathOf(any: AnyForm, given: Given, stopsAtEmpty = false): { sections: number[]; ended: boolean } {
  const sections: number[] = [];
  let at = 0;
  while (at < any.length) {
    sections.push(at);
    const then = any[at]?.then ?? { to: any.length };
    if ('to' in then) at = then.to;
    else if (!sections.includes(then.asks[0])) at = then.no;
    else {
      const answer = given[nameOf(then.asks)];
      if (answer === undefined && (stopsAtEmpty || questionAt(any, then.asks).required))
        return { sections, ended: false };
      at = answer === then.is ? then.yes : then.no;
    }
  }
  return { sections, ended: true };
}

/** Whether these answers may be submitted. */
export function isComplete(any: AnyForm, given: Given): boolean {
  const { sections, ended } = pathOf(any, given);
  const missing = places(any).some(
    (place) => sections.includes(place[0]) && questionAt(any, place).required && given[nameOf(place)] === undefined,
  );
  return ended && !missing;
}

/** The progress of each section as a preview shows it: those on the path in its order, then the others SKIPPED. */
export function progressesOf(any: AnyForm, given: Given, submitted: boolean): string[] {
  const { sections } = pathOf(any, given, !submitted);
  const progress = (at: number): string => {
    const questions = any[at]?.questions ?? [];
    const answered = questions.map((_, position) => given[nameOf([at, position])] !== undefined);
    if (submitted) return 'COMPLETED';
    if (!answered.some(Boolean)) return 'NOT_STARTED';
    return questions.every(({ required }, position) => !required || answered[position]) ? 'COMPLETED' : 'DRAFT';
  };
  return [...sections.map(progress), ...any.slice(sections.length).map(() => 'SKIPPED')];
}

/** The gate of a form that accepts everything. */
export const openGate: Gate = {
  formId: id('form'),
  orgId: id('org'),
  creatorId: id('user'),
  title: 'Spring survey',
  status: 'PUBLISHED',
  visibility: 'PUBLIC',
  audience: 'ACCOUNT',
  oncePerPerson: false,
  noticesWithAnswers: false,
  maxResponses: null,
  retentionDays: null,
  draftDays: null,
  allowEditResponse: true,
  publishTime: null,
  deadline: null,
  sendResponseEmail: false,
  spreadsheetId: null,
  dressing: {},
  layout: 'SECTIONS',
  structureVersion: 1,
};

/** The pointers of the problem with which a rule refuses. Throws when it does not. */
export const pointersOf = (rule: () => unknown): string[] => {
  const outcome = outcomeOf(rule);
  if ('value' in outcome) throw new Error(`nothing was refused: ${JSON.stringify(outcome.value)}`);
  return outcome.errors.map(({ pointer }) => pointer);
};

/** An answer to a SHORT_TEXT question, by the name of the question. */
export const text = (name: string, value: string): AnswerInput => ({
  questionId: id(name),
  questionType: 'SHORT_TEXT',
  value,
});

/** An answer that selects choices, by the names of the question and the choices. */
export const chosen = (name: string, type: AnswerInput['questionType'], ...choices: string[]): AnswerInput => ({
  questionId: id(name),
  questionType: type,
  value: choices.map(id),
});
