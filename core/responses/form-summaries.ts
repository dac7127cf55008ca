/** The forms of a respondent: what they have started, submitted or may still answer (contract section 4). Pure. */

import type { Form, FormSummary } from '#core/forms/model.ts';
import { isOpen } from '#core/forms/status.ts';
import { deadlinePlace } from '#core/forms/store.ts';
import type { Response } from '#core/responses/model.ts';

/** A form as its respondent finds it, from their responses to it. */
export function summaryOf(form: Form, responses: readonly Response[], now: Date): FormSummary {
  const submitted = responses.filter((response) => response.progress === 'SUBMITTED');
  const drafts = responses.filter((response) => response.progress === 'DRAFT');
  return {
    id: form.id,
    title: form.title,
    deadline: form.deadline,
    allowEditResponse: form.allowEditResponse && isOpen(form, now) && responses.length > 0,
    status: responses.length === 0 ? 'NOT_STARTED' : drafts.length > 0 ? 'IN_PROGRESS' : 'COMPLETED',
    responseIds: [
      ...newestFirst(submitted, (response) => response.submittedAt ?? response.createdAt),
      ...newestFirst(drafts, (response) => response.createdAt),
    ],
  };
}

const newestFirst = (responses: readonly Response[], timeOf: (response: Response) => string): string[] =>
  responses.toSorted((a, b) => compare(timeOf(b), timeOf(a)) || compare(a.id, b.id)).map((response) => response.id);

/** The place of a form in its respondent's list, as a text that sorts: open first, then by deadline, then by title. */
export const placeOf = (form: Form, now: Date): string => `${isOpen(form, now) ? 0 : 1}#${deadlinePlace(form)}`;

/** Which of two texts comes first, by their bytes in UTF-8: as the index sorts them, and not as `<` does. */
export const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
