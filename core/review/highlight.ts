/** The highlighted question of a form with the count of each choice. */
import type { Table } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { countedAnswers } from '#core/responses/preview.ts';
import { mayBeHighlighted } from '#core/structure/question-model.ts';
import { findQuestion, type Highlight, type Structure, sourceChain } from '#core/structure/structure.ts';
import type { HighlightView } from './highlight-model.ts';
import { submittedPages } from './submitted.ts';

/** A structure with a highlight. Throws 400 for a question of another form or without choices. */
export function withHighlight(structure: Structure, highlight: Highlight): Structure {
  const question = findQuestion(structure, highlight.questionId)?.question;
  const detail = question
    ? 'must be of type SINGLE_CHOICE, MULTIPLE_CHOICE, DROPDOWN or DETAILED_MULTIPLE_CHOICE'
    : 'is not a question of this form';
  if (!question || !mayBeHighlighted(question.type)) throw problems.invalid([{ pointer: '/body/questionId', detail }]);
  return { ...structure, highlight };
}

/** A structure with a changed highlight title; undefined changes nothing. Throws 404 when it has no highlight. */
export function withHighlightTitle(structure: Structure, displayTitle: string | null | undefined): Structure {
  if (!structure.highlight) throw problems.notFound();
  return displayTitle === undefined ? structure : { ...structure, highlight: { ...structure.highlight, displayTitle } };
}

/** A structure without its highlight. Throws 404 when it has no highlight. */
export function withoutHighlight(structure: Structure): Structure {
  if (!structure.highlight) throw problems.notFound();
  const { highlight: _cleared, ...rest } = structure;
  return rest;
}

/** The highlight of a form with the count of every current choice, in order. Reads all submitted responses. */
export async function showHighlight(table: Table, structure: Structure): Promise<HighlightView> {
  const question = structure.highlight && findQuestion(structure, structure.highlight.questionId)?.question;
  if (!structure.highlight || !question) return { questionId: null, questionTitle: '', displayTitle: '', choices: [] };
  const choices = sourceChain(structure, question.id).at(-1)?.choices ?? [];
  const counts = await countChoices(table, structure, question.id);
  return {
    questionId: question.id,
    questionTitle: question.title,
    displayTitle: structure.highlight.displayTitle?.trim() ? structure.highlight.displayTitle : question.title,
    choices: choices.map(({ id, name }) => ({ choiceId: id, name, count: counts.get(id) ?? 0 })),
  };
}

async function countChoices(table: Table, structure: Structure, questionId: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { responses } of submittedPages(table, structure.formId)) {
    for (const response of responses) {
      const value = countedAnswers({ response, structure })(questionId)?.value;
      for (const choiceId of Array.isArray(value) ? value : []) {
        if (typeof choiceId === 'string') counts.set(choiceId, (counts.get(choiceId) ?? 0) + 1);
      }
    }
  }
  return counts;
}
