/** Creates and changes a form's settings. Pure functions. */
import { type Fault, problems } from '#core/problems/problems.ts';
import type { Form, FormInput, FormPatch } from './model.ts';
import { fillSettings, patchSettings } from './settings.ts';
import { settingFaults, withEditor } from './status.ts';

/** `cover`: the path of the new form's own copy of a cover, or null. */
type NewForm = { id: string; orgId: string; userId: string; now: string; cover?: string | null };
/** `uploaded`: the path of an uploaded image that becomes the cover. */
type Edit = { userId: string; now: string; uploaded: string | undefined };

const COVER_POINTER = '/body/coverImage';
/** `coverImage` accepts an image uploaded for this form, the current path, or null. */
export const NO_UPLOAD: Fault = {
  pointer: COVER_POINTER,
  detail: 'must be the path of an uploaded cover of this form',
};
/** A form that is being created accepts only the current cover of another form. */
export const NO_SOURCE: Fault = {
  pointer: COVER_POINTER,
  detail: 'must be the path of the current cover of a form of this organization',
};

/** Creates a DRAFT form. Throws 400 for settings that contradict each other. */
export function newForm(input: FormInput, { id, orgId, userId, now, cover = null }: NewForm): Form {
  const isMissing = typeof input.coverImage === 'string' && cover === null;
  const { title, visibility, allowEditResponse } = input;
  const settings = fillSettings({ title, visibility, allowEditResponse });
  const people = { creatorId: userId, lastEditorId: userId };
  const blank: Form = {
    id,
    orgId,
    status: 'DRAFT',
    ...settings,
    ...people,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  return withSettings(blank, { ...input, coverImage: cover }, isMissing ? [NO_SOURCE] : []);
}

/**
 * Changes settings of a form: an absent member is unchanged, null clears it. Throws 400 for settings that contradict
 * each other, and for a cover other than the current or the uploaded one.
 */
export function patchForm(form: Form, patch: FormPatch, { userId, now, uploaded }: Edit): Form {
  const { coverImage } = patch;
  const isKnown = typeof coverImage !== 'string' || coverImage === form.coverImage || coverImage === uploaded;
  return withEditor(withSettings(form, patch, isKnown ? [] : [NO_UPLOAD]), userId, now);
}

function withSettings(form: Form, patch: FormPatch, coverFaults: readonly Fault[]): Form {
  const next: Form = { ...form, ...patchSettings(form, patch) };
  const faults = [...settingFaults(next), ...coverFaults];
  if (faults.length > 0) throw problems.invalid(faults);
  return next;
}
