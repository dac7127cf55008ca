/** HYPERLINK: an http or https URL. */
import { isWebUrl } from '#core/schema/text.ts';
import { refuse } from './faults.ts';
import { asValue, checkText } from './text.ts';
import type { QuestionTypeRules } from './type.ts';

/** The longest URL in Unicode characters. */
export const MAX_HYPERLINK = 2_048;

const checkLength = checkText(MAX_HYPERLINK);

export const hyperlink: QuestionTypeRules = {
  ...asValue,
  check: (question, value, offered) => {
    const checked = checkLength(question, value, offered);
    if (checked.kind === 'faults' || isWebUrl(String(value))) return checked;
    return refuse('/value', 'not_web_address');
  },
};
