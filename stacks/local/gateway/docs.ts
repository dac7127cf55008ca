/**
 * The documentation page of the local API: the OpenAPI document in Swagger UI at `/docs`, with "Try it out" against the
 * API on the same origin. Swagger UI comes from npm; the content security policy allows no other host.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { operations } from '#core/api/index.ts';
import { escapeHtml } from '#core/schema/text.ts';
import { openApiDocument, openApiText } from '../../build/openapi/document.ts';
import { HTML, type PlainPage, plainPages } from './plain-pages.ts';
import type { PageHandler } from './server.ts';

/** A demo user that the page can sign in by user ID. */
type DemoPerson = { name: string; id: string };

/** No inline code, no other host; `data:` is for the icons of Swagger UI and `blob:` for downloaded files. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** Serves `/docs` and the files below it. The page has a sign-in button for each of `people`. */
export function docsPage(people: readonly DemoPerson[] = []): PageHandler {
  const pages: Record<string, () => PlainPage> = {
    '/docs': () => ({ type: HTML, body: pageHtml(people) }),
    '/docs/': () => ({ type: HTML, body: '', status: 302, location: '/docs' }),
    '/docs/page.js': () => ({ type: SCRIPT, body: PAGE_SCRIPT }),
    '/docs/page.css': () => ({ type: STYLE, body: PAGE_STYLE }),
    '/docs/openapi.json': () => ({ type: 'application/json', body: openApiText(openApiDocument(operations)) }),
    '/docs/swagger-ui.css': () => ({ type: STYLE, body: viewerFile('swagger-ui.css') }),
    '/docs/swagger-ui-bundle.js': () => ({ type: SCRIPT, body: viewerFile('swagger-ui-bundle.js') }),
    '/docs/favicon-32x32.png': () => ({ type: 'image/png', body: viewerFile('favicon-32x32.png') }),
  };
  return plainPages((path) => {
    const page = Object.hasOwn(pages, path) ? pages[path]?.() : undefined;
    return page && { ...page, policy: POLICY };
  });
}

const require = createRequire(import.meta.url);
const viewerFile = (name: string): Buffer => readFileSync(require.resolve(`swagger-ui-dist/${name}`));

const pageHtml = (people: readonly DemoPerson[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Form service: API</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<header>
${signInBar(people)}
<output id="session"></output>
<a href="/docs/openapi.json">openapi.json</a>
</header>
<main id="viewer"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
`;

const signInBar = (people: readonly DemoPerson[]): string =>
  people.length === 0
    ? '<span>Sign in with <code>auth.loginInternal</code>: it sets a cookie that the calls below use.</span>'
    : [
        '<span>Sign in as</span>',
        ...people.map(
          ({ name, id }) => `<button type="button" data-uid="${escapeHtml(id)}">${escapeHtml(name)}</button>`,
        ),
        '<button type="button" data-uid="">nobody</button>',
        '<a id="provider">through the provider</a>',
      ].join('\n');

const PAGE_STYLE = `body { margin: 0; }
header { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .6rem 1rem; background: #17324d; color: #fff; font: 14px sans-serif; }
header a { color: #cfe3f5; text-decoration: underline; }
header a:last-child { margin-left: auto; }
header button { font: inherit; padding: .2rem .7rem; cursor: pointer; }
`;

/** The cookies of the session belong to this origin, so every call includes them. */
const PAGE_SCRIPT = `'use strict';
SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayOperationId: true,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
  withCredentials: true,
});
const session = document.getElementById('session');
const provider = document.getElementById('provider');
if (provider) provider.href = '/api/auth/login/oauth/LOGIN_PROVIDER_1?' + new URLSearchParams({ c: location.origin + '/docs', base: location.origin });
for (const button of document.querySelectorAll('button[data-uid]')) {
  button.addEventListener('click', async () => {
    const { uid } = button.dataset;
    const response = await fetch(uid ? '/api/auth/login/internal' : '/api/auth/logout', {
      method: 'POST',
      ...(uid ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ uid }) } : {}),
    });
    const { message, detail } = await response.json();
    session.textContent = response.ok ? message + (uid ? ' as ' + button.textContent : '') : detail;
  });
}
`;
