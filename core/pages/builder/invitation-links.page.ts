/** Saves the links of all invitations as a file for spreadsheets, from which they can be sent. */
import { contentDisposition } from '#core/files/download.ts';
import { openGate } from '#core/forms/open.ts';
import { listInvitations } from '#core/invitations/invitations.ts';
import type { InvitationDocument } from '#core/invitations/model.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { getBuilderTexts } from '../text/builder.ts';

const BATCH = 100;

export const page = definePage({
  name: 'invitationLinks',
  audience: 'builders',
  path: '/build/{formId}/invitation-links',
  access: member,
  needs: LIST,
  open: openGate,
  show: async ({ app, gate, context }) => {
    const { columns, states } = getBuilderTexts(context).invitations;
    const rows = [columns];
    let after: string | undefined;
    // At most 10,000, in batches.
    do {
      const { body, next } = await listInvitations(app, gate.formId, { limit: BATCH, after });
      rows.push(...body.invitations.map((each) => toRow(each, states[each.state])));
      after = next ?? undefined;
    } while (after !== undefined);
    return {
      file: {
        bytes: Buffer.from(`\ufeff${rows.map((row) => row.map(toCell).join(',')).join('\r\n')}\r\n`),
        contentType: 'text/csv; charset=utf-8',
        disposition: contentDisposition(`${gate.title}.csv`),
      },
    };
  },
});

const toRow = ({ number, label, email, code, link }: InvitationDocument, state: string): string[] => [
  ...[String(number), label ?? '', email ?? ''],
  ...[code, link, state],
];

/** Quotes a cell; a text that a spreadsheet would take for a formula begins with an apostrophe. */
const toCell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
