/** The question types as they are on pages, each with its file. */
import type { QuestionType } from '#core/structure/question-model.ts';
import { dropdown, multipleChoice, singleChoice } from './choices.ts';
import { date } from './date.ts';
import { hyperlink } from './hyperlink.ts';
import { oauthConnect } from './oauth-connect.ts';
import { ranking } from './ranking.ts';
import { linearScale, rating } from './scale.ts';
import { longText, shortText } from './text.ts';
import type { FieldType } from './type.ts';
import { uploadFile } from './upload-file.ts';

export const FIELDS: Readonly<Record<QuestionType, FieldType>> = {
  SHORT_TEXT: shortText,
  LONG_TEXT: longText,
  SINGLE_CHOICE: singleChoice,
  MULTIPLE_CHOICE: multipleChoice,
  DROPDOWN: dropdown,
  DETAILED_MULTIPLE_CHOICE: multipleChoice,
  DATE: date,
  UPLOAD_FILE: uploadFile,
  LINEAR_SCALE: linearScale,
  RATING: rating,
  RANKING: ranking,
  OAUTH_CONNECT: oauthConnect,
  HYPERLINK: hyperlink,
};
