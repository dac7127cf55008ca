/**
 * Multipart bodies for the operations that accept files: mostly small valid files as browsers send them, sometimes what
 * a broken or hostile client might send.
 */
import fc from 'fast-check';
import { webp } from '#test/support/webp.ts';
import type { Documented } from './document.ts';
import { HOSTILE_TEXTS, textOf } from './texts.ts';

/** A body with its content type. */
export type GeneratedForm = { type: string; bytes: Buffer };

type Part = { disposition: string; headers: string; content: Uint8Array };

export const SMALL_PDF = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer<<>>\n%%EOF\n';

const BOUNDARY = '----formdata-fuzz';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const pdf = Buffer.from(SMALL_PDF);
/** Valid files, by the name of their part. */
const CONTENTS: Readonly<Record<string, readonly Uint8Array[]>> = {
  files: [pdf, Buffer.concat([pdf, Buffer.alloc(900)])],
  coverImage: [webp(2, 2), webp(1_800, 1_800), webp(1, 1, 'extended')],
};
const OTHERS: readonly Uint8Array[] = [
  Buffer.alloc(0),
  Buffer.from('%PDF'),
  Buffer.from('<script>alert(1)</script>'),
  Buffer.from('MZ\u0090'),
  Buffer.alloc(3_000, 0x0d),
  Buffer.from(`\r\n--${BOUNDARY}`),
  webp(1_801, 1),
  webp(2, 2).subarray(0, 20),
  Buffer.alloc(100_000, 0xff),
];

const mostly = <T>(usual: fc.Arbitrary<T>, seldom: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: seldom, weight: 1 });

/** A file name, escaped as browsers do. */
const quoted = (name: string): string =>
  `"${name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')}"`;

const fileNames = mostly(
  fc.constantFrom('a.pdf', 'Fluß 水.PDF', 'the "best".pdf', '../../a.pdf', '\u202Efdp.exe.pdf', 'a.webp'),
  fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), textOf({ type: 'string', minLength: 1, maxLength: 500 })),
);

/** Dispositions that no browser writes. */
const odd = (name: string): readonly string[] => [
  `name="${name}"`,
  `name=${name}; filename=a.pdf`,
  `name="${name}"; filename*=UTF-8''%E6%B0%B4.pdf`,
  `name="${name}"; filename*=UTF-8''%zz%`,
  `name="${name}"; filename*=iso-8859-1''%e9.pdf`,
  `name="${name}"; filename="a\\"b.pdf"`,
  `name="${name}"; filename="a.pdf`,
  `filename="a.pdf"`,
  'name="__proto__"; filename="a.pdf"',
  `name="${name}"; name="other"; filename="a.pdf"`,
  `name="${name}"; filename="${'a'.repeat(100_000)}"`,
  ';;;===""',
  '',
];

const partOf = (name: string): fc.Arbitrary<Part> =>
  fc.record({
    disposition: mostly(
      fileNames.map((filename) => `name="${name}"; filename=${quoted(filename)}`),
      fc.constantFrom(...odd(name)),
    ),
    headers: mostly(
      fc.constantFrom('', 'Content-Type: application/pdf\r\n'),
      fc.constantFrom(
        'Content-Type: text/html\r\n',
        'Content-Type: x\r\nContent-Type: y/z; charset=utf-7\r\n',
        'Content-Transfer-Encoding: base64\r\n',
        'Content-Disposition: form-data; name="other"\r\n',
        `X: ${'x'.repeat(50_000)}\r\n`,
        'no header\r\n',
        'Content-Type: \u0000\r\n',
      ),
    ),
    content: mostly(fc.constantFrom(...(CONTENTS[name] ?? [pdf])), fc.constantFrom(...OTHERS)),
  });

const written = (parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ disposition, headers, content }) => [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${headers}\r\n`),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);

const sameType = (change: (bytes: Buffer) => Buffer) => (form: GeneratedForm) => ({
  ...form,
  bytes: change(form.bytes),
});
const ofType = (type: string) => (form: GeneratedForm) => ({ ...form, type });

/** Changes to a whole body. */
const CHANGES: readonly ((form: GeneratedForm) => GeneratedForm)[] = [
  sameType((bytes) => bytes.subarray(0, bytes.length >> 1)),
  sameType((bytes) => bytes.subarray(0, -4)),
  sameType((bytes) => Buffer.concat([bytes, bytes])),
  sameType((bytes) => Buffer.concat([Buffer.from('a preamble\r\n'), bytes, Buffer.from('an epilogue')])),
  sameType((bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')),
  sameType((bytes) => Buffer.concat(Array<Buffer>(3_000).fill(bytes.subarray(0, 200)))),
  sameType(() => Buffer.from(`--${BOUNDARY}--\r\n`)),
  sameType(() => Buffer.from(`--${BOUNDARY}\r\n`.repeat(20_000))),
  sameType(() => Buffer.from('{"files":[]}')),
  ofType('multipart/form-data'),
  ofType('multipart/form-data; boundary='),
  ofType('multipart/form-data; boundary=other'),
  ofType(`multipart/form-data; boundary="${BOUNDARY}"; charset=utf-16`),
  ofType(`multipart/mixed; boundary=${BOUNDARY}`),
  ofType(`multipart/form-data; boundary=${'x'.repeat(5_000)}`),
  ofType(`MULTIPART/FORM-DATA;BOUNDARY=${BOUNDARY}`),
];

/** Bodies for an operation that accepts files: mostly one or two valid files. */
export function formsOf({ declaration: { parts } }: Documented): fc.Arbitrary<GeneratedForm> {
  const { name, max } = parts ?? { name: 'files', max: 1 };
  const part = partOf(name);
  return fc
    .record({
      parts: mostly(
        fc.array(part, { minLength: 1, maxLength: Math.min(max, 2) }),
        fc.array(part, { minLength: 0, maxLength: 30 }),
      ),
      change: mostly<(form: GeneratedForm) => GeneratedForm>(
        fc.constant((form) => form),
        fc.constantFrom(...CHANGES),
      ),
    })
    .map(({ parts: drawn, change }) => change({ type: TYPE, bytes: written(drawn) }));
}
