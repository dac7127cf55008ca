/**
 * Covers of forms: uploaded through the service or directly to storage, copied to a new form, returned by URL. Each image
 * has its own key, which is never reused and is the path in `coverImage`. A clean-up is scheduled before an image is
 * stored and when a form replaces or clears it; the clean-up removes the image unless it is the form's current cover.
 */
import type { Role } from '#core/access/access.ts';
import { objects, signUpload } from '#core/db/bucket.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import type { Write } from '#core/db/table.ts';
import { scheduleCleanUp } from '#core/jobs/clean-up.ts';
import { requireStorageRoom, type StorageLimit } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import { MAX_COVER_BYTES } from '#core/schema/limits.ts';
import { type Infer, isId } from '#core/schema/schema.ts';
import { CLEAN_UP_SECONDS, DOWNLOAD_URL_SECONDS, sha256Base64 } from '#core/schema/upload.ts';
import { type CoverImage, coverFault, coverSizeFault } from './cover-image.ts';
import { NO_SOURCE, NO_UPLOAD, patchForm } from './edit.ts';
import { changeKeeping, shortenedFrom } from './keeping.ts';
import type { CoverDocument, CoverInput, Form, FormPatch } from './model.ts';
import { limitResponses } from './places.ts';
import { applySpreadsheetChange } from './spreadsheet.ts';
import { withEditor } from './status.ts';
import { changeForm, parseForm } from './store.ts';

type CoverResult = { body: Infer<typeof CoverDocument>; etag: number };

/**
 * Makes an image that was checked (`cover-image.ts`) the cover of a form. Throws 409 for a stale `If-Match`, 404 when the
 * form is gone, 413 when the organization may store no more.
 */
export async function setCover(
  app: ChangePorts & StorageLimit,
  { form, image, userId, publicUrl }: { form: Form; image: CoverImage; userId: string; publicUrl: string },
): Promise<CoverResult> {
  app.ifMatch(form.version);
  await requireStorageRoom(app, form, image.bytes.length);
  const path = objects.cover(form.id, app.uuid());
  await app.table.write([scheduleCleanUp(app, keys.formHead(form.id), path, CLEAN_UP_SECONDS)]);
  await app.bucket.put(path, image.bytes, image.type);
  const now = app.now().toISOString();
  const changed = await changeForm(app, form, (current) => {
    const next = withEditor({ ...current, coverImage: path }, userId, now);
    return { next, alsoWrites: cleanUpReplacedCover(app, next, current) };
  });
  return { body: presentCover(publicUrl, form.id, path), etag: changed.version };
}

/**
 * Announces an image that is uploaded directly to storage, and returns its upload request; the form does not change.
 * Throws 409 for a stale `If-Match`, 413 when the organization may store no more.
 */
export async function announceCover(
  app: ChangePorts & StorageLimit,
  { form, input, publicUrl }: { form: Form; input: Infer<typeof CoverInput>; publicUrl: string },
): Promise<CoverResult> {
  app.ifMatch(form.version);
  await requireStorageRoom(app, form, input.size);
  const path = objects.cover(form.id, app.uuid());
  const upload = { ...input, sha256: sha256Base64(input.sha256) };
  const uploadRequest = await signUpload(app, path, upload);
  await app.table.write([scheduleCleanUp(app, keys.formHead(form.id), path, CLEAN_UP_SECONDS)]);
  return { body: { ...presentCover(publicUrl, form.id, path), upload: uploadRequest }, etag: form.version };
}

/**
 * Signs a URL of a form's cover, with the type under which it is stored, that is valid for one minute. Throws 404 when the
 * form has no cover.
 */
export async function signCoverUrl({ bucket }: Ports, { coverImage }: Form): Promise<string> {
  if (coverImage === null) throw problems.notFound();
  return bucket.signGet(coverImage, { disposition: 'inline' }, DOWNLOAD_URL_SECONDS);
}

/**
 * Changes the settings of a form. A new path in `coverImage` must be that of an image that was uploaded for this form.
 * Throws what `requireSeen` throws for the stored form and the next one; 400 for any other path, an image that cannot be a cover, settings
 * that contradict each other, and a spreadsheet of another organization; 409 for a stale `If-Match`; 404 when the form was
 * deleted; 403 when `by`, who changes it, may not have responses deleted sooner.
 */
export async function updateForm(
  app: ChangePorts,
  form: Form,
  patch: FormPatch,
  by: { userId: string; roles: readonly Role[] },
  requireSeen?: (current: Form, next: Form) => void,
): Promise<Form> {
  const { userId } = by;
  const path = patch.coverImage;
  const isUpload = typeof path === 'string' && path !== form.coverImage && parseCoverFormId(path) === form.id;
  if (isUpload) {
    app.ifMatch(form.version);
    patchForm(form, patch, { userId, now: form.updatedAt, uploaded: path });
    await requireUploadedCover(app, path);
  }
  const now = app.now().toISOString();
  return changeForm(app, form, async (current) => {
    const patched = patchForm(current, patch, { userId, now, uploaded: isUpload ? path : undefined });
    const kept = await changeKeeping(app, current, patched, by);
    const { next, writes } = await limitResponses(app, current, kept.next);
    requireSeen?.(current, next);
    const spreadsheetWrites =
      patch.spreadsheetUrl === undefined ? [] : await applySpreadsheetChange(app, next, current);
    return {
      next,
      alsoWrites: [...cleanUpReplacedCover(app, next, current), ...spreadsheetWrites, ...writes, ...kept.writes],
    };
  });
}

/** Takes back that something is kept for a shorter time, if that does not act yet. Throws like `updateForm`. */
export async function takeBack(
  app: ChangePorts,
  form: Form,
  by: { userId: string; roles: readonly Role[] },
): Promise<void> {
  const { shortening } = form;
  if (!shortening || shortenedFrom(form, app.now()) === null) return;
  await updateForm(app, form, { retentionDays: shortening.submitted, draftDays: shortening.drafts }, by);
}

/** Removes the cover of a form. Throws 409 for a stale `If-Match`, 404 when the form was deleted. */
export const removeCover = (app: ChangePorts, form: Form, userId: string): Promise<Form> =>
  updateForm(app, form, { coverImage: null }, { userId, roles: [] });

/** Copies the current cover of a form of an organization to a path of a new form. Throws 400 for any other path. */
export async function copyCover(
  app: Ports,
  { from, to, newFormId, orgId }: { from: string; to: string; newFormId: string; orgId: string },
): Promise<void> {
  const formId = parseCoverFormId(from);
  const [item] = formId === undefined ? [] : await app.table.read([keys.formHead(formId)]);
  const source = formId === undefined ? undefined : parseForm(item, formId);
  const isCurrent = source?.orgId === orgId && source.coverImage === from;
  const image = isCurrent ? await app.bucket.inspect(from, MAX_COVER_BYTES) : undefined;
  if (!image) throw problems.invalid([NO_SOURCE]);
  await app.table.write([scheduleCleanUp(app, keys.formHead(newFormId), to, CLEAN_UP_SECONDS)]);
  await app.bucket.put(to, image.start, image.contentType);
}

/** Parses the id of the form that a cover path belongs to; undefined for any other text. */
export function parseCoverFormId(path: string): string | undefined {
  const [, formId = '', coverId = ''] = path.split('/');
  return isId(formId) && isId(coverId) && path === objects.cover(formId, coverId) ? formId : undefined;
}

/** Schedules the clean-up of the cover that a change replaces or removes. */
const cleanUpReplacedCover = (app: Ports, next: Form, before: Form): Write[] =>
  before.coverImage === null || before.coverImage === next.coverImage
    ? []
    : [scheduleCleanUp(app, keys.formHead(next.id), before.coverImage)];

/** Throws 400 unless an uploaded object is a valid cover. */
async function requireUploadedCover({ bucket }: Ports, path: string): Promise<void> {
  const image = await bucket.inspect(path, MAX_COVER_BYTES);
  if (!image) throw problems.invalid([NO_UPLOAD]);
  const detail = coverSizeFault(image.size) ?? (await coverFault(image.start))?.detail;
  if (detail !== undefined) throw problems.invalid([{ ...NO_UPLOAD, detail }]);
}

const presentCover = (publicUrl: string, formId: string, path: string) => ({
  imageUrl: `${publicUrl}/api/forms/${formId}/cover`,
  path,
});
