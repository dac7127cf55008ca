/** The table of keys at the top of `keys.ts` has a row for every item. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Key, keys } from '#core/db/keys.ts';
import { ROOT } from '#test/support/sources.ts';

const OWNER: Key = { pk: 'RESPONSE#r', sk: 'RESPONSE' };
/** The arguments of keys that do not take texts alone. */
const ARGUMENTS: Partial<Record<keyof typeof keys, unknown[]>> = {
  cleanUp: [OWNER, 'id'],
  deletion: [OWNER],
  sheetClear: ['r', 'spreadsheet', 1],
};
const TEXTS = ['a', 'b', 'c', 'd'];

/** The first part of a key, which names the kind of the item. */
const kindOf = (text: string): string => text.split('#')[0] ?? '';

const rows = readFileSync(join(ROOT, 'core/db/keys.ts'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith(' * | '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, , pk = '', sk = '']) => ({ kinds: pk.split(',').map((each) => kindOf(each.trim())), sk: kindOf(sk) }));

test.for(Object.keys(keys) as (keyof typeof keys)[])('%s is in the table of keys', (name) => {
  const key: Key = Reflect.apply(keys[name], undefined, ARGUMENTS[name] ?? TEXTS);
  const isListed = rows.some(({ kinds, sk }) => kinds.includes(kindOf(key.pk)) && sk === kindOf(key.sk));
  // The sort key of a use is the end of its window.
  expect(isListed || (name === 'rateLimit' && rows.some(({ sk }) => sk === 'endsAt')), JSON.stringify(key)).toBe(true);
});
