/** The port that sends mails, and its settings. */
import type { Caller } from '#core/access/access.ts';
import type { Ports } from '#core/db/ports.ts';
import type { JobOutcome } from '#core/jobs/attempt.ts';
import type { Language } from '#core/schema/format.ts';

/** The content of a mail. */
export type MailContent = { subject: string; html: string; text: string };

/**
 * The content of a mail that its reader can end, such as one that nobody has asked for: plain text. `unsubscribe`: an address at which
 * a POST without anything else ends such mails (RFC 8058), and a GET shows a page with a button.
 */
export type BulkContent = { subject: string; text: string; unsubscribe: string };

/** A mail to one address. `id` is its message tag `delivery`, by which events about it are recognized. */
export type Mail = (MailContent | BulkContent) & { id: string; to: string };

/** How long the Send event of a mail may take: until then, a mail that may have been accepted is not sent again. */
export const EVENT_SECONDS = 15 * 60;

/**
 * The outcome of sending a mail, as of its job. `failed`: it can never be sent. `retry`: it was not accepted, and may be
 * sent again later; with `minSeconds` it may have been accepted.
 */
export type SendOutcome = Extract<JobOutcome, { result: 'done' | 'failed' | 'retry' }>;

export type MailPort = {
  /** Sends a mail once. Never throws for what happened to the mail. */
  send(mail: Mail): Promise<SendOutcome>;
};

/** The ports of the domain, and what mails need in addition. */
export type MailPorts = Ports & {
  mail: MailPort;
  tokens: {
    /** Signs the link with which a guest finds a response; `email`: the address that they confirm by it. */
    signGuestLink(guest: Caller & { guestOf: string; generation?: number; email?: string }, now: Date): Promise<string>;
    /**
     * Signs the link with which the reader of a mail ends the mails of an organization to their address, or a member those about a
     * form.
     */
    signUnsubscribe(
      mail: { orgId: string; addressHash: string } | { formId: string; userId: string },
      now: Date,
    ): Promise<string>;
  };
  config: {
    /** The address of the service, for links. */
    publicUrl: string;
    /** The number of mails to guests that each organization may send in a day. */
    readonly maxGuestMails: number;
    /** `language`: of mails to people whose language is not known. */
    readonly mail: { language: Language };
    /** Whether people without an account may begin a response. */
    readonly guests: boolean;
    /** Of times in mails to people whose zone is not known. */
    readonly timeZone: string;
  };
};
