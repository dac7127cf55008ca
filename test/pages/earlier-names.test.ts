/** The names of earlier answers beside the texts that can recall them. */
import { expect, test } from 'vitest';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';

const cast = await newCast();

const namesOn = async (path: string): Promise<string[]> => {
  const html = await pagesOf(cast.alice).show(path);
  return [...html.matchAll(/data-insert="([^"]*)"/g)].map(([, written = '']) => written);
};

test('the pages of a section and of its questions offer the names of sections before it, and no others', async () => {
  const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 1, maxFileSizeLimit: 100 };
  const form = await newForm(
    cast.alice,
    cast.slug,
    [
      [
        { type: 'SHORT_TEXT', title: 'Who?', name: 'who' },
        { type: 'SHORT_TEXT', title: 'Without a name' },
        { type: 'UPLOAD_FILE', title: 'File', name: 'file', uploadFile },
      ],
      [{ type: 'SHORT_TEXT', title: 'Where?', name: 'where' }],
      [{ type: 'SHORT_TEXT', title: 'Later', name: 'later' }],
    ],
    { publish: false },
  );
  const { formId, sectionIds, questionIds } = form;
  const build = `/build/${formId}`;
  expect(await namesOn(`${build}/s/${sectionIds[0]}`)).toEqual([]);
  expect(await namesOn(`${build}/s/${sectionIds[1]}`)).toEqual(['{{who}}']);
  expect(await namesOn(`${build}/s/${sectionIds[2]}`)).toEqual(['{{who}}', '{{where}}']);
  expect(await namesOn(`${build}/s/${sectionIds[2]}?part=row`)).toEqual(['{{who}}', '{{where}}']);
  expect(await namesOn(`${build}/q/${questionIds[4]}?part=row`)).toEqual(['{{who}}', '{{where}}']);
  expect(await namesOn(`${build}/q/${questionIds[0]}`)).toEqual([]);
  expect(await namesOn(`${build}/q/${questionIds[3]}`)).toEqual(['{{who}}']);
  expect(await namesOn(`${build}/s/${sectionIds[2]}/new?type=LONG_TEXT`)).toEqual(['{{who}}', '{{where}}']);
});
