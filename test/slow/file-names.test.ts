/** Names of files are kept exactly, whatever they are, and are never part of a key. */
import { expect, test } from 'vitest';
import { attached, filePlace, listFileNames, listObjects, local, type Place, uploaded } from '#test/support/files.ts';
import { newCast } from '#test/support/fixtures.ts';
import { answerTo, readTable, submit } from '#test/support/responses.ts';

const cast = await newCast();

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

/** The name of a file as each operation that shows it returns it. */
async function shownNames(at: Place, fileId: string): Promise<unknown[]> {
  const { alice, dave } = cast;
  const info = await dave.client.files.getFile({ params: { fileId } });
  const list = await dave.client.files.listFiles({ query: { limit: 100 } });
  const mine = await dave.client.files.listMyFiles();
  const { answer } = await answerTo(dave, at.responseId, at.questionId);
  await submit(dave, at.responseId);
  const { rows } = await readTable(alice, at.formId, [at.questionId]);
  const cell = rows[0]?.answers[at.questionId];
  const namedIn = (value: unknown) => (Array.isArray(value) ? value[0]?.originalFilename : undefined);
  return [
    info.body.originalFilename,
    list.body.files.find(({ id }) => id === fileId)?.originalFilename,
    mine.body.find(({ id }) => id === fileId)?.originalFilename,
    namedIn(answer.value),
    namedIn(cell?.answer.value),
    (await listFileNames(dave, at))[0],
    cell?.displayValue,
  ];
}

const KEY = expect.stringMatching(/^files\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/);

test.for(NAMES)('a name with %s is returned exactly, however the file was sent', async ([, name]) => {
  const shown = [...Array(6).fill(name), `1 file(s): ${name} (11 bytes)`];
  for (const send of [uploaded, attached]) {
    const at = await filePlace(cast);
    const [fileId = ''] = await send(cast.dave, at, local(name));
    expect(await shownNames(at, fileId)).toEqual(shown);
    expect(await listObjects(at)).toEqual([KEY]);
  }
});
