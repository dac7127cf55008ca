/** The AWS query protocol as SES speaks it: parameters of a form-encoded body, responses and errors in XML. */
import { escapeHtml } from '#core/schema/text.ts';

/** A request to send a mail. */
export type SendRequest = {
  from: string;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  replyTo: readonly string[];
  subject: string;
  text: string | undefined;
  html: string | undefined;
  configurationSet: string | undefined;
  tags: Readonly<Record<string, string>>;
  /** Headers that programs of mail act on, by name. */
  headers: Readonly<Record<string, string>>;
  /** The source of a mail that came as such. */
  source?: string | undefined;
};

/** An error of SES, by its code. */
export class SesError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = 'SesError';
    this.code = code;
    this.status = status;
  }
}

/** The request in a form-encoded body. Throws SesError for another action. */
export function parseSendRequest(body: string): SendRequest {
  const parameters = new URLSearchParams(body);
  const action = parameters.get('Action');
  const list = (prefix: string): string[] => members(prefix, (name) => parameters.get(name));
  const tags = members('Tags', (name) => {
    const [key, value] = [parameters.get(`${name}.Name`), parameters.get(`${name}.Value`)];
    return key === null ? null : ([key, value ?? ''] as const);
  });
  const common = {
    from: parameters.get('Source') ?? '',
    cc: list('Destination.CcAddresses'),
    bcc: list('Destination.BccAddresses'),
    configurationSet: parameters.get('ConfigurationSetName') ?? undefined,
    tags: Object.fromEntries(tags),
  };
  if (action === 'SendRawEmail')
    return { ...common, to: list('Destinations'), ...parseSource(parameters.get('RawMessage.Data') ?? '') };
  if (action !== 'SendEmail') {
    throw new SesError('InvalidAction', `Could not find operation ${action} for version 2010-12-01`);
  }
  return {
    ...common,
    to: list('Destination.ToAddresses'),
    replyTo: list('ReplyToAddresses'),
    subject: parameters.get('Message.Subject.Data') ?? '',
    text: parameters.get('Message.Body.Text.Data') ?? undefined,
    html: parameters.get('Message.Body.Html.Data') ?? undefined,
    headers: {},
  };
}

/** The headers of a source that say what a mail is; others are kept for those who look at a mail. */
const OWN_HEADERS = new Set([
  'from',
  'to',
  'reply-to',
  'subject',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
]);

/** Reads the source of a mail of plain text. Throws SesError for one that SES, or a server of mail after it, would refuse. */
function parseSource(data: string) {
  const source = Buffer.from(data, 'base64').toString('latin1');
  const end = source.indexOf('\r\n\r\n');
  const isWellFormed = end > 0 && !/[^\r\n\x20-\x7e]|[^\r]\n|\r[^\n]/.test(source) && !/[^\r\n]{999}/.test(source);
  if (!isWellFormed) throw new SesError('InvalidParameterValue', 'The message is not valid');
  const headers = new Map<string, string>();
  const names: string[] = [];
  for (const line of source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [, name = '', value = ''] = /^([A-Za-z-]+): (.*)$/.exec(line) ?? [];
    const isNew = name !== '' && !headers.has(name.toLowerCase());
    if (!isNew) throw new SesError('InvalidParameterValue', `Invalid or duplicate header: ${line}`);
    headers.set(name.toLowerCase(), value);
    names.push(name);
  }
  const isPlain =
    headers.get('content-type') === 'text/plain; charset=UTF-8' &&
    headers.get('content-transfer-encoding') === 'base64';
  if (!isPlain) throw new SesError('InvalidParameterValue', 'The local SES takes plain text in base64 only');
  const replyTo = headers.get('reply-to');
  return {
    replyTo: replyTo === undefined ? [] : [replyTo],
    subject: decodeWords(headers.get('subject') ?? ''),
    text: Buffer.from(source.slice(end), 'base64').toString(),
    html: undefined,
    headers: Object.fromEntries(
      names
        .filter((name) => !OWN_HEADERS.has(name.toLowerCase()))
        .map((name) => [name, headers.get(name.toLowerCase()) ?? '']),
    ),
    source,
  };
}

const decodeWords = (text: string): string =>
  text
    .replaceAll('?= =?', '?==?')
    .replace(/=\?UTF-8\?B\?([A-Za-z0-9+/=]*)\?=/g, (_, word: string) => Buffer.from(word, 'base64').toString());

/** The members of a list: `<prefix>.member.1`, `<prefix>.member.2`, … */
function members<T>(prefix: string, read: (name: string) => T | null): T[] {
  const found: T[] = [];
  for (let index = 1; ; index += 1) {
    const value = read(`${prefix}.member.${index}`);
    if (value === null) return found;
    found.push(value);
  }
}

const NAMESPACE = 'http://ses.amazonaws.com/doc/2010-12-01/';

/** The response of an accepted mail. */
export const sentXml = (action: 'SendEmail' | 'SendRawEmail', messageId: string, requestId: string): string =>
  `<${action}Response xmlns="${NAMESPACE}"><${action}Result><MessageId>${messageId}</MessageId></${action}Result><ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata></${action}Response>`;

/** The response of an error. */
export const errorXml = ({ code, message, status }: SesError, requestId: string): string =>
  `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>${status < 500 ? 'Sender' : 'Receiver'}</Type><Code>${code}</Code><Message>${escapeHtml(message)}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`;
