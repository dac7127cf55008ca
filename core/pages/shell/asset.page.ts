/** Serves a static asset, precompressed. Its name contains a hash of its content, so browsers keep it for a year. */
import { respondAsset } from './asset-response.ts';
import { anybody, type Page } from './declare-page.ts';

export const page: Page = {
  declarations: [
    {
      ...{ noun: 'pages', name: 'showAsset', audience: 'assets', method: 'GET', path: '/assets/{asset}' },
      ...{ access: anybody, needs: ['assets:read'], segmentsBelowPage: 0 },
    },
  ],
  // The app is loaded for assets of other builds only: assets of this build need neither storage nor settings.
  handlers: { GET: (event) => respondAsset(event, async () => (await import('#core/http/app.ts')).app().bucket) },
};
