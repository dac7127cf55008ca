/**
 * The local SES: accepts SendEmail and SendRawEmail from the SDK, refuses what SES refuses, keeps each mail in a mailbox, and emits the
 * events that SES sends to EventBridge. Addresses of SES's mailbox simulator bounce or complain as they do there.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { closeNow, HOST, listen } from '../gateway/listening.ts';
import { type Mailbox, openMailbox, type StoredMail } from './mailbox.ts';
import { mimeMessage } from './mime.ts';
import { errorXml, parseSendRequest, type SendRequest, SesError, sentXml } from './ses-query.ts';

export type SesOptions = {
  /** Where the mails are kept; null keeps them in memory. */
  directory: string | null;
  /** The verified addresses and domains: only they may send. */
  verified: readonly string[];
  /** In the sandbox, mail goes to verified addresses and the simulator only. */
  sandbox?: boolean;
  /** The mails that are accepted per second. */
  rate?: number;
  /** The configuration sets that exist; events are emitted for mails that name one. */
  configurationSets?: readonly string[];
  /** Gets each event after the response was sent; those that it had not handled when the process ended, again at the next start. */
  onEvent?: (event: MailEvent) => unknown;
};

/** An event of SES as EventBridge delivers it. */
export type MailEvent = {
  version: '0';
  id: string;
  'detail-type': string;
  source: 'aws.ses';
  account: string;
  /** ISO time. */
  time: string;
  region: string;
  resources: readonly string[];
  detail: { eventType: string; mail: object } & Record<string, unknown>;
};

export type LocalSes = {
  endpoint: string;
  mailbox: Mailbox;
  /** Resolves when the events from before the start have been handled. */
  caughtUp: Promise<void>;
  /** Changes the rules, for tests: what SES does from now on. */
  behave(change: Partial<Behaviour>): void;
  stop(): Promise<void>;
};

/** How the stand-in treats requests, in addition to the rules of SES. */
type Behaviour = {
  /** Every request fails with this error. */
  failWith: SesError | null;
  /** Accepts a mail, and closes the connection before the response. */
  loseResponse: boolean;
  sandbox: boolean;
  rate: number;
};

const MAX_MESSAGE_BYTES = 10 * 1_024 * 1_024;
const MAX_RECIPIENTS = 50;
/** More than the largest message, with its encoding in the form. */
const MAX_REQUEST_BYTES = 4 * MAX_MESSAGE_BYTES;
/** The rate of an account that left the sandbox. */
const DEFAULT_RATE = 14;

/** Starts the stand-in on a free port of this machine. */
export async function startSes(options: SesOptions): Promise<LocalSes> {
  const mailbox = openMailbox(options.directory);
  const behaviour: Behaviour = {
    failWith: null,
    loseResponse: false,
    sandbox: options.sandbox ?? false,
    rate: options.rate ?? DEFAULT_RATE,
  };
  const isWithinRate = rateLimit();
  const emit = async (mail: StoredMail): Promise<void> => {
    for (const event of buildEvents(mail)) await options.onEvent?.(event);
    mailbox.settle(mail.id);
  };
  const emitAll = async (): Promise<void> => {
    for (const mail of mailbox.pending) await emit(mail);
  };
  const server = createServer(async (request, response) => {
    const requestId = randomUUID();
    const respond = (status: number, xml: string): void => {
      response.writeHead(status, { 'content-type': 'text/xml', 'x-amzn-requestid': requestId }).end(xml);
    };
    try {
      const send = parseSendRequest(await signedBody(request));
      if (behaviour.failWith) throw behaviour.failWith;
      if (!isWithinRate(behaviour.rate)) throw new SesError('Throttling', 'Maximum sending rate exceeded.');
      checkRules(send, { ...options, ...behaviour });
      const { mail, source } = accepted(send);
      const hasEvents = send.configurationSet !== undefined;
      mailbox.add(mail, source, hasEvents);
      if (behaviour.loseResponse) response.destroy();
      else respond(200, sentXml(send.source === undefined ? 'SendEmail' : 'SendRawEmail', mail.id, requestId));
      if (hasEvents) await emit(mail);
    } catch (error) {
      const known = error instanceof SesError ? error : new SesError('InternalFailure', String(error), 500);
      respond(known.status, errorXml(known, requestId));
    }
  });
  const endpoint = `http://${HOST}:${await listen(server, 0)}`;
  return {
    endpoint,
    mailbox,
    caughtUp: emitAll(),
    behave: (change) => Object.assign(behaviour, change),
    stop: () => closeNow(server),
  };
}

/** The body of a signed request. The signature itself is not checked. */
async function signedBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= MAX_REQUEST_BYTES) chunks.push(chunk);
  }
  if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) {
    throw new SesError('MissingAuthenticationToken', 'Request is missing Authentication Token', 403);
  }
  if (length > MAX_REQUEST_BYTES) throw new SesError('RequestEntityTooLarge', 'Request is too large', 413);
  return Buffer.concat(chunks).toString();
}

/** Whether one more mail may be sent in the current second. */
function rateLimit(): (rate: number) => boolean {
  let second = 0;
  let sent = 0;
  return (rate) => {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) [second, sent] = [now, 0];
    if (sent >= rate) return false;
    sent += 1;
    return true;
  };
}

type Rules = Pick<SesOptions, 'verified' | 'configurationSets'> & Pick<Behaviour, 'sandbox'>;

/** Throws what SES would refuse. */
function checkRules(send: SendRequest, { verified, configurationSets = [], sandbox }: Rules): void {
  const recipients = [...send.to, ...send.cc, ...send.bcc];
  if (recipients.length === 0) throw invalid('No recipients specified');
  if (recipients.length > MAX_RECIPIENTS) throw invalid(`Recipient count exceeds ${MAX_RECIPIENTS}.`);
  for (const address of [send.from, ...recipients, ...send.replyTo]) checkAddress(address);
  if (/\p{Cc}/u.test(send.subject)) throw invalid('Control character not allowed in the subject');
  if (!send.text && !send.html) throw invalid('Empty required header or body');
  for (const [name, value] of Object.entries(send.tags)) checkTag(name, value);
  if (send.configurationSet !== undefined && !configurationSets.includes(send.configurationSet)) {
    const detail = `Configuration set <${send.configurationSet}> does not exist.`;
    throw new SesError('ConfigurationSetDoesNotExist', detail);
  }
  const needed = [send.from, ...(sandbox ? recipients.filter((address) => !isSimulated(address)) : [])];
  const unverified = needed.map(bareAddress).filter((address) => !isVerified(address, verified));
  if (unverified.length > 0) {
    const list = unverified.join(', ');
    const detail = `Email address is not verified. The following identities failed the check in region EU-CENTRAL-1: ${list}`;
    throw new SesError('MessageRejected', detail);
  }
  const bytes = Buffer.byteLength(send.source ?? mimeMessage({ ...send, id: '', sentAt: '1970-01-01' }));
  if (bytes > MAX_MESSAGE_BYTES) throw invalid(`Message length is more than ${MAX_MESSAGE_BYTES} bytes long: ${bytes}`);
}

const invalid = (message: string): SesError => new SesError('InvalidParameterValue', message);

/** `name <address>` or an address. */
const bareAddress = (address: string): string => /<([^<>]*)>\s*$/.exec(address)?.[1] ?? address;

function checkAddress(address: string): void {
  if (/[^\x20-\x7e]/.test(address)) throw invalid('Local address contains control or whitespace');
  if (!/^[^\s@<>,;:"\\[\]()]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(bareAddress(address))) {
    throw invalid(`Illegal address: ${address}`);
  }
}

function checkTag(name: string, value: string): void {
  const isValid = [name, value].every((text) => /^[A-Za-z0-9_-]{1,256}$/.test(text));
  if (!isValid) throw invalid(`Invalid tag: <${name}: ${value}>. Only letters, digits, _ and - are allowed.`);
}

function isVerified(address: string, verified: readonly string[]): boolean {
  const lower = address.toLowerCase();
  return verified.includes(lower) || verified.includes(lower.slice(lower.lastIndexOf('@') + 1));
}

function accepted(send: SendRequest): { mail: StoredMail; source: string } {
  const mail = {
    id: randomUUID(),
    from: send.from,
    to: send.to,
    replyTo: send.replyTo,
    subject: send.subject,
    sentAt: new Date().toISOString(),
    text: send.text ?? '',
    html: send.html ?? '',
    tags: send.tags,
    headers: send.headers,
  };
  return { mail, source: send.source ?? mimeMessage(mail) };
}

const SIMULATOR = /^(success|bounce|complaint|ooto|suppressionlist)(?:\+[^@]*)?@simulator\.amazonses\.com$/i;
const isSimulated = (address: string): boolean => SIMULATOR.test(address);

const DETAIL_TYPES = {
  Send: 'Email Sent',
  Delivery: 'Email Delivered',
  Bounce: 'Email Bounced',
  Complaint: 'Email Complaint Received',
} as const;

/** The events of a mail. The automatic reply of an absent recipient causes none. */
function buildEvents(mail: StoredMail): MailEvent[] {
  const [recipient = ''] = mail.to;
  const kind = SIMULATOR.exec(recipient)?.[1]?.toLowerCase();
  const bounce = (bounceSubType: string) =>
    event(mail, 'Bounce', {
      bounce: { bounceType: 'Permanent', bounceSubType, bouncedRecipients: [{ emailAddress: recipient }] },
    });
  const sent = event(mail, 'Send', { send: {} });
  if (kind === 'bounce') return [sent, bounce('General')];
  if (kind === 'suppressionlist') return [sent, bounce('Suppressed')];
  const delivered = event(mail, 'Delivery', { delivery: { recipients: mail.to } });
  if (kind !== 'complaint') return [sent, delivered];
  const complaint = { complainedRecipients: [{ emailAddress: recipient }], complaintFeedbackType: 'abuse' };
  return [sent, delivered, event(mail, 'Complaint', { complaint })];
}

function event(mail: StoredMail, eventType: keyof typeof DETAIL_TYPES, detail: Record<string, unknown>): MailEvent {
  const tags = Object.fromEntries(Object.entries(mail.tags).map(([name, value]) => [name, [value]]));
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': DETAIL_TYPES[eventType],
    source: 'aws.ses',
    account: '123456789012',
    time: mail.sentAt,
    region: 'eu-central-1',
    resources: [],
    detail: {
      eventType,
      mail: { timestamp: mail.sentAt, source: mail.from, messageId: mail.id, destination: mail.to, tags },
      ...detail,
    },
  };
}
