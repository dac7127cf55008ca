/**
 * The choices that a question offers to one respondent: its own, or what the same respondent selected in its source.
 * How answers are checked against them: `answers.test.ts`.
 */
import { describe, expect, it } from 'vitest';
import { checkAnswer } from '#core/responses/answers.ts';
import { offeredChoices } from '#core/structure/path.ts';
import type { Question, QuestionType } from '#core/structure/question-model.ts';
import { keepRemovedChoices } from '#core/structure/service.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { Choice } from '#core/structure/types/choices.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const NOW = '2026-01-01T00:00:00.000Z';
const [RED, BLUE, OTHER] = [id(1), id(2), id(3)];
const CHOICES: Choice[] = [
  { id: RED, name: 'Red' },
  { id: BLUE, name: 'Blue', description: 'like the sea' },
  { id: OTHER, name: 'Other', isOther: true },
];

function question(type: QuestionType, more: Partial<Question>): Question {
  const texts = { id: id(50), required: true, title: 'Which?', description: null, createdAt: NOW, updatedAt: NOW };
  return { ...texts, type, ...more };
}

describe('the choices a question offers', () => {
  const [COLOURS, RANKED, BEST] = [id(101), id(102), id(103)];
  const structureOf = (...questions: Question[]): Structure => ({
    formId: id(99),
    version: 1,
    nodes: [],
    removed: [],
    sections: [{ id: id(90), description: null, questions, createdAt: NOW, updatedAt: NOW }],
  });
  const colours = question('MULTIPLE_CHOICE', { id: COLOURS, choices: CHOICES });
  const ranked = question('RANKING', { id: RANKED, sourceId: COLOURS });
  const best = question('DROPDOWN', { id: BEST, sourceId: RANKED });
  const chain = structureOf(colours, ranked, best);
  const answered = (answers: Record<string, Omit<AnswerContent, 'type'>>) => (questionId: string) => {
    const answer = answers[questionId];
    return answer && { type: 'MULTIPLE_CHOICE' as const, ...answer };
  };

  it('are its own when it has no source', () => {
    expect(offeredChoices(chain, answered({}), COLOURS)).toEqual(CHOICES);
  });

  it('are none for a question without choices, an unknown one, and before the source is answered', () => {
    expect(offeredChoices(structureOf(question('DATE', { id: BEST })), answered({}), BEST)).toEqual([]);
    expect(offeredChoices(chain, answered({}), id(404))).toEqual([]);
    expect(offeredChoices(chain, answered({}), RANKED)).toEqual([]);
  });

  it('are those selected in the source, in the order of the source', () => {
    const lookup = answered({ [COLOURS]: { value: [BLUE, RED] } });
    expect(offeredChoices(chain, lookup, RANKED)).toEqual([CHOICES[0], CHOICES[1]]);
  });

  it('name the other choice as the respondent did, and ask for no other text again', () => {
    const lookup = answered({ [COLOURS]: { value: [OTHER], otherText: 'Teal' } });
    expect(offeredChoices(chain, lookup, RANKED)).toEqual([{ id: OTHER, name: 'Teal' }]);
    const nameless = answered({ [COLOURS]: { value: [OTHER] } });
    expect(offeredChoices(chain, nameless, RANKED)).toEqual([{ id: OTHER, name: 'Other' }]);
    const again = { questionId: RANKED, questionType: 'RANKING' as const, value: [OTHER], otherText: 'Jade' };
    const offered = offeredChoices(chain, lookup, RANKED);
    expect(checkAnswer(ranked, again, { offered, isAnswered: false })).toMatchObject({
      faults: [{ at: '/otherText' }],
    });
  });

  it('follow a chain of sources', () => {
    const lookup = answered({
      [COLOURS]: { value: [RED, BLUE, OTHER], otherText: 'Teal' },
      [RANKED]: { value: [OTHER, RED] },
    });
    expect(offeredChoices(chain, lookup, BEST)).toEqual([
      { id: RED, name: 'Red' },
      { id: OTHER, name: 'Teal' },
    ]);
  });

  it('lose what the source itself no longer offers', () => {
    const lookup = answered({ [COLOURS]: { value: [RED] }, [RANKED]: { value: [BLUE, RED] } });
    expect(offeredChoices(chain, lookup, BEST)).toEqual([CHOICES[0]]);
    const removed = structureOf({ ...colours, choices: CHOICES.slice(1) }, ranked);
    expect(offeredChoices(removed, lookup, RANKED)).toEqual([]);
  });

  it('are none where the source was deleted, even if it is answered', () => {
    const lookup = answered({ [COLOURS]: { value: [RED] } });
    expect(offeredChoices(structureOf(ranked), lookup, RANKED)).toEqual([]);
  });

  it('are none where sources run in a circle', () => {
    const circle = structureOf({ ...ranked, sourceId: BEST }, best);
    const lookup = answered({ [RANKED]: { value: [RED] }, [BEST]: { value: [RED] } });
    expect(offeredChoices(circle, lookup, BEST)).toEqual([]);
  });

  describe('that an edit removes', () => {
    const keep = (before: Structure, next: Structure, answeredIds = [COLOURS]) =>
      keepRemovedChoices({ structure: before, answered: new Set(answeredIds) }, next);
    const without = (...gone: string[]): Question => ({
      ...colours,
      choices: CHOICES.filter((choice) => !gone.includes(choice.id)),
    });
    const kept = (structure: Structure) => structure.removedChoices?.map(({ name }) => name);

    it('keep their names if somebody can have selected them, also as the choice of another question', () => {
      expect(kept(keep(chain, structureOf(without(RED), ranked)))).toEqual(['Red']);
      expect(kept(keep(chain, structureOf(without(RED), ranked), [BEST]))).toEqual(['Red']);
      expect(kept(keep(chain, structureOf(without(RED), ranked), []))).toBeUndefined();
      expect(kept(keep(chain, structureOf()))).toEqual(['Red', 'Blue', 'Other']);
    });

    it('stay after further edits, until they return', () => {
      const once = keep(chain, structureOf(without(RED)));
      const twice = keep(once, structureOf(without(RED, BLUE)));
      expect(kept(twice)).toEqual(['Red', 'Blue']);
      expect(kept(keep(twice, { ...twice, sections: structureOf(without(BLUE)).sections }))).toEqual(['Blue']);
    });

    it('are kept up to some KB, the newest ones', () => {
      const many = Array.from({ length: 1_000 }, (_, index) => ({ id: id(1_000 + index), name: `${index}` }));
      const names = kept(keep(structureOf({ ...colours, choices: many }), structureOf())) ?? [];
      expect(names.at(-1)).toBe('999');
      expect(names.length).toBeGreaterThan(200);
      expect(names.length).toBeLessThan(400);
    });
  });
});
