/**
 * How files in multipart bodies are read (contract sections 1 and 8): to the letter and to the byte, whatever browsers
 * and curl make of them, with a precise refusal of all else. Through an operation made here, which answers what it got.
 */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { declare, ProblemObject } from '#core/api/declare.ts';
import { operation } from '#core/http/operation.ts';
import { createRouter } from '#stacks/local/router.ts';
import { newKey } from '#test/support/keyed.ts';
import { type Person, person } from '#test/support/world.ts';

const MAX_BYTES = 4_500_000;
const OTHERWISE = 'Send large ones by pigeon';

const Entry = z.object({ filename: z.string(), contentType: z.string(), size: z.int(), hash: z.string() });
const Echo = () => z.object({ files: z.array(Entry), told: z.string(), run: z.int() });
const { echo } = declare('files', {
  echo: {
    method: 'POST',
    path: '/echo',
    summary: 'Answer what was sent',
    access: { credential: 'user' },
    needs: ['table:read', 'table:write'],
    body: () => z.object({ told: z.string() }),
    parts: { name: 'files', max: 3, description: 'Some files.', otherwise: OTHERWISE },
    idempotent: true,
    success: { status: 201, description: 'What was sent.', body: Echo },
  },
});

let runs = 0;
const opener = async () => ({ thing: {}, roles: [] });
const handler = operation(echo, opener, async ({ parts = [], body }) => {
  runs += 1;
  const files = parts.map(({ filename, contentType, bytes }) => ({
    filename,
    contentType,
    size: bytes.length,
    hash: hashOf(bytes),
  }));
  return { body: { files, told: body?.told ?? '', run: runs } };
});
const router = createRouter([{ method: 'POST', path: '/api/echo', handler }]);
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let alice: Person;
beforeAll(async () => {
  alice = await person('alice');
});

type Sent = { body: Buffer; type: string; key?: string };

async function post({ body, type, key }: Sent) {
  const answer = await router.dispatch({
    method: 'POST',
    url: '/api/echo',
    headers: [
      ['authorization', `Bearer ${alice.token}`],
      ['content-type', type],
      ...(key === undefined ? [] : [['idempotency-key', key] as const]),
    ],
    body,
    remoteAddress: '127.0.0.1',
    httpVersion: '1.1',
  });
  return { status: answer.status, headers: answer.headers, json: JSON.parse(answer.body.toString()) };
}

async function filesOf(sent: Sent) {
  const { status, json } = await post(sent);
  expect(status, JSON.stringify(json)).toBe(201);
  return Echo().parse(json).files;
}

async function refusalOf(sent: Sent) {
  const { status, json } = await post(sent);
  const { title, errors = [], detail } = ProblemObject().parse(json);
  return { status, title, detail, errors };
}

/** A 400 that says what is wrong with the body. */
const badBody = (detail: string) => ({ status: 400, title: 'Bad Request', errors: [{ pointer: '/body', detail }] });
const UNREADABLE = badBody('is not readable as multipart/form-data (RFC 7578)');

/** A form as the platform writes it, which is as browsers do. */
async function formOf(...entries: readonly [name: string, value: File | string][]): Promise<Sent> {
  const form = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value.name);
  }
  const written = new Response(form);
  return {
    body: Buffer.from(await written.arrayBuffer()),
    type: written.headers.get('content-type') ?? '',
  };
}

/** A body written by hand: each part from its headers to its content. */
function written(parts: readonly string[], boundary = 'B'): Sent {
  const body = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
  return { body: Buffer.from(body), type: `multipart/form-data; boundary=${boundary}` };
}

const part = (disposition: string, content = 'hi', more = ''): string =>
  `Content-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}`;
const FILE = part('name="files"; filename="a.txt"');
const aFile = { filename: 'a.txt', contentType: 'text/plain', size: 2, hash: hashOf(Buffer.from('hi')) };
const file = (name: string, content: string | Buffer = 'hi', type = 'text/plain') =>
  new File([content], name, { type });

describe('files', () => {
  test('arrive in order, to the byte, with the types that they say', async () => {
    const bytes = Buffer.from([0, 13, 10, 45, 45, 66, 255, 254, 13, 10, 45, 45]);
    const sent = await formOf(['files', file('1.bin', bytes, 'application/x-odd')], ['files', file('2.txt', '')]);
    expect(await filesOf(sent)).toEqual([
      { filename: '1.bin', contentType: 'application/x-odd', size: bytes.length, hash: hashOf(bytes) },
      { filename: '2.txt', contentType: 'text/plain', size: 0, hash: hashOf(Buffer.alloc(0)) },
    ]);
  });

  test.for<string[]>([
    ['quotes', 'the "best" file\'s.txt'],
    ['a line feed', 'a\nb.txt'],
    ['a return and a line feed', 'a\r\nContent-Type: text/html\r\n\r\nb.txt'],
    ['marks of right-to-left', '\u202Efdp.exe\u202C'],
    ['Hebrew and Chinese', 'שלום 水質.pdf'],
    ['emojis', '👨‍👩‍👧‍👦.png'],
    ['300 characters', `${'水'.repeat(296)}.pdf`],
    ['a path', '../../etc/passwd'],
    ['backslashes', 'C:\\files\\a.txt'],
    ['semicolons and equals signs', 'a; filename=b.txt'],
    ['combining letters', 'a\u0301.txt'],
    ['a null', 'a\0.txt'],
    ['the name of the prototype', '__proto__'],
  ])('keep names with %s to the letter', async ([, name = '']) => {
    const sent = await formOf(['files', file(name)]);
    expect((await filesOf(sent)).map(({ filename }) => filename)).toEqual([name]);
  });

  test.for<string[]>([
    ['as RFC 5987 writes them', `name="files"; filename*=UTF-8''%e6%b0%b4.txt`, '水.txt'],
    ['without quotes', 'name=files; filename=a.txt', 'a.txt'],
    ['of no character', 'name="files"; filename=""', ''],
  ])('may have names %s', async ([, disposition = '', name]) => {
    expect((await filesOf(written([part(disposition)]))).map(({ filename }) => filename)).toEqual([name]);
  });

  test.for<[string, Sent]>([
    ['a preamble', { ...written([FILE]), body: Buffer.concat([Buffer.from('Dear all,\r\n'), written([FILE]).body]) }],
    ['an epilogue', { ...written([FILE]), body: Buffer.concat([written([FILE]).body, Buffer.from('Yours, A.')]) }],
    ['a quoted boundary', { ...written([FILE]), type: 'multipart/form-data; boundary="B"' }],
    [
      'another case',
      {
        ...written([FILE.toUpperCase().replace('FILES', 'files').replace('A.TXT', 'a.txt').replace('HI', 'hi')]),
        type: 'Multipart/Form-Data; Boundary=B',
      },
    ],
    [
      'fields of other names',
      written([part('name="note"'), FILE, part('name="__proto__"', '{"x":1}'), part('name="constructor"')]),
    ],
    ['a boundary of 200 characters', written([FILE], 'x'.repeat(200))],
    ['a character set', { ...written([FILE]), type: 'multipart/form-data; charset=utf-8; boundary=B' }],
    [
      'headers of other kinds',
      written([part('name="files"; filename="a.txt"', 'hi', 'X-Other: 1\r\nContent-Length: 999\r\n')]),
    ],
    [
      'a type that is said twice',
      written([
        part('name="files"; filename="a.txt"', 'hi', 'Content-Type: image/png\r\nContent-Type: text/plain\r\n'),
      ]),
    ],
  ])('are read from a body with %s', async ([, sent]) => {
    expect(await filesOf(sent)).toEqual([aFile]);
  });

  test('are as many as are allowed, and the JSON way stays open beside them', async () => {
    expect(await filesOf(written([FILE, FILE, FILE]))).toEqual([aFile, aFile, aFile]);
    const json = await post({ body: Buffer.from('{"told":"so"}'), type: 'application/json' });
    expect(json).toMatchObject({ status: 201, json: { files: [], told: 'so' } });
  });

  test('change nothing for whoever comes after a part called __proto__', async () => {
    await filesOf(written([FILE, part('name="__proto__"; filename="polluted"')]));
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect({}).not.toHaveProperty('filename');
  });
});

describe('is refused, saying why:', () => {
  const other = part('name="other"; filename="a.txt"');
  const tooMany = badBody('has 4 parts "files"; the most are 3');
  const none = badBody('has no part "files"');
  test.for<[string, Sent, object]>([
    ['no part at all', written([]), none],
    ['a file of another name only', written([other]), none],
    [
      'a part that is renamed by a second header',
      written([`${part('name="files"; filename="a"', 'hi', 'Content-Disposition: form-data; name="other"\r\n')}`]),
      none,
    ],
    ['one part too many', written([FILE, FILE, FILE, FILE]), tooMany],
    ['a body without a boundary', { ...written([FILE]), type: 'multipart/form-data' }, UNREADABLE],
    ['a boundary of no character', { ...written([FILE]), type: 'multipart/form-data; boundary=' }, UNREADABLE],
    [
      'a boundary that is not in the body',
      { ...written([FILE]), type: 'multipart/form-data; boundary=other' },
      UNREADABLE,
    ],
    ['an empty body', { ...written([FILE]), body: Buffer.alloc(0) }, UNREADABLE],
    ['JSON called multipart', { ...written([]), body: Buffer.from('{"told":"so"}') }, UNREADABLE],
    [
      'lines without returns',
      { ...written([FILE]), body: Buffer.from(written([FILE]).body.toString().replaceAll('\r\n', '\n')) },
      UNREADABLE,
    ],
    ['a part without a name', written([part('filename="a.txt"')]), UNREADABLE],
    ['a part without headers', written(['hi']), UNREADABLE],
    ['a name that does not end', written([part('name="files"; filename="a.txt')]), UNREADABLE],
    ['a hundred thousand headers', written([`${'X-A: b\r\n'.repeat(100_000)}${FILE}`.slice(0, 800_000)]), UNREADABLE],
    ['multipart of another kind', { ...written([FILE]), type: 'multipart/mixed; boundary=B' }, UNREADABLE],
  ])('%s', async ([, sent, problem]) => {
    expect(await refusalOf(sent)).toMatchObject(problem);
  });

  test('a body that is cut off, wherever that is', async () => {
    const { body, type } = written([FILE]);
    const end = body.lastIndexOf('--');
    for (let length = 1; length < end; length += 1) {
      expect(await refusalOf({ body: body.subarray(0, length), type }), `${length} bytes`).toMatchObject(UNREADABLE);
    }
  });

  test('a field where a file is asked for, also beside a file', async () => {
    const problem = {
      status: 415,
      title: 'Unsupported Media Type',
      detail: 'A part "files" is no file: give it a file name',
    };
    const field = part('name="files"');
    for (const sent of [written([field]), written([FILE, field])]) expect(await refusalOf(sent)).toMatchObject(problem);
  });

  test('sixty thousand empty parts', async () => {
    const tooMany = badBody('has more than 100 parts');
    for (const each of ['name=a', 'name=files']) {
      expect(await refusalOf(written(Array(60_000).fill(part(each, ''))))).toMatchObject(tooMany);
      expect(await refusalOf(written(Array(101).fill(part(each, ''))))).toMatchObject(tooMany);
    }
    expect(await refusalOf(written(Array(100).fill(part('name=a', ''))))).toMatchObject(none);
  });

  test('more files than the operation takes', async () => {
    expect(await refusalOf(written(Array(100).fill(part('name=files', ''))))).toMatchObject(
      badBody('has 100 parts "files"; the most are 3'),
    );
  });

  test('one byte more than 4.5 MB, naming the other way', async () => {
    const frame = written([part('name="files"; filename="a.bin"', '')]).body.length;
    const sized = (bytes: number): Sent => written([part('name="files"; filename="a.bin"', 'x'.repeat(bytes - frame))]);
    expect(await filesOf(sized(MAX_BYTES))).toMatchObject([{ size: MAX_BYTES - frame }]);
    expect(await refusalOf(sized(MAX_BYTES + 1))).toMatchObject({
      status: 413,
      title: 'Content Too Large',
      detail: `A request body may have ${MAX_BYTES} bytes; this one has ${MAX_BYTES + 1}. ${OTHERWISE}`,
    });
  });
});

describe('the same Idempotency-Key', () => {
  test('with the same files under another boundary replays the first answer', async () => {
    const key = newKey();
    const first = await post({ ...written([FILE]), key });
    const again = await post({ ...written([FILE], 'another-boundary'), key });
    expect(again).toMatchObject({ status: 201, json: first.json, headers: { 'idempotency-replayed': 'true' } });
  });

  test.for<string[]>([
    ['bytes', part('name="files"; filename="a.txt"', 'ho')],
    ['a name', part('name="files"; filename="b.txt"')],
    ['a type', part('name="files"; filename="a.txt"', 'hi', 'Content-Type: text/html\r\n')],
  ])('with other files is 409: %s', async ([, changed = '']) => {
    const key = newKey();
    await filesOf({ ...written([FILE]), key });
    expect(await refusalOf({ ...written([changed]), key })).toMatchObject({ status: 409, title: 'Conflict' });
  });

  test('with JSON after files is 409', async () => {
    const key = newKey();
    await filesOf({ ...written([FILE]), key });
    const json = { body: Buffer.from('{"told":"so"}'), type: 'application/json', key };
    expect(await refusalOf(json)).toMatchObject({ status: 409 });
  });
});
