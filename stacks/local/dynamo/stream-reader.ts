/**
 * Reads the records of a table's stream in their order, as they appear in Lambda events. It uses the DynamoDB Streams API,
 * which emulators of DynamoDB have too, with a few requests of its own instead of one more package of the AWS SDK.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord } from 'aws-lambda';

/** A place in a stream: after the record with this number. A table that is created again has another stream. */
export type Position = { streamArn: string; shardId: string; sequenceNumber: string };

export type StreamReader = {
  /** The next records, at most `limit`; none when all that were written so far have been read. */
  next(limit: number): Promise<DynamoDBRecord[]>;
  /** The position after a record that `next` returned last. */
  after(record: DynamoDBRecord): Position;
};

/** The number of a record, unique and ascending within its shard. */
export const getSequenceNumber = (record: DynamoDBRecord): string => record.dynamodb?.SequenceNumber ?? '';

/** Whether a record changes something: dynoxide emits MODIFY for writes that change nothing, DynamoDB does not. */
export const isChange = ({ eventName, dynamodb }: DynamoDBRecord): boolean =>
  eventName !== 'MODIFY' || !isDeepStrictEqual(dynamodb?.OldImage, dynamodb?.NewImage);

/**
 * Opens the stream of a table after a position, or at its oldest record: without a position, when the position belongs to
 * another stream, and when the records there were trimmed. Throws when the table has no stream.
 */
export async function openStream(endpoint: string, tableName: string, position?: Position): Promise<StreamReader> {
  const streamArn = await findStream(endpoint, tableName);
  let shardId = position?.streamArn === streamArn ? position.shardId : undefined;
  let iterator = shardId && (await getIterator(endpoint, streamArn, shardId, position?.sequenceNumber));
  if (iterator === undefined) shardId = undefined;
  return {
    async next(limit) {
      for (;;) {
        // A shard that is closed and read to its end has no iterator. Its successor begins where it ends.
        if (iterator === undefined) {
          const successor = await shardAfter(endpoint, streamArn, shardId);
          if (successor === undefined) return [];
          shardId = successor;
          iterator = await getIterator(endpoint, streamArn, shardId);
        }
        const request = { ShardIterator: iterator, Limit: limit };
        const { Records, NextShardIterator }: Records = await call(endpoint, `${STREAMS}.GetRecords`, request);
        iterator = NextShardIterator;
        if (Records.length > 0 || iterator !== undefined) {
          // Lambda adds the stream to each record.
          return Records.map((record) => ({ ...record, eventSourceARN: streamArn }));
        }
      }
    },
    after: (record) => ({ streamArn, shardId: shardId ?? '', sequenceNumber: getSequenceNumber(record) }),
  };
}

type Records = { Records: DynamoDBRecord[]; NextShardIterator?: string };

async function findStream(endpoint: string, tableName: string): Promise<string> {
  const described: { Table: { LatestStreamArn?: string } } = await call(endpoint, 'DynamoDB_20120810.DescribeTable', {
    TableName: tableName,
  });
  if (described.Table.LatestStreamArn === undefined) throw new Error(`The table ${tableName} has no stream.`);
  return described.Table.LatestStreamArn;
}

/** The oldest shard, or the one that follows another. */
async function shardAfter(endpoint: string, streamArn: string, shardId?: string): Promise<string | undefined> {
  const request = { StreamArn: streamArn, ExclusiveStartShardId: shardId };
  const { StreamDescription }: { StreamDescription: { Shards: { ShardId: string }[] } } = await call(
    endpoint,
    `${STREAMS}.DescribeStream`,
    request,
  );
  return StreamDescription.Shards.find((shard) => shard.ShardId !== shardId)?.ShardId;
}

/** An iterator that begins after a record, or at the oldest one; undefined when the records after it were trimmed. */
async function getIterator(
  endpoint: string,
  streamArn: string,
  shardId: string,
  sequenceNumber?: string,
): Promise<string | undefined> {
  const start =
    sequenceNumber === undefined
      ? { ShardIteratorType: 'TRIM_HORIZON' }
      : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: sequenceNumber };
  try {
    const request = { StreamArn: streamArn, ShardId: shardId, ...start };
    const response: { ShardIterator: string } = await call(endpoint, `${STREAMS}.GetShardIterator`, request);
    return response.ShardIterator;
  } catch (error) {
    if (sequenceNumber !== undefined && error instanceof Error && GONE.test(error.message)) return undefined;
    throw error;
  }
}

const STREAMS = 'DynamoDBStreams_20120810';
const GONE = /TrimmedDataAccess|ResourceNotFound/;
const REQUEST_TIMEOUT_MS = 5_000;

/** Emulators require a signature and do not verify it. Some keep the tables of each key and region apart: those of `table.ts`. */
const HEADERS = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20260101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=local',
};

/** Sends a request to the emulator. Throws an error that contains the response when it is not a success. */
async function call<T>(endpoint: string, target: string, body: object): Promise<T> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { ...HEADERS, 'x-amz-target': target },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${target} failed: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}
