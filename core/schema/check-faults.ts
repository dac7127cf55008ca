/** The faults that checks of schemas find: codes with parameters, for pages, which have texts of their own. */

/** The parameters of each fault; its text of the API is at the check. */
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
  wrong_name: [];
  number_too_long: [digits: number, decimals: number];
  no_date_part: [];
  after_last_date: [];
  // In a rich-text document; names are those of nodes and marks.
  empty_text: [];
  wrong_link: [];
  other_target: [];
  wrong_attributes: [];
  wrong_heading_level: [];
  wrong_list_start: [];
  no_mark: [];
  unknown_mark: [type: string, known: readonly string[]];
  mark_repeated: [name: string];
  wrong_marks: [];
  marks_not_allowed: [name: string];
  wrong_content: [];
  content_not_allowed: [name: string];
  no_document_node: [];
  unknown_document_node: [type: string, parent: string, allowed: readonly string[]];
  misplaced_document_node: [name: string, parent: string, allowed: readonly string[]];
  too_deep: [max: number];
  number_too_large: [];
  name_not_allowed: [];
};

export type CheckFault = { [Code in keyof CheckParams]: { code: Code; params: CheckParams[Code] } }[keyof CheckParams];

/** Builds the options of a check of a schema: the text of the API, and the fault. */
export const because = <Code extends keyof CheckParams>(message: string, code: Code, ...params: CheckParams[Code]) => ({
  message,
  params: { code, params },
});
