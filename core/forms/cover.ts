/**
 * Covers of forms: uploaded through the service or directly to storage, copied to a new form, returned by URL. Each image
 * has its own key, which is never reused and is the path in `coverImage`. A clean-up is scheduled before an image is
 * stored and when a form replaces or clears it; the clean-up removes the image unless it is the form's current cover.
 */
import { objects, signUpload } from '#core/db/bucket.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import type { Write } from '#core/db/table.ts';
import { scheduleCleanUp } from '#core/jobs/job.ts';
import { requireStorageRoom, type StorageLimit } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import { type Infer, isId } from '#core/schema/schema.ts';
import { CLEAN_UP_SECONDS, DOWNLOAD_URL_SECONDS, sha256Base64 } from '#core/schema/upload.ts';
import { NO_SOURCE, NO_UPLOAD, patchForm } from './edit.ts';
import { type CoverDocument, type CoverInput, type Form, type FormPatch, MAX_COVER_BYTES } from './model.ts';
import { changeForm } from './service.ts';
import { applySpreadsheetChange } from './spreadsheet.ts';
import { withEditor } from './status.ts';
import { parseForm } from './store.ts';

type CoverResult = { body: Infer<typeof CoverDocument>; etag: number };

/**
 * Makes an uploaded image the cover of a form. Throws 413 for more than 2 MB, 415 for anything but WebP, 400 for too
 * many pixels, 409 for a stale `If-Match`, 404 when the form is gone; 413 also when the organization may store no more.
 */
export async function setCover(
  app: ChangePorts & StorageLimit,
  { form, bytes, userId, publicUrl }: { form: Form; bytes: Uint8Array; userId: string; publicUrl: string },
): Promise<CoverResult> {
  await requireCover(bytes);
  app.ifMatch(form.version);
  await requireStorageRoom(app, form.orgId, bytes.length);
  const path = objects.cover(form.id, app.uuid());
  await app.table.write([scheduleCleanUp(app, keys.formHead(form.id), path, CLEAN_UP_SECONDS)]);
  await app.bucket.put(path, bytes, COVER_TYPE);
  const now = app.now().toISOString();
  const changed = await changeForm(app, form, (current) => {
    const next = withEditor({ ...current, coverImage: path }, userId, now);
    return { form: next, alsoWrites: cleanUpReplacedCover(app, next, current) };
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
  await requireStorageRoom(app, form.orgId, input.size);
  const path = objects.cover(form.id, app.uuid());
  const upload = { ...input, sha256: sha256Base64(input.sha256) };
  const uploadRequest = await signUpload(app, path, upload);
  await app.table.write([scheduleCleanUp(app, keys.formHead(form.id), path, CLEAN_UP_SECONDS)]);
  return { body: { ...presentCover(publicUrl, form.id, path), upload: uploadRequest }, etag: form.version };
}

/** Signs a URL of a form's cover that is valid for one minute. Throws 404 when the form has no cover. */
export async function signCoverUrl({ bucket }: Ports, { coverImage }: Form): Promise<string> {
  if (coverImage === null) throw problems.notFound();
  return bucket.signGet(coverImage, { contentType: COVER_TYPE, disposition: 'inline' }, DOWNLOAD_URL_SECONDS);
}

/**
 * Changes the settings of a form. A new path in `coverImage` must be that of an image that was uploaded for this form.
 * Throws 400 for any other path, an image that cannot be a cover, settings that contradict each other, and a spreadsheet
 * of another organization; 409 for a stale `If-Match`; 404 when the form is gone.
 */
export async function updateForm(app: ChangePorts, form: Form, patch: FormPatch, userId: string): Promise<Form> {
  const path = patch.coverImage;
  const isUpload = typeof path === 'string' && path !== form.coverImage && parseCoverFormId(path) === form.id;
  if (isUpload) {
    app.ifMatch(form.version);
    patchForm(form, patch, { userId, now: form.updatedAt, uploaded: path });
    await requireUploadedCover(app, path);
  }
  const now = app.now().toISOString();
  return changeForm(app, form, async (current) => {
    const next = patchForm(current, patch, { userId, now, uploaded: isUpload ? path : undefined });
    const spreadsheetWrites =
      patch.spreadsheetUrl === undefined ? [] : await applySpreadsheetChange(app, next, current);
    return { form: next, alsoWrites: [...cleanUpReplacedCover(app, next, current), ...spreadsheetWrites] };
  });
}

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
  await app.bucket.put(to, image.start, COVER_TYPE);
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
  const detail = sizeFault(image.size) ?? (await coverFault(image.start))?.detail;
  if (detail !== undefined) throw problems.invalid([{ ...NO_UPLOAD, detail }]);
}

async function requireCover(bytes: Uint8Array): Promise<void> {
  const tooLarge = sizeFault(bytes.length);
  if (tooLarge !== undefined) throw problems.tooLarge(`The cover ${tooLarge}.`);
  const fault = await coverFault(bytes);
  if (fault?.status === 415) throw problems.unsupportedMediaType(`The cover ${fault.detail}.`);
  if (fault) throw problems.invalid([{ ...NO_UPLOAD, detail: fault.detail }]);
}

const sizeFault = (size: number): string | undefined =>
  size > MAX_COVER_BYTES ? `must have at most ${MAX_COVER_BYTES} bytes (2 MB), but has ${size}` : undefined;

const presentCover = (publicUrl: string, formId: string, path: string) => ({
  imageUrl: `${publicUrl}/api/forms/${formId}/cover`,
  path,
});

// Validates cover images: WebP by their bytes, at most 1,800 pixels wide and high.

/** The largest width and height. */
export const MAX_COVER_PIXELS = 1_800;
export const COVER_TYPE = 'image/webp';
/** The shortest WebP header with a size; `image-size` misreads a truncated lossless one. */
const MIN_HEADER_BYTES = 25;

type CoverFault = { status: 415 | 400; detail: string };

/**
 * Finds why an image cannot be a cover. Never throws, whatever the bytes are.
 * @param image the whole image
 * @returns undefined for a valid cover; status 415 for anything but WebP, 400 for a wrong size in pixels
 */
export async function coverFault(image: Uint8Array): Promise<CoverFault | undefined> {
  const size = await webpSize(image);
  if (!size) return { status: 415, detail: 'must be a WebP image: save the picture as WebP' };
  const { width, height } = size;
  if (width < 1 || height < 1) return { status: 400, detail: 'must be at least 1 pixel wide and high' };
  if (width <= MAX_COVER_PIXELS && height <= MAX_COVER_PIXELS) return undefined;
  const detail = `must be at most ${MAX_COVER_PIXELS} pixels wide and high, but is ${width} × ${height}: make it smaller`;
  return { status: 400, detail };
}

/** Whether an image begins as a WebP file: `RIFF`, a size of four bytes, `WEBP`. */
function isWebp(image: Uint8Array): boolean {
  const start = Buffer.from(image.subarray(0, 12)).toString('latin1');
  return start.startsWith('RIFF') && start.endsWith('WEBP');
}

async function webpSize(image: Uint8Array): Promise<{ width: number; height: number } | undefined> {
  // Other formats are not passed to `image-size`, which takes very long for some malformed images.
  if (image.length < MIN_HEADER_BYTES || !isWebp(image)) return undefined;
  const { imageSize } = await import('image-size');
  try {
    const { type, width, height } = imageSize(image);
    return type === 'webp' ? { width, height } : undefined;
  } catch {
    // `imageSize` throws for unknown formats.
    return undefined;
  }
}
