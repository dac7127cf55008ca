/** Laws of responses that hold for any form and any answers (contract sections 6 and 7); the model is in `test/support`. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { problems } from '#core/problems/problems.ts';
import {
  answersBy,
  cancelResponse,
  clearInPlace,
  newResponse,
  requireComplete,
  saveAnswers,
  saveInPlace,
  submitResponse,
} from '#core/responses/edit.ts';
import type { Response } from '#core/responses/model.ts';
import { countedAnswers, previewOf } from '#core/responses/progress.ts';
import { walk } from '#core/structure/path.ts';
import type { Structure } from '#core/structure/structure.ts';
import {
  type AnyForm,
  anyForm,
  anySending,
  type Given,
  givenOf,
  inputOf,
  isComplete,
  nameOf,
  outcomeOf,
  type Place,
  places,
  progressesOf,
  type Sending,
  structureOf,
  wayOf,
} from '#test/support/response-model.ts';
import { id, NOW } from '#test/support/workflow.ts';

const empty = (): Response => newResponse(id('r'), id('form'), id('user'), NOW);
const saved = (any: AnyForm, structure: Structure, response: Response, sending: readonly Sending[], now = NOW) =>
  saveAnswers({ response, structure, inputs: sending.map((one) => inputOf(any, one)), filesMayBeNamed: false, now });

/** A form and a response to it that came about by saving answer after answer; what was refused is left out. */
const anyResponse = anyForm
  .chain((any) => fc.tuple(fc.constant(any), fc.array(anySending(any), { minLength: 10, maxLength: 20 })))
  .map(([any, sendings]) => {
    const structure = structureOf(any);
    const response = sendings.flat().reduce((before, one) => {
      const outcome = outcomeOf(() => saved(any, structure, before, [one]));
      return 'value' in outcome ? outcome.value : before;
    }, empty());
    return { any, structure, response, given: givenOf(any, response) };
  });

const sectionIds = (sections: readonly number[]): string[] => sections.map((at) => id(`s${at}`));

describe('any workflow and any answers give one path:', () => {
  test('the one that the answers choose, each section at most once', () => {
    fc.assert(
      fc.property(anyResponse, ({ any, structure, response, given }) => {
        const path = walk(structure, answersBy(response.answers));
        const way = wayOf(any, given);
        expect(path).toMatchObject({ sections: sectionIds(way.sections), complete: way.ended });
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
        const path = walk(structure, answersBy(response.answers));
        expect(walk(turned, answersBy(answers))).toEqual(path);
      }),
    );
  });

  test('and preview, table, save and submit all go by it', () => {
    fc.assert(
      fc.property(anyResponse, ({ any, structure, response, given }) => {
        const { sections } = wayOf(any, given);
        const shown = previewOf(response, structure).sections;
        expect(shown.slice(0, sections.length).map((each) => each.id)).toEqual(sectionIds(sections));
        expect(shown.map((each) => each.progress)).toEqual(progressesOf(any, given, false));
        const counted = countedAnswers(response, structure);
        for (const place of places(any)) {
          const reached = sections.includes(place[0]);
          const name = nameOf(place);
          expect(counted(id(name)) !== undefined).toBe(reached && given[name] !== undefined);
        }
        const submitted = outcomeOf(() => submitResponse(response, structure, NOW));
        expect('value' in submitted).toBe(isComplete(any, given));
      }),
    );
  });
});

test('the responses that these laws are tried on do change their way: many keep answers off it', () => {
  const kept = fc.sample(anyResponse, { numRuns: 200, seed: 1 }).filter(({ any, given }) => {
    const { sections } = wayOf(any, given);
    return places(any).some((place) => !sections.includes(place[0]) && given[nameOf(place)] !== undefined);
  });
  expect(kept.length).toBeGreaterThan(20);
});

test('going back and changing an answer equals answering afresh', () => {
  fc.assert(
    fc.property(anyResponse, fc.func(fc.nat()), ({ any, structure, response, given }, order) => {
      const { sections } = wayOf(any, given);
      const counting = places(any).filter((place) => sections.includes(place[0]) && given[nameOf(place)] !== undefined);
      const sending = counting
        .map((place) => ({ place, value: given[nameOf(place)] ?? '' }))
        .toSorted((a, b) => order(nameOf(a.place)) - order(nameOf(b.place)));
      const afresh = saved(any, structure, empty(), sending);
      const counted = Object.entries(response.answers).filter(([questionId]) =>
        countedAnswers(response, structure)(questionId),
      );
      expect(afresh.answers).toEqual(Object.fromEntries(counted));
      expect(previewOf(afresh, structure)).toEqual(withoutSkipped(previewOf(response, structure)));
      const complete = (one: Response) => outcomeOf(() => requireComplete(one, structure));
      expect(complete(response)).toEqual(complete(afresh));
    }),
  );
});

/** A preview without the answers that are kept in SKIPPED sections. */
const withoutSkipped = (preview: ReturnType<typeof previewOf>): ReturnType<typeof previewOf> => ({
  ...preview,
  sections: preview.sections.map((section) =>
    section.progress === 'SKIPPED'
      ? { ...section, answerDetails: section.answerDetails.map((detail) => ({ ...detail, payload: null })) }
      : section,
  ),
});

type Action = { kind: 'save' | 'submit'; sending: Sending[] } | { kind: 'clear'; place: Place } | { kind: 'cancel' };

/** The response in the words of the model. */
type State = { given: Given; times: Given; submittedAt: string | null };

/** What the contract says an action makes of a response: its next state, or the status of the refusal. */
function expected(any: AnyForm, state: State, action: Action, { now, mayEdit }: { now: string; mayEdit: boolean }) {
  if (action.kind === 'cancel') return state.submittedAt === null ? 400 : { ...state, submittedAt: null };
  const after = applied(state, action.kind === 'clear' ? [{ place: action.place, value: '' }] : action.sending, now);
  const { sections } = wayOf(any, after.given);
  const offPath = ({ place }: Sending) => !sections.includes(place[0]) && after.given[nameOf(place)] !== undefined;
  if (action.kind !== 'clear' && action.sending.some(offPath)) return 400;
  const changed = JSON.stringify(after) !== JSON.stringify(state);
  if (state.submittedAt !== null) {
    if (!changed) return state;
    if (!mayEdit) return 403;
    return isComplete(any, after.given) ? after : 400;
  }
  if (action.kind !== 'submit') return after;
  return isComplete(any, after.given) ? { ...after, submittedAt: now } : 400;
}

function applied(state: State, sending: readonly Sending[], now: string): State {
  const [given, times] = [{ ...state.given }, { ...state.times }];
  for (const { place, value } of sending) {
    const name = nameOf(place);
    if (given[name] !== value) times[name] = now;
    given[name] = value;
    if (value !== '') continue;
    delete given[name];
    delete times[name];
  }
  return { ...state, given, times };
}

/** What the service's own rules make of it, put together as the operations do. */
function performed(
  any: AnyForm,
  structure: Structure,
  response: Response,
  action: Action,
  { now, mayEdit }: { now: string; mayEdit: boolean },
) {
  const requireEditable = () => {
    if (response.progress === 'SUBMITTED' && !mayEdit) throw problems.forbidden('no editing');
  };
  if (action.kind === 'cancel') return cancelResponse(response, now);
  if (action.kind === 'clear') return clearInPlace(response, structure, id(nameOf(action.place)), now, requireEditable);
  const inputs = action.sending.map((one) => inputOf(any, one));
  const after = saveInPlace(
    { response, structure, inputs, filesMayBeNamed: action.kind === 'submit', now },
    requireEditable,
  );
  return action.kind === 'save' || after.progress === 'SUBMITTED' ? after : submitResponse(after, structure, now);
}

const anyActions = (any: AnyForm): fc.Arbitrary<Action[]> =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('save' as const), sending: anySending(any) }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('submit' as const), sending: anySending(any) }) },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('clear' as const), place: fc.constantFrom(...places(any)) }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
    ),
    { maxLength: 14 },
  );

/** A response in the words of the model, its times included. */
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
        const outcome = outcomeOf(() => performed(any, structure, response, action, clock));
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
        const shown = previewOf(response, structure).sections.map(({ progress }) => progress);
        expect(shown).toEqual(progressesOf(any, state.given, state.submittedAt !== null));
      });
    }),
    { numRuns: 300 },
  );
});
