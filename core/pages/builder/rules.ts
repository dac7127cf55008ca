/** The page of all rules: what follows each section, in words. */
import { buildHref } from './frame.ts';

/** The address of the page of all rules. */
export const rulesHref = (formId: string): string => `${buildHref(formId)}/rules`;

/** The address of the page of one condition, or of what follows a section when that is no list of rules. */
export const nodeHref = (formId: string, nodeId: string): string => `${buildHref(formId)}/c/${nodeId}`;
