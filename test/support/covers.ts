/** Covers as a browser sends and sees them: as multipart, straight to storage, and behind the redirect. */
import { objects } from '#core/db/bucket.ts';
import { sha256 } from '#core/schema/hash.ts';
import { draftForm, requestAs } from './building.ts';
import type { Person } from './fixtures.ts';
import { objectKeys } from './stored.ts';
import { cleanUp } from './sweeps.ts';

type Sent = { headers?: Record<string, string>; name?: string; filename?: string; type?: string };

/** Sends images as multipart, in parts `coverImage` by default. */
export function uploadParts(
  person: Person | undefined,
  formId: string,
  images: readonly Uint8Array<ArrayBuffer>[],
  { headers = {}, name = 'coverImage', filename = 'cover.webp', type = 'image/webp' }: Sent = {},
) {
  const form = new FormData();
  for (const image of images) form.append(name, new Blob([image], { type }), filename);
  return requestAs(person, 'POST', `/api/forms/${formId}/cover`, form, headers);
}

/** Sends an image as multipart. */
export const uploadImage = (person: Person | undefined, formId: string, image: Uint8Array<ArrayBuffer>, sent?: Sent) =>
  uploadParts(person, formId, [image], sent);

/** Announces an image that goes straight to storage. */
export async function announceCover({ client }: Person, formId: string, bytes: Uint8Array) {
  const body = { contentType: 'image/webp' as const, size: bytes.length, sha256: sha256(bytes, 'hex') };
  const { path, upload } = (await client.forms.uploadCover({ params: { formId }, body })).body;
  if (!upload) throw new Error('the result has no upload');
  return { path, upload };
}

/** Sends bytes to the URL of an upload, with its headers and others; returns the status. */
export const putTo = async (
  { url, headers }: { url: string; headers: Record<string, string> },
  bytes: Uint8Array<ArrayBuffer>,
  other: Record<string, string> = {},
): Promise<number> => (await fetch(url, { method: 'PUT', headers: { ...headers, ...other }, body: bytes })).status;

/** Uploads bytes straight to storage for the cover of a form; returns their path. */
export async function putCover(person: Person, formId: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { path, upload } = await announceCover(person, formId, bytes);
  const status = await putTo(upload, bytes);
  if (status !== 200) throw new Error(`storage responded ${status}`);
  return path;
}

/** A new DRAFT with a cover. */
export async function coveredForm(person: Person, slug: string, image: Uint8Array<ArrayBuffer>) {
  const { id: formId } = await draftForm(person, slug);
  const { body } = await uploadImage(person, formId, image);
  return { formId, path: String(body.path) };
}

/** The cover of a form as somebody sees it: the response of the service and, behind the redirect, of storage. */
export async function readCover(person: Person | undefined, formId: string) {
  const response = await requestAs(person, 'GET', `/api/forms/${formId}/cover`);
  const location = response.headers.get('location');
  if (location === null) return { status: response.status };
  const image = await fetch(location);
  return { status: response.status, location, image, bytes: new Uint8Array(await image.arrayBuffer()) };
}

/** The keys of the objects of a form's covers, once all clean-ups were carried out. */
export async function keptCovers(formId: string): Promise<string[]> {
  await cleanUp();
  return objectKeys(objects.cover(formId, ''));
}
