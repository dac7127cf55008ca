/** Records of the table's stream, unmarshalled. */
import type { DynamoDBRecord } from 'aws-lambda';
import type { Key } from '#core/db/keys.ts';
import type { Item } from '#core/db/table.ts';
import { type Attributes, parseItem } from './attribute-values.ts';

/** A change of an item. `sequence` identifies the record in its batch. */
export type StreamRecord = {
  sequence: string;
  type: 'INSERT' | 'MODIFY' | 'REMOVE';
  key: Key;
  before: Item | undefined;
  after: Item | undefined;
};

/** Parses the change that a record describes. Throws for a record without keys. */
export function parseStreamRecord({ eventName, dynamodb }: DynamoDBRecord): StreamRecord {
  const key = parseImage(dynamodb?.Keys);
  if (!key || !dynamodb?.SequenceNumber || !eventName) throw new Error('a stream record lacks its keys or its number');
  return {
    sequence: dynamodb.SequenceNumber,
    type: eventName,
    key: { pk: key.pk, sk: key.sk },
    before: parseImage(dynamodb.OldImage),
    after: parseImage(dynamodb.NewImage),
  };
}

/** Parses the item of an image; the types of the event and of the SDK describe the same JSON. */
const parseImage = (image: unknown): Item | undefined =>
  image === undefined ? undefined : parseItem(image as Attributes);
