/**
 * The pages of the local identity provider: one to pick a person, and one that shows an error. Plain HTML without
 * script; the content security policy allows only the inline style.
 */
import { sha256 } from '#core/schema/hash.ts';
import { escapeHtml } from '#core/schema/text.ts';
import type { ProviderPerson } from './people.ts';

type PickPage = {
  /** The name of the requesting client, and the origin of its callback. */
  client: string;
  returnsTo: string;
  scopes: readonly string[];
  people: readonly ProviderPerson[];
};

/** Describes the data that a scope gives to a client. */
const SCOPES: Record<string, string> = {
  openid: 'your identifier',
  email: 'your e-mail address, and whether it is verified',
  profile: 'your name, your username and your picture',
};

const STYLE = `:root { color-scheme: light dark; }
body { margin: 0; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color: light-dark(#1b2733, #e9ebee); background: light-dark(#f4f6f8, #14171a); }
main { max-width: 36rem; margin: 1rem auto; padding: 1.5rem clamp(1rem, 4vw, 2rem); background: light-dark(#fff, #1d2126); border: 1px solid #8886; border-radius: 1rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; }
form p { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; margin: .5rem 0; }
button { font: inherit; min-width: 14rem; min-height: 2.75rem; padding: .4rem 1rem; color: inherit; background: none; border: 1px solid #8888; border-radius: .5rem; text-align: left; cursor: pointer; }
button:hover { border-color: currentcolor; }
`;

/** Browsers apply `form-action` to the redirects after a form too: the callback may be on any port of this machine. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${sha256(STYLE, 'base64')}'`,
  "form-action 'self' http://127.0.0.1:* http://localhost:*",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of every page. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/** Renders the page with a button for each person, which posts their `sub`, and one that posts `deny`. */
export const pickPage = ({ client, returnsTo, scopes, people }: PickPage): string =>
  page(
    'Who are you?',
    `<p><strong>${escapeHtml(client)}</strong> at ${escapeHtml(returnsTo)} requests:</p>
<ul>
${scopes.map((scope) => `<li>${escapeHtml(SCOPES[scope] ?? scope)}</li>`).join('\n')}
</ul>
<form method="post">
${people.map(personLine).join('\n')}
<p><button name="deny" value="yes" aria-describedby="deny">Deny</button> <span id="deny">share nothing</span></p>
</form>`,
  );

function personLine({ sub, preferred_username, email, email_verified }: ProviderPerson, index: number): string {
  const button = `<button name="sub" value="${escapeHtml(sub)}" aria-describedby="p${index}">Continue as ${escapeHtml(preferred_username)}</button>`;
  return `<p>${button} <span id="p${index}">${escapeHtml(email)}${email_verified ? '' : ' (not verified)'}</span></p>`;
}

/** Renders the page for a request whose browser cannot be redirected back: the error and its detail. */
export const errorPage = (what: string, detail: string): string =>
  page('Request failed', `<p><strong>${escapeHtml(what)}</strong>: ${escapeHtml(detail)}</p>`);

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Demo identity provider</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
