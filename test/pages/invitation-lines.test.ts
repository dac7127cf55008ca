/** Lines of people who are invited, as they are pasted. */
import { expect, test } from 'vitest';
import { readGuestLines } from '#core/pages/builder/invitation-lines.ts';

const ben = { email: 'ben@example.org', label: 'Ben Lin' };

test.for([
  'ben@example.org\tBen Lin',
  'ben@example.org\t\tBen\tLin',
  'ben@example.org, Ben Lin',
  'ben@example.org;Ben Lin;',
  'ben@example.org Ben Lin',
  'Ben Lin <ben@example.org>',
  'Ben Lin<ben@example.org>,',
  '"Ben Lin" <ben@example.org>',
  'Ben Lin, ben@example.org',
  'Ben Lin\tben@example.org',
])('%j is an address with a label', (line) => expect(readGuestLines(line)).toEqual({ guests: [ben], faults: [] }));

test.for([
  ['ben@example.org', { email: 'ben@example.org' }],
  ['<ben@example.org>', { email: 'ben@example.org' }],
  ['"Lin, Ben" <ben@example.org>', { email: 'ben@example.org', label: 'Lin, Ben' }],
  ['ben@example.org, Lin, Ben', { email: 'ben@example.org', label: 'Lin, Ben' }],
  ['Lin, Ben', { label: 'Lin, Ben' }],
  ['\tNumber 7\t room 2', { label: 'Number 7 room 2' }],
] as const)('%j has what there is of both', ([line, guest]) =>
  expect(readGuestLines(line)).toEqual({ guests: [guest], faults: [] }));

test('a line with a wrong or a second address is named by its number and its text', () => {
  const lines = ['ben@, Ben', ' ', ' ann@example.org, ben@example.org ', 'Ben ben@example.org Lin', 'Ann @ home', ';'];
  expect(readGuestLines(lines.join('\n'))).toEqual({
    guests: [],
    faults: [
      { number: 1, text: 'ben@, Ben' },
      { number: 3, text: 'ann@example.org, ben@example.org' },
      { number: 4, text: 'Ben ben@example.org Lin' },
      { number: 5, text: 'Ann @ home' },
      { number: 6, text: ';' },
    ],
  });
});
