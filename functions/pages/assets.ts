/** The function of all static assets. */
import { assetPages } from '#core/api/asset-pages.ts';
import { dispatch } from '#core/pages/shell/dispatch.ts';

export const handler = dispatch(assetPages, { getAsset: () => import('./get-asset.ts') });
