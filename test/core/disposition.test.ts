/** The names under which files are downloaded, and the header that carries them (RFC 6266, RFC 8187). */
import { parse } from 'content-disposition';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportFileName } from '#core/exports/model.ts';
import { contentDisposition } from '#core/files/download.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 }).map((units) => String.fromCharCode(...units)),
  fc.stringMatching(/^[./\\ "';%\r\n:=a-z]*$/),
);

/** The name that a browser takes from the header. */
const received = (header: string): string | undefined => parse(header).parameters.filename;

describe('the file name of an export', () => {
  test.each([
    ['Satisfaction survey 2026', 'Satisfaction survey 2026.xlsx'],
    ['滿意度調查 😀', '滿意度調查 😀.xlsx'],
    ['Q1/Q2: what\\why?', 'Q1 Q2 what why.xlsx'],
    ['../../etc/passwd', 'etc passwd.xlsx'],
    ['  .hidden. ', 'hidden.xlsx'],
    ['report.xlsx', 'report.xlsx'],
    ['line\r\nbreak\u0000\u0007', 'line break.xlsx'],
    ['exe.\u202efdp\u202c', 'exe.fdp.xlsx'],
    ['CON', '_CON.xlsx'],
    ['lpt1.txt', '_lpt1.txt.xlsx'],
    ['console', 'console.xlsx'],
    ['', 'responses.xlsx'],
    ['\u202e/..\u0000 ', 'responses.xlsx'],
    ['\ud83d', '\ufffd.xlsx'],
  ])('of %j is %j', (title, name) => {
    expect(exportFileName(title)).toBe(name);
  });

  test('has at most 120 characters before its extension, and no half of one', () => {
    expect(exportFileName('表'.repeat(200))).toBe(`${'表'.repeat(120)}.xlsx`);
    expect(exportFileName('😀'.repeat(200))).toBe(`${'😀'.repeat(120)}.xlsx`);
  });

  test('is safe to save whatever the title', () => {
    fc.assert(
      fc.property(anyText, (title) => {
        const name = exportFileName(title);
        expect(name).toMatch(/^[^\s.].*\.xlsx$/su);
        expect(name).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Bidi_C}]/u);
        expect(name.isWellFormed()).toBe(true);
        expect([...name].length).toBeLessThanOrEqual(126);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the disposition of a download', () => {
  test.each([
    ['report.pdf', `attachment; filename=report.pdf; filename*=UTF-8''report.pdf`],
    ['表單 1.xlsx', `attachment; filename="__ 1.xlsx"; filename*=UTF-8''%E8%A1%A8%E5%96%AE%201.xlsx`],
    ["it's (1)!.txt", `attachment; filename="it's (1)!.txt"; filename*=UTF-8''it%27s%20%281%29!.txt`],
    ['100%;a=b.txt', `attachment; filename="100__a=b.txt"; filename*=UTF-8''100%25%3Ba%3Db.txt`],
    ['a"\r\nX: y.txt', `attachment; filename="a X y.txt"; filename*=UTF-8''a%22%0D%0AX%3A%20y.txt`],
    ['../../up.txt', `attachment; filename=up.txt; filename*=UTF-8''.._.._up.txt`],
    ['😀.png', `attachment; filename=_.png; filename*=UTF-8''%F0%9F%98%80.png`],
    ['\u0000', `attachment; filename=download; filename*=UTF-8''_`],
    ['', `attachment; filename=download; filename*=UTF-8''download`],
  ])('of %j is one header', (name, header) => {
    expect(contentDisposition(name)).toBe(header);
  });

  test('keeps the extension of a name that has to be shortened', () => {
    const name = received(contentDisposition(`${'表'.repeat(400)}.pdf`));
    expect(name).toBe(`${'表'.repeat(196)}.pdf`);
  });

  test('is one valid header for any name, and has the exact name except for path separators', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const header = contentDisposition(name);
        expect(header).toMatch(
          /^attachment; filename=(?:[^\s"(),/:;<=>?@[\\\]{}]+|"[\x20-\x21\x23-\x5b\x5d-\x7e]+"); filename\*=UTF-8''[\w.!#$&+^`|~%-]+$/,
        );
        expect(header).toMatch(/^[\x20-\x7e]+$/);
        const exact = name.toWellFormed().replace(/[/\\\0]/g, '_') || 'download';
        if (encodeURIComponent(exact).length < 2_500) expect(received(header)).toBe(exact);
      }),
      { numRuns: 500 },
    );
  });
});
