/** Starts a response, with the answers of a prefilled link if there are any, and shows its first section. */
import { idWithin } from '#core/db/keys.ts';
import { loadStructureFor } from '#core/forms/open.ts';
import { openGateToStart } from '#core/responses/change.ts';
import { startResponse } from '#core/responses/start.ts';
import { findPrefill, type Prefill } from '../fields/prefill.ts';
import { formVisitor } from '../shell/declare-page.ts';
import { readNewId } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
import { isPrefillTooLarge, listPrefillFields } from '../shell/prefill-link.ts';
import { isFormClosed } from './closed.ts';

export const page = definePage({
  name: 'start',
  audience: 'respondents',
  path: '/f/{formId}/start',
  segmentsBelowPage: 1,
  post: {
    access: formVisitor,
    needs: ['table:read', 'table:list', 'table:write'],
    creates: ['response'],
    open: openGateToStart,
    actions: {
      start: async ({ app, gate, caller, ownCount, posted, context }) => {
        const fields = listPrefillFields(posted.fields);
        const isPrefilled = fields.length > 0 && !isPrefillTooLarge(fields);
        const prefill = isPrefilled
          ? findPrefill((await loadStructureFor(app.table, gate)).structure, fields, context.now.toISOString())
          : undefined;
        // The second press of the button opens the response that the first one has started.
        const id = idWithin(gate.formId, readNewId(posted.fields, caller, app).derive(fields));
        const start = { id, gate, userId: caller.id, ownCount, answers: prefill?.answers ?? [], isSubmission: false };
        const started = await startResponse(app, start).catch((error: unknown) => {
          if (isFormClosed(error)) return undefined;
          throw error;
        });
        // The first page of a form that has closed says so.
        if (!started) return { location: `/f/${gate.formId}` };
        const { body, etag } = started;
        // What the link has filled in is shown, also where nothing is missing in the first section.
        return {
          location: `/r/${body.id}${etag === NEW_VERSION && prefill?.firstSectionId ? firstSectionPath(prefill, prefill.firstSectionId) : ''}`,
        };
      },
    },
  },
});

/** The version of a response that nobody has changed since its start. */
const NEW_VERSION = 1;

function firstSectionPath({ answers, leftOut }: Prefill, sectionId: string): string {
  if (answers.length > 0) return `/s/${sectionId}?prefilled=${leftOut.length > 0 ? 'some' : 'all'}`;
  return leftOut.length > 0 ? `/s/${sectionId}?prefilled=none` : `/s/${sectionId}`;
}
