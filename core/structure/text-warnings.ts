/**
 * What is odd about questions and texts, apart from the rules: names in texts that stand for nothing, and counts of selections
 * that nobody can meet. They prevent nothing: the names stay as they are written, and fewer selections are asked for. Pure.
 */
import { plainText } from '#core/rich-text/text.ts';
import { questionsByName, splitAtNames } from './names.ts';
import { byId, reachableFrom } from './path.ts';
import type { Question } from './question-model.ts';
import { findQuestion, listChoices, type Structure, sectionTitle } from './structure.ts';
import { isSetByService, mayHave } from './types/traits.ts';

/** `name`: as it is written in the text of the section, or of the question. `question`: the title of the one with that name. */
export type TextWarning = { sectionId: string; questionId?: string } & (
  | NameWarning
  | { kind: 'selection'; bound: number; count: number }
);
export type NameWarning =
  | { kind: 'unknownName'; name: string }
  | { kind: 'laterName' | 'nothingToShow'; name: string; question: string };

/** A structure has room for tens of thousands of names in its texts; when these are mended, the next ones are listed. */
const MAX_WARNINGS = 100;

/** Lists the first 100 odd things, in the order of the sections. */
export const listTextWarnings = (structure: Structure): TextWarning[] =>
  findTextWarnings(structure).slice(0, MAX_WARNINGS);

function findTextWarnings(structure: Structure): TextWarning[] {
  const nodes = byId(structure.nodes);
  /** What follows each section; found once, although each name in each text asks. */
  const following = new Map(structure.sections.map(({ id }) => [id, reachableFrom(nodes, id)]));
  return structure.sections.flatMap(({ id: sectionId, description, questions }) => {
    /** Whether a section can come before this one on some path. */
    const isEarlier = (other: string): boolean => following.get(other)?.has(sectionId) === true;
    const texts = [
      { place: { sectionId }, text: `${sectionTitle(structure, sectionId)}\n${plainText(description)}` },
      ...questions.map((question) => ({
        place: { sectionId, questionId: question.id },
        text: `${question.title}\n${plainText(question.description)}`,
      })),
    ];
    return [
      ...texts.flatMap(({ place, text }) =>
        listNameWarnings(structure, text, isEarlier).map((odd) => ({ ...place, ...odd })),
      ),
      ...questions.flatMap((question) => {
        const odd = findSelectionWarning(structure, question);
        return odd ? [{ sectionId, questionId: question.id, ...odd }] : [];
      }),
    ];
  });
}

/** Lists the first 100 odd names in a text that is shown when all questions are answered, such as the closing message. */
export const listClosingWarnings = (structure: Structure, text: string): NameWarning[] =>
  listNameWarnings(structure, text, () => true).slice(0, MAX_WARNINGS);

function listNameWarnings(
  structure: Structure,
  text: string,
  isEarlier: (sectionId: string) => boolean,
): NameWarning[] {
  const names = new Set(splitAtNames(text).flatMap((part) => ('name' in part ? [part.name] : [])));
  const known = questionsByName(structure);
  return [...names].flatMap((name): NameWarning[] => {
    const question = known.get(name.toLowerCase());
    if (!question) return [{ kind: 'unknownName', name }];
    const sectionId = findQuestion(structure, question.id)?.section.id ?? '';
    if (isSetByService(question.type)) return [{ kind: 'nothingToShow', name, question: question.title }];
    return isEarlier(sectionId) ? [] : [{ kind: 'laterName', name, question: question.title }];
  });
}

/** Choices from another question may be fewer anyway. */
function findSelectionWarning(structure: Structure, { id, type, selection, sourceId }: Question) {
  if (!selection || sourceId !== undefined || !mayHave(type, 'selection')) return undefined;
  const count = listChoices(structure, id).length;
  const bound = Math.max(selection.min ?? 0, selection.max ?? 0);
  return bound > count ? { kind: 'selection' as const, bound, count } : undefined;
}
