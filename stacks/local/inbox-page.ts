/**
 * The mailbox page of the local service: `/inbox` lists the mails, `/inbox/<id>` shows one with its HTML in a sandboxed
 * frame, its text and its source. `/inbox.json` is the list for scripts.
 */
import { html, raw } from 'hono/html';
import { splitUrl } from './http-to-event.ts';
import type { Mailbox, StoredMail } from './mailbox.ts';
import type { PageHandler } from './server.ts';

type Page = { type: string; body: string; policy: string };

const HTML = 'text/html; charset=utf-8';
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The HTML of a mail: no script, no other host, an opaque origin. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** Creates a page handler of `server.ts` for `/inbox`, `/inbox.json` and the mails below them. */
export function inboxPages(mailbox: Mailbox): PageHandler {
  return (request, response) => {
    const [path] = splitUrl(request.url ?? '/');
    if (!/^\/inbox(?:[./]|$)/.test(path)) return false;
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const page = pageOf(mailbox, path);
    response.writeHead(page ? 200 : 404, {
      'content-type': page?.type ?? 'text/plain; charset=utf-8',
      'content-security-policy': page?.policy ?? PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    response.end(page?.body ?? 'There is no such mail.');
    return true;
  };
}

function pageOf(mailbox: Mailbox, path: string): Page | undefined {
  if (path === '/inbox') return { type: HTML, body: listPage(mailbox.list()), policy: PAGE_POLICY };
  if (path === '/inbox.json') {
    const messages = mailbox.list().map(({ id, to, subject, sentAt }) => ({ id, to, subject, sentAt }));
    return { type: 'application/json', body: JSON.stringify({ messages }), policy: PAGE_POLICY };
  }
  const [, id = '', part] = /^\/inbox\/([0-9a-f-]{36})(?:\/(html|text|source))?$/.exec(path) ?? [];
  const mail = mailbox.find(id);
  if (!mail) return undefined;
  const plain = (body: string): Page => ({ type: 'text/plain; charset=utf-8', body, policy: PAGE_POLICY });
  if (part === 'html') return { type: HTML, body: mail.html, policy: MAIL_POLICY };
  if (part === 'text') return plain(mail.text);
  if (part === 'source') return plain(mailbox.sourceOf(id) ?? '');
  return { type: HTML, body: mailPage(mail), policy: PAGE_POLICY };
}

const STYLE = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; color: CanvasText; background: Canvas; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8884; overflow-wrap: anywhere; }
dt { float: left; clear: left; width: 6rem; opacity: .7; }
dd { margin: 0 0 0 6rem; overflow-wrap: anywhere; }
iframe { width: 100%; height: 70vh; border: 1px solid #8888; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
`;

const page = (title: string, content: unknown): string =>
  String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
${content}
</body>
</html>
`);

const timeOf = ({ sentAt }: StoredMail): string => sentAt.slice(0, 19).replace('T', ' ');

const listPage = (mails: readonly StoredMail[]): string =>
  page(
    `Inbox (${mails.length})`,
    html`<h1>Inbox</h1>
<p>${mails.length === 0 ? 'No mail was sent yet.' : `${mails.length} sent, newest first. Nothing leaves this machine.`}</p>
<table>
<thead><tr><th scope="col">Sent (UTC)</th><th scope="col">To</th><th scope="col">Subject</th></tr></thead>
<tbody>
${mails.map((mail) => html`<tr><td>${timeOf(mail)}</td><td>${mail.to.join(', ')}</td><td><a href="/inbox/${mail.id}">${mail.subject || '(no subject)'}</a></td></tr>`)}
</tbody>
</table>`,
  );

const mailPage = (mail: StoredMail): string =>
  page(
    mail.subject,
    html`<p><a href="/inbox">Inbox</a></p>
<h1>${mail.subject}</h1>
<dl>
<dt>From</dt><dd>${mail.from}</dd>
<dt>Reply to</dt><dd>${mail.replyTo.join(', ') || '–'}</dd>
<dt>To</dt><dd>${mail.to.join(', ')}</dd>
<dt>Sent</dt><dd>${timeOf(mail)} UTC</dd>
</dl>
<p><a href="/inbox/${mail.id}/html">HTML</a> · <a href="/inbox/${mail.id}/text">Text</a> · <a href="/inbox/${mail.id}/source">Source</a></p>
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="The HTML of the mail" src="/inbox/${mail.id}/html"></iframe>
<h2>Text</h2>
<pre>${mail.text}</pre>`,
  );
