/** The function of requests that match no route: a page for browsers, a problem for clients of the API. */
import { anyone } from '#core/accounts/accounts.ts';
import { missingPage } from '#core/api/declare-pages.ts';
import type { LambdaHandler } from '#core/http/chain.ts';
import { respondNotFound } from '#core/http/not-found.ts';
import { header } from '#core/http/request.ts';
import { page } from '#core/pages/shell/page.ts';
import { problems } from '#core/problems/problems.ts';

const showMissing = page(missingPage, anyone, () => {
  throw problems.notFound();
});

export const handler: LambdaHandler = async (event, context) => {
  const isApiPath = /^\/api(?:\/|$)/.test(event.rawPath);
  const acceptsPages = header(event, 'accept')?.includes('text/html') ?? false;
  return acceptsPages && !isApiPath ? showMissing(event, context) : respondNotFound(event);
};
