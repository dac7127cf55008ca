/** Style sheet, scripts and pictures of the pages, in one function: generated from the files of the pages by `npm run generate`. */
import { dispatch } from '#core/pages/shell/dispatch.ts';

export const handler = dispatch({
  '/assets/{asset}': () => import('#core/pages/shell/asset.page.ts'),
});
