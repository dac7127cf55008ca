/** Starts a response, with the answers of a prefilled link if there are any, and shows its first section. */
import { idWithin } from '#core/db/keys.ts';
import { isOpen } from '#core/forms/gate.ts';
import { loadStructureFor } from '#core/forms/open.ts';
import { takesFiles } from '#core/identity/guest-limits.ts';
import { guestCookies, renewGuest } from '#core/identity/guests.ts';
import { Problem } from '#core/problems/problems.ts';
import { openGateToStart } from '#core/responses/change.ts';
import { listInvitedAnswers } from '#core/responses/invited-answers.ts';
import { startResponse } from '#core/responses/start.ts';
import { findPrefill, type Prefill } from '../fields/prefill.ts';
import { formVisitor } from '../shell/declare-page.ts';
import { readNewId } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
import { isPrefillTooLarge, listPrefillFields } from '../shell/prefill-link.ts';
import { isFormClosed } from './closed.ts';
import { findNewGuest } from './new-guest.ts';
import { waitForTurn } from './waiting.ts';

export const page = definePage({
  name: 'start',
  audience: 'respondents',
  path: '/f/{formId}/start',
  segmentsBelowPage: 1,
  post: {
    access: formVisitor,
    needs: ['table:read', 'table:list', 'table:write', 'states:sign'],
    creates: ['response'],
    open: openGateToStart,
    actions: {
      start: async ({ app, gate, caller, isStranger, ownCount, draftId, posted, context, readGuestCookies }) => {
        const fields = listPrefillFields(posted.fields);
        const ofInvitation = caller?.invited?.prefill ?? {};
        const isPrefilled = fields.length + Object.keys(ofInvitation).length > 0 && !isPrefillTooLarge(fields);
        const structure = isPrefilled || isStranger ? (await loadStructureFor(app.table, gate)).structure : undefined;
        const now = context.now.toISOString();
        const prefill =
          isPrefilled && structure
            ? findPrefill(structure, fields, { now, invited: listInvitedAnswers(structure, ofInvitation, now) })
            : undefined;
        if (isStranger && isOpen(gate, context.now)) {
          const isProofNeeded = structure !== undefined && takesFiles(structure);
          const waitingPage = { action: `/f/${gate.formId}/start`, form: gate, texts: context.t.guest.waiting };
          const wait = { context, isProofNeeded, page: waitingPage };
          const waiting = await waitForTurn(app, gate.formId, posted.fields, wait);
          if (waiting) return waiting;
        }
        // The second press of the button opens the response that the first one has started.
        const newGuest = isStranger ? await findNewGuest(app, gate.formId, posted.fields, fields) : undefined;
        const id = newGuest?.responseId ?? idWithin(gate.formId, readNewId(posted.fields, caller, app).derive(fields));
        const answers = prefill?.answers ?? [];
        const start = { id, gate, caller: newGuest?.guest ?? caller, ownCount, draftId, answers, isSubmission: false };
        const started = await startResponse(app, start).catch((error: unknown) => {
          if (isFormClosed(error) || isAlreadyStarted(error)) return undefined;
          throw error;
        });
        // The first page of a form says that it has closed, and continues what was started.
        if (!started) return { location: `/f/${gate.formId}` };
        const { body, etag } = started;
        const cookies = newGuest
          ? guestCookies(app, await renewGuest(app, newGuest.guest), readGuestCookies(), posted.fields.has('keep'))
          : [];
        // What the link has filled in is shown, also where nothing is missing in the first section.
        return {
          cookies,
          location: `/r/${body.id}${etag === NEW_VERSION && prefill?.firstSectionId ? firstSectionPath(prefill, prefill.firstSectionId) : ''}`,
        };
      },
    },
  },
});

const isAlreadyStarted = (error: unknown): boolean => error instanceof Problem && error.code === 'already_started';

/** The version of a response that nobody has changed since its start. */
const NEW_VERSION = 1;

function firstSectionPath({ answers, leftOut }: Prefill, sectionId: string): string {
  if (answers.length > 0) return `/s/${sectionId}?prefilled=${leftOut.length > 0 ? 'some' : 'all'}`;
  return leftOut.length > 0 ? `/s/${sectionId}?prefilled=none` : `/s/${sectionId}`;
}
