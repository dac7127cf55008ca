/**
 * The keys of objects in the bucket; nothing else builds one. Keys consist of ids, never of user input, and cannot be
 * guessed.
 *
 * | Object            | key                     | removed                                       |
 * |-------------------|-------------------------|-----------------------------------------------|
 * | file of an answer | files/<response>/<file> | with its file item, or 25 hours after an      |
 * |                   |                         | announcement that was never attached          |
 * | cover of a form   | covers/<form>/<cover>   | when the form has another one or none         |
 * | exported workbook | exports/<export>        | 7 days after the export was requested         |
 * | asset of a page   | assets/<name>           | never; a deployment adds those of its build   |
 *
 * The ids of responses and exports begin with the form key, so the objects of a form or a response have common prefixes.
 */
import { formKey } from './keys.ts';

export const objects = {
  file: (responseId: string, fileId: string): string => `files/${responseId}/${fileId}`,
  cover: (formId: string, coverId: string): string => `covers/${formId}/${coverId}`,
  export: (exportId: string): string => `exports/${exportId}`,
  asset: (name: string): string => `assets/${name}`,
} as const;

/** The prefixes of all objects that belong to a resource. */
export const objectsOf = {
  response: (responseId: string): string[] => [objects.file(responseId, '')],
  form: (formId: string): string[] => [
    `files/${formKey(formId)}`,
    objects.cover(formId, ''),
    objects.export(formKey(formId)),
  ],
} as const;

/** The kinds of objects of people: the first parts of their keys. */
export const OBJECT_KINDS = ['files', 'covers', 'exports'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number] | 'assets';

/** The prefixes of all objects of people. */
export const OBJECT_PREFIXES = OBJECT_KINDS.map((kind) => `${kind}/` as const);

/** The kind of the object with a key. Throws for a key that `objects` does not build. */
export function objectKind(key: string): ObjectKind {
  const kind = ([...OBJECT_KINDS, 'assets'] as const).find((each) => key.startsWith(`${each}/`));
  if (!kind) throw new Error(`${key} is no key of an object`);
  return kind;
}
