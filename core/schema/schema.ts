/**
 * The few schemas that every noun shares, and `schema()`, through which all of them are declared.
 *
 * Building a zod object costs about 0.3 ms in a cold function and a handler uses a handful of the two hundred
 * that exist, so a schema is a function that builds itself at its first use: `Form()` is the schema, `Form` the type.
 */
import * as z from 'zod';

/** A schema that is built when first asked for, and only once. */
export function schema<T extends z.ZodType>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

/** The type that a lazily built schema accepts and answers. */
export type Infer<T extends () => z.ZodType> = z.output<ReturnType<T>>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is an identifier as contract section 1 has it: a lower-case UUID. */
export const isId = (text: string): boolean => UUID.test(text);

/** An identifier: a lower-case UUID of any version (contract section 1). */
export const Id = schema(() => z.string().regex(UUID, 'must be a lower-case UUID').meta({ id: 'Id', format: 'uuid' }));

/** A moment as the service writes it: ISO 8601 in UTC with milliseconds. */
export const Timestamp = schema(() => z.string().meta({ id: 'Timestamp', format: 'date-time' }));

/** A moment as a caller may write it: RFC 3339 with any offset; kept as UTC. */
export const Moment = schema(() =>
  z.iso
    .datetime({ offset: true, abort: true, error: 'must be an RFC 3339 date-time such as 2026-05-01T12:00:00Z' })
    .refine((text) => inUtc(text) !== undefined, 'must be a real date-time within the years 0000 to 9999 of UTC')
    .overwrite((text) => inUtc(text) ?? text)
    .meta({ id: 'Moment', format: 'date-time' }),
);

/** A moment in UTC as it is stored and sorted; undefined where an offset leads out of the years of four digits. */
function inUtc(text: string): string | undefined {
  const time = Date.parse(text);
  const written = Number.isNaN(time) ? '' : new Date(time).toISOString();
  return /^\d{4}-/.test(written) ? written : undefined;
}

/** A free-form JSON object (contract sections 3 and 6), at most `maxBytes` bytes of UTF-8 when written as JSON. */
export const jsonObject = (maxBytes: number) =>
  z
    .record(z.string(), z.unknown())
    .refine(
      (value) => Buffer.byteLength(JSON.stringify(value)) <= maxBytes,
      `must be at most ${maxBytes} bytes of JSON`,
    )
    .describe(`A free-form JSON object of at most ${maxBytes} bytes.`);

/** Text with a length counted in Unicode characters, as a person counts them, not in UTF-16 units. */
export const text = (min: number, max: number) =>
  z
    .string()
    .refine((value) => isWellFormed(value), 'must be valid Unicode text (it holds half of a surrogate pair)')
    .refine(
      (value) => characters(value) >= min && characters(value) <= max,
      min === 0 ? `must be at most ${max} characters` : `must be ${min} to ${max} characters`,
    )
    .meta({ minLength: min, maxLength: max });

const isWellFormed = (value: string): boolean => value.isWellFormed();

/** How many Unicode code points a text has. */
export const characters = (value: string): number => {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
};

/** A page of a list: how many, and where to go on (contract section 1). */
export const PageQuery = schema(() =>
  z.object({
    limit: z.coerce.number().int().min(1).max(100).default(100).describe('How many items at most, 1 to 100.'),
    cursor: z.string().min(1).max(2_000).optional().describe('The `nextCursor` of the page before.'),
  }),
);
export type PageQuery = Infer<typeof PageQuery>;

/** The answer of an operation that only says that it did something. */
export const Message = schema(() => z.object({ message: z.string() }).meta({ id: 'Message' }));
