/**
 * One function for the pages of an audience: chooses the handler of a page by the route key of the event. HEAD, which
 * HTTP APIs do not route to GET, is the same without the body.
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
  const byRoute = new Map<string, LoadPage>(
    Object.entries(declarations).map(([name, { method, path }]) => [`${method} ${path}`, modules[name as keyof T]]),
  );
  return async (event, context) => {
    const load = byRoute.get(event.routeKey.replace(/^HEAD /, 'GET '));
    if (!load) throw new Error(`no page has the route ${event.routeKey}`);
    const { handler } = await load();
    const response = await handler(event, context);
    return event.routeKey.startsWith('HEAD ') ? { ...response, body: '' } : response;
  };
}
