/** Files in multipart bodies: unchanged names and bytes from all clients, and a precise refusal of everything else. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { readFiles } from '#core/http/request.ts';
import { relativeCost } from '#test/support/processor.ts';

const MAX_BYTES = 4_500_000;
const SPEC = { name: 'files', max: 3, description: 'Some files.', otherwise: 'Send large files to storage' };

type Body = { body: Buffer; type: string };

async function read({ body, type }: Body) {
  const event: Partial<APIGatewayProxyEventV2> = {
    headers: { 'content-type': type },
    body: body.toString('base64'),
    isBase64Encoded: true,
  };
  const files = await readFiles(event as APIGatewayProxyEventV2, SPEC);
  return files.map(({ bytes, ...file }) => ({ ...file, content: Buffer.from(bytes).toString('latin1') }));
}

/** The problem with which a body is refused. */
const refusal = (body: Body): Promise<unknown> =>
  read(body).then(
    () => 'accepted',
    ({ status, message, errors }) => ({ status, message, errors }),
  );

const badBody = (detail: string) => ({ status: 400, errors: [{ pointer: '/body', detail }] });
const unreadable = (why: string) => badBody(`cannot be read as multipart/form-data (RFC 7578): ${why}`);
const INCOMPLETE = unreadable('its closing boundary is missing');

/** A body as the platform writes it, which is as browsers do. */
async function browserForm(...files: readonly File[]): Promise<Body> {
  const form = new FormData();
  for (const file of files) form.append('files', file, file.name);
  const response = new Response(form);
  return { body: Buffer.from(await response.arrayBuffer()), type: response.headers.get('content-type') ?? '' };
}

/** A body written by hand: each part from its headers to its content. */
function handWritten(parts: readonly string[], boundary = 'B'): Body {
  const body = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
  return { body: Buffer.from(body), type: `multipart/form-data; boundary=${boundary}` };
}

const part = (disposition: string, content = 'hi', headers = ''): string =>
  `Content-Disposition: form-data; ${disposition}\r\n${headers}\r\n${content}`;
const FILE = part('name="files"; filename="a.txt"');
const aFile = { filename: 'a.txt', contentType: 'text/plain', content: 'hi' };
const replaced = (from: string, to: string): Body => {
  const { body, type } = handWritten([FILE]);
  return { body: Buffer.from(body.toString().replaceAll(from, to)), type };
};

describe('files', () => {
  test('keep their order, bytes and types', async () => {
    const bytes = Buffer.from([0, 13, 10, 45, 45, 66, 255, 254, 13, 10, 45, 45]);
    const form = await browserForm(
      new File([bytes], '1.bin', { type: 'application/x-odd' }),
      new File([''], '2.txt', { type: 'text/plain' }),
    );
    expect(await read(form)).toEqual([
      { filename: '1.bin', contentType: 'application/x-odd', content: bytes.toString('latin1') },
      { filename: '2.txt', contentType: 'text/plain', content: '' },
    ]);
  });

  test.for<[string, string]>([
    ['quotes', 'the "best" file\'s.txt'],
    ['a line feed', 'a\nb.txt'],
    ['line breaks and a header', 'a\r\nContent-Type: text/html\r\n\r\nb.txt'],
    ['right-to-left marks', '\u202Efdp.exe\u202C'],
    ['line separators', 'a\u2028b\u0085c.txt'],
    ['Hebrew and Chinese', 'שלום 水質.pdf'],
    ['emojis', '👨‍👩‍👧‍👦.png'],
    ['300 characters', `${'水'.repeat(296)}.pdf`],
    ['a path', '../../etc/passwd'],
    ['backslashes', 'C:\\files\\a.txt'],
    ['a backslash at the end', 'a\\'],
    ['semicolons and equals signs', 'a; filename=b.txt'],
    ['combining letters', 'a\u0301.txt'],
    ['a null', 'a\0.txt'],
    ['the name of the prototype', '__proto__'],
  ])('from browsers keep names with %s', async ([, name]) => {
    const form = await browserForm(new File(['hi'], name));
    expect((await read(form)).map(({ filename }) => filename)).toEqual([name]);
  });

  test.for<[string, string, string]>([
    ['with escaped quotes', 'name="files"; filename="a\\"b\\".txt"', 'a"b".txt'],
    ['with escaped quotes and UTF-8', 'name="files"; filename="水\\"質"', '水"質'],
    ['that end in an escaped quote', 'filename="a\\""; name="files"', 'a"'],
    ['as RFC 5987 writes them', `name="files"; filename*=UTF-8''%e6%b0%b4.txt`, '水.txt'],
    ['without quotes', 'name=files; filename=a.txt', 'a.txt'],
    ['without characters', 'name="files"; filename=""', ''],
  ])('may have names %s', async ([, disposition, name]) => {
    expect((await read(handWritten([part(disposition)]))).map(({ filename }) => filename)).toEqual([name]);
  });

  test.for<[string, string]>([
    ['in a line', 'a --B b --B-- c'],
    ['at the end of a line', 'a\r\n --B\r\nb'],
    ['at the start of a longer line', 'a\r\n--Bc\r\n--B--c\r\n--B c\r\n'],
    ['after a bare line feed', 'a\n--B\nb'],
  ])('may contain the boundary text %s', async ([, content]) => {
    const file = part('name="files"; filename="a.txt"', content);
    expect(await read(handWritten([file, FILE]))).toEqual([{ ...aFile, content }, aFile]);
  });

  test.for<[string, Body]>([
    ['padding after the boundaries', replaced('--B\r\n', '--B \t \r\n')],
    ['padding after the closing boundary', replaced('--B--\r\n', '--B--  ')],
    ['a preamble', replaced('--B\r\n', 'Dear all,\r\n--B\r\n')],
    ['an epilogue', replaced('--B--\r\n', '--B--\r\nYours, A.\r\n--B\r\n')],
    ['upper-case names of headers', replaced('Content-Disposition: form-data', 'CONTENT-DISPOSITION:Form-Data')],
    ['a part called __proto__', handWritten([part('name="__proto__"', '{"x":1}'), FILE])],
    ['other fields and files', handWritten([part('name="a"'), FILE, part('name="constructor"; filename="x"')])],
    ['a boundary of 300 characters', handWritten([FILE], 'x'.repeat(300))],
    ['a hundred parts', handWritten([...Array(99).fill(part('name=a', '')), FILE])],
    ['other headers', handWritten([part('name="files"; filename="a.txt"', 'hi', 'X-A: 1\r\nContent-Length: 999\r\n')])],
  ])('are read from a body with %s', async ([, body]) => {
    expect(await read(body)).toEqual([aFile]);
    expect({}).not.toHaveProperty('filename');
  });
});

describe('the boundary', () => {
  test.for<[string, string]>([
    ['boundary=B', 'B'],
    ['BOUNDARY=B', 'B'],
    ['boundary="a;b"', 'a;b'],
    ['boundary="a\\"b"', 'a"b'],
    ['boundary="a.+(b)?"', 'a.+(b)?'],
    ['xboundary=zzzz; boundary=B', 'B'],
    ['x="boundary=zzzz"; boundary=B', 'B'],
    ['boundary=B; boundary=zzzz', 'B'],
    ['charset=utf-8; boundary=B', 'B'],
  ])('is read from %s', async ([parameters, boundary]) => {
    const { body } = handWritten([FILE], boundary);
    expect(await read({ body, type: `Multipart/Form-Data; ${parameters}` })).toEqual([aFile]);
  });

  test.for([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    'multipart/form-data; xboundary=B',
  ])('is required: %s', async (type) => {
    const { body } = handWritten([FILE]);
    expect(await refusal({ body, type })).toMatchObject(unreadable('its Content-Type has no boundary'));
  });

  test.for(['multipart/mixed; boundary=B', 'multipart/; boundary=B'])('is not read from %s', async (type) => {
    const { body } = handWritten([FILE]);
    expect(await refusal({ body, type })).toMatchObject(unreadable('its Content-Type is not multipart/form-data'));
  });
});

describe('refused with the reason:', () => {
  const noFile = badBody('has no part "files"');
  const noName = unreadable('part 1 has no Content-Disposition of type form-data with a name');
  const noHeaders = unreadable('part 1 has no empty line after its headers');
  const tooManyFiles = badBody('has 4 parts "files": at most 3 are allowed');
  const tooManyParts = badBody('has more than 100 parts');
  const longHeaders = unreadable('the headers of part 1 exceed 16384 bytes');

  test.for<[string, Body, object]>([
    ['no part', handWritten([]), noFile],
    ['only a file of another name', handWritten([part('name="other"; filename="a.txt"')]), noFile],
    ['one file too many', handWritten([FILE, FILE, FILE, FILE]), tooManyFiles],
    ['101 parts', handWritten(Array(101).fill(part('name=a', ''))), tooManyParts],
    ['another boundary', { ...handWritten([FILE]), type: 'multipart/form-data; boundary=x' }, INCOMPLETE],
    ['an empty body', { ...handWritten([FILE]), body: Buffer.alloc(0) }, INCOMPLETE],
    ['JSON', { ...handWritten([FILE]), body: Buffer.from('{"a":1}') }, INCOMPLETE],
    ['lines that end in line feeds', replaced('\r\n', '\n'), INCOMPLETE],
    ['a part without a name', handWritten([part('filename="a.txt"')]), noName],
    ['a part without Content-Disposition', handWritten(['X-A: b\r\n\r\nhi']), noName],
    ['another Content-Disposition', replaced('form-data; name', 'attachment; name'), noName],
    ['a part without headers', handWritten(['hi']), noHeaders],
    ['long headers', handWritten([`X-A: ${'b'.repeat(20_000)}\r\n${FILE}`]), longHeaders],
  ])('%s', async ([, body, problem]) => {
    expect(await refusal(body)).toMatchObject(problem);
  });

  test('a body that is cut off anywhere', async () => {
    const { body, type } = handWritten([FILE]);
    for (let length = 1; length < body.lastIndexOf('--'); length += 1) {
      expect(await refusal({ body: body.subarray(0, length), type }), `${length} bytes`).toMatchObject(INCOMPLETE);
    }
  });

  test('a field in place of a file, also beside a file', async () => {
    const problem = { status: 415, message: 'A part "files" is not a file: give it a file name' };
    const field = part('name="files"');
    expect(await refusal(handWritten([field]))).toMatchObject(problem);
    expect(await refusal(handWritten([FILE, field]))).toMatchObject(problem);
  });

  test('one byte more than 4.5 MB, naming the other way', async () => {
    const frame = handWritten([part('name="files"; filename="a.bin"', '')]).body.length;
    const sized = (bytes: number): Body =>
      handWritten([part('name="files"; filename="a.bin"', 'x'.repeat(bytes - frame))]);
    expect(await read(sized(MAX_BYTES))).toMatchObject([{ filename: 'a.bin' }]);
    expect(await refusal(sized(MAX_BYTES + 1))).toMatchObject({
      status: 413,
      message: `A request body may have at most ${MAX_BYTES} bytes; this one has ${MAX_BYTES + 1}. ${SPEC.otherwise}`,
    });
  });

  test.for<[string, string, object]>([
    ['header lines', `--B\r\n${'X: y\r\n'.repeat(650_000)}\r\n\r\n--B--`, longHeaders],
    ['empty parts', `${'--B\r\n\r\n\r\n'.repeat(400_000)}--B--`, noName],
    ['named parts', `${`--B\r\n${part('name=a', '')}\r\n`.repeat(70_000)}--B--`, tooManyParts],
    ['boundaries', `${'--B\r\n'.repeat(800_000)}--B--`, noHeaders],
    ['lines that begin like a boundary', `${'--Bx\r\n'.repeat(650_000)}`, INCOMPLETE],
    ['padding', `--B${' '.repeat(4_000_000)}x`, INCOMPLETE],
  ])('4 MB of %s, within half a second of a quiet processor', async ([, text, problem]) => {
    const refuse = () => refusal({ body: Buffer.from(text), type: 'multipart/form-data; boundary=B' });
    expect(await refuse()).toMatchObject(problem);
    expect(await relativeCost(refuse)).toBeLessThan(50);
  });
});
