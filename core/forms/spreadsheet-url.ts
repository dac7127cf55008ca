/** Addresses of Google spreadsheets. */

/**
 * The id in the address of a Google spreadsheet, such as `https://docs.google.com/spreadsheets/d/<id>/edit#gid=0`; null
 * for any other address.
 */
export function spreadsheetIdOf(address: string): string | null {
  const url = URL.parse(address);
  if (url?.origin !== 'https://docs.google.com') return null;
  return /^\/spreadsheets\/(?:u\/\d+\/)?d\/([A-Za-z0-9_-]+)(?:\/|$)/.exec(url.pathname)?.[1] ?? null;
}
