/**
 * What operations do in special cases, beyond their declarations: part of their descriptions in the OpenAPI document.
 * It is kept out of the declarations because those are part of every function.
 */

const IN_ORGANIZATION = 'Members of the organization see its units and views; others get 403.';

/** By noun and name of the operation, in Markdown. */
export const BEHAVIOUR: Readonly<Record<string, string>> = {
  'forms.getForm':
    '`lastEditor` and `updatedAt` follow the settings and the status; sections, questions and workflow have times and an `ETag` of their own. Respondents see a form to which they have a response in every status.',
  'forms.listForms':
    'Costs one query for each organization of the user and each requested status. A page ends early when its items would exceed 5 MB.',
  'forms.updateForm': `A shorter time in \`retentionDays\` or \`draftDays\` acts after 48 hours, from \`retentionFrom\`, and is announced to the admins by mail; until then a longer time, or null, takes it back. It is 403 for members who may not delete responses: all but admins and the creator of the form. A longer time acts at once. What is deleted for its age gives no place back, and leaves that its person has responded to a form with \`oncePerPerson\`.

To fill a spreadsheet, share it with the address of \`GET /forms/spreadsheet-email\` as an editor and set \`spreadsheetUrl\`.

- Each submission becomes a row within about a minute; earlier ones follow, 1,000 a minute. An edit replaces the cells of its row, a cancelled or deleted submission clears them, and a row that somebody deleted stays deleted.
- People may move, sort and add rows and columns; a deleted column comes back at the right with the next row. The header is written once: a question that is renamed keeps its old title there. Questions that were answered and removed have columns too. Only the first sheet of a spreadsheet is used; forms of one organization may share it. A spreadsheet belongs to the organization whose form used it first, until no form of it does; others cannot set it. Deleting a form leaves the spreadsheet as it is.
- Google limits a sheet to about 29,000 such rows, and requests to 60 writes a minute; up to 100 rows go into one. Only the spreadsheet that is set is kept up to date, and one that is set again is brought up to date.
- What fails is tried again for 72 hours, then it has failed; missing access fails at once, and so does a row that Google refuses, alone. \`spreadsheet\` of the form says so, with the reason, until \`spreadsheetUrl\` is set again, which repeats what has failed, and does nothing when nothing has.

With \`sendResponseEmail\`, a copy of each submission goes to the first address of the respondent: the sections and answers of its path, the closing message, and a link. It is in the language of the submitting request (\`Accept-Language\`), else in \`MAIL_LANGUAGE\`, and has no images, no tracking and no external content.

- A mail is queued in the transaction of its submission and sent within seconds. An edit sends none; cancelling and submitting again sends one more. A mail whose submission was cancelled is dropped, and so is one that still waits when the setting is turned off.
- While SES cannot send it (a daily quota, a paused account, a sender that is not verified yet), it is tried again after 1, 2, 4, … minutes, at most an hour apart. After 72 hours it has FAILED. A refused address or message fails at once.
- It is sent once. SES cannot recognize a repeated request, so a mail that may have been sent, because its worker died or the response of SES was lost, waits 15 minutes for its Send event, which marks it as sent. The one exception: the worker dies and the event does not arrive either; then the copy is sent twice.

A guest whose address is known, because they have confirmed it or were invited at it, gets a copy with a link to it. Other guests get none. If a question on the path asks for an address for it (\`text.sendCopy\`), a confirmation goes there: the reference, the time, the closing message without the answers that it names, and a link to the response, but nothing that was entered. An address gets at most 3 a day, whoever enters it; further ones are not sent.`,
  'invitations.sendInvitations': `The mails are queued in steps, and sent within minutes. Each is plain text: the names of the organization and of the form, \`text\` as it is, the link of its guest, and one that ends such mails. It is in the language of the request (\`Accept-Language\`), else in \`MAIL_LANGUAGE\`.

- Nothing is sent to a guest without an address, to one who is revoked or was invited after the request, and to an address whose reader has ended the mails of the organization or has reported one as unwanted, or that does not exist. With \`NOT_ANSWERED\`, nothing is sent to guests who have submitted a response before their mail is sent.
- An organization sends 500 mails to guests in a day (a setting), and 50 in its first 14 days. Those beyond follow on the next days, from midnight UTC.
- When five mails or more, and more than 5 % of those of the last seven days, came back because there is no such address, or somebody has reported one as unwanted, nothing is sent until an admin resumes (\`POST /orgs/{slug}/guest-mails/resume\`). What is queued is sent then.
- A mail is sent once, like copies of submissions; one that could not be sent for 72 hours has failed, which its invitation says.`,
  'forms.uploadCover':
    'A multipart upload becomes the cover at once; one sent directly to storage becomes the cover when its `path` is sent as `coverImage`. An organization whose files have reached their limit takes no cover either (413).',
  'forms.createForm': 'It may name the cover of another form of its organization, and gets a copy.',
  'forms.duplicateForm':
    'A DRAFT with the settings, structure, views, highlight and cover of the form, but without its spreadsheet, `publishTime`, `deadline` and responses. `slug` names another organization of the caller.',
  'forms.getDefinition':
    'Settings, sections, questions, workflow, highlight and views as one document that can be imported. It contains no responses, people, cover, spreadsheet or times, and its ids begin with zeros.',
  'forms.importForm':
    'The form is a DRAFT. A definition with faults is refused with a pointer for each, and nothing is created. An incomplete workflow is accepted and reported in `info`.',
  'forms.getHighlight':
    'Exact at once up to 200 responses; beyond, the counts follow within seconds. Every choice question is counted, so another highlight has its counts at once. A question that is deleted, or gets a type without choices, is no longer highlighted; it is again when it comes back by a restored version or an undo. `counting: true` stands only while the first responses of a form are being counted.',
  'questions.updateQuestion':
    'Only what the request changes is refused, so what GET returned can always be sent back. A question whose source was deleted keeps its `sourceId`, offers no choices, and is reported in `info` at its section. 29 February of a question without a year is stored in 1972, because 1970 has none.',
  'questions.moveQuestion':
    'A submitted response keeps each question in the section in which it was when the response was submitted: its answer counts if that section was on the path, in previews, tables, exports, filters, counts, mails and spreadsheets alike. Drafts, and submitted responses that are edited, follow the form as it is now. Conditions and other questions keep referring to the question; what they cannot use any more is in `info`.',
  'workflow.getWorkflow': 'Everything that keeps a form from being published is in `info`.',
  'workflow.updateWorkflow':
    'Only what the request changes is refused, so what GET returned can always be sent back. A pattern has at most 500 characters and 600 steps with its counts written out (`a{3}` is three steps). All patterns of a form together may cost at most 6,000,000: the steps of each times the longest answer to its question (10,000 characters of a LONG_TEXT, 500 of a SHORT_TEXT, 7,200 of all choice ids, at least 500); a pattern of at most 8 steps counts as one. Texts and ids cost nothing: `yes`, `^yes$`, `^(?:a|b)$`, a list of choice ids. A form that costs more since before can be shown and repaired, but not published. A form has at most 300 conditions.',
  'forms.getChanges':
    'Authors change a published form in a copy, on the pages of this service; what an API client edits is live at once. The `ETag` changes with each edit of the copy and never returns, also not when the changes are discarded and others are begun.',
  'forms.publishChanges':
    'Respondents see the form as it was until then. Answers stay; a question that goes keeps its column if it was answered; drafts are asked what is new. What was edited in the live form since the changes were begun stays if it is another question, section, node or order; in conflicts `decisions` or `keep` say whose edit stays, and nothing is published while one is open. `force` merges nothing.',
  'forms.discardChanges': 'Members find the last ten discarded changes on the page of the versions for 30 days.',
  'forms.listVersions':
    'The last 100 are kept, a version at each publication, and the live structure when a publication or a restoration replaces one that is not kept. Edits of the live form by API clients keep no version of their own.',
  'forms.getVersion':
    'A submitted response belongs to the version of its submission. The live version is always found.',
  'forms.restoreVersion':
    'The changes of a published form get the content of the version, and respondents see nothing until they are published; a form without changes that is not published gets it at once, and its structure is kept as a version. Questions that return are no longer removed and count again with their answers, in the sections in which they were answered. Highlight, settings and look stay.',
  'forms.publishForm': 'Faults point to `/workflow/<nodeId>`.',
  'forms.setMyNotices':
    'Mails go to the first address of the user, in the language of this request (`Accept-Language`), else in `MAIL_LANGUAGE`. SOON: one for all responses of five minutes, beginning with the first. DAILY: one at 07:00 in `TIME_ZONE`, if there was a response. A mail has the number of new responses and links to at most 20 of them; with `noticesWithAnswers`, which an admin allows for the form, also their answers. Its link, or a request that mail programs send for it, ends them; so does a mail that comes back for good or is called unwanted, and leaving the organization. A response that is withdrawn before the mail is not mentioned. At most 50 members get mails about a form, and a member about 200 forms of an organization.',
  'responses.getPlaces':
    'Exact when it is read; a submission that follows may still find none (409 `no_place_left`). A place is taken by a submission and given back by cancelling or deleting it; an edit takes what it newly selects. What a process that died has left taken is found within minutes of the first refusal. A limit that is set on a form with responses counts them first, for some minutes: until then `counting` is true, and any number can be submitted.',
  'responses.startResponse':
    '`answers` are saved with the new response. With `submit: true` it is submitted in the same write, and nothing is stored unless it is complete. A user can have at most 100 responses to a form.',
  'responses.deleteResponse':
    'Owners can delete a draft, whether or not the form is open, but not what is submitted. If a deletion is interrupted, repeat the request to complete it.',
  'responses.getResponse':
    'Owners see their responses in every status of the form. Answers off the path are kept but do not count: not in tables, exports, filters or highlights, nor for conditions or as the source of choices. A submitted response keeps the path with which it was submitted. For members, `deliveries` has the status of the mail and of the spreadsheet row: QUEUED, SENT or FAILED, with a reason such as `no_address`, `not_verified` (the sandbox of SES), `rejected`, `bounced` or `complained`.',
  'responses.listResponses': 'Counts are exact at once up to 200 responses; beyond, they follow within seconds.',
  'responses.updateAnswers':
    'Returns the saved answers of this request. A text without a visible character, an empty array or null clears an answer. Use DELETE to clear files and connected accounts. A submitted response accepts answers that change nothing, although a choice may have been removed since. A question whose choices come from another one is required only if choices can be offered.',
  'responses.submitResponse':
    'Submitting again with the same answers returns the same result; with other answers it edits the response. Faults point to `/answers/<questionId>`. The files of an answer may be sent back, but not changed.',
  'responses.getStatistics':
    'Of a form with more than 200 submitted responses the counts follow within seconds. Everything is of all submitted responses, except `newest` (of the last 100, fewer of large ones) and what drafts add to `sections` (of the newest 100). `askedCount` is of the responses whose path has the question; the pages compute every share of `answeredCount`, those who answered.',
  'responses.queryStatistics':
    'Without a filter and a search the same as `getStatistics`. Otherwise at most the newest 1,000 responses are searched, of at most 50 MB; `matches` says how many match and whether all were searched. `countStatistics` has all of them counted.',
  'responses.countStatistics':
    'The statistics are as of `createdAt`. Everything in them is of all responses that match, also medians, days and newest texts; medians of numbers are left out beyond 4,000,000 numbers. A job whose worker reports nothing for two minutes is started again, three times at most, then it has FAILED.',
  'responses.filterResponses':
    'A filter entry without answers restricts nothing. An unknown question is 404. Sorting by answers reads all responses, so a form with more than 1,000 submitted ones, or more than 50 MB, is sorted by submission only.',
  'views.createView': 'At most 200 views a form. An unknown column is 400.',
  'views.listViews': IN_ORGANIZATION,
  'units.listUnits': `${IN_ORGANIZATION} An organization has at most 4,000 units.`,
  'files.uploadFiles':
    'The stored content type follows from the extension; JPG and JPEG are one type. Upload URLs work for half an hour. At most 20 uploads of a question may be announced and not completed while their URLs work. A file keeps its name in all responses. The files of all responses of an organization together have at most 50 GB (a setting): more are 413 with the code `storage_full`. They are counted some seconds late, so uploads at the same time may exceed the limit a little.',
  'files.completeUploads':
    'An announced upload can be completed for a day, also after the form has closed if that only adds files.',
  'files.deleteFile':
    'An admin may delete a file at any time, even if a submitted response then lacks a required answer.',
  'files.downloadFile':
    'The name of the file is percent-encoded in `Content-Disposition`; path separators become `_`, and very long names are cut.',
  'exports.downloadTable': `Up to 1,000 responses whose workbook is at most 4.4 MB and takes less than 20 seconds are returned directly. More, or \`Prefer: respond-async\`, become a job, and the person who asked gets a mail with the lasting link.

- The same request of the same user within 24 hours returns the same job, unless the form or a submitted response has changed since. A new submission counts within about a second; edits, cancellations and deletions as soon as the counters know them, usually within seconds.
- An export has the responses that were submitted when it began, in the order of submission; one that is cancelled or submitted meanwhile may be missing. It uses the questions of the form as they are then. Line breaks in cells are LF, also where CR LF was entered.
- A ZIP has a folder for each response, in it one for each question, and \`files.csv\`, which lists all files with their paths; at most 10,000 files of 20 GB, more are FAILED with \`too_large\`: export them by times of submission.
- A job whose worker reports nothing for two minutes is started again, three times at most, then it has FAILED. Files are available for 7 days after the request, jobs are listed for 30.`,
  'deliveries.retryDelivery': 'A mail is sent only if its submission still stands.',
};
