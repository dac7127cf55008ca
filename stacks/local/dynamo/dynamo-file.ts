/** What dynoxide lacks, added through its SQLite file: fast streams that are trimmed, and a list of expired items. */
import { DatabaseSync } from 'node:sqlite';
import { TABLE_DEFINITION } from '#core/db/keys.ts';

export type ItemKey = { pk: string; sk: string };

/**
 * Adds an index. Each write of dynoxide searches all stream records for the highest sequence number: after 10,000 writes
 * one takes 5 ms instead of 1 ms. With the index it stays at 1 ms.
 */
export function indexStreams(file: string): void {
  withDatabase(file, (database) =>
    database.exec(
      'CREATE INDEX IF NOT EXISTS local_stream_sequence ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    ),
  );
}

const { ttlAttribute, key } = TABLE_DEFINITION;

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

/** Keys of items whose TTL lies before `now`, oldest first. */
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
    return rows.map((row) => ({ pk: String(row.pk), sk: String(row.sk) }));
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
