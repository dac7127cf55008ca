/**
 * Reading what a stranger sends takes time in proportion to its size: each parser reads hostile texts of half and of
 * full size. Measured is the processor time of this thread, the least of several runs, so other processes do not count.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { cellXml } from '#core/exports/xlsx-cells.ts';
import { kindFault } from '#core/files/checks.ts';
import { coverFault } from '#core/forms/cover-image.ts';
import { parseSpreadsheetId } from '#core/forms/spreadsheet-model.ts';
import { app } from '#core/http/app.ts';
import { decodeCursor } from '#core/http/cursors.ts';
import { cookie, readFiles, readJsonBody, readQuery } from '#core/http/request.ts';
import { parseTarget } from '#core/identity/redirects.ts';
import { renderLines, renderLinkedLines } from '#core/mail/sender.ts';
import { loadMarkdown } from '#core/pages/builder/load-markdown.ts';
import { findMarkdownFault } from '#core/pages/builder/markdown-limits.ts';
import { readFormFields } from '#core/pages/shell/form-fields.ts';
import { isPrefillTooLarge, listPrefillFields, signInHref } from '#core/pages/shell/prefill-link.ts';
import { chooseEncoding } from '#core/pages/shell/result.ts';
import { renderHtml } from '#core/rich-text/html.ts';
import { RichText } from '#core/rich-text/model.ts';
import { plainText } from '#core/rich-text/text.ts';
import { acceptedLanguage } from '#core/schema/format.ts';
import { isWebUrl } from '#core/schema/text.ts';
import { matches, patternSteps } from '#core/structure/pattern.ts';
import { readLiteral } from '#core/structure/pattern-literal.ts';

const { parseMarkdown } = loadMarkdown();

/** Texts that are repeated up to the size: separators, quotes, brackets and other characters with a meaning. */
const REPEATED = [
  ...[
    'a',
    ' ',
    '\t',
    '\r\n',
    '\0',
    '"',
    '\\"',
    '\\',
    ',',
    ';',
    '&',
    '=',
    '%',
    '%41',
    '+',
    '.',
    '-',
    '_',
    '/',
    ':',
    '@',
  ],
  ...[
    'a=b&',
    'a=b;',
    'a;q=1,',
    ' ;',
    '; ',
    '[',
    '[[],',
    '{"a":',
    '"a",',
    '<',
    '<!--',
    '<?',
    '<!DOCTYPE ',
    '</a>',
    '漢',
    '😀',
  ],
  ...[
    '\r\n--b',
    '\r\n--b ',
    '\r\n--b\r\n',
    '.a',
    '\u2028',
    '\x7fELF',
    'II*\0',
    'ID3',
    'PK\x03\x04',
    '%PDF',
    'RIFF',
    'ftyp',
  ],
];

const MARKDOWN = [
  ...[
    '1. ',
    '1) ',
    '+ ',
    '- ',
    '> ',
    '> - ',
    '- 1. > ',
    '- a\n',
    '> a\n',
    '>a\n>b\n\n',
    '1. a\n   - b\n',
    '# ',
    '```\n',
    'a\n\n',
  ],
  ...[
    '*a ',
    'a* ',
    '**a ',
    '**a*',
    '*a**',
    '***a',
    '***a*',
    '*a*b*',
    'a*b',
    '*[a',
    '[a',
    '[',
    '[a](',
    '[a](b) ',
    '_a',
    '`a',
    '``a`',
  ],
  ...['<a', '<http://a>', '&amp;', '++a ', '++', '~~a~~', '{{A}}', '\\*', 'a ', '漢字 '],
];
const PATTERNS = [
  '[',
  '[[:a:',
  '[[:a:]',
  '\\x{',
  '\\Q',
  '(',
  '(?',
  '(?<',
  '(?a',
  '{1',
  '{1,',
  'a{9}',
  '(a)',
  '^a$|',
  'a|',
  '\\.',
  '\\',
  '^',
  '$',
];

type Parser = {
  name: string;
  /** The largest size that reaches the parser, in bytes. */
  maxBytes: number;
  /** What comes before and after the repeated text. */
  around?: readonly (readonly [before: string, after: string])[];
  /** What is repeated instead, and the size to begin with. */
  repeated?: readonly string[];
  smallest?: number;
  parse(text: string): unknown;
};

const PLAIN = [['', '']] as const;
/** All headers of a request together: API Gateway takes 10,240 bytes. */
const HEADERS = 10_240;
/** Less than a body can have, and enough to tell. */
const BODY = 1_000_000;

const event = (fields: Partial<APIGatewayProxyEventV2>): APIGatewayProxyEventV2 =>
  ({ headers: {}, rawQueryString: '', ...fields }) as APIGatewayProxyEventV2;
const withBody = (body: string, contentType: string): APIGatewayProxyEventV2 =>
  event({ headers: { 'content-type': contentType }, body, isBase64Encoded: false });

const MULTIPART = 'multipart/form-data; boundary=b';
const PART = '--b\r\ncontent-disposition: form-data; name="files"; filename="';
const FILES = { name: 'files', max: 10, description: '', otherwise: '' };
const document = (text: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
});

const parsers: readonly Parser[] = [
  {
    name: 'a form',
    maxBytes: BODY,
    parse: (text) => readFormFields(withBody(text, 'application/x-www-form-urlencoded'), BODY),
  },
  {
    name: 'a multipart form',
    maxBytes: BODY,
    around: [
      ['--b', '\r\n--b--'],
      [`${PART}a"\r\n\r\n`, '\r\n--b--'],
    ],
    parse: (text) => readFormFields(withBody(text, MULTIPART), BODY),
  },
  {
    name: 'the headers of a part',
    maxBytes: 16_000,
    around: [
      [PART, '"\r\n\r\n\r\n--b--'],
      ['--b\r\ncontent-disposition: form-data', '\r\n\r\n\r\n--b--'],
    ],
    parse: (text) => readFiles(withBody(text, MULTIPART), FILES),
  },
  {
    name: 'many parts',
    maxBytes: BODY,
    around: [['', '--b--']],
    parse: (text) =>
      readFiles(withBody(`${PART}${text.slice(0, 16_000)}"\r\n\r\n\r\n`.repeat(10) + text, MULTIPART), FILES),
  },
  { name: 'a boundary', maxBytes: HEADERS, parse: (text) => readFiles(withBody(PART, `${MULTIPART}${text}`), FILES) },
  {
    name: 'JSON',
    maxBytes: BODY,
    around: [
      ['', ''],
      ['["', '"]'],
      ['[', '1]'],
    ],
    parse: (text) => readJsonBody(withBody(text, 'application/json')),
  },
  { name: 'a query', maxBytes: HEADERS, parse: (text) => readQuery(event({ rawQueryString: text }), new Set(['a'])) },
  { name: 'a cookie', maxBytes: HEADERS, parse: (text) => cookie(event({ cookies: [text] }), 'access_token') },
  { name: 'Accept-Language', maxBytes: HEADERS, parse: acceptedLanguage },
  { name: 'Accept-Encoding', maxBytes: HEADERS, parse: chooseEncoding },
  {
    name: 'an access token',
    maxBytes: HEADERS,
    around: [
      ['', ''],
      ['eyJhbGciOiJFZERTQSJ9.', '.AAAA'],
    ],
    parse: (text) => app().tokens.verify(text, new Date(0)),
  },
  { name: 'a cursor', maxBytes: HEADERS, parse: (text) => decodeCursor(['a'], text) },
  {
    name: 'an address to return to',
    maxBytes: HEADERS,
    around: [
      ['/', ''],
      ['http://a/', ''],
      ['http://', ''],
    ],
    parse: (text) => parseTarget(text, { publicUrl: 'http://a', allowedOrigins: [] }, 'http://a'),
  },
  { name: 'a web address', maxBytes: BODY, around: [['http://a', '']], parse: isWebUrl },
  {
    name: 'the address of a spreadsheet',
    maxBytes: BODY,
    around: [['https://docs.google.com/spreadsheets/d/', '']],
    parse: parseSpreadsheetId,
  },
  {
    name: 'the text of a document',
    maxBytes: 65_000,
    parse: (text) => {
      const checked = RichText().safeParse(document(text));
      return checked.success && [renderHtml(checked.data), plainText(checked.data)];
    },
  },
  {
    name: 'the nodes of a document',
    maxBytes: 65_000,
    parse: (text) => RichText().safeParse({ type: 'doc', content: Array.from(text, (type) => ({ type })) }),
  },
  ...['a.txt', 'a.svg', 'a.pdf', 'a.png', 'a.docx', 'a.mp3', 'a.mp4'].map(
    (filename): Parser => ({
      name: `the content of ${filename}`,
      maxBytes: BODY,
      around: [
        ['', ''],
        ['<!DOCTYPE', ''],
        ['<?xml', ''],
        ['\x89PNG\r\n\x1a\n', ''],
        ['ID3\x03\0\0\x7f\x7f\x7f\x7f', ''],
      ],
      parse: (text) => kindFault(filename, Buffer.from(text, 'latin1')),
    }),
  ),
  {
    name: 'a cover',
    maxBytes: BODY,
    around: [
      ['', ''],
      ['RIFF\xff\xff\xff\0WEBPVP8X', ''],
      ['\xff\xd8\xff\xe0', ''],
      ['<svg ', '>'],
      ['\0\0\0\x0cjP  ', ''],
      ['\0\0\0\x18ftypavif', ''],
      ['icns\0\0\0\x08', ''],
      ['icns\0\0\x08\0ICON\0\0\0\0', ''],
      ['II*\0\x08\0\0\0', ''],
    ],
    parse: (text) => coverFault(Buffer.from(text, 'latin1')),
  },
  {
    name: 'a text in Markdown',
    maxBytes: 10_000,
    smallest: 2_500,
    repeated: MARKDOWN,
    // Texts that were parsed are remembered.
    parse: (text) => parseMarkdown(`${text}${process.hrtime.bigint()}`),
  },
  { name: 'the steps of a pattern', maxBytes: 64_000, repeated: PATTERNS, parse: patternSteps },
  { name: 'a pattern that is a text', maxBytes: BODY, repeated: [...PATTERNS, ...REPEATED], parse: readLiteral },
  { name: 'the limits of Markdown', maxBytes: BODY, repeated: [...MARKDOWN, ...REPEATED], parse: findMarkdownFault },
  {
    name: 'a prefilled link',
    maxBytes: HEADERS,
    around: [
      ['/f/a?', ''],
      ['/f/a?q.', '=1'],
    ],
    parse: (text) => [signInHref(text), isPrefillTooLarge(listPrefillFields(new URLSearchParams(text)))],
  },
  {
    name: 'a cell of a workbook',
    maxBytes: BODY,
    around: [
      ['', ''],
      ['=', ' '],
      ['_x', '_'],
    ],
    parse: (text) => cellXml('A1', text, () => undefined),
  },
  { name: 'an answer in a mail', maxBytes: BODY, parse: (text) => String(renderLines(text)) },
  {
    name: 'a message with addresses in a mail',
    maxBytes: BODY,
    repeated: [...REPEATED, 'http://a', 'https://', 'http://a ', 'www.', 'http://a)', 'http://a.,'],
    parse: (text) => String(renderLinkedLines(text)),
  },
  { name: 'an answer against a pattern', maxBytes: 10_000, parse: (text) => matches('^(a+)+$|(?:a|aa)*b', text) },
];

/** Of a growing text, in bytes. */
const SMALLEST = 3_900;
/** Runs of which the fastest counts. */
const RUNS = 3;
/** Runs before a text is reported: the garbage collector may work in each of a few. */
const MORE_RUNS = 15;
/** Twice the size may take twice the time, and a half more for what the garbage collector does. */
const FACTOR = 3;
/** The clock of a thread may advance in steps of several milliseconds. */
const UNCERTAIN_MS = 20;
/** What any text may take. A quadratic parser below it is not dangerous at its largest size. */
const HARMLESS_MS = 80;

/** The processor time of a run in milliseconds. A refusal is a result like any other. */
async function cost(parser: Parser, text: string): Promise<number> {
  const before = process.threadCpuUsage();
  try {
    await parser.parse(text);
  } catch {
    // Refused.
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

async function least(parser: Parser, text: string, runs: number): Promise<number> {
  const costs: number[] = [];
  for (let run = 0; run < runs; run += 1) costs.push(await cost(parser, text));
  return Math.min(...costs);
}

const filled = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / Buffer.byteLength(text)));

/** The first size at which a text takes out of proportion to half of it: it grows until then, so that the test ends. */
async function excess(parser: Parser, [before, after]: readonly [string, string], text: string): Promise<object[]> {
  const whole = (bytes: number) => before + filled(text, bytes) + after;
  const outOfProportion = async (bytes: number, runs: number): Promise<object | undefined> => {
    const full = await least(parser, whole(bytes), runs);
    const half = await least(parser, whole(bytes / 2), runs);
    return full > FACTOR * half + UNCERTAIN_MS ? { before, text, bytes, half, full } : undefined;
  };
  for (let bytes = parser.smallest ?? SMALLEST; bytes <= parser.maxBytes; bytes *= 4) {
    if ((await cost(parser, whole(bytes))) <= HARMLESS_MS) continue;
    const suspect = (await outOfProportion(bytes, RUNS)) && (await outOfProportion(bytes, MORE_RUNS));
    if (suspect) return [suspect];
  }
  return [];
}

describe('twice as much takes twice as long', () => {
  test.for(parsers.map((parser) => [parser.name, parser] as const))('%s', async ([, parser]) => {
    await cost(parser, 'a');
    const found: object[] = [];
    for (const around of parser.around ?? PLAIN) {
      for (const text of parser.repeated ?? REPEATED) found.push(...(await excess(parser, around, text)));
    }
    expect(found).toEqual([]);
  });
});
