/** Laws of responses that hold for any form and any answers; the model is in `test/support`. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerLookup, countedAnswers, requireComplete } from '#core/responses/answers.ts';
import { allowedEdit, type OpenedResponse } from '#core/responses/change.ts';
import {
  cancel,
  clearAnswer,
  newResponse,
  saveAnswers,
  saveValidAnswers,
  submit,
  submitAnswers,
} from '#core/responses/edits.ts';
import type { Response } from '#core/responses/model.ts';
import { buildPreview } from '#core/responses/preview.ts';
import { walk } from '#core/structure/path.ts';
import type { Structure } from '#core/structure/structure.ts';
import { id, NOW, outcomeOf } from '#test/support/workflow.ts';
import {
  type AnyForm,
  anyForm,
  anyInputs,
  type Given,
  givenOf,
  type Input,
  inputOf,
  isComplete,
  nameOf,
  openGate,
  type Place,
  pathOf,
  places,
  progressesOf,
  structureOf,
} from './response-model.ts';

/** A rule of a response, as the operations have them. */
type Decide = (current: OpenedResponse, now: string) => Response;

const empty = (): Response => newResponse(id('r'), id('form'), id('user'), NOW);
const savedBy = (any: AnyForm, structure: Structure, response: Response, inputs: readonly Input[], now = NOW) =>
  saveAnswers(
    { response, structure },
    inputs.map((one) => inputOf(any, one)),
    now,
  );
const previewed = (response: Response, structure: Structure) => buildPreview({ response, structure }, undefined);
const submitted = (response: Response, structure: Structure) =>
  outcomeOf(() => requireComplete({ response: submit(response, NOW), structure }));

/** A form and a response to it, made by saving answer after answer; refused answers are left out. */
const anyResponse = anyForm
  .chain((any) => fc.tuple(fc.constant(any), fc.array(anyInputs(any), { minLength: 10, maxLength: 20 })))
  .map(([any, requests]) => {
    const structure = structureOf(any);
    const response = requests.flat().reduce((before, one) => {
      const outcome = outcomeOf(() => savedBy(any, structure, before, [one]));
      return 'value' in outcome ? outcome.value : before;
    }, empty());
    return { any, structure, response, given: givenOf(any, response) };
  });

const sectionIds = (sections: readonly number[]): string[] => sections.map((at) => id(`s${at}`));

describe('any workflow and any answers give one path:', () => {
  test('the one that the answers choose, each section at most once', () => {
    fc.assert(
      fc.property(anyResponse, ({ any, structure, response, given }) => {
        const path = walk(structure, answerLookup(response.answers));
        const expected = pathOf(any, given);
        expect(path).toMatchObject({ sections: sectionIds(expected.sections), complete: expected.ended });
        expect(new Set(path.sections).size).toBe(path.sections.length);
      }),
    );
  });

  test('whatever the order in which nodes, sections and answers are stored', () => {
    fc.assert(
      fc.property(anyResponse, ({ structure, response }) => {
        const { nodes, sections } = structure;
        const turned = { ...structure, nodes: nodes.toReversed(), sections: sections.toReversed() };
        const answers = Object.fromEntries(Object.entries(response.answers).toReversed());
        const path = walk(structure, answerLookup(response.answers));
        expect(walk(turned, answerLookup(answers))).toEqual(path);
      }),
    );
  });

  test('and preview, table, save and submit all follow it', () => {
    fc.assert(
      fc.property(anyResponse, ({ any, structure, response, given }) => {
        const { sections } = pathOf(any, given);
        const shown = previewed(response, structure).sections;
        const known = pathOf(any, given, true).sections;
        expect(shown.slice(0, known.length).map((each) => each.id)).toEqual(sectionIds(known));
        expect(shown.map((each) => each.progress)).toEqual(progressesOf(any, given, false));
        const counted = countedAnswers({ response, structure });
        for (const place of places(any)) {
          const reached = sections.includes(place[0]);
          const name = nameOf(place);
          expect(counted(id(name)) !== undefined).toBe(reached && given[name] !== undefined);
        }
        expect('value' in submitted(response, structure)).toBe(isComplete(any, given));
      }),
    );
  });
});

test('the random responses do change their path: many keep answers off it', () => {
  const kept = fc.sample(anyResponse, { numRuns: 100, seed: 1 }).filter(({ any, given }) => {
    const { sections } = pathOf(any, given);
    return places(any).some((place) => !sections.includes(place[0]) && given[nameOf(place)] !== undefined);
  });
  expect(kept.length).toBeGreaterThan(10);
});

test('going back and changing an answer equals answering afresh', () => {
  fc.assert(
    fc.property(anyResponse, fc.func(fc.nat()), ({ any, structure, response, given }, order) => {
      const { sections } = pathOf(any, given);
      const counting = places(any).filter((place) => sections.includes(place[0]) && given[nameOf(place)] !== undefined);
      const inputs = counting
        .map((place) => ({ place, value: given[nameOf(place)] ?? '' }))
        .toSorted((a, b) => order(nameOf(a.place)) - order(nameOf(b.place)));
      const afresh = savedBy(any, structure, empty(), inputs);
      const counted = Object.entries(response.answers).filter(([questionId]) =>
        countedAnswers({ response, structure })(questionId),
      );
      expect(afresh.answers).toEqual(Object.fromEntries(counted));
      expect(withoutSkipped(previewed(afresh, structure))).toEqual(withoutSkipped(previewed(response, structure)));
      const pathOrFaults = (outcome: ReturnType<typeof submitted>) =>
        'value' in outcome ? outcome.value.path : outcome.errors;
      expect(pathOrFaults(submitted(response, structure))).toEqual(pathOrFaults(submitted(afresh, structure)));
    }),
  );
});

/** A preview without the answers that are kept in SKIPPED sections. */
const withoutSkipped = (preview: ReturnType<typeof buildPreview>): ReturnType<typeof buildPreview> => ({
  ...preview,
  sections: preview.sections.map((section) =>
    section.progress === 'SKIPPED'
      ? { ...section, answerDetails: section.answerDetails.map((detail) => ({ ...detail, payload: null })) }
      : section,
  ),
});

type Action = { kind: 'save' | 'submit'; inputs: Input[] } | { kind: 'clear'; place: Place } | { kind: 'cancel' };

/** A response as the model knows it. */
type State = { given: Given; times: Given; submittedAt: string | null };

/** What an action should make of a response: its next state, or the status of the refusal. */
function expected(any: AnyForm, state: State, action: Action, { now, mayEdit }: { now: string; mayEdit: boolean }) {
  if (action.kind === 'cancel') return state.submittedAt === null ? 400 : { ...state, submittedAt: null };
  const after = applied(state, action.kind === 'clear' ? [{ place: action.place, value: '' }] : action.inputs, now);
  const changed = JSON.stringify(after) !== JSON.stringify(state);
  if (action.kind === 'submit' && state.submittedAt !== null && !changed) return state;
  if (action.kind === 'save' && state.submittedAt !== null && !changed) return state;
  const { sections } = pathOf(any, after.given);
  const offPath = ({ place }: Input) => !sections.includes(place[0]) && after.given[nameOf(place)] !== undefined;
  if (action.kind !== 'clear' && action.inputs.some(offPath)) return 400;
  if (state.submittedAt !== null) {
    if (!changed) return state;
    if (!mayEdit) return 403;
    return isComplete(any, after.given) ? after : 400;
  }
  if (action.kind !== 'submit') return after;
  return isComplete(any, after.given) ? { ...after, submittedAt: now } : 400;
}

function applied(state: State, inputs: readonly Input[], now: string): State {
  const [given, times] = [{ ...state.given }, { ...state.times }];
  for (const { place, value } of inputs) {
    const name = nameOf(place);
    if (given[name] !== value) times[name] = now;
    given[name] = value;
    if (value !== '') continue;
    delete given[name];
    delete times[name];
  }
  return { ...state, given, times };
}

/** The change that an operation decides. */
function decisionOf(any: AnyForm, action: Action): Decide {
  if (action.kind === 'cancel') return ({ response }, now) => cancel(response, now);
  if (action.kind === 'clear') return (current, now) => clearAnswer(current, id(nameOf(action.place)), now);
  const inputs = action.inputs.map((one) => inputOf(any, one));
  return (current, now) => {
    return action.kind === 'submit' ? submitAnswers(current, inputs, now) : saveAnswers(current, inputs, now);
  };
}

const anyActions = (any: AnyForm): fc.Arbitrary<Action[]> =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('save' as const), inputs: anyInputs(any) }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('submit' as const), inputs: anyInputs(any) }) },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('clear' as const), place: fc.constantFrom(...places(any)) }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
    ),
    { maxLength: 14 },
  );

/** A response as the model knows it, with the times of its answers. */
const stateOf = (any: AnyForm, response: Response): State => ({
  given: givenOf(any, response),
  times: Object.fromEntries(
    places(any).flatMap((place) => {
      const answer = response.answers[id(nameOf(place))];
      return answer ? [[nameOf(place), answer.updatedAt]] : [];
    }),
  ),
  submittedAt: response.submittedAt,
});

test('of several answers the valid ones are saved as if the others had not been sent', () => {
  const requests = anyForm.chain((any) => fc.tuple(fc.constant(any), anyInputs(any), anyInputs(any)));
  fc.assert(
    fc.property(requests, ([any, first, second]) => {
      const structure = structureOf(any);
      const send = (inputs: readonly Input[]) => inputs.map((input) => inputOf(any, input));
      const before = saveValidAnswers({ response: empty(), structure }, send(first), NOW).response;
      const { response, faultsByQuestion } = saveValidAnswers({ response: before, structure }, send(second), NOW);
      const valid = send(second).filter(({ questionId }) => !faultsByQuestion.has(questionId));
      expect(saveAnswers({ response: before, structure }, valid, NOW)).toEqual(response);
    }),
  );
});

test('any sequence of save, submit, cancel and clear does what a simple model does', () => {
  const runs = anyForm.chain((any) => fc.tuple(fc.constant(any), anyActions(any), fc.boolean()));
  fc.assert(
    fc.property(runs, ([any, actions, mayEdit]) => {
      const structure = structureOf(any);
      let response = empty();
      let state: State = { given: {}, times: {}, submittedAt: null };
      actions.forEach((action, index) => {
        const clock = { now: new Date(Date.parse(NOW) + (index + 1) * 1_000).toISOString(), mayEdit };
        const before = structuredClone(response);
        const gate = { ...openGate, allowEditResponse: mayEdit };
        const current = { response, structure, gate, answered: new Set<string>() };
        const outcome = outcomeOf(
          () =>
            allowedEdit(current, (opened, now) => ({ next: decisionOf(any, action)(opened, now) }), new Date(clock.now))
              .next,
        );
        const next = expected(any, state, action, clock);
        if (typeof next === 'number') expect('status' in outcome && outcome.status).toBe(next);
        else {
          expect(outcome).toHaveProperty('value');
          if ('value' in outcome) response = outcome.value;
          state = next;
        }
        if (typeof next === 'number') expect(response).toEqual(before);
        expect(stateOf(any, response)).toEqual(state);
        expect(response.progress).toBe(state.submittedAt === null ? 'DRAFT' : 'SUBMITTED');
        const shown = previewed(response, structure).sections.map(({ progress }) => progress);
        expect(shown).toEqual(progressesOf(any, state.given, state.submittedAt !== null));
      });
    }),
    { numRuns: 200 },
  );
});
