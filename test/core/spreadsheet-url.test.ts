/** Which addresses name a Google spreadsheet, and which. */
import { expect, test } from 'vitest';
import { parseSpreadsheetId } from '#core/forms/spreadsheet-model.ts';

test.for<[address: string, id: string | null]>([
  ['https://docs.google.com/spreadsheets/d/1AbC-d_9/edit#gid=0', '1AbC-d_9'],
  ['https://docs.google.com/spreadsheets/u/0/d/1AbC-d_9/edit?usp=sharing', '1AbC-d_9'],
  ['https://docs.google.com/spreadsheets/d/1AbC-d_9', '1AbC-d_9'],
  ['https://docs.google.com/document/d/1AbC-d_9/edit', null],
  ['https://docs.google.com.example.org/spreadsheets/d/1AbC-d_9/edit', null],
  ['http://docs.google.com/spreadsheets/d/1AbC-d_9/edit', null],
  ['https://docs.google.com/spreadsheets/d/../../x/edit', null],
  ['https://docs.google.com/spreadsheets/d/1AbC%2F9/edit', null],
  ['no address', null],
])('%s names the spreadsheet %s', ([address, id]) => {
  expect(parseSpreadsheetId(address)).toBe(id);
});
