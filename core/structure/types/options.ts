/**
 * The options of questions, each declared once with what clients send, which is what is stored and returned too. The stored
 * question, the API, definitions, differences, conflicts and effects follow from this table; a type names its option in
 * `traits.ts` and builds it in its own file. Choices are not here: their identity makes them another thing when they are sent.
 */
import type * as z from 'zod';
import { Id, type Infer, schema } from '#core/schema/schema.ts';
import { DateOptions } from './date.ts';
import { ConnectProvider } from './oauth-connect.ts';
import { Scale } from './scale.ts';
import type { OptionName } from './traits.ts';
import { UploadFile } from './upload-file.ts';

const SourceId = schema(() =>
  Id().describe(
    'Instead of `choices`: a respondent chooses from what they selected in that question. While that is nothing, no answer is required and a condition on this question is false.',
  ),
);

const OPTIONS = {
  sourceId: SourceId,
  scale: Scale,
  uploadFile: UploadFile,
  date: DateOptions,
  oauthConnect: ConnectProvider,
} satisfies Record<Exclude<OptionName, 'choices'> | 'sourceId', () => z.ZodType>;

type Table = typeof OPTIONS;
type Name = keyof Table;
const NAMES = Object.keys(OPTIONS) as Name[];

/** The options of a question, apart from its choices. */
export type QuestionOptions = { [N in Name]?: Infer<Table[N]> };

/** Builds the members of a question that is sent: null means that an option is absent. */
export const sentOptions = () =>
  Object.fromEntries(NAMES.map((name) => [name, OPTIONS[name]().nullish()])) as {
    [N in Name]: z.ZodOptional<z.ZodNullable<ReturnType<Table[N]>>>;
  };

/** Builds the members of a question that is returned. */
export const returnedOptions = () =>
  Object.fromEntries(NAMES.map((name) => [name, OPTIONS[name]().optional()])) as {
    [N in Name]: z.ZodOptional<ReturnType<Table[N]>>;
  };

/** Picks the options of a question that it has. */
export const pickOptions = (question: QuestionOptions): QuestionOptions =>
  Object.fromEntries(NAMES.flatMap((name) => (question[name] === undefined ? [] : [[name, question[name]]])));
