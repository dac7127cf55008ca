/** Lists the versions of a form that are kept, newest first. */
import { forms } from '#core/api/forms.ts';
import { loadPublishers, openVersions, presentVersions } from '#core/forms/versions.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.listVersions, openVersions, async ({ app, versions }) => ({
  body: presentVersions(versions, await loadPublishers(app.table, versions)),
}));
