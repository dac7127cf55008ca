/** What answers to a question type mean: the shape of an entry of `types.ts`. */

import type { AnswerFault } from '#core/problems/answer-faults.ts';
import type { StructureDetails, StructureFaultCode } from '#core/problems/structure-faults.ts';
import type { Language } from '#core/schema/format.ts';
import type { AnswerContent, SentValue } from './content.ts';
import type { QuestionType } from './traits.ts';

/** The result of checking a value: content to store, or faults. */
export type CheckedValue = { kind: 'answer'; content: AnswerContent } | { kind: 'faults'; faults: AnswerFault[] };

/** A choice that a respondent may select. */
export type OfferedChoice = { id: string; name: string };

/** Checks a value that is not empty, of a question with the options `O`. */
export type ValueCheck<O = object> = (
  question: { type: QuestionType } & O,
  value: NonNullable<SentValue>,
  offered: readonly OfferedChoice[],
) => CheckedValue;

/** Adds a fault of a question; `member` is a path inside the body, such as `choices/3/name`. */
export type Report = <Code extends StructureFaultCode>(
  member: string,
  code: Code,
  ...params: Parameters<StructureDetails[Code]>
) => void;

/** The kind of a column of a spreadsheet, and its cells. */
export type ColumnKind = 'text' | 'longText' | 'number' | 'date';
export type CellValue = string | number | Date;

/** An answer to be read, with its display value. */
export type DisplayedAnswer = Pick<AnswerContent, 'type' | 'value'> & { displayValue: string };

/** Options as they are sent and as they are stored: null means absent in requests only. Choices are built with a context. */
type Sent<O> = { [Name in keyof O as Exclude<Name, 'choices'>]: O[Name] | null };
type Stored<O> = { [Name in keyof O]?: Exclude<O[Name], undefined> };

/** `O`: the options of questions of the type, absent from a question that was removed or has another type now. */
export type QuestionTypeRules<O = object> = {
  /** Builds the option that is stored from the one that is sent, which is there, and reports what is not valid. */
  build?: (input: { type: QuestionType } & Sent<O>, report: Report) => Stored<O>;
  /** Checks a value and returns what is stored of it. */
  check: ValueCheck<O>;
  /** Finds why a stored answer is not valid any more; needed where the service makes the answers. */
  storedFaults?: (question: O, answer: AnswerContent) => AnswerFault[];
  /**
   * Finds why a stored answer may not be submitted. A draft keeps such an answer as it was typed; `offered` are the choices that
   * the respondent may select.
   */
  judge?: (question: O, answer: AnswerContent, offered: readonly OfferedChoice[]) => AnswerFault[];
  /** Whether a value repeats a stored answer; by default if the values are equal. */
  repeats?: (value: SentValue, stored: AnswerContent) => boolean;
  /** Displays an answer that was stored without a display value. */
  display: (answer: AnswerContent) => string;
  /** Formats an answer in the language of the reader; undefined for its display value. */
  format?: (reader: { language: Language }, answer: DisplayedAnswer, options: O) => string | undefined;
  /** Lists the texts that conditions and filters compare, one at a time; by default the display of the value. */
  subjects?: (answer: AnswerContent, question: O) => string[];
  /** The most characters of these texts together; of a type that selects choices, of each. */
  maxCharacters: number;
  /** The kind of the column of a question, `text` by default; undefined for a removed question. */
  column?: (question: O | undefined) => ColumnKind;
  /** The cell of an answer; by default its display value. */
  cell?: (answer: AnswerContent, displayValue: string, question: O | undefined) => CellValue;
};
