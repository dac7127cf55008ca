/** Gets how many places a form and its limited choices have left. */
import { responseLists } from '#core/api/response-lists.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { loadPlacesLeft, presentPlaces } from '#core/responses/places-left.ts';

export const handler = operation(responseLists.getPlaces, openStructure, async ({ gate, structure, app }) => {
  const form = { gate, structure };
  return { body: presentPlaces(form, await loadPlacesLeft(app, form)) };
});
