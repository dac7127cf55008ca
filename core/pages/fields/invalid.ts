/** Messages for answers that are missing or not valid, shown beside the field and in the summary. */
import { checkAnswer } from '#core/responses/answers.ts';
import type { AnswerFault } from '#core/structure/types/faults.ts';
import type { PageContext } from '../shell/context.ts';
import type { FieldState, PageQuestion } from './control.ts';
import { FIELDS } from './fields.ts';
import { toAnswerInput } from './state.ts';

/** Returns the message for an answer that its question does not accept. `state`: of its controls. */
export function invalidText(context: PageContext, question: PageQuestion, state?: FieldState): string {
  const fault = state && findFault(question, state);
  if (fault?.code === 'too_long') return context.t.section.invalid.text(...fault.params);
  return FIELDS[question.type].invalid(context, question);
}

function findFault(question: PageQuestion, state: FieldState): AnswerFault | undefined {
  const input = toAnswerInput(question, state);
  const checked = checkAnswer(question, input, { offered: question.choices ?? [], isAnswered: true });
  return checked.kind === 'faults' ? checked.faults[0] : undefined;
}

/** Returns the message for an upload that was sent but not attached. */
export const attachFaultText = (
  { t }: PageContext,
  { uploadFile }: Pick<PageQuestion, 'uploadFile'>,
  fault: 'tooMany' | 'content',
): string =>
  fault === 'tooMany' ? t.section.invalid.tooManyFiles(uploadFile?.maxFileAmount ?? 0) : t.section.invalid.fileContent;

/** Returns the message for a required question without an answer. */
export const requiredText = ({ t }: PageContext, { type }: Pick<PageQuestion, 'type'>): string =>
  t.section.required[FIELDS[type].required];
