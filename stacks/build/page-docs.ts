/**
 * What each page is for, and the table of all pages in `docs/pages.md`. Paths and files come from the pages; a path
 * without a row here, or a row with a path that no page has, fails.
 */
import { basename } from 'node:path';
import { PAGE_ROUTES } from '../page-routes.ts';

type Row = { paths: readonly string[]; purpose: string };

const ROWS: readonly Row[] = [
  {
    paths: ['/sign-in', '/sign-out', '/onboarding', '/language'],
    purpose: 'providers and demo people; names; language switch',
  },
  {
    paths: ['/'],
    purpose:
      'own organizations with their newest forms and counts, searched by title; forms to answer with status, deadline and progress; a welcome with one button to the first form',
  },
  {
    paths: ['/account'],
    purpose: 'own names, sign-ins, sessions, addresses and organizations; signing out everywhere',
  },
  { paths: ['/orgs/new'], purpose: 'creates an organization' },
  {
    paths: ['/o/{slug}'],
    purpose:
      'all forms of an organization for its members: by status with counts, searched by title; a row has its times, numbers and last editor, and copies or archives the form',
  },
  {
    paths: ['/o/{slug}/settings', '/o/{slug}/delete'],
    purpose:
      'name, address with its history, description, metadata as rows or, where rows would change it, as JSON; deletes by typed name and says how much is deleted',
  },
  {
    paths: ['/o/{slug}/members', '/o/{slug}/members/{memberId}/remove'],
    purpose: 'adds by mail address and mails the person, changes roles, removes',
  },
  {
    paths: ['/o/{slug}/units', '/o/{slug}/units/{unitId}', '/o/{slug}/units/{unitId}/delete'],
    purpose: 'the tree of units; creates, changes, moves, deletes one',
  },
  {
    paths: ['/o/{slug}/new'],
    purpose:
      'creates a form: empty, from one of eight templates, as a copy of another form, or from a file; every fault of a file by place, of references also in addition to faults of values',
  },
  {
    paths: ['/build/{formId}', '/build/{formId}/definition', '/build/{formId}/delete'],
    purpose:
      'edits a form: the outline of its questions, and the canvas, on which they are as respondents see them and open in place; what the form has and lacks, each fault with a link to where it is corrected; counts of responses; publishes, closes, archives, duplicates, exports, deletes it',
  },
  {
    paths: ['/build/{formId}/questions', '/build/{formId}/undo'],
    purpose:
      'all questions by section in the order of the path; moves and copies questions and sections, adds sections; undoes the last deletion or move',
  },
  {
    paths: ['/build/{formId}/questions/order'],
    purpose:
      'a number and a section for every question, shown in the new order before it is saved; with scripts by dragging a handle or with the arrow keys',
  },
  {
    paths: [
      '/build/{formId}/s/{sectionId}',
      '/build/{formId}/s/{sectionId}/new',
      '/build/{formId}/s/{sectionId}/delete',
    ],
    purpose:
      'title and description of a section, as Markdown; its place; a new question of any type or ready-made; what is deleted with a section',
  },
  {
    paths: [
      '/build/{formId}/q/{questionId}',
      '/build/{formId}/q/{questionId}/choices',
      '/build/{formId}/q/{questionId}/delete',
    ],
    purpose:
      'a question of any type with its choices as rows or as text, what a source of choices offers, and what saving would lose',
  },
  {
    paths: ['/build/{formId}/rules', '/build/{formId}/s/{sectionId}/rules'],
    purpose: 'what follows each section, in words and drawn; the rules of one section as rows or as a table of choices',
  },
  {
    paths: ['/build/{formId}/rules/try'],
    purpose: 'the questions on which rules depend, and the path that answers decide; nothing is stored',
  },
  {
    paths: ['/build/{formId}/c/{nodeId}', '/build/{formId}/c/{nodeId}/delete'],
    purpose:
      'one condition that is in no list of rules: its question, its test, where both answers lead; where the path leads without it',
  },
  {
    paths: ['/build/{formId}/changes'],
    purpose:
      'what publishing the changes of a published form alters, what people with open drafts may notice, how many answers would be lost; publishes or discards them; decides what was edited on both sides',
  },
  {
    paths: ['/build/{formId}/versions', '/build/{formId}/versions/{version}'],
    purpose:
      'what was published when and by whom, and what changed, with the archived changes, and the edits that can be undone; one version with its content, and back to it',
  },
  {
    paths: ['/build/{formId}/preview'],
    purpose: 'the pages of respondents in every state of the form, also after a submit; nothing is stored',
  },
  {
    paths: ['/build/{formId}/settings'],
    purpose:
      'title, description, who sees it, times, mail, closing message, spreadsheet with its state, its check, and the failed rows written again',
  },
  {
    paths: ['/build/{formId}/look', '/build/{formId}/cover'],
    purpose:
      'colour with the corrected contrast, fonts, all questions of a section or one at a time, cover; the beginning of the form next to them, which scripts update',
  },
  { paths: ['/build/{formId}/share'], purpose: 'link, who may respond, QR code, text for a mail, prefilled link' },
  {
    paths: [
      '/build/{formId}/invitations',
      '/build/{formId}/invitations/{guestId}',
      '/build/{formId}/invitations/{guestId}/delete',
    ],
    purpose:
      'invites people by pasted lines, shows how far each is, and who has confirmed an address; finds an address; one of them with code and link, label and address, a new code, revokes and deletes it',
  },
  {
    paths: ['/build/{formId}/invitation-mails'],
    purpose:
      'sends the invitations by mail after a preview, and reminds those who have not answered; how far that is, stop; why mails are paused, resume',
  },
  {
    paths: ['/build/{formId}/invitation-links', '/build/{formId}/invitation-sheet'],
    purpose: 'the links of all invitations as CSV; codes with QR codes to print',
  },
  {
    paths: ['/f/{formId}', '/f/{formId}/start'],
    purpose: 'a form before it is answered: start, continue, view; not yet open, closed, archived',
  },
  {
    paths: ['/f/{formId}/address', '/f/{formId}/mail-link'],
    purpose: 'takes the address to which a link is mailed, and mails the link to continue',
  },
  { paths: ['/f/{formId}/privacy'], purpose: 'what is stored of respondents, and how long' },
  { paths: ['/f/{formId}/code'], purpose: 'takes the code of an invitation, typed or from a link' },
  {
    paths: ['/unsubscribe'],
    purpose: 'ends the invitations and reminders of an organization to an address, from the link in a mail',
  },
  {
    paths: ['/f/{formId}/resume', '/f/{formId}/forget'],
    purpose: 'how people without an account continue in another browser, and how one forgets them',
  },
  { paths: ['/r/{responseId}'], purpose: "redirects to the respondent's next step" },
  {
    paths: ['/r/{responseId}/s/{sectionId}'],
    purpose: 'one section as one form, whose questions scripts show one at a time where the form says so',
  },
  {
    paths: ['/r/{responseId}/check', '/r/{responseId}/submit'],
    purpose: 'all answers with links to change them; submit',
  },
  {
    paths: ['/r/{responseId}/done'],
    purpose: 'after the submit: reference, what happens next, closing message, answers, edit, print',
  },
  {
    paths: ['/r/{responseId}/change'],
    purpose:
      'changes of a submission that lead to further questions: what differs and what is missing; sends or discards them',
  },
  {
    paths: ['/r/{responseId}/withdraw', '/r/{responseId}/cancel'],
    purpose: 'asks before a submission becomes a draft again, and does it',
  },
  {
    paths: ['/r/{responseId}/delete'],
    purpose: 'asks before respondents delete their own draft, whether or not the form is open, and does it',
  },
  { paths: ['/files/{fileId}'], purpose: 'redirects to a file in storage' },
  {
    paths: ['/review/{formId}', '/review/{formId}/highlight', '/review/{formId}/notices'],
    purpose:
      'submitted responses as a table: views as tabs, filter, highlight and which question it is, counts, pages of rows; how often the reader gets mails about new ones',
  },
  {
    paths: ['/review/{formId}/drafts'],
    purpose:
      'responses that are not submitted yet, how far each is, and when it was saved last; reminds of those that are selected',
  },
  {
    paths: ['/review/{formId}/q/{questionId}'],
    purpose:
      'all answers to one question, newest first, with the filter of the table; what was written for “Other”, counted by text',
  },
  {
    paths: ['/review/{formId}/failed'],
    purpose: 'mails of submissions that could not be sent, with their reasons; sends those again that are selected',
  },
  {
    paths: ['/review/{formId}/delete-selected'],
    purpose: 'asks before the rows that are selected in the table are deleted, and deletes them',
  },
  {
    paths: ['/review/{formId}/statistics'],
    purpose:
      'how often each answer was given, when, and how far respondents get, as bars and tables; with the filter of the table; has all responses counted by a job if a request does not read them all',
  },
  {
    paths: [
      '/review/{formId}/r/{responseId}',
      '/review/{formId}/r/{responseId}/delete',
      '/review/{formId}/r/{responseId}/deliveries/{kind}',
    ],
    purpose:
      'a response: answers along its path, files with pictures in place, status of mail and row; its link to copy, a print; delete it, send again',
  },
  {
    paths: ['/review/{formId}/export'],
    purpose: 'questions to export, earlier exports; few responses download at once',
  },
  {
    paths: ['/review/{formId}/export/{exportId}', '/review/{formId}/export/{exportId}/file'],
    purpose: 'progress of an export, updated in place; its file',
  },
  {
    paths: ['/review/{formId}/views', '/review/{formId}/views/{viewId}', '/review/{formId}/views/{viewId}/delete'],
    purpose: 'views: create, rename, columns, order, copy, lock, delete',
  },
  {
    paths: ['/assets/{asset}'],
    purpose:
      'style sheet, scripts, icon, fonts, with hashes in their names: `page.js` for all pages, `answers.js` where answers are given, `one-question.js` where they are given one at a time, `proof.js` where somebody waits for their turn, `in-place.js` for authors and organizers, `editor.js` where a form is edited',
  },
];

/** The file of each page, by its path. */
const FILES = new Map(Object.values(PAGE_ROUTES).flatMap(({ files }) => Object.entries(files)));

/** Builds the table of all pages. Throws when its rows and the declarations have different paths. */
export function pagesTable(): string {
  const described = ROWS.flatMap(({ paths }) => paths);
  const declared = [...FILES.keys()];
  const missing = declared.filter((path) => !described.includes(path));
  if (missing.length > 0) throw new Error(`stacks/build/page-docs.ts does not describe ${missing.join(', ')}`);
  const unknown = described.filter((path, index) => !declared.includes(path) || described.indexOf(path) !== index);
  if (unknown.length > 0) throw new Error(`stacks/build/page-docs.ts repeats, or no page has, ${unknown.join(', ')}`);
  return [
    '| Path | Page | Files |',
    '|---|---|---|',
    ...ROWS.map(({ paths, purpose }) => `| ${shorten(paths)} | ${purpose} | ${listFiles(paths)} |`),
  ].join('\n');
}

/** Lists paths; those below the first one without its beginning. */
function shorten([first = '', ...others]: readonly string[]): string {
  const below = others.map((path) => (path.startsWith(`${first}/`) ? `…${path.slice(first.length)}` : path));
  return [first, ...below].map((path) => `\`${path}\``).join(', ');
}

const listFiles = (paths: readonly string[]): string =>
  paths.map((path) => `\`${basename(FILES.get(path) ?? '', '.page.ts')}\``).join(', ');
