/**
 * The pages of the local identity provider: the one on which one picks who to be, and the one that says what went
 * wrong. Plain HTML without script; the policy lets in nothing but the style that stands in the page.
 */
import { createHash } from 'node:crypto';
import { escaped } from './markup.ts';
import type { ProviderPerson } from './provider-people.ts';

export type PickPage = {
  /** The name of the client that asks, and where the answer goes. */
  client: string;
  returnsTo: string;
  scopes: readonly string[];
  people: readonly ProviderPerson[];
};

/** What a scope lets a client know, in words. */
const SCOPES: Record<string, string> = {
  openid: 'who you are here',
  email: 'your e-mail address, and whether it is verified',
  profile: 'your name, your username and your picture',
};

const STYLE = `body { font: 16px/1.5 sans-serif; color: #1b2733; background: #f4f6f8; }
main { max-width: 36rem; margin: 2rem auto; padding: 1rem 2rem; background: #fff; border: 1px solid #c7d0d9; }
form p { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .5rem 0; }
button { font: inherit; min-width: 14rem; padding: .4rem .8rem; text-align: left; cursor: pointer; }
`;

/**
 * A browser holds `form-action` against every redirect that follows the form, so it names where the answer goes and
 * where the service may go on to: any port of this machine.
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
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

/** The page with a button for each person, which posts their `sub`, and one that posts `deny`. */
export const pickPage = ({ client, returnsTo, scopes, people }: PickPage): string =>
  page(
    'Who are you?',
    `<p><strong>${escaped(client)}</strong> at ${escaped(returnsTo)} asks to know:</p>
<ul>
${scopes.map((scope) => `<li>${escaped(SCOPES[scope] ?? scope)}</li>`).join('\n')}
</ul>
<form method="post">
${people.map(personLine).join('\n')}
<p><button name="deny" value="yes" aria-describedby="deny">Deny</button> <span id="deny">tell it nothing</span></p>
</form>`,
  );

function personLine({ sub, preferred_username, email, email_verified }: ProviderPerson, index: number): string {
  const button = `<button name="sub" value="${escaped(sub)}" aria-describedby="p${index}">Continue as ${escaped(preferred_username)}</button>`;
  return `<p>${button} <span id="p${index}">${escaped(email)}${email_verified ? '' : ' (not verified)'}</span></p>`;
}

/** The page for a request that cannot be answered by sending the browser back: what is wrong, and a detail of it. */
export const errorPage = (what: string, detail: string): string =>
  page('This does not work', `<p><strong>${escaped(what)}</strong>: ${escaped(detail)}</p>`);

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
