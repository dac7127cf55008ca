/** Style sheet, scripts and pictures of the pages. */
import { anybody, declarePages } from './declare-pages.ts';

export const assetPages = declarePages('assets', {
  getAsset: { method: 'GET', path: '/assets/{asset}', access: anybody, needs: ['assets:read'] },
});
