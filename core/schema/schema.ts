/**
 * Shared schemas, and `schema()`, with which all schemas are declared.
 *
 * Building a zod object takes about 0.3 ms in a cold function, and a handler uses few of the two hundred schemas.
 * A schema is therefore a function that builds it at its first use: `Form()` is the schema, `Form` the type.
 */
import * as z from 'zod';
import { because } from './check-faults.ts';

/** Declares a schema that is built once, at its first use. */
export function schema<T extends z.ZodType>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

/** The type that a lazily built schema accepts and returns. */
export type Infer<T extends () => z.ZodType> = z.output<ReturnType<T>>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The characters of an identifier. */
export const ID_CHARACTERS = 36;

/** Whether a text is an identifier: a lower-case UUID of any version. */
export const isId = (text: string): boolean => UUID.test(text);

/**
 * Returns a short name of an identifier, because storage is billed by the size of items: its last 12 digits as 8 characters.
 * The choices of a question, or the questions of a form, do not share them.
 */
export const shortName = (id: string): string => Buffer.from(id.slice(-12), 'hex').toString('base64url');

/** An identifier: a lower-case UUID of any version. */
export const Id = schema(() =>
  z
    .string()
    .refine(isId, because('must be a lower-case UUID', 'not_id'))
    .meta({ id: 'Id', format: 'uuid', pattern: UUID.source }),
);

/** The number of a version in a path. */
export const VersionNumber = schema(() =>
  z
    .string()
    .regex(/^[1-9]\d{0,9}$/, 'must be the number of a version')
    .meta({ id: 'VersionNumber' }),
);

/** A time as the service returns it: ISO 8601 in UTC with milliseconds. */
export const Timestamp = schema(() => z.string().meta({ id: 'Timestamp', format: 'date-time' }));

/** A time as clients send it: RFC 3339 with any offset; converted to UTC. */
export const Moment = schema(() =>
  z.iso
    .datetime({ offset: true, abort: true, error: 'must be an RFC 3339 date-time such as 2026-05-01T12:00:00Z' })
    .refine((text) => toUtc(text) !== undefined, 'must be a real date-time within the years 0000 to 9999 of UTC')
    .overwrite((text) => toUtc(text) ?? text)
    .meta({ id: 'Moment', format: 'date-time' }),
);

/** Converts a time to UTC, as it is stored and sorted; undefined if it is outside the years 0000 to 9999. */
function toUtc(text: string): string | undefined {
  const time = Date.parse(text);
  const utc = Number.isNaN(time) ? '' : new Date(time).toISOString();
  return /^\d{4}-/.test(utc) ? utc : undefined;
}

/** Builds the schema of a free-form JSON object, at most `maxBytes` bytes of UTF-8 when written as JSON. */
export const jsonObject = (maxBytes: number) =>
  z
    .record(z.string(), z.unknown())
    .refine(
      (value) => Buffer.byteLength(JSON.stringify(value)) <= maxBytes,
      because(`must be at most ${maxBytes} bytes of JSON`, 'too_many_bytes', maxBytes),
    )
    .describe(`A free-form JSON object of at most ${maxBytes} bytes.`);

/** Builds the schema of a text whose length is counted in Unicode code points, not in UTF-16 units. */
export const text = (min: number, max: number) =>
  z
    .string()
    .refine(
      (value) => value.isWellFormed(),
      because('must be valid Unicode text (it contains half a surrogate pair)', 'not_unicode'),
    )
    .refine(
      (value) => {
        const count = countCharacters(value);
        return count >= min && count <= max;
      },
      min === 0
        ? because(`must be at most ${max} characters`, 'too_long', max)
        : because(`must be ${min} to ${max} characters`, 'wrong_length', min, max),
    )
    .meta({ minLength: min, maxLength: max });

/** The two halves of a character beyond the first 65,536. */
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Counts the Unicode code points of a text, half a surrogate pair as one. */
export const countCharacters = (value: string): number => value.length - (value.match(PAIR)?.length ?? 0);

/** Converts a text of digits to a number; other texts, such as `1e1` or `+1`, are unchanged and then refused. */
const wholeNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;

const listQuery = (maxItems: number) =>
  z.object({
    limit: z
      .preprocess(wholeNumber, z.number().int().min(1).max(maxItems).default(maxItems))
      .describe(`Maximum number of items, 1 to ${maxItems}.`),
    cursor: z.string().min(1).max(2_000).optional().describe('The cursor of the previous page.'),
  });

/** The query of a list: how many items, and after which cursor. */
export const ListQuery = schema(() => listQuery(100));
export type ListQuery = Infer<typeof ListQuery>;

/** The query of a bare array. Its cursor is in a header that few clients read, so batches are large by default. */
export const ArrayListQuery = schema(() => listQuery(1_000));
export type ArrayListQuery = Infer<typeof ArrayListQuery>;

/** The result of an operation that returns only a confirmation. */
export const Message = schema(() => z.object({ message: z.string() }).meta({ id: 'Message' }));
