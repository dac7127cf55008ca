/** What creating and changing a form's settings makes of them. Pure functions (contract section 4, "PATCH"). */
import { type Fault, problems } from '#core/http/problems.ts';
import type { Dressing, Form, FormInput, FormPatch } from './model.ts';
import { edited, settingFaults } from './status.ts';

type Made = { id: string; orgId: string; userId: string; now: string };

/** A new form, DRAFT. Throws 400 for settings that contradict each other. */
export function newForm(input: FormInput, { id, orgId, userId, now }: Made): Form {
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
  return withSettings(blank, input);
}

/** A form with changed settings: absent is unchanged, null clears. Throws 400. */
export const patchForm = (form: Form, patch: FormPatch, userId: string, now: string): Form =>
  edited(withSettings(form, patch), userId, now);

function withSettings(form: Form, patch: FormPatch): Form {
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
  const faults = [...settingFaults(next), ...coverFaults(form, next)];
  if (faults.length > 0) throw problems.invalid(faults);
  return next;
}

const given = <T>(sent: T | null | undefined, kept: T | null): T | null => (sent === undefined ? kept : sent);

/** A cover is set by uploading it; a form may only keep the path it has, or drop it. */
const coverFaults = (form: Form, next: Form): Fault[] =>
  next.coverImage === null || next.coverImage === form.coverImage
    ? []
    : [{ pointer: '/body/coverImage', detail: 'must be the path that the upload of this form’s cover answered' }];

function mergeDressing(kept: Dressing, sent: FormPatch['dressing']): Dressing {
  if (!sent) return {};
  const merged = { ...kept, ...sent };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null && value !== undefined));
}
