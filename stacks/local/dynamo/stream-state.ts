/** What a worker of the stream keeps in files: how far it got, and the records that it could not process. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod';
import { replaceFile } from '../../build/replace-file.ts';
import { getSequenceNumber, type Position } from './stream-reader.ts';

const checkpointFile = (directory: string, worker: string): string => join(directory, 'checkpoints', `${worker}.json`);

const StoredPosition = z.object({ streamArn: z.string(), shardId: z.string(), sequenceNumber: z.string() });

/**
 * Where a worker continues; undefined for a new one, and for one whose checkpoint cannot be read: it then reads the last
 * 24 hours again, which is harmless because workers expect repeated records.
 */
export function readCheckpoint(directory: string, worker: string): Position | undefined {
  const file = checkpointFile(directory, worker);
  if (!existsSync(file)) return undefined;
  try {
    return StoredPosition.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    console.error(`${worker} reads the stream from its beginning: ${file} is not a checkpoint`);
    rmSync(file, { force: true });
    return undefined;
  }
}

/** Stores the position up to which a worker has read the stream; a crash leaves the previous one or this one. */
export function writeCheckpoint(directory: string, worker: string, position: Position): void {
  const file = checkpointFile(directory, worker);
  mkdirSync(join(directory, 'checkpoints'), { recursive: true });
  replaceFile(file, JSON.stringify(position));
}

/** A record that failed at every attempt. */
type FailedRecord = { record: DynamoDBRecord; attempts: number; error: unknown };

/** Writes a record to a file of its own, in the form of the object that Lambda writes to S3, and logs its name. */
export function writeFailedBatch(directory: string, worker: string, { record, attempts, error }: FailedRecord): void {
  const timestamp = new Date().toISOString();
  const requestId = randomUUID();
  const folder = join(directory, 'failed-batches', worker);
  const file = join(folder, `${timestamp.slice(0, 19).replaceAll(':', '.')}-${requestId}.json`);
  const sequenceNumber = getSequenceNumber(record);
  const arrival = new Date((record.dynamodb?.ApproximateCreationDateTime ?? 0) * 1_000).toISOString();
  const condition = 'RetryAttemptsExhausted';
  const failed = {
    requestContext: { requestId, functionArn: worker, condition, approximateInvokeCount: attempts },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp,
    DDBStreamBatchInfo: {
      startSequenceNumber: sequenceNumber,
      endSequenceNumber: sequenceNumber,
      approximateArrivalOfFirstRecord: arrival,
      approximateArrivalOfLastRecord: arrival,
      batchSize: 1,
      streamArn: record.eventSourceARN,
    },
    payload: JSON.stringify({ Records: [record] }),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify(failed, null, 2));
  console.error(`${worker} could not process a record of the stream, which is now in ${file}:`, error);
}
