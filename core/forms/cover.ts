/**
 * The cover of a form (contract section 4, "Cover"): uploaded through the service or straight to storage, changed with
 * the form's other settings, copied to a new form, shown. A cover is one object, whose key is the path in `coverImage`
 * and is never used for another image. Storage is filled before a form names the object and cleared after no form
 * does, so a form never names what is not there; what a failure leaves behind goes when the form is deleted.
 */
import { keys } from '#core/db/keys.ts';
import { objects } from '#core/db/objects.ts';
import { DOWNLOAD_URL_SECONDS, UPLOAD_URL_SECONDS } from '#core/files/model.ts';
import { forgetObjects, tidy } from '#core/files/objects.ts';
import type { App } from '#core/http/app.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { type Infer, isId } from '#core/schema/schema.ts';
import { COVER_TYPE, coverFault } from './cover-image.ts';
import { NO_SOURCE, NO_UPLOAD, patchForm } from './edit.ts';
import { type CoverInput, type CoverView, type Form, type FormPatch, MAX_COVER_BYTES } from './model.ts';
import { changeForm } from './service.ts';
import { edited } from './status.ts';
import { formOf, storedFormOf } from './store.ts';

type Changing = Parameters<typeof changeForm>[0];
type Shown = { body: Infer<typeof CoverView>; etag: number };

/**
 * Makes an image the cover of a form; the cover before it goes. Throws 413 for more than 2 MB, 415 for what is no WebP,
 * 400 for too many pixels, 409 stale, 404 when the form is gone meanwhile; then nothing is stored.
 */
export async function setCover({ app, form, ifMatch }: Changing, bytes: Uint8Array, userId: string): Promise<Shown> {
  await requireCover(bytes);
  ifMatch(form.version);
  const path = objects.cover(form.id, app.uuid());
  await app.bucket.put(path, bytes, COVER_TYPE);
  const now = app.now().toISOString();
  const withCover = (current: Form): Form => edited({ ...current, coverImage: path }, userId, now);
  const changed = await changeCovered({ app, form, ifMatch }, withCover, path);
  return { body: showCover(app, form.id, path), etag: changed.version };
}

/** Says how to upload an image of a size straight to storage; the form is not changed. Throws 409 stale. */
export async function signCover(
  { app, form, ifMatch }: Changing,
  { contentType, size }: Infer<typeof CoverInput>,
): Promise<Shown> {
  ifMatch(form.version);
  const path = objects.cover(form.id, app.uuid());
  const signed = await app.bucket.signPut(objects.pending(path), { contentType, size }, UPLOAD_URL_SECONDS);
  const expiresAt = new Date(app.now().getTime() + UPLOAD_URL_SECONDS * 1_000).toISOString();
  const upload = { method: 'PUT' as const, ...signed, expiresAt };
  return { body: { ...showCover(app, form.id, path), upload }, etag: form.version };
}

/** Where the image of a form's cover can be read for a minute. Throws 404 when it has none. */
export async function coverLocation(app: App, { coverImage }: Form): Promise<string> {
  if (coverImage === null) throw problems.notFound();
  return app.bucket.signGet(coverImage, { contentType: COVER_TYPE, disposition: 'inline' }, DOWNLOAD_URL_SECONDS);
}

/**
 * Changes the settings of a form. A path in `coverImage` that it does not have yet must be that of an upload for it,
 * which is taken last, when nothing else is wrong. Throws 400, 409 stale, 404 when the form is gone meanwhile.
 */
export async function updateForm({ app, form, ifMatch }: Changing, patch: FormPatch, userId: string): Promise<Form> {
  const now = app.now().toISOString();
  const patched = (taken?: string) => (current: Form) => patchForm(current, patch, { userId, now, taken });
  const path = patch.coverImage;
  const isUpload = typeof path === 'string' && path !== form.coverImage && formOfCover(path) === form.id;
  if (!isUpload) return changeCovered({ app, form, ifMatch }, patched());
  ifMatch(form.version);
  patched(path)(form);
  if (await takeUpload(app, path)) {
    const changed = await changeCovered({ app, form, ifMatch }, patched(path), path);
    await forgetObjects(app, [objects.pending(path)]);
    return changed;
  }
  // The same request sent twice: the other one may have taken it since the form was read.
  const newest = formOf((await app.table.read([keys.formHead(form.id)]))[0], form.id);
  if (!newest) throw problems.notFound();
  return changeCovered({ app, form: newest, ifMatch }, patched());
}

type Copying = { from: string; to: string; orgId: string };

/**
 * Copies the cover that a form of an organization has to the path of a new one. A run that is repeated for its
 * Idempotency-Key finds the copy of the first run, whatever became of the source meanwhile. Throws 400.
 */
export async function copyCover(app: App, { from, to, orgId }: Copying): Promise<void> {
  const isDone = (await copyCurrent(app, { from, to, orgId })) || (await app.bucket.inspect(to, 1)) !== undefined;
  if (!isDone) throw problems.invalid([NO_SOURCE]);
}

async function copyCurrent(app: App, { from, to, orgId }: Copying): Promise<boolean> {
  const formId = formOfCover(from);
  if (formId === undefined) return false;
  const source = formOf((await app.table.read([keys.formHead(formId)]))[0], formId);
  if (source?.orgId !== orgId || source.coverImage !== from) return false;
  const found = await app.bucket.inspect(from, 1);
  return found !== undefined && (await app.bucket.copy(from, to, { etag: found.etag, contentType: COVER_TYPE }));
}

/** The id of the form to which a path in `coverImage` belongs; undefined when it is no such path. */
export function formOfCover(path: string): string | undefined {
  const [, formId = '', coverId = ''] = path.split('/');
  return isId(formId) && isId(coverId) && path === objects.cover(formId, coverId) ? formId : undefined;
}

/**
 * Removes the object of a cover that was refused. It stays when the form shows it after all: an answer of storage was
 * lost on the way, or the same upload was taken by another request.
 */
export async function discardCover(app: App, formId: string, path: string): Promise<void> {
  await tidy([path], async () => {
    const [item] = await app.table.read([keys.formHead(formId)]);
    if (storedFormOf(item, formId)?.coverImage !== path) await app.bucket.remove([path]);
  });
}

/** Changes a form and removes the covers that it showed before; when the change is refused, the one `stored` for it. */
async function changeCovered(changing: Changing, change: (form: Form) => Form, stored?: string): Promise<Form> {
  const { app, form } = changing;
  // Of every attempt: one that storage did not confirm may have happened.
  const before = new Set<string>();
  const noting = (current: Form): Form => {
    if (current.coverImage !== null) before.add(current.coverImage);
    return change(current);
  };
  try {
    const changed = await changeForm(changing, noting);
    await forgetObjects(
      app,
      [...before].filter((path) => path !== changed.coverImage),
    );
    return changed;
  } catch (error) {
    // After anything else nobody knows whether the form shows it.
    if (stored !== undefined && error instanceof Problem) await discardCover(app, form.id, stored);
    throw error;
  }
}

/**
 * Puts an upload in its final place; the form does not show it yet. False when there is no such upload (any more).
 * Throws 400 for one that cannot be a cover, which is removed.
 */
async function takeUpload(app: App, path: string): Promise<boolean> {
  const pending = objects.pending(path);
  // All of it, so that both ways of uploading take the same images.
  const found = await app.bucket.inspect(pending, MAX_COVER_BYTES);
  if (!found) return false;
  const detail = sizeFault(found.size) ?? (await coverFault(found.start))?.detail;
  if (detail === undefined && found.contentType === COVER_TYPE) {
    return app.bucket.copy(pending, path, { etag: found.etag, contentType: COVER_TYPE });
  }
  await forgetObjects(app, [pending]);
  throw problems.invalid([{ ...NO_UPLOAD, detail: detail ?? `must have been uploaded as ${COVER_TYPE}` }]);
}

async function requireCover(bytes: Uint8Array): Promise<void> {
  const tooLarge = sizeFault(bytes.length);
  if (tooLarge !== undefined) throw problems.tooLarge(`The cover ${tooLarge}`);
  const fault = await coverFault(bytes);
  if (fault?.status === 415) throw problems.unsupportedMediaType(`The cover ${fault.detail}`);
  if (fault) throw problems.invalid([{ ...NO_UPLOAD, detail: fault.detail }]);
}

const sizeFault = (size: number): string | undefined =>
  size > MAX_COVER_BYTES ? `must have at most ${MAX_COVER_BYTES} bytes (2 MB), but has ${size}` : undefined;

const showCover = ({ config }: App, formId: string, path: string) => ({
  imageUrl: `${config.publicUrl}/api/forms/${formId}/cover`,
  path,
});
