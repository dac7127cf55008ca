/**
 * The mailbox page of the local service: `/inbox` lists the mails, `/inbox/<id>` shows one with its HTML in a sandboxed
 * frame, its text and its source. `/inbox.json` is the list for scripts.
 */
import { html } from 'hono/html';
import { HTML, htmlPage, type PlainPage, plainPages } from '../gateway/plain-pages.ts';
import type { PageHandler } from '../gateway/server.ts';
import type { Mailbox, StoredMail } from './mailbox.ts';

/** The HTML of a mail: no script, no other host, an opaque origin. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** Serves `/inbox`, `/inbox.json` and the mails below them. */
export const inboxPages = (mailbox: Mailbox): PageHandler =>
  plainPages((path) =>
    /^\/inbox(?:[./]|$)/.test(path)
      ? (renderPage(mailbox, path) ?? { ...plain('There is no such mail.'), status: 404 })
      : undefined,
  );

const plain = (body: string): PlainPage => ({ type: 'text/plain; charset=utf-8', body });

function renderPage(mailbox: Mailbox, path: string): PlainPage | undefined {
  if (path === '/inbox') return listPage(mailbox.list());
  if (path === '/inbox.json') {
    const messages = mailbox.list().map(({ id, to, subject, sentAt }) => ({ id, to, subject, sentAt }));
    return { type: 'application/json', body: JSON.stringify({ messages }) };
  }
  const [, id = '', part] = /^\/inbox\/([0-9a-f-]{36})(?:\/(html|text|source))?$/.exec(path) ?? [];
  const mail = mailbox.find(id);
  if (!mail) return undefined;
  if (part === 'html') return { type: HTML, body: mail.html, policy: MAIL_POLICY };
  if (part === 'text') return plain(mail.text);
  if (part === 'source') return plain(mailbox.findSource(id) ?? '');
  return mailPage(mail);
}

const formatTime = ({ sentAt }: StoredMail): string => sentAt.slice(0, 19).replace('T', ' ');

const listPage = (mails: readonly StoredMail[]): PlainPage =>
  htmlPage(
    `Inbox (${mails.length})`,
    html`<h1>Inbox</h1>
<p>${mails.length === 0 ? 'No mail was sent yet.' : `${mails.length} sent, newest first. Nothing leaves this machine.`}</p>
<table>
<thead><tr><th scope="col">Sent (UTC)</th><th scope="col">To</th><th scope="col">Subject</th></tr></thead>
<tbody>
${mails.map((mail) => html`<tr><td>${formatTime(mail)}</td><td>${mail.to.join(', ')}</td><td><a href="/inbox/${mail.id}">${mail.subject || '(no subject)'}</a></td></tr>`)}
</tbody>
</table>`,
  );

const mailPage = (mail: StoredMail): PlainPage =>
  htmlPage(
    mail.subject,
    html`<p><a href="/inbox">Inbox</a></p>
<h1>${mail.subject}</h1>
<dl>
<dt>From</dt><dd>${mail.from}</dd>
<dt>Reply to</dt><dd>${mail.replyTo.join(', ') || '–'}</dd>
<dt>To</dt><dd>${mail.to.join(', ')}</dd>
<dt>Sent</dt><dd>${formatTime(mail)} UTC</dd>
${Object.entries(mail.headers).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
</dl>
<p>${mail.html !== '' && html`<a href="/inbox/${mail.id}/html">HTML</a> · `}<a href="/inbox/${mail.id}/text">Text</a> · <a href="/inbox/${mail.id}/source">Source</a></p>
${mail.html !== '' && html`<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="The HTML of the mail" src="/inbox/${mail.id}/html"></iframe>`}
<h2>Text</h2>
<pre>${mail.text}</pre>`,
  );
