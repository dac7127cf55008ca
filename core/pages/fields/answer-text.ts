/** Renders answers for reading: by their respondent before and after the submit, and by reviewers. */
import type { Answer } from '#core/responses/model.ts';
import type { Question } from '#core/structure/question-model.ts';
import { displayValue, readableAnswer } from '#core/structure/types/types.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { READINGS } from './reading.ts';

/** Renders an answer as text; files and web addresses as links, a ranking as a list of the names that its choices had. */
export function renderAnswer(context: PageContext, question: Question, answer: Answer): Html {
  const { type, scale, date } = question;
  const rendered = READINGS[type]?.read(context, question, answer);
  if (rendered) return rendered;
  const text = readableAnswer(context, { type, value: answer.value, displayValue: displayValue(answer), scale, date });
  return html`<span class="pre-line" dir="auto">${text}</span>`;
}
