/** The table, as `core/db/keys.ts` defines it. Point-in-time recovery is always on. */
import { TABLE_DEFINITION } from '#core/db/keys.ts';
import type { Stage } from '../stage.ts';

/** Creates the table of a stage, or finds the one that was restored for it. */
export function createTable({ isProduction, restoredTable }: Stage): sst.aws.Dynamo {
  if (restoredTable !== undefined) return sst.aws.Dynamo.get('Table', restoredTable);
  const { attributes, key, indexes, projected, ttlAttribute } = TABLE_DEFINITION;
  const toIndex = ({ hash, range }: { hash: string; range: string }) => ({ hashKey: hash, rangeKey: range });
  return new sst.aws.Dynamo('Table', {
    fields: Object.fromEntries(attributes.map((name) => [name, 'string'] as const)),
    primaryIndex: toIndex(key),
    globalIndexes: Object.fromEntries(
      indexes.map((index) => [index.name, { ...toIndex(index), projection: [...projected] }]),
    ),
    ttl: ttlAttribute,
    stream: 'new-and-old-images',
    deletionProtection: isProduction,
  });
}
