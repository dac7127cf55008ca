/**
 * What dynoxide lacks, added through its SQLite file: fast streams that are trimmed, expired items, and the mark of their
 * deletion in the stream.
 */
import { DatabaseSync } from 'node:sqlite';
import { TABLE_DEFINITION } from '#core/db/keys.ts';

export type ItemKey = { pk: string; sk: string };

/**
 * Adds an index, and a trigger that marks the deletion of expired items.
 *
 * Each write of dynoxide searches all stream records for the highest sequence number: after 10,000 writes one takes 5 ms
 * instead of 1 ms. With the index it stays at 1 ms.
 */
export function completeStreams(file: string): void {
  withDatabase(file, (database) =>
    database.exec(`
      CREATE INDEX IF NOT EXISTS local_stream_sequence ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
      CREATE TABLE IF NOT EXISTS _local_expired (table_name TEXT, pk TEXT, sk TEXT, PRIMARY KEY (table_name, pk, sk));
      CREATE TRIGGER IF NOT EXISTS _local_expiry AFTER INSERT ON _stream_records
      WHEN NEW.event_name = 'REMOVE' AND EXISTS (SELECT 1 FROM _local_expired WHERE ${IS_REMOVED})
      BEGIN
        UPDATE _stream_records SET user_identity = '${EXPIRY_IDENTITY}' WHERE id = NEW.id;
        DELETE FROM _local_expired WHERE ${IS_REMOVED};
      END`),
  );
}

/** Who deletes expired items, in the stream records of DynamoDB. */
const EXPIRY_IDENTITY = JSON.stringify({ type: 'Service', principalId: 'dynamodb.amazonaws.com' });

const { ttlAttribute, key } = TABLE_DEFINITION;

const IS_REMOVED = `table_name = NEW.table_name AND pk = json_extract(NEW.keys_json, '$.${key.hash}.S')
  AND sk = json_extract(NEW.keys_json, '$.${key.range}.S')`;

/**
 * Removes stream records older than that, and returns how many. It keeps the newest record of each table, from which the
 * next sequence number is counted.
 */
export function trimStreams(file: string, olderThan: Date): number {
  const statement =
    'DELETE FROM _stream_records WHERE created_at < ? AND id NOT IN (SELECT MAX(id) FROM _stream_records GROUP BY table_name)';
  const seconds = Math.floor(olderThan.getTime() / 1_000);
  return withDatabase(file, (database) => Number(database.prepare(statement).run(seconds).changes));
}

/** DynamoDB never deletes items that expired more than five years ago: such a number is probably not a time. */
const MAX_EXPIRED_SECONDS = 5 * 365 * 24 * 60 * 60;

/** Keys of items whose TTL lies before `now`, oldest first. Their next deletion is marked as that of an expired item. */
export function expiredKeys(file: string, tableName: string, now: Date, limit: number): ItemKey[] {
  const expiresAt = `CAST(json_extract(item_json, '$.${ttlAttribute}.N') AS INTEGER)`;
  const pk = `json_extract(item_json, '$.${key.hash}.S')`;
  const sk = `json_extract(item_json, '$.${key.range}.S')`;
  const index = `CREATE INDEX IF NOT EXISTS "local_expiry_${tableName}" ON "${tableName}" (${expiresAt}) WHERE ${expiresAt} IS NOT NULL`;
  const query = `SELECT ${pk} AS pk, ${sk} AS sk FROM "${tableName}" WHERE ${expiresAt} BETWEEN ? AND ? ORDER BY ${expiresAt} LIMIT ?`;
  const seconds = Math.floor(now.getTime() / 1_000);
  return withDatabase(file, (database) => {
    database.exec(index);
    const rows = database.prepare(query).all(seconds - MAX_EXPIRED_SECONDS, seconds - 1, limit);
    const keys = rows.map((row) => ({ pk: String(row.pk), sk: String(row.sk) }));
    // Those of the last time that were prolonged instead of deleted are forgotten.
    database.prepare('DELETE FROM _local_expired WHERE table_name = ?').run(tableName);
    const remember = database.prepare('INSERT INTO _local_expired VALUES (?, ?, ?)');
    for (const { pk, sk } of keys) remember.run(tableName, pk, sk);
    return keys;
  });
}

function withDatabase<T>(file: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
