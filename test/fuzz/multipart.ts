/** Faults of a multipart body: what a broken or hostile client might send instead of a valid file. */
import { webp } from '#test/support/webp.ts';
import { HOSTILE_TEXTS } from './texts.ts';

/** A body with its content type; the text has a character for each byte. */
type Parts = { text: string; type: string; boundary: string };

const latin1 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('latin1');
/** A file name, escaped as browsers do. */
const quoted = (name: string): string =>
  latin1(`"${name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')}"`);

const named = (name: string) => (text: string) => text.replace(/filename="[^"]*"/, () => `filename=${quoted(name)}`);
/** Replaces what follows `form-data`; the name of the part is `$1`. */
const disposed = (disposition: string) => (text: string) =>
  text.replace(/form-data; name="(\w+)"; filename="[^"]*"/, `form-data; ${disposition}`);
const headed = (headers: string) => (text: string) => text.replace(/Content-Type: [^\r]*/, headers);
const holding = (bytes: Uint8Array | string) => (text: string) =>
  text.replace(/(\r\n\r\n).*?(\r\n--)/s, (_, before: string, after: string) => before + latin1(bytes) + after);

const DISPOSITIONS: readonly string[] = [
  ...['name="$1"', 'name=$1; filename=a.pdf', 'filename="a.pdf"', 'name="__proto__"; filename=a', ';;;===""', ''],
  ...['name="$1"; filename="a\\"b.pdf"', 'name="$1"; filename="a.pdf', `name="$1"; filename=${'a'.repeat(100_000)}`],
  ...["UTF-8''%E6%B0%B4.pdf", "UTF-8''%zz%", "iso-8859-1''%e9.pdf"].map((name) => `name="$1"; filename*=${name}`),
];
const HEADERS: readonly string[] = [
  ...['text/html', 'x\r\nContent-Type: y/z; charset=utf-7', '\u0000'].map((type) => `Content-Type: ${type}`),
  ...['Content-Transfer-Encoding: base64', 'Content-Disposition: form-data; name="other"', 'no header'],
  `X: ${'x'.repeat(50_000)}`,
];
const CONTENTS: readonly (Uint8Array | string)[] = [
  ...['', '%PDF', '<script>alert(1)</script>', 'MZ\u0090', '\r'.repeat(3_000), 'ÿ'.repeat(50_000)],
  ...[webp(1_800, 1_800), webp(1, 1, 'extended'), webp(1_801, 1), webp(2, 2).subarray(0, 20)],
];
/** Content types in which `#` is the boundary of the body. */
const TYPES: readonly string[] = [
  ...['', '; boundary=', '; boundary=other', `; boundary=${'x'.repeat(5_000)}`].map(
    (rest) => `multipart/form-data${rest}`,
  ),
  ...[
    'multipart/form-data; boundary="#"; charset=utf-16',
    'multipart/mixed; boundary=#',
    'MULTIPART/FORM-DATA;BOUNDARY=#',
  ],
];

type Change = (text: string, boundary: string) => string;
const STRUCTURES: readonly Change[] = [
  (text, boundary) => holding(`\r\n--${boundary}`)(text),
  (text) => text.slice(0, text.length >> 1),
  (text) => `a preamble\r\n${text}an epilogue`,
  (text) => text.replaceAll('\r\n', '\n'),
  (text, boundary) => `${text.replace(`--${boundary}--\r\n`, '').repeat(30)}--${boundary}--\r\n`,
  (_, boundary) => `--${boundary}--\r\n`,
  (_, boundary) => `--${boundary}\r\n`.repeat(20_000),
];

type Fault = (parts: Parts) => { text: string; type: string };
const changed = (changes: readonly Change[]): Fault[] =>
  changes.map((change) => ({ text, type, boundary }) => ({ text: change(text, boundary), type }));

/** Faults of each kind, of names, dispositions, headers, contents, the body as a whole and its type. */
export const PART_FAULTS: readonly (readonly Fault[])[] = [
  changed(['Fluß 水.PDF', 'the "best".pdf', '../../a.pdf', '\u202Efdp.exe.pdf', ...HOSTILE_TEXTS].map(named)),
  changed(DISPOSITIONS.map(disposed)),
  changed(HEADERS.map(headed)),
  changed(CONTENTS.map(holding)),
  changed(STRUCTURES),
  TYPES.map((type) => ({ text, boundary }) => ({ text, type: type.replace('#', boundary) })),
];
