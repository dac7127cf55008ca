/** The AWS query protocol as SES speaks it: parameters of a form-encoded body, responses and errors in XML. */
import { escapeHtml } from '#core/schema/text.ts';

/** A request to send a mail. */
export type SendRequest = {
  source: string;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  replyTo: readonly string[];
  subject: string;
  text: string | undefined;
  html: string | undefined;
  configurationSet: string | undefined;
  tags: Readonly<Record<string, string>>;
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
  if (action !== 'SendEmail') {
    throw new SesError('InvalidAction', `Could not find operation ${action} for version 2010-12-01`);
  }
  const list = (prefix: string): string[] => members(prefix, (name) => parameters.get(name));
  const tags = members('Tags', (name) => {
    const [key, value] = [parameters.get(`${name}.Name`), parameters.get(`${name}.Value`)];
    return key === null ? null : ([key, value ?? ''] as const);
  });
  return {
    source: parameters.get('Source') ?? '',
    to: list('Destination.ToAddresses'),
    cc: list('Destination.CcAddresses'),
    bcc: list('Destination.BccAddresses'),
    replyTo: list('ReplyToAddresses'),
    subject: parameters.get('Message.Subject.Data') ?? '',
    text: parameters.get('Message.Body.Text.Data') ?? undefined,
    html: parameters.get('Message.Body.Html.Data') ?? undefined,
    configurationSet: parameters.get('ConfigurationSetName') ?? undefined,
    tags: Object.fromEntries(tags),
  };
}

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
export const sentXml = (messageId: string, requestId: string): string =>
  `<SendEmailResponse xmlns="${NAMESPACE}"><SendEmailResult><MessageId>${messageId}</MessageId></SendEmailResult><ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata></SendEmailResponse>`;

/** The response of an error. */
export const errorXml = ({ code, message, status }: SesError, requestId: string): string =>
  `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>${status < 500 ? 'Sender' : 'Receiver'}</Type><Code>${code}</Code><Message>${escapeHtml(message)}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`;
