/** Messages for answers that are missing or not valid, shown beside the field and in the summary. */
import type { AnswerFault } from '#core/problems/answer-faults.ts';
import type { PageContext } from '../shell/context.ts';
import type { PageQuestion } from './control.ts';
import { FIELDS } from './fields.ts';
import { judgedText } from './judged.ts';

/** Returns the message for an upload that was sent but not attached. */
export const attachFaultText = (
  { t }: PageContext,
  { uploadFile }: Pick<PageQuestion, 'uploadFile'>,
  refused: 'too_many_files' | 'content',
): string =>
  refused === 'content'
    ? t.section.invalid.fileContent
    : t.section.invalid.tooManyFiles(uploadFile?.maxFileAmount ?? 0);

/**
 * Returns the message for an answer that its question does not accept: of faults that answers of several types can have,
 * or what the type accepts. `texts`: those in the controls of the question.
 */
export function faultText(
  context: PageContext,
  question: PageQuestion,
  fault?: AnswerFault,
  texts: readonly string[] = [],
): string {
  const { required, invalid } = context.t.section;
  switch (fault?.code) {
    case 'required':
      return required[FIELDS[question.type].required];
    case 'other_text_required':
      return required.otherText;
    case 'too_long':
      return invalid.text(...fault.params);
    case 'no_place_left':
      return invalid.noPlace(...fault.params);
    case 'too_many_files':
      return invalid.tooManyFiles(...fault.params);
    default:
      return judgedText(context, fault) ?? FIELDS[question.type].invalid(context, question, texts);
  }
}
