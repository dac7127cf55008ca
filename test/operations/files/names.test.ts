/** Names of files are kept to the letter, whatever they are, and are never part of a key (contract section 8). */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  about,
  announce,
  answerOf,
  attached,
  badRequest,
  filePlace,
  local,
  type Place,
  refusal,
  upload,
  uploaded,
} from '#test/support/files.ts';
import { objectKeys } from '#test/support/objects.ts';
import { answerTo, submit, tableOf } from '#test/support/responses.ts';
import { type Cast, newCast } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const NAMES: [string, string][] = [
  ['quotes', 'the "best" river\'s.txt'],
  ['a line feed', 'a\nb.txt'],
  ['a return and a line feed', 'a\r\nSet-Cookie: x=y\r\n\r\nb.txt'],
  ['a null', 'a\0b.txt'],
  ['marks of right-to-left', '\u202Efdp\u202C.txt'],
  ['Hebrew and Chinese', 'שלום 水質.txt'],
  ['300 characters', `${'水'.repeat(296)}.txt`],
  ['500 characters', `${'𝒳'.repeat(496)}.txt`],
  ['a family of emojis', '👨‍👩‍👧‍👦.txt'],
  ['a path', '../../etc/passwd.txt'],
  ['backslashes', 'C:\\files\\a.txt'],
  ['the prototype', '__proto__.txt'],
  ['percent signs', '%2e%2e%2fa%00.txt'],
  ['combining letters', 'a\u0301.txt'],
  ['nothing before the dot', '.txt'],
];

/** Every place of the service that shows the name of a file of dave's. */
async function shownNames(at: Place, fileId: string): Promise<unknown[]> {
  const { alice, dave } = cast;
  const info = await dave.client.files.getFile({ params: { fileId } });
  const list = await dave.client.files.listFiles({ query: { limit: 100 } });
  const mine = await dave.client.files.listMyFiles();
  const { answer } = await answerTo(dave, at.responseId, at.questionId);
  await submit(dave, at.responseId);
  const { rows } = await tableOf(alice, at.formId, [at.questionId]);
  const cell = rows[0]?.answers[at.questionId];
  const namedIn = (value: unknown) => (Array.isArray(value) ? value[0]?.originalFilename : undefined);
  return [
    info.body.originalFilename,
    list.body.files.find(({ id }) => id === fileId)?.originalFilename,
    mine.body.find(({ id }) => id === fileId)?.originalFilename,
    namedIn(answer.value),
    namedIn(cell?.answer.value),
    (await answerOf(dave, at))[0],
    cell?.displayValue,
  ];
}

describe.each(NAMES)('a name with %s', (_, name) => {
  const everywhere = [...Array(6).fill(name), `1 file(s): ${name} (11 bytes)`];

  test('comes back from everywhere when it was sent as multipart', async () => {
    const at = await filePlace(cast);
    const { body } = await upload(cast.dave, at, [local(name)]);
    expect(body.files.map(({ originalFilename }) => originalFilename)).toEqual([name]);
    expect(await shownNames(at, body.files[0]?.fileId ?? '')).toEqual(everywhere);
    expect(await objectKeys(`files/${at.responseId}`)).toEqual([
      expect.stringMatching(/^files\/[0-9a-f-]{36}\/[0-9a-f./-]+$/),
    ]);
  });

  test('comes back from everywhere when it was announced as JSON', async () => {
    const at = await filePlace(cast);
    const [fileId = ''] = await attached(cast.dave, at, local(name));
    expect(await shownNames(at, fileId)).toEqual(everywhere);
    expect(await objectKeys(`files/${at.responseId}`)).toEqual([
      expect.stringMatching(/^files\/[0-9a-f-]{36}\/[0-9a-f./-]+$/),
    ]);
  });

  test('leads to a download as an attachment', async () => {
    const at = await filePlace(cast);
    const [fileId = ''] = await uploaded(cast.dave, at, local(name));
    const answer = await cast.dave.client.files.downloadFile({ params: { fileId } });
    const object = await fetch(answer.headers.get('location') ?? '');
    expect(object.status).toBe(200);
    expect(object.headers.get('content-disposition')).toMatch(/^attachment; filename/);
    expect(object.headers.get('set-cookie')).toBeNull();
    expect(await object.text()).toBe('Clear water');
  });
});

test('501 characters are too many, both ways', async () => {
  const { dave } = cast;
  const at = await filePlace(cast);
  const file = local(`${'𝒳'.repeat(497)}.txt`);
  const pointer = '/body/files/0/filename';
  expect(await refusal(() => upload(dave, at, [file]))).toMatchObject(badRequest([pointer, 'at most 500 characters']));
  const announced = await refusal(() => announce(dave, at, [about(file)]));
  expect(announced).toMatchObject(badRequest([pointer, 'must be 1 to 500 characters']));
});

test('half of a character is refused', async () => {
  const at = await filePlace(cast);
  const refused = await refusal(() => announce(cast.dave, at, [{ ...about(local('a.txt')), filename: 'a\ud83d.txt' }]));
  expect(refused).toMatchObject(badRequest(['/body/files/0/filename', 'must be valid Unicode text']));
});
