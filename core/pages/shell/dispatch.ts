/**
 * One function for the pages of an audience: chooses the handler of a page by the route key of the event. HEAD, which
 * HTTP APIs do not route to GET, is the same without the body.
 */
import type { PageDeclaration } from '#core/api/declare-pages.ts';
import type { LambdaHandler } from '#core/http/chain.ts';

/** Creates the handler for all pages of an audience; each declaration has a handler of its name. */
export function dispatch<T extends Record<string, PageDeclaration>>(
  declarations: T,
  handlers: { [K in keyof T]: LambdaHandler },
): LambdaHandler {
  const byRoute = new Map<string, LambdaHandler>(
    Object.entries(declarations).map(([name, { method, path }]) => [`${method} ${path}`, handlers[name as keyof T]]),
  );
  return async (event, context) => {
    const handler = byRoute.get(event.routeKey.replace(/^HEAD /, 'GET '));
    if (!handler) throw new Error(`no page has the route ${event.routeKey}`);
    const response = await handler(event, context);
    return event.routeKey.startsWith('HEAD ') ? { ...response, body: '' } : response;
  };
}
