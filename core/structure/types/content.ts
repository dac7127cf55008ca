/**
 * The content of an answer as it is sent and stored, whatever its type. `core/responses` adds the times of an answer.
 */

import * as z from 'zod';
import { MAX_CHOICES } from '#core/schema/limits.ts';
import { Id, type Infer, schema } from '#core/schema/schema.ts';
import type { QuestionType } from './traits.ts';

/** An uploaded file in an answer. */
export const UploadedFile = schema(() =>
  z
    .object({
      fileId: Id(),
      originalFilename: z.string(),
      contentType: z.string(),
      size: z.int().describe('In bytes.'),
    })
    .meta({ id: 'UploadedFile' }),
);
export type UploadedFile = Infer<typeof UploadedFile>;

/** The profile of a connected account. */
export const ConnectedAccount = schema(() =>
  z
    .object({
      provider: z.string(),
      providerId: z.string(),
      username: z.string(),
      email: z.string().nullable().describe('Null unless the provider has verified the address.'),
      // Both names become AvatarUrl in Go.
      avatar_url: z.string().meta({ 'x-go-name': 'AvatarUrlSnakeCase' }),
      avatarUrl: z.string(),
    })
    .meta({ id: 'ConnectedAccount' }),
);
export type ConnectedAccount = Infer<typeof ConnectedAccount>;

/** The value of an answer as it is stored and returned. */
export const AnswerValue = schema(() =>
  z
    .union([z.string(), z.number(), z.array(z.string()), z.array(UploadedFile()), ConnectedAccount()])
    .describe(
      'Text: a string. Choices: choice ids. Scales: a number. Dates: midnight UTC, with 1970, 01 and 01 for parts that are not requested. Files and connected accounts: objects.',
    )
    .meta({ id: 'AnswerValue' }),
);
export type AnswerValue = Infer<typeof AnswerValue>;

/** The longest name of a file. */
export const MAX_FILE_NAME = 500;

/** The largest number of files of one answer; a question may allow fewer. */
export const MAX_FILES = 10;

const NamedFile = schema(() => z.looseObject({ fileId: Id() }));
const FilesValue = schema(() => z.object({ files: z.array(NamedFile()).max(MAX_FILES) }));

/** The value of an answer as it is sent. */
export const SentValue = schema(() =>
  z
    .union([z.string(), z.number(), z.array(z.string()).max(MAX_CHOICES), FilesValue(), z.null()], {
      error: (issue) =>
        issue.input === undefined
          ? 'is required'
          : 'must be a string, a number, an array of strings, an object with files, or null, as the question type requires',
    })
    .describe(
      'Text: a string. Choices: an array of choice ids. Scales: a number. Dates: YYYY-MM-DD or RFC 3339. A text without a visible character, an empty array or null clears the answer. U+0000 is not allowed.',
    ),
);
export type SentValue = Infer<typeof SentValue>;

/** An answer without its times. */
export type AnswerContent = {
  type: QuestionType;
  value: AnswerValue;
  otherText?: string;
  /** For choice answers: the names of the choices at the time of selection, in the order of `value`. */
  names?: string[];
  /** The display value if it follows neither from the names nor from the value. */
  display?: string;
};

/** Whether a value is a list of texts, as of a choice answer: the ids of the selected choices. */
export const isIds = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
