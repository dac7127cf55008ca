/** Web addresses as people type them. Shared with the scripts of the pages. */

/** A host with a dot, then an optional port and path: `example.org`, `example.org:8080/path`. */
const HOST_FIRST = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]\S*)?$/u;

/** Trims a text and adds `https://` to an address that begins with its host. */
export function completeWebAddress(text: string): string {
  const trimmed = text.trim();
  return HOST_FIRST.test(trimmed) ? `https://${trimmed}` : trimmed;
}
