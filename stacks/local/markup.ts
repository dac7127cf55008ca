/** Text inside the HTML and XML that the local cloud writes. */

/** A text as markup shows it, in content and in quoted attributes. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
