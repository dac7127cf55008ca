/**
 * One function for the pages of an audience. A path has one route for all methods: a page is chosen by the path of the route
 * and the method of the request. HEAD is GET without the body; a method that a path does not have is refused.
 */
import type { PageDeclaration } from '#core/api/declare-pages.ts';
import type { LambdaHandler } from '#core/http/chain.ts';

type LoadPage = () => Promise<{ handler: LambdaHandler }>;

/**
 * Creates the handler for all pages of an audience. Each declaration has a module of its name, which is loaded at the first
 * request of that page: a new instance loads one page, not all of them.
 */
export function dispatch<T extends Record<string, PageDeclaration>>(
  declarations: T,
  modules: { [K in keyof T]: LoadPage },
): LambdaHandler {
  const byPath = new Map<string, Map<string, LoadPage>>();
  for (const [name, { method, path }] of Object.entries(declarations)) {
    const ofPath = byPath.get(path) ?? new Map<string, LoadPage>();
    byPath.set(path, ofPath.set(method, modules[name as keyof T]));
  }
  return async (event, context) => {
    const ofPath = byPath.get(event.routeKey.replace(/^ANY /, ''));
    if (!ofPath) throw new Error(`no page has the route ${event.routeKey}`);
    const { method } = event.requestContext.http;
    const load = ofPath.get(method === 'HEAD' ? 'GET' : method);
    if (!load) return refuseMethod(method, [...ofPath.keys()]);
    const { handler } = await load();
    const response = await handler(event, context);
    return method === 'HEAD' ? { ...response, body: '' } : response;
  };
}

/** Responds with 405 and the methods that a path has. */
function refuseMethod(method: string, methods: readonly string[]) {
  const allow = methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])).join(', ');
  const headers = { allow, 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
  return { statusCode: 405, headers, body: method === 'HEAD' ? '' : `This address takes ${allow} only.\n` };
}
