/** The page that follows a request. */

/** Fetches a page; undefined if there is none at the address, or the address redirects. */
export async function fetchPage(address: string | URL): Promise<Document | undefined> {
  const response = await fetch(address).catch(() => undefined);
  return response?.ok && !response.redirected ? parsePage(await response.text()) : undefined;
}

export const parsePage = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

/** Whether a page differs from the shown one in its content only: not in its frame, look, language or version. */
export const isSameLayout = (page: Document): boolean => describeLayout(page) === describeLayout(document);

const describeLayout = ({ documentElement, body, head }: Document): string =>
  JSON.stringify([
    documentElement.lang,
    body.className,
    body.dataset.width,
    [...head.querySelectorAll('style')].map(({ textContent }) => textContent),
    head.querySelector('[data-in-place]')?.getAttribute('src'),
  ]);
