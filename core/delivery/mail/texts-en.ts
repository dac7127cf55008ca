/** The texts of mails in English. */
import type { MailTexts } from './texts.ts';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const kilobytes = new Intl.NumberFormat('en', { style: 'unit', unit: 'kilobyte' });
const number = new Intl.NumberFormat('en');

export const english: MailTexts = {
  time: (date) => `${time.format(date)} UTC`,
  responseSubject: (title) => `Your response: ${title}`,
  responseIntroduction: (submitted) => `Thank you. This is a copy of the response that you submitted on ${submitted}.`,
  notAnswered: 'Not answered',
  fileSize: (bytes) => kilobytes.format(Math.ceil(bytes / 1_000)),
  openResponse: 'Open your response',
  responseReason: 'You receive this mail because you submitted this form while signed in with this address.',
  exportSubject: (title) => `Your export is ready: ${title}`,
  exportHeading: (title) => `Export of “${title}”`,
  exportIntroduction: (rows) =>
    rows === 1
      ? 'Your export is ready. It has 1 response.'
      : `Your export is ready. It has ${number.format(rows)} responses.`,
  exportFailedSubject: (title) => `Your export failed: ${title}`,
  exportFailedIntroduction: 'The export that you asked for could not be finished. Please start it again.',
  exportTooLargeIntroduction:
    'The form has too many responses or answers for one export. Please choose fewer questions.',
  exportFailedReason: 'You receive this mail because you asked for this export.',
  download: 'Download the file',
  exportReason: 'You receive this mail because you asked for this export. The link works while you are signed in.',
  address: 'If the button does not work, open this address:',
};
