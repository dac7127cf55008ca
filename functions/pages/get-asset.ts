/** Serves a static asset, precompressed. Its name contains a hash of its content, so browsers keep it for a year. */
import { respondAsset } from '#core/pages/asset-response.ts';

export const handler = respondAsset;
