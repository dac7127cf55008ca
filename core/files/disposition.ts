/**
 * Names of files that are downloaded: the name of an export from the title of its form, and the header that gives a
 * name to the browser. Both take text that anybody could have typed, and give what no header, path or file manager
 * can be tricked by. Used by exports and by file downloads.
 */

const EXTENSION = '.xlsx';
const MAX_NAME_CHARACTERS = 120;
const MAX_HEADER_CHARACTERS = 200;

/**
 * The file name of an export (contract section 9: the form's title).
 * @returns at most 120 characters and `.xlsx`; `responses.xlsx` when nothing of the title is left.
 */
export function fileName(title: string): string {
  const withoutExtension = safeName(title).replace(/\.xlsx$/i, '');
  const name = trimmed([...withoutExtension].slice(0, MAX_NAME_CHARACTERS).join(''));
  if (name === '') return `responses${EXTENSION}`;
  return (RESERVED.test(name) ? `_${name}` : name) + EXTENSION;
}

/** Names that Windows keeps for devices, with whatever extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

// \p{Cc}: control characters. Bidi_C: marks, embeddings, overrides and isolates that make `fdp.exe` look like `exe.pdf`.
const INVISIBLE = /[\p{Cc}\p{Bidi_C}\u200b\u2028\u2029\ufeff]/gu;
const SEPARATORS = /[/\\:*?"<>|\s]+/g;

/** A name without what a path, a header or a reader's eye could stumble over; separators become one space. */
const safeName = (name: string): string =>
  trimmed(
    name
      .toWellFormed()
      .replace(/[\t\r\n]/g, ' ')
      .replace(INVISIBLE, '')
      .replace(SEPARATORS, ' '),
  );

/**
 * Without spaces and dots at both ends: leading dots hide a file, trailing ones are dropped by Windows.
 * A loop, since a pattern anchored at the end takes quadratic time on a long run of dots.
 */
function trimmed(name: string): string {
  let start = 0;
  let end = name.length;
  while (start < end && isEdge(name.charAt(start))) start += 1;
  while (end > start && isEdge(name.charAt(end - 1))) end -= 1;
  return name.slice(start, end);
}

const isEdge = (character: string): boolean => character === '.' || /\s/.test(character);

/**
 * The `Content-Disposition` of a download (RFC 6266, RFC 8187).
 * @param name any text; `download` when nothing usable is left of it
 * @returns `attachment` with the name in ASCII for old clients, and in full. Only printable ASCII, whatever came in.
 */
export function contentDisposition(name: string): string {
  const safe = shortened(safeName(name)) || 'download';
  const fallback = safe.replace(/[^\x20-\x7e]/gu, '_').replace(/[%;]/g, '_');
  return `attachment; filename="${fallback}"; filename*=UTF-8''${encoded(safe)}`;
}

/** As many bytes as storage and gateways take of a name that stands encoded in an address. */
const MAX_ENCODED = 3_000;

/**
 * The `Content-Disposition` of a file that somebody uploaded: its name comes back to the letter in the encoded form, in
 * which nothing can break out, but for what would name another folder; only in the plain form for old clients it is
 * made safe. A name too long for an address is cut, keeping its extension.
 * @param name the name as it was uploaded
 */
export function uploadDisposition(name: string): string {
  const exact = encoded(name.toWellFormed().replace(/[/\\\0]/g, '_'));
  if (exact === '' || exact.length > MAX_ENCODED) return contentDisposition(name);
  const [plain = ''] = contentDisposition(name).split("; filename*=UTF-8''");
  return `${plain}; filename*=UTF-8''${exact}`;
}

/** At most 200 characters, keeping the extension. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_HEADER_CHARACTERS) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return trimmed(characters.slice(0, MAX_HEADER_CHARACTERS - extension.length).join('')) + extension;
}

/** Percent-encoded as RFC 8187 has it: everything but its attr-char, which allows less than a URL does. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
