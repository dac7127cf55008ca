/** Pages of the local service beside the product: `/docs`, `/inbox` and `/sheet`. They load nothing from other hosts. */
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
  (pageOf: (path: string) => PlainPage | undefined): PageHandler =>
  (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const page = pageOf(splitUrl(request.url ?? '/')[0]);
    if (!page) return false;
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

const STYLE = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; color: CanvasText; background: Canvas; }
div { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8884; overflow-wrap: anywhere; }
dt { float: left; clear: left; width: 6rem; opacity: .7; }
dd { margin: 0 0 0 6rem; overflow-wrap: anywhere; }
iframe { width: 100%; height: 70vh; border: 1px solid #8888; }
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
