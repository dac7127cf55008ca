/**
 * Any form that branches and a simple model of its responses, for property tests: a form is a list of sections, each
 * leading to a later one or by a condition to one of two; an answer is `a` or `b`. The model knows nothing of the code.
 */
import fc from 'fast-check';
import { Problem } from '#core/problems/problems.ts';
import type { AnswerInput, AnswerValue, Response } from '#core/responses/model.ts';
import type { Structure } from '#core/structure/structure.ts';
import { condition, form, id, question, section } from '#test/support/workflow.ts';

/** A question's place: its section and its position there. */
export type Place = [section: number, position: number];
export type AnyQuestion = { required: boolean; choice: boolean };
type Then = { to: number } | { asks: Place; is: string; yes: number; no: number };
/** A form of sections 0…n-1, of which 0 comes first and n is END. */
export type AnyForm = { questions: AnyQuestion[]; then: Then }[];

const PER_SECTION = 2;
const letter = fc.constantFrom('a', 'b');

/** Forms of two to four sections with two questions each; links lead forward only, and may pass sections by. */
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
const asked = (any: AnyForm, [at, position]: Place): AnyQuestion =>
  any[at]?.questions[position] ?? { required: false, choice: false };
const choiceId = (name: string, value: string): string => id(name + (value === 'a' ? 1 : 2));

/** The places of all questions of a form. */
export const places = (any: AnyForm): Place[] =>
  any.flatMap(({ questions }, at) => questions.map((_, position): Place => [at, position]));

/** The structure that the service would keep of a form. */
export function structureOf(any: AnyForm): Structure {
  const parts = any.flatMap(({ questions, then }, at) => {
    const made = questions.map(({ required, choice }, position) =>
      question(nameOf([at, position]), choice ? 'SINGLE_CHOICE' : 'SHORT_TEXT', { required }),
    );
    if ('to' in then) return [section(`s${at}`, sectionName(any, then.to), made)];
    const name = nameOf(then.asks);
    const { choice } = asked(any, then.asks);
    const rule = choice
      ? { asks: name, source: 'CHOICE' as const, pattern: choiceId(name, then.is) }
      : { asks: name, pattern: `^${then.is}$` };
    const [yes, no] = [sectionName(any, then.yes), sectionName(any, then.no)];
    return [section(`s${at}`, `c${at}`, made), condition(`c${at}`, rule, yes, no)];
  });
  return form('s0', parts);
}

/** What is answered: `a` or `b` by the name of the question. */
export type Given = Record<string, string>;
/** One answer of a request; '' clears a text, and stands for `a` where there is a choice. */
export type Sending = { place: Place; value: string };

/** Requests that answer some questions of a form, each once. */
export const anySending = (any: AnyForm): fc.Arbitrary<Sending[]> =>
  fc
    .uniqueArray(fc.record({ place: fc.constantFrom(...places(any)), value: fc.constantFrom('a', 'b', '') }), {
      selector: ({ place }) => nameOf(place),
      minLength: 1,
      maxLength: 3,
    })
    .map((all) => all.map((one) => (one.value === '' && asked(any, one.place).choice ? { ...one, value: 'a' } : one)));

/** An answer as it is sent to the service. */
export function inputOf(any: AnyForm, { place, value }: Sending): AnswerInput {
  const name = nameOf(place);
  return asked(any, place).choice
    ? { questionId: id(name), questionType: 'SINGLE_CHOICE', value: [choiceId(name, value)] }
    : { questionId: id(name), questionType: 'SHORT_TEXT', value };
}

/** What a response answers, in the words of the model. */
export const givenOf = (any: AnyForm, response: Response): Given =>
  Object.fromEntries(
    places(any).flatMap((place) => {
      const answer = response.answers[id(nameOf(place))];
      return answer ? [[nameOf(place), wordOf(nameOf(place), answer.value)]] : [];
    }),
  );

const wordOf = (name: string, value: AnswerValue): string => {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value[0] === choiceId(name, 'a') ? 'a' : 'b';
};

/** The way of some answers through a form: its sections in order, and whether it comes to the end. */
export function wayOf(any: AnyForm, given: Given): { sections: number[]; ended: boolean } {
  const sections: number[] = [];
  let at = 0;
  while (at < any.length) {
    sections.push(at);
    const then = any[at]?.then ?? { to: any.length };
    if ('to' in then) at = then.to;
    else if (!sections.includes(then.asks[0])) at = then.no;
    else {
      const answer = given[nameOf(then.asks)];
      if (answer === undefined) return { sections, ended: false };
      at = answer === then.is ? then.yes : then.no;
    }
  }
  return { sections, ended: true };
}

/** Whether these answers may be submitted. */
export function isComplete(any: AnyForm, given: Given): boolean {
  const { sections, ended } = wayOf(any, given);
  const missing = places(any).some(
    (place) => sections.includes(place[0]) && asked(any, place).required && given[nameOf(place)] === undefined,
  );
  return ended && !missing;
}

/** The progress of each section as a preview shows it: those on the way in its order, then the others SKIPPED. */
export function progressesOf(any: AnyForm, given: Given, submitted: boolean): string[] {
  const { sections } = wayOf(any, given);
  const progress = (at: number): string => {
    const questions = any[at]?.questions ?? [];
    const answered = questions.map((_, position) => given[nameOf([at, position])] !== undefined);
    if (submitted) return 'COMPLETED';
    if (!answered.some(Boolean)) return 'NOT_STARTED';
    return questions.every(({ required }, position) => !required || answered[position]) ? 'COMPLETED' : 'DRAFT';
  };
  return [...sections.map(progress), ...any.slice(sections.length).map(() => 'SKIPPED')];
}

/** What a rule answers, or the status of the problem that it throws. */
export function outcomeOf<T>(rule: () => T): { value: T } | { status: Problem['status']; errors: Problem['errors'] } {
  try {
    return { value: rule() };
  } catch (error) {
    if (error instanceof Problem) return { status: error.status, errors: error.errors };
    throw error;
  }
}
