/**
 * Where bytes stand in the bucket; the one place that builds an object's key. Keys are made of ids alone, never of
 * what somebody typed.
 *
 * | Object                   | key                                | how long                                   |
 * |--------------------------|------------------------------------|--------------------------------------------|
 * | file of an answer        | files/<response>/<file>, and for   | until it leaves the answer                 |
 * |                          | uploads <file>.<attempt to attach> |                                            |
 * | cover of a form          | covers/<form>/<cover>              | until the form has another one, or none    |
 * | upload not attached yet  | pending/files/<response>/<file>    | a day: the bucket expires `pending/`       |
 * | cover not taken yet      | pending/covers/<form>/<cover>      | a day                                      |
 *
 * The ids of responses begin with the key of their form, so all that belongs to a form or to a response begins
 * alike, and deleting by prefix leaves nothing behind, whatever was interrupted before.
 */
import { formKey } from './keys.ts';

/** What a browser uploads to; the bucket forgets it after a day. */
export const PENDING = 'pending/';
export const PENDING_DAYS = 1;

export const objects = {
  file: (responseId: string, fileId: string): string => `files/${responseId}/${fileId}`,
  cover: (formId: string, coverId: string): string => `covers/${formId}/${coverId}`,
  /** Where something is uploaded before it is taken. */
  pending: (key: string): string => PENDING + key,
} as const;

const everywhere = (prefix: string): string[] => [prefix, PENDING + prefix];

/** The prefixes of all objects that belong to something. */
export const objectsOf = {
  response: (responseId: string): string[] => everywhere(objects.file(responseId, '')),
  form: (formId: string): string[] => [
    ...everywhere(objects.file(formKey(formId), '').slice(0, -1)),
    ...everywhere(objects.cover(formId, '')),
  ],
} as const;
