/** Leads to a file in storage, also when the access token has expired since the page with the link was loaded. */
import { respondentPages } from '#core/api/respondent-pages.ts';
import { downloadUrl } from '#core/files/download.ts';
import { openFile } from '#core/files/files.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(respondentPages.downloadFile, openFile, async ({ app, file }) => ({
  location: (await downloadUrl(app, file)).url,
}));
