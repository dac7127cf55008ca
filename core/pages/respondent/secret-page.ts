/** Pages whose address, or what they show, lets somebody in. */

/** No other site learns the address of the page, no search engine keeps it, and no browser stores it. */
export const SECRET_PAGE = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex', 'cache-control': 'no-store' };

/** Where a guest types the address to which a link is mailed. */
export const addressHref = (formId: string): string => `/f/${formId}/address`;

/** Where a guest types the code of an invitation. */
export const codeHref = (formId: string): string => `/f/${formId}/code`;
