/** Covers as a browser sends and sees them: as multipart, straight to storage, and from where the service leads. */
import { draftForm } from './building.ts';
import { type Person, send } from './world.ts';

type Sent = { headers?: Record<string, string>; name?: string; filename?: string; type?: string };

/** Sends some images as multipart, in parts `coverImage` unless told otherwise. */
export async function uploadParts(
  person: Person | undefined,
  formId: string,
  images: readonly Uint8Array<ArrayBuffer>[],
  { headers = {}, name = 'coverImage', filename = 'cover.webp', type = 'image/webp' }: Sent = {},
) {
  const form = new FormData();
  for (const image of images) form.append(name, new Blob([image], { type }), filename);
  const multipart = new Response(form);
  const answer = await send('POST', `/api/forms/${formId}/cover`, {
    headers: {
      'content-type': multipart.headers.get('content-type') ?? '',
      ...(person ? { authorization: `Bearer ${person.token}` } : {}),
      ...headers,
    },
    body: Buffer.from(await multipart.arrayBuffer()),
  });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
}

/** Sends an image as multipart. */
export const uploadImage = (person: Person | undefined, formId: string, image: Uint8Array<ArrayBuffer>, sent?: Sent) =>
  uploadParts(person, formId, [image], sent);

/** Asks how to upload an image straight to storage. */
export async function askUpload({ client }: Person, formId: string, size: number) {
  const body = { contentType: 'image/webp' as const, size };
  const { path, upload } = (await client.forms.uploadCover({ params: { formId }, body })).body;
  if (!upload) throw new Error('the answer does not say how to upload');
  return { path, upload };
}

/** Puts bytes to storage as an upload says, or with other headers; answers the status. */
export const putTo = async (
  { url, headers }: { url: string; headers: Record<string, string> },
  bytes: Uint8Array<ArrayBuffer>,
  other: Record<string, string> = {},
): Promise<number> => (await fetch(url, { method: 'PUT', headers: { ...headers, ...other }, body: bytes })).status;

/** Uploads bytes of any kind straight to storage for the cover of a form; the path that names them. */
export async function putCover(person: Person, formId: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { path, upload } = await askUpload(person, formId, bytes.length);
  const status = await putTo(upload, bytes);
  if (status !== 200) throw new Error(`storage answered ${status}`);
  return path;
}

/** A new DRAFT with a cover. */
export async function coveredForm(person: Person, slug: string, image: Uint8Array<ArrayBuffer>) {
  const { id: formId } = await draftForm(person, slug);
  const { body } = await uploadImage(person, formId, image);
  return { formId, path: String(body.path) };
}

/** What the service answers to who asks for a cover, and what is found where it leads. */
export async function readCover(person: Person | undefined, formId: string) {
  const answer = await send('GET', `/api/forms/${formId}/cover`, {
    headers: person ? { authorization: `Bearer ${person.token}` } : {},
  });
  const location = answer.headers.get('location');
  if (location === null) return { status: answer.status };
  const image = await fetch(location);
  return { status: answer.status, location, image, bytes: new Uint8Array(await image.arrayBuffer()) };
}
