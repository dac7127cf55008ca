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
 *
 * The ids of responses and exports begin with the form key, so the objects of a form or a response have common prefixes.
 */
import { formKey } from './keys.ts';

export const objects = {
  file: (responseId: string, fileId: string): string => `files/${responseId}/${fileId}`,
  cover: (formId: string, coverId: string): string => `covers/${formId}/${coverId}`,
  export: (exportId: string): string => `exports/${exportId}`,
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

/** The prefixes of all objects of the service. */
export const OBJECT_PREFIXES = ['files/', 'covers/', 'exports/'] as const;
