/** Shows the forms to answer and the organizations of the reader. */
import { signedInWithAccount } from '#core/accounts/open.ts';
import { respondentPages } from '#core/api/pages.ts';
import { homePage } from '#core/pages/home.ts';
import { homeOf } from '#core/pages/home-data.ts';
import { page } from '#core/pages/page.ts';

export const handler = page(
  respondentPages.showHome,
  signedInWithAccount,
  async ({ app, caller, account, query, view }) => ({
    html: homePage(view, await homeOf(app, { caller, account, after: query.get('after') ?? undefined })),
  }),
);
