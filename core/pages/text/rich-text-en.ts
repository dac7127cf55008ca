/** The texts of a field for rich text in English. */

export const richTextEn = {
  syntax:
    'An empty line starts a paragraph. **bold**, *italic*, ++underlined++, ~~struck~~, [link](https://example.org), - list, # heading.',
  toolbar: 'Formatting',
  bold: 'Bold',
  italic: 'Italic',
  underline: 'Underline',
  strike: 'Strike',
  link: 'Link',
  list: 'List',
  heading: 'Heading',
  preview: 'Preview',
  previewed: 'As respondents see it',
  otherProgram: 'This was written in another program, with formatting that this page does not edit.',
  replaceHint: 'It stays as it is, unless you replace it.',
  replace: 'Replace it',
  tooNested: (line: number, max: number): string =>
    `Line ${line} begins with more than ${max} signs of lists and quotations, such as - or >: put fewer into one another`,
  tooManyMarks: (line: number, max: string): string =>
    `The paragraph that begins at line ${line} has more than ${max} signs of formatting, such as * or [: split it with empty lines, or write \\ before signs that are text`,
};

export type RichTextText = typeof richTextEn;
