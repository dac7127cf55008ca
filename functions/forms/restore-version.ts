/** Restores a version of a form: as changes while it is published, otherwise in place of its structure. */
import { forms } from '#core/api/forms.ts';
import { openVersions, requireVersion, restoreVersion } from '#core/forms/versions.ts';
import { operation } from '#core/http/operation.ts';
import { problems } from '#core/problems/problems.ts';

export const handler = operation(
  forms.restoreVersion,
  openVersions,
  async ({ app, gate, edited, versions, caller, params, body }) => {
    const { structure, isExact } = await requireVersion(app, { edited, versions }, params.version);
    // The nearest earlier one is for reading: nobody restores another version than they have named.
    if (!isExact) throw problems.notFound();
    return restoreVersion(app, { gate, edited, caller, version: structure, force: body?.force === true });
  },
);
