/** Loads a response with the form that it answers: one round trip, since its id begins with the key of its form. */
import { keys } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import type { Form } from '#core/forms/model.ts';
import { formOf } from '#core/forms/store.ts';
import { type StoredStructure, structureOf } from '#core/structure/store.ts';
import type { Response } from './model.ts';
import { responseOf } from './store.ts';

/** A response with its form and the form's structure. */
export type Loaded = { response: Response; form: Form; stored: StoredStructure };

/** A response as it is now; undefined when it, or its form, is gone. `read` says which responses there are. */
export async function loadResponse(
  table: Table,
  responseId: string,
  read: typeof responseOf = responseOf,
): Promise<Loaded | undefined> {
  const wanted = [keys.response(responseId), keys.formHead(responseId), keys.formStructure(responseId)];
  const [responseItem, headItem, structureItem] = await table.read(wanted);
  const response = read(responseItem);
  const form = response && formOf(headItem, response.formId);
  const stored = structureOf(structureItem);
  return response && form && stored ? { response, form, stored } : undefined;
}
