/** The order of all questions of a form, changed at once. Pure. */
import { moveQuestion } from './questions.ts';
import { findQuestion, type Structure } from './structure.ts';

/** Where a question is to be: a section, and its number in it, from 1. */
export type QuestionPlace = { sectionId: string; number: number };

/** Lists where the questions of a structure are. */
export const listPlaces = ({ sections }: Structure): Map<string, QuestionPlace> =>
  new Map(
    sections.flatMap(({ id: sectionId, questions }) =>
      questions.map((question, index): [string, QuestionPlace] => [question.id, { sectionId, number: index + 1 }]),
    ),
  );

/**
 * Moves questions to places; all others keep their order. A question that moves to the number of another one comes before
 * it, unless it moves down within its section. Questions that no longer exist are left out. Throws 400 for a section that the
 * form does not have.
 */
export function orderQuestions(structure: Structure, places: ReadonlyMap<string, QuestionPlace>): Structure {
  const current = listPlaces(structure);
  const wanted = [...current].map(([id, was]) => {
    const place = places.get(id) ?? was;
    const isSame = place.sectionId === was.sectionId && place.number === was.number;
    const isDown = place.sectionId === was.sectionId && place.number > was.number;
    const shift = isSame ? 0 : isDown ? 0.5 : -0.5;
    return { id, sectionId: place.sectionId, number: place.number, position: place.number + shift };
  });
  const ordered = wanted.sort((a, b) => a.position - b.position || a.number - b.number);
  const previous = new Map<string, string>();
  let result = structure;
  for (const { id, sectionId } of ordered) {
    const from = findQuestion(result, id)?.section.id ?? '';
    result = moveQuestion(
      result,
      { sectionId: from, questionId: id },
      { sectionId, after: previous.get(sectionId) ?? null },
    );
    previous.set(sectionId, id);
  }
  return result;
}
