/** Opens responses for the pages that only show them to their respondents. */
import { openToShow } from '#core/forms/show.ts';
import { openResponse } from './change.ts';

/** Like `openResponse`, with the gate of the form as it was a second ago while the form is open. */
export const openResponseToShow = openToShow(openResponse, ({ opened }) => opened.gate);
