/**
 * Earlier answers in texts: `{{name}}` in a title or a description that a respondent reads is the answer to the question with
 * that name, if it is in an earlier section of the path. Texts of the API, tables and exports stay as they were written. Pure.
 */
import type { RichText } from '#core/rich-text/model.ts';
import { toLine } from '#core/schema/text.ts';
import { questionsByName, splitAtNames } from '#core/structure/names.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findQuestion } from '#core/structure/structure.ts';
import { isSetByService } from '#core/structure/types/traits.ts';
import { displayValue } from '#core/structure/types/types.ts';
import { answerLookup, type Current } from './answers.ts';

/** The longest answer that is shown within a text, in characters. */
export const MAX_RECALLED = 200;

/** Puts the answers of a response into a text. */
export type Recall = (text: string) => string;

const asWritten: Recall = (text) => text;

/**
 * Returns the function that puts answers to questions of some sections into a text: those of the path before the section whose
 * text it is. A question without an answer there leaves nothing, a name that no question has stays as it was written. Answers
 * are one line, and what they contain is never expanded again.
 */
export function recallFrom(current: Current, sectionIds: readonly string[]): Recall {
  const names = questionsByName(current.structure);
  if (names.size === 0) return asWritten;
  const earlier = new Set(sectionIds);
  const answerTo = answerLookup(current.response.answers);
  const recallAnswer = ({ id, type }: Pick<Question, 'id' | 'type'>): string => {
    const place = findQuestion(current.structure, id);
    const answer = place && earlier.has(place.section.id) ? answerTo(id) : undefined;
    if (!answer || isSetByService(type)) return '';
    return shorten(toLine(displayValue(answer)));
  };
  return (text) =>
    splitAtNames(text)
      .map((part) => {
        if ('text' in part) return part.text;
        const question = names.get(part.name.toLowerCase());
        return question ? recallAnswer(question) : part.written;
      })
      .join('');
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > MAX_RECALLED ? `${characters.slice(0, MAX_RECALLED - 1).join('')}…` : text;
}

/** Returns the function that puts earlier answers into the texts of a section of a path. */
export const recallBefore = (current: Current, path: readonly string[], sectionId: string): Recall =>
  recallFrom(current, path.slice(0, Math.max(path.indexOf(sectionId), 0)));

/** Puts earlier answers into the title and the description of a question. */
export const recallInQuestion = (question: Question, recall: Recall): Question =>
  recall === asWritten
    ? question
    : { ...question, title: recall(question.title), description: recallInDocument(question.description, recall) };

/** Puts the answers of a response into a document: into its texts, and in place of its variables. */
export function recallInDocument(document: RichText | null, recall: Recall): RichText | null {
  if (recall === asWritten || document === null) return document;
  return recallInNode(document, recall) as RichText;
}

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

function recallInNode(node: Node, recall: Recall): Node {
  if (node.type === 'text' && typeof node.text === 'string') return { ...node, text: recall(node.text) };
  if (node.type === 'variable' && isNode(node.attrs) && typeof node.attrs.name === 'string') {
    const { attrs, ...rest } = node;
    return { ...rest, type: 'text', text: recall(`{{${node.attrs.name}}}`) };
  }
  if (!Array.isArray(node.content)) return node;
  return {
    ...node,
    content: node.content.map((child: unknown) => (isNode(child) ? recallInNode(child, recall) : child)),
  };
}
