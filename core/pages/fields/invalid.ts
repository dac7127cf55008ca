/** Messages for answers that are missing or not valid, shown beside the field and in the summary. */
import { formatAlternatives, formatFileSize } from '#core/schema/format.ts';
import type { Question } from '#core/structure/question-model.ts';
import { dateLimits } from '#core/structure/types/date.ts';
import type { PageContext } from '../shell/context.ts';

type Options = { type: Question['type'] } & {
  [Name in 'date' | 'scale' | 'uploadFile']?: Question[Name] | undefined;
};

/** Returns the message for an answer that its question does not accept. */
export function invalidText(context: PageContext, question: Options): string {
  const { invalid } = context.t.section;
  const { date, scale, uploadFile } = question;
  switch (question.type) {
    case 'SHORT_TEXT':
      return invalid.text(500);
    case 'LONG_TEXT':
      return invalid.text(10_000);
    case 'HYPERLINK':
      return invalid.link;
    case 'DATE':
      return invalid.date(...dateLimits(context, date ?? {}));
    case 'LINEAR_SCALE':
    case 'RATING':
      return invalid.scale(scale?.minVal ?? 0, scale?.maxVal ?? 0);
    case 'RANKING':
      return invalid.ranking;
    case 'UPLOAD_FILE':
      return uploadFile
        ? invalid.files(
            uploadFile.maxFileAmount,
            formatAlternatives(context, uploadFile.allowedFileTypes),
            formatFileSize(context, uploadFile.maxFileSizeLimit),
          )
        : invalid.choice;
    case 'OAUTH_CONNECT':
      return invalid.connect;
    default:
      return invalid.choice;
  }
}

/** Returns the message for an upload that was sent but not attached. */
export const attachFaultText = (
  { t }: PageContext,
  { uploadFile }: Pick<Options, 'uploadFile'>,
  fault: 'tooMany' | 'content',
): string =>
  fault === 'tooMany' ? t.section.invalid.tooManyFiles(uploadFile?.maxFileAmount ?? 0) : t.section.invalid.fileContent;

/** Returns the message for a required question without an answer. */
export function requiredText({ t }: PageContext, { type }: Pick<Question, 'type'>): string {
  const { required } = t.section;
  switch (type) {
    case 'SHORT_TEXT':
    case 'LONG_TEXT':
      return required.text;
    case 'HYPERLINK':
      return required.link;
    case 'DATE':
      return required.date;
    case 'UPLOAD_FILE':
      return required.files;
    case 'OAUTH_CONNECT':
      return required.connect;
    case 'RANKING':
      return required.ranking;
    default:
      return required.choice;
  }
}
