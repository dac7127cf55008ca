/**
 * One function for the pages of an audience. A path has one route for all methods: a page is chosen by the path of the route
 * and its handler by the method of the request. HEAD is GET without the body; a method that a page does not have is refused.
 */
import type { LambdaHandler } from '#core/http/chain.ts';
import type { Page } from './declare-page.ts';

/**
 * Creates the handler for all pages of an audience, by path. The module of a page is loaded at its first request: a new
 * instance loads one page, not all of them.
 */
export const dispatch =
  (pages: Readonly<Record<string, () => Promise<{ page: Page }>>>): LambdaHandler =>
  async (event, context) => {
    const path = event.routeKey.replace(/^ANY /, '');
    const load = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!load) throw new Error(`no page has the route ${event.routeKey}`);
    const { method } = event.requestContext.http;
    const { handlers } = (await load()).page;
    const named = method === 'HEAD' ? 'GET' : method;
    const handler = named === 'GET' || named === 'POST' ? handlers[named] : undefined;
    if (!handler) return refuseMethod(method, Object.keys(handlers));
    const response = await handler(event, context);
    return method === 'HEAD' ? { ...response, body: '' } : response;
  };

/** Responds with 405 and the methods that a path has. */
function refuseMethod(method: string, methods: readonly string[]) {
  const allow = methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])).join(', ');
  const headers = { allow, 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
  return { statusCode: 405, headers, body: method === 'HEAD' ? '' : `This address takes ${allow} only.\n` };
}
