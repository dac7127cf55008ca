/**
 * Pages of the local service that are not of the product: `/docs`, `/inbox`, `/sheet` and `/styles`. They load nothing from
 * other hosts.
 */
import { isIP } from 'node:net';
import { html, raw } from 'hono/html';
import { splitUrl } from './http-to-event.ts';
import type { PageHandler } from './server.ts';

/** A response; `policy` is its content security policy, `location` the target of a redirect. */
export type PlainPage = { type: string; body: string | Buffer; policy?: string; status?: number; location?: string };

export const HTML = 'text/html; charset=utf-8';

/** The policy of pages without scripts. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the pages that a function returns for their paths; undefined leaves the request to other handlers. */
export const plainPages =
  (findPage: (path: string) => PlainPage | undefined): PageHandler =>
  (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const page = findPage(splitUrl(request.url ?? '/')[0]);
    if (!page) return false;
    if (!isOwnHost(request.headers.host ?? '')) {
      response.writeHead(421, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('This page is for readers on this machine: open it at localhost.');
      return true;
    }
    response.writeHead(page.status ?? 200, {
      'content-type': page.type,
      'content-length': Buffer.byteLength(page.body),
      'content-security-policy': page.policy ?? POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      ...(page.location !== undefined && { location: page.location }),
    });
    response.end(page.body);
    return true;
  };

/**
 * Whether a `Host` header names this machine or the address of the service. A site whose name leads to this machine
 * could read these pages otherwise (DNS rebinding); it cannot do so by an IP address.
 */
function isOwnHost(host: string): boolean {
  const { hostname } = URL.parse(`http://${host}`) ?? { hostname: '' };
  const names = ['localhost', URL.parse(process.env.PUBLIC_URL ?? '')?.hostname];
  return names.includes(hostname) || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

const STYLE = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 2rem); color: CanvasText; background: Canvas; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.125rem; }
a { color: light-dark(#17616b, #83c9d3); }
code { overflow-wrap: anywhere; }
div { overflow: auto; max-height: 80vh; }
div :is(th, td) { min-width: 11rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .6rem .8rem .6rem 0; border-bottom: 1px solid #8884; overflow-wrap: anywhere; }
@media (width < 40rem) {
  body > table thead { position: absolute; clip-path: inset(50%); }
  body > table tr { display: flex; flex-wrap: wrap; gap: 0 1rem; padding-block: .6rem; border-bottom: 1px solid #8884; }
  body > table td { padding: 0; border: 0; }
  body > table td:last-child { order: -1; flex: 1 0 100%; }
}
dt { float: left; clear: left; width: 6rem; opacity: .7; }
dd { margin: 0 0 0 6rem; overflow-wrap: anywhere; }
iframe { width: 100%; height: 70vh; border: 1px solid #8886; border-radius: .5rem; }
pre, td { white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** A page without scripts. */
export const htmlPage = (title: string, content: unknown): PlainPage => ({
  type: HTML,
  body: String(html`<!doctype html>
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
`),
});
