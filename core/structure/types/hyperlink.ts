/** HYPERLINK: an http or https URL. */

import { refuse } from '#core/problems/answer-faults.ts';
import { isWebUrl } from '#core/schema/text.ts';
import { checkText, valueText } from './text.ts';
import type { QuestionTypeRules } from './type.ts';

/** The longest URL in Unicode characters. */
export const MAX_HYPERLINK = 2_048;

export const hyperlink: QuestionTypeRules = {
  check: (question, value) => {
    const checked = checkText(question, value, MAX_HYPERLINK);
    if (checked.kind === 'faults' || isWebUrl(String(value))) return checked;
    return refuse('/value', 'not_web_address');
  },
  display: valueText,
  maxCharacters: MAX_HYPERLINK,
};
