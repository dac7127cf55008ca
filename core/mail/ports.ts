/** The port that sends mails, and its settings. */
import type { Ports } from '#core/db/ports.ts';
import type { Language } from '#core/schema/format.ts';

/** The content of a mail. */
export type MailContent = { subject: string; html: string; text: string };

/** A mail to one address. `id` is its message tag `delivery`, by which events about it are recognized. */
export type Mail = MailContent & { id: string; to: string };

/**
 * The result of sending a mail. `refused`: it can never be sent. `not_sent`: it was not accepted and may be sent again later.
 * `unknown`: it may have been accepted, so it must not be sent again before its Send event could have come.
 */
export type SendResult = { outcome: 'accepted' } | { outcome: 'refused' | 'not_sent' | 'unknown'; reason: string };

export type MailPort = {
  /** Sends a mail once. Never throws for what happened to the mail. */
  send(mail: Mail): Promise<SendResult>;
};

/** The ports of the domain, and what mails need in addition. */
export type MailPorts = Ports & {
  mail: MailPort;
  config: {
    /** The address of the service, for links. */
    publicUrl: string;
    /** `language`: of mails to people whose language is not known. */
    readonly mail: { language: Language };
  };
};
