/** Highlights another choice question, or none, and shows the table. */
import { openStructure } from '#core/forms/open.ts';
import { chooseHighlight, editHighlight, withHighlight } from '#core/table/highlight.ts';
import { member } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { withDone } from './header.ts';
import { listHref, parseListAddress } from './list-address.ts';

const openHighlighted = withHighlight(openStructure);

export const page = definePage({
  name: 'highlight',
  audience: 'reviewers',
  path: '/review/{formId}/highlight',
  segmentsBelowPage: 1,
  post: {
    access: member,
    needs: ['table:read', 'table:list', 'table:write'],
    open: openHighlighted,
    actions: {
      chooseHighlight: async ({ app, structure, highlight, params: { formId }, posted, query, context }) => {
        const questionId = posted.fields.get('question') ?? '';
        await editHighlight(app, { structure, highlight }, (current) => {
          // The title of a highlight that stays is kept.
          if (questionId === current.highlight?.questionId) return current.highlight;
          return questionId === '' ? undefined : chooseHighlight(current, { questionId, displayTitle: null });
        });
        return { location: withDone(listHref(parseListAddress(formId, query, context.timeZone)), 'highlighted') };
      },
    },
  },
});
