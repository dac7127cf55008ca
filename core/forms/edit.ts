/** What creating and changing a form's settings makes of them. Pure functions (contract section 4, "PATCH"). */
import { type Fault, problems } from '#core/problems/problems.ts';
import type { Dressing, Form, FormInput, FormPatch } from './model.ts';
import { edited, settingFaults } from './status.ts';

/** A new form is the first to show its cover: a copy under a path of its own, or none. */
type Made = { id: string; orgId: string; userId: string; now: string; cover?: string | null };
/** Who edits a form and when; `taken` is the path of an upload that is there to become the cover. */
type Edit = { userId: string; now: string; taken: string | undefined };

const at = '/body/coverImage';
/** A cover is set by uploading it: a form may take what was uploaded for it, keep the path it has, or drop it. */
export const NO_UPLOAD: Fault = {
  pointer: at,
  detail: 'must be the path that the upload of this form’s cover answered',
};
/** There is nothing yet that a cover could have been uploaded for. */
export const NO_SOURCE: Fault = {
  pointer: at,
  detail: 'must be the path of the cover that a form of this organization has now',
};

/** A new form, DRAFT. Throws 400 for settings that contradict each other, and for a cover of which there is no copy. */
export function newForm(input: FormInput, { id, orgId, userId, now, cover = null }: Made): Form {
  const blank: Form = {
    id,
    orgId,
    title: input.title,
    description: null,
    previewMessage: null,
    status: 'DRAFT',
    visibility: input.visibility,
    allowEditResponse: input.allowEditResponse,
    deadline: null,
    publishTime: null,
    messageAfterSubmission: null,
    sendResponseEmail: false,
    dressing: {},
    coverImage: null,
    spreadsheetUrl: null,
    creatorId: userId,
    lastEditorId: userId,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  const isMissing = typeof input.coverImage === 'string' && cover === null;
  return withSettings(blank, { ...input, coverImage: cover }, isMissing ? [NO_SOURCE] : []);
}

/** A form with changed settings: absent is unchanged, null clears. Throws 400. */
export function patchForm(form: Form, patch: FormPatch, { userId, now, taken }: Edit): Form {
  const { coverImage } = patch;
  const isKnown = typeof coverImage !== 'string' || coverImage === form.coverImage || coverImage === taken;
  return edited(withSettings(form, patch, isKnown ? [] : [NO_UPLOAD]), userId, now);
}

function withSettings(form: Form, patch: FormPatch, coverFaults: readonly Fault[]): Form {
  const next: Form = {
    ...form,
    title: patch.title ?? form.title,
    visibility: patch.visibility ?? form.visibility,
    allowEditResponse: patch.allowEditResponse ?? form.allowEditResponse,
    description: given(patch.description, form.description),
    previewMessage: given(patch.previewMessage, form.previewMessage) || null,
    deadline: given(patch.deadline, form.deadline),
    publishTime: given(patch.publishTime, form.publishTime),
    messageAfterSubmission: given(patch.messageAfterSubmission, form.messageAfterSubmission),
    sendResponseEmail: given(patch.sendResponseEmail, form.sendResponseEmail) ?? false,
    dressing: patch.dressing === undefined ? form.dressing : mergeDressing(form.dressing, patch.dressing),
    coverImage: given(patch.coverImage, form.coverImage),
    spreadsheetUrl: given(patch.spreadsheetUrl, form.spreadsheetUrl),
  };
  const faults = [...settingFaults(next), ...coverFaults];
  if (faults.length > 0) throw problems.invalid(faults);
  return next;
}

const given = <T>(sent: T | null | undefined, kept: T | null): T | null => (sent === undefined ? kept : sent);

function mergeDressing(kept: Dressing, sent: FormPatch['dressing']): Dressing {
  if (!sent) return {};
  const merged = { ...kept, ...sent };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null && value !== undefined));
}
