/** The mail port of a process. The SES client is loaded at the first mail, because most functions send none. */
import type { MailPort } from '#core/mail/ports.ts';
import type { Config } from './config.ts';

/** Creates a mail port that loads the SES client at its first call. */
export function lazyMail(settings: Config): MailPort {
  let loaded: Promise<MailPort> | undefined;
  return {
    async send(mail) {
      loaded ??= import('./ses-mail.ts').then(({ sesMail }) => sesMail(settings));
      return (await loaded).send(mail);
    },
  };
}
