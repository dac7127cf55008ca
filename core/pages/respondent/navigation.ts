/** Navigation of a respondent through a form: the next section, and the missing answers. Pure. */
import type { Gate } from '#core/forms/gate.ts';
import { answerLookup, type Current, findMissing, findPath, findSectionOf } from '#core/responses/answers.ts';
import type { Response } from '#core/responses/model.ts';
import { findSectionFor } from '#core/responses/preview.ts';
import { recallBefore, recallInQuestion } from '#core/responses/recall.ts';
import { sha256 } from '#core/schema/hash.ts';
import { countMostSections, walk } from '#core/structure/path.ts';
import { findQuestion } from '#core/structure/structure.ts';
import type { Choice } from '#core/structure/types/choices.ts';
import { controlId, type PageQuestion } from '../fields/control.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';

/** A section with its position on the path of a response. */
export type PageSection = {
  id: string;
  title: string;
  questions: readonly PageQuestion[];
  /** From 1. */
  position: number;
  /** The number of sections on the path; the largest one possible while answers decide how the path continues. */
  count: number;
  /** Whether the path is known to its end. */
  isPathKnown: boolean;
  previousId: string | undefined;
};

/** Finds a section on the path of a response, with the questions that are shown; undefined for any other. */
export function findSectionOnPath(current: Current, sectionId: string): PageSection | undefined {
  const section = findSectionFor(current, sectionId);
  if (!section) return undefined;
  const path = findPath(current);
  const index = path.indexOf(sectionId);
  const recall = recallBefore(current, path, sectionId);
  return {
    id: sectionId,
    title: recall(section.title),
    questions: section.questions.flatMap(({ question }) =>
      question.hidden ? [] : withShuffledChoices(recallInQuestion(question, recall), current.response),
    ),
    position: index + 1,
    ...measurePath(current, path, index),
    previousId: path[index - 1],
  };
}

/**
 * Returns a question with its choices in the order of a response, if it shuffles them: always the same one, and the other choice
 * last. A response of a preview is not stored and has the id of its form; its choices stay as they are.
 */
export function withShuffledChoices(
  question: PageQuestion,
  { id, formId }: Pick<Response, 'id' | 'formId'>,
): PageQuestion {
  if (!question.shuffle || !question.choices || id === formId) return question;
  const place = (choice: Choice): string => (choice.isOther ? 'z' : sha256(`${id} ${choice.id}`, 'hex'));
  const placed = question.choices.map((choice) => ({ choice, at: place(choice) }));
  return { ...question, choices: placed.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ choice }) => choice) };
}

/** Questions of earlier sections that were left empty have decided; those from the section at `index` on may get an answer. */
function measurePath({ response, structure }: Current, path: readonly string[], index: number) {
  if (response.path !== undefined) return { count: path.length, isPathKnown: true };
  const passed = new Set(path.slice(0, index));
  const isOpen = ({ id, required }: PageQuestion): boolean =>
    required || !passed.has(findQuestion(structure, id)?.section.id ?? '');
  const known = walk(structure, answerLookup(response.answers), isOpen);
  const count = countMostSections(structure, known);
  return { count, isPathKnown: count === known.sections.length };
}

/** Finds the section after another one; undefined at the end of the path. */
export function findNextSection(current: Current, sectionId: string): string | undefined {
  const path = findPath(current);
  return path[path.indexOf(sectionId) + 1];
}

/** Finds where a returning respondent continues: the first section that misses an answer; undefined if none does. */
export function findResumeSection(current: Current): string | undefined {
  if (Object.keys(current.response.answers).length === 0) return findPath(current)[0];
  return findFirstIncomplete(current);
}

/** Finds the first section of the path that misses an answer; undefined if none does. */
export function findFirstIncomplete(current: Current): string | undefined {
  const missing = new Set(findMissing(current).map(({ question }) => question && findSectionOf(current, question.id)));
  return findPath(current).find((sectionId) => missing.has(sectionId));
}

/**
 * Returns the fragment of the question at which a section opens where each is shown by itself: for somebody who goes back the last
 * one, for somebody who returns the first that misses an answer or that they have not come to. Empty for the first question, and
 * where all are shown.
 */
export function questionFragment(
  current: Current & { gate: Pick<Gate, 'layout'> },
  sectionId: string,
  at: 'last' | 'unfinished',
): string {
  if (current.gate.layout !== 'ONE_QUESTION') return '';
  const questions = findSectionOnPath(current, sectionId)?.questions ?? [];
  const index = at === 'last' ? questions.length - 1 : findUnfinished(current, questions);
  const question = questions[index];
  return question && index > 0 ? `#${controlId(question)}` : '';
}

/** Finds the first question that misses an answer, or the one after the last answered one, whichever comes first. */
function findUnfinished(current: Current, questions: readonly PageQuestion[]): number {
  const answerTo = answerLookup(current.response.answers);
  const missing = new Set(findMissing(current).map(({ question }) => question?.id));
  const lastAnswered = questions.findLastIndex(({ id }) => answerTo(id) !== undefined);
  return questions.findIndex(({ id }, index) => missing.has(id) || index > lastAnswered);
}

// Answers that could not be saved and are kept on the device: the scripts of the page fill the notice and show it.

/** Renders the hidden notice, for every page of a response. */
export const keptNotice = ({ t }: PageContext): Html => html`<section class="notice warning" data-kept hidden>
<h2>${t.kept.title}</h2>
<p>${t.kept.detail}</p>
<dl></dl>
<p class="actions"><button type="button" class="secondary" data-discard>${t.kept.discard}</button></p>
</section>`;
