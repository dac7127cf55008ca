/** The faults that checks of schemas find: codes with parameters, for pages, which have texts of their own. */

/** The parameters of each fault; its text of the API stands at the check. */
export type CheckParams = {
  not_id: [];
  not_unicode: [];
  too_long: [max: number];
  wrong_length: [min: number, max: number];
  not_line: [];
  not_visible: [];
  too_many_bytes: [max: number];
  not_font: [];
  not_color: [];
  other_beginning: [beginning: string];
  unnamed_choice: [max: number];
  no_date_part: [];
  after_last_date: [];
  /** What is wrong in a rich-text document, in English. */
  wrong_document: [fault: string];
};

export type CheckFault = { [Code in keyof CheckParams]: { code: Code; params: CheckParams[Code] } }[keyof CheckParams];

/** Builds the options of a check of a schema: the text of the API, and the fault. */
export const because = <Code extends keyof CheckParams>(message: string, code: Code, ...params: CheckParams[Code]) => ({
  message,
  params: { code, params },
});
