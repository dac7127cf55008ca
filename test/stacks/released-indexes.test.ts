/**
 * The keys, the TTL and the indexes of deployed tables. A changed definition would make the provider delete and create the index, and all lists
 * would be incomplete for minutes or hours: a released index keeps its keys and its projected attributes.
 */
import { expect, test } from 'vitest';
import { TABLE_DEFINITION } from '#core/db/keys.ts';

const PROJECTED =
  'progress userId createdAt submittedAt listedAt publishTime creatorId lastEditorId hasSpreadsheet title maxKb';

/**
 * The indexes of the last release by name: their keys, and the projected attributes. A new index is added under a new
 * name; an old one is removed from here when no deployed version reads it. As long as there was no release, a change of
 * the definition is repeated here.
 */
const RELEASED: Readonly<Record<string, string>> = {
  gsi1: `gsi1pk gsi1sk: ${PROJECTED}`,
  gsi2: `gsi2pk gsi2sk: ${PROJECTED}`,
};

test.for(Object.entries(RELEASED))('the index %s is that of the last release', ([name, released]) => {
  const index = TABLE_DEFINITION.indexes.find((each) => each.name === name);
  expect(index && `${index.hash} ${index.range}: ${TABLE_DEFINITION.projected.join(' ')}`).toBe(released);
});

test('the keys and the TTL attribute of the table are those of the last release', () => {
  // Other keys would replace the table; without its TTL, sessions and idempotency records would stay for ever.
  const { key, ttlAttribute } = TABLE_DEFINITION;
  expect({ ...key, ttlAttribute }).toEqual({ hash: 'pk', range: 'sk', ttlAttribute: 'expiresAt' });
});
