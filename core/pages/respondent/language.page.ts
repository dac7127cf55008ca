/** Keeps the language that the reader chose, and shows the same page in it. */
import { anyone } from '#core/accounts/accounts.ts';
import { anybody } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { parseReturnPath } from '../shell/result.ts';
import { buildLanguageCookie, isLanguage } from '../shell/session.ts';

export const page = definePage({
  name: 'language',
  audience: 'respondents',
  path: '/language',
  segmentsBelowPage: 1,
  post: {
    access: anybody,
    needs: [],
    open: anyone,
    actions: {
      chooseLanguage: async ({ app, posted }) => {
        const language = posted.fields.get('language') ?? undefined;
        return {
          location: parseReturnPath(posted.fields.get('to'), app.config.publicUrl),
          cookies: isLanguage(language) ? [buildLanguageCookie(app.config.cookies, language)] : [],
        };
      },
    },
  },
});
