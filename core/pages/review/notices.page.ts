/** Chooses how often the reader gets mails about new responses, and for admins whether these contain answers. Shows the table again. */

import { openGate } from '#core/forms/open.ts';
import { requireNoticesAllowed } from '#core/forms/status.ts';
import { loadForm } from '#core/forms/store.ts';
import { chooseNotices } from '#core/organizations/notices.ts';
import { NoticesDocument } from '#core/organizations/notices-model.ts';
import { problems, requireFound } from '#core/problems/problems.ts';
import { member } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { withDone } from './header.ts';
import { listHref, parseListAddress } from './list-address.ts';

export const page = definePage({
  name: 'notices',
  audience: 'reviewers',
  path: '/review/{formId}/notices',
  segmentsBelowPage: 1,
  post: {
    access: member,
    needs: ['table:read', 'table:list', 'table:write'],
    open: openGate,
    actions: {
      chooseNotices: async ({ app, gate, caller, roles, posted: { fields }, query, context }) => {
        const { formId, orgId } = gate;
        const location = listHref(parseListAddress(formId, query, context.timeZone));
        const chosen = readChosen(fields);
        if (!chosen) throw problems.invalid([{ pointer: '/body/frequency', detail: 'must be SOON, DAILY or OFF' }]);
        const withAnswers = fields.has('answers');
        // Only what the reader has changed: of another window of theirs it may be older.
        if (fields.has('answersBefore') && withAnswers !== (fields.get('answersBefore') === 'on')) {
          requireNoticesAllowed(roles, { noticesWithAnswers: withAnswers });
          const { updateForm } = await import('#core/forms/cover.ts');
          const form = requireFound(await loadForm(app.table, formId));
          await updateForm(app, form, { noticesWithAnswers: withAnswers }, { userId: caller.id, roles });
        }
        await chooseNotices(app, { formId, orgId, userId: caller.id }, chosen.frequency);
        return { location: withDone(location, 'noticesChosen') };
      },
    },
    // What is chosen is refused only when as many get mails as can.
    explain: async ({ gate, posted, query, context }, { status }) =>
      status === 400 && readChosen(posted.fields)
        ? { location: withDone(listHref(parseListAddress(gate.formId, query, context.timeZone)), 'noticesFull') }
        : undefined,
  },
});

/** Reads how often the reader wants mails; undefined for nothing that can be chosen. */
const readChosen = (fields: URLSearchParams): NoticesDocument | undefined =>
  NoticesDocument().safeParse({ frequency: fields.get('frequency') }).data;
