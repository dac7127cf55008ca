/**
 * Shows a section with its stored answers. A section off the path, or of a form that is not open, redirects to the
 * page at which the respondent continues. Saves what was typed into a section, and does what the pressed button says.
 */
import { MAX_BODY_BYTES } from '#core/api/declare.ts';
import { isOpen } from '#core/forms/gate.ts';
import { isPending, openEditable, openToEdit, viewEdited } from '#core/responses/pending-edit.ts';
import { loadPlacesLeft } from '#core/responses/places-left.ts';
import { openResponseToShow } from '#core/responses/show.ts';
import { owner } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { findSectionOnPath } from './navigation.ts';
import { renderSectionPage } from './section.ts';
import { findDescription, markLater, sectionFields } from './section-fields.ts';

export const page = definePage({
  name: 'section',
  audience: 'respondents',
  path: '/r/{responseId}/s/{sectionId}',
  access: owner,
  needs: ['table:read', 'files:write'],
  open: (call) => openEditable(call, openResponseToShow, { isLate: true }),
  show: async ({ app, opened: stored, edit, params, query, context }) => {
    const editable = { opened: stored, edit };
    const opened = viewEdited(editable);
    const { response, gate } = opened;
    const section = findSectionOnPath(opened, params.sectionId);
    const isFinal = response.progress === 'SUBMITTED' && !gate.allowEditResponse;
    if (isFinal || !section || !isOpen(gate, context.now)) return { location: `/r/${response.id}` };
    const { choices: places } = await loadPlacesLeft(app, opened);
    const fields = markLater(editable, sectionFields(context, opened, section, { places }));
    const description = findDescription(opened, section.id);
    const fromCheck = query.get('from') === 'check';
    const connectionFailed = query.get('status') === 'error';
    const prefilled = PREFILLED.find((value) => value === query.get('prefilled'));
    const pending = isPending(editable);
    const data = { gate, response, section, description, fields, fromCheck, connectionFailed, prefilled, pending };
    return { html: renderSectionPage(context, data) };
  },
  post: {
    access: owner,
    needs: ['table:read', 'table:write', 'files:read', 'files:write', 'files:remove'],
    maxFormBytes: MAX_BODY_BYTES,
    open: openToEdit,
    actions: {
      // The first request of most instances shows a section.
      save: async (request) =>
        request.fromScript
          ? (await import('./section-script.ts')).saveFromScript(request)
          : (await import('./section-post.ts')).submitSection(request),
    },
  },
});

const PREFILLED = ['all', 'some', 'none'] as const;
