/** Times of day as people type them. */
import { expect, test } from 'vitest';
import { completeTimeOfDay } from '#core/pages/fields/time-of-day.ts';

test.for([
  ['09:30', '09:30'],
  [' 9:30 ', '09:30'],
  ['9.30', '09:30'],
  ['9,30', '09:30'],
  ['930', '09:30'],
  ['0930', '09:30'],
  ['1845', '18:45'],
  ['9:30 AM', '09:30'],
  ['9.30 am', '09:30'],
  ['9:30 p.m.', '21:30'],
  ['930pm', '21:30'],
  ['8pm', '20:00'],
  ['12 am', '00:00'],
  ['12:15 PM', '12:15'],
  ['0:05', '00:05'],
  ['９：３０', '09:30'],
  ['下午8:30', '20:30'],
  ['上午 9點', '09:00'],
  ['9點30分', '09:30'],
  ['18點', '18:00'],
])('%s is %s', ([typed, completed]) => expect(completeTimeOfDay(typed ?? '')).toBe(completed));

test.for([
  '',
  '9',
  '12',
  '9:3',
  '24:00',
  '9:60',
  '960',
  '13:30 pm',
  '0 am',
  '下午8:30 pm',
  '9:30:00',
  '9-10',
  'noon',
  '12345',
])('%s stays as it was typed', (typed) => expect(completeTimeOfDay(typed)).toBe(typed));
