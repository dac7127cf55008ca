/** Starts a response to an open form, with answers or as a complete submission. */
import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { openGateToStart } from '#core/responses/change.ts';
import { startResponse } from '#core/responses/start.ts';

export const handler = operation(
  responses.startResponse,
  openGateToStart,
  ({ gate, caller, ownCount, draftId, body, app }) => {
    const isSubmission = body?.submit === true;
    const start = { gate, caller, ownCount, draftId, answers: body?.answers ?? [], isSubmission };
    return startResponse(app, start);
  },
);
