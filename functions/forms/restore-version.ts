/** Restores a version of a form: as changes while it is published, otherwise in place of its structure. */
import { forms } from '#core/api/forms.ts';
import { openVersions, requireVersion, restoreVersion } from '#core/forms/versions.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(
  forms.restoreVersion,
  openVersions,
  async ({ app, gate, draft, versions, caller, params, body }) => {
    const { structure } = await requireVersion(app.table, { draft, versions }, params.version);
    return restoreVersion(app, { gate, draft, caller, version: structure, force: body?.force === true });
  },
);
