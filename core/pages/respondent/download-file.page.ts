/** Leads to a file in storage, also when the access token has expired since the page with the link was loaded. */
import { downloadUrl } from '#core/files/download.ts';
import { openFile } from '#core/files/files.ts';
import { definePage } from '../shell/page.ts';

export const page = definePage({
  name: 'downloadFile',
  audience: 'respondents',
  path: '/files/{fileId}',
  access: { credential: 'user', guests: true, target: 'file' },
  needs: ['table:read', 'files:read'],
  open: openFile,
  show: async ({ app, file }) => ({
    location: (await downloadUrl(app, file)).url,
  }),
});
