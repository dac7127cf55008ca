/** The texts of mails in English. */
import { number } from '#core/schema/format.ts';
import type { MailTexts } from './texts.ts';

export const english: MailTexts = {
  responseSubject: (title) => `Your response: ${title}`,
  responseIntroduction: (submitted, changed) =>
    `Thank you. This is a copy of the response that you submitted on ${submitted}${changed === undefined ? '' : ` and changed on ${changed}`}.`,
  notAnswered: 'Not answered',
  openResponse: 'Open your response',
  responseReason: 'You receive this mail because you submitted this form while signed in with this address.',
  exportSubject: (title) => `Your export is ready: ${title}`,
  exportHeading: (title) => `Export of “${title}”`,
  exportIntroduction: (rows) =>
    rows === 1
      ? 'Your export is ready. It has 1 response.'
      : `Your export is ready. It has ${number({ language: 'en' }, rows)} responses.`,
  exportFailedSubject: (title) => `Your export failed: ${title}`,
  exportFailedIntroduction: 'The export that you asked for could not be finished. Please start it again.',
  exportTooLargeIntroduction:
    'The form has too many responses or answers for one export. Please choose fewer questions.',
  exportFailedReason: 'You receive this mail because you asked for this export.',
  download: 'Download the file',
  exportReason: 'You receive this mail because you asked for this export. The link works while you are signed in.',
  address: 'If the button does not work, open this address:',
};
