/** Returns a version of a form, or the nearest earlier one that was kept. */
import { forms } from '#core/api/forms.ts';
import { openVersions, requireVersion } from '#core/forms/versions.ts';
import { operation } from '#core/http/operation.ts';
import { presentVersion } from '#core/structure/versions.ts';

export const handler = operation(forms.getVersion, openVersions, async ({ app, edited, versions, params }) => ({
  body: presentVersion(await requireVersion(app, { edited, versions }, params.version)),
}));
