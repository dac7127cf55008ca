/**
 * The options of questions, each declared once with what clients send, which is what is stored and returned too. The stored
 * question, the API, definitions, differences, conflicts and effects follow from this table; a type names its option in
 * `traits.ts` and builds it in its own file. Choices are not here: their identity makes them another thing when they are sent.
 */
import type * as z from 'zod';
import { Id, type Infer, schema } from '#core/schema/schema.ts';
import { Selection } from './choices.ts';
import { DateOptions } from './date.ts';
import { TextRules } from './formats.ts';
import { Grid, Hidden, QuestionName, Shuffle } from './members.ts';
import { ConnectProvider } from './oauth-connect.ts';
import { Scale } from './scale.ts';
import type { MemberName, OptionName } from './traits.ts';
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
  name: QuestionName,
  text: TextRules,
  selection: Selection,
  shuffle: Shuffle,
  hidden: Hidden,
  grid: Grid,
} satisfies Record<Exclude<OptionName, 'choices'> | 'sourceId' | MemberName, () => z.ZodType>;

type Table = typeof OPTIONS;
type Name = keyof Table;
const NAMES = Object.keys(OPTIONS) as Name[];

/** The options and members of a question, apart from its choices. */
export type QuestionOptions = { [N in Name]?: Infer<Table[N]> };

/** Builds the members of a question that is sent: null means that one is absent. */
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
