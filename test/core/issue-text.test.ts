/** What a caller reads about a value that does not match its schema: plain words, never the validator's own. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { validatePart } from '#core/http/request.ts';
import { jsonObject, Moment, text } from '#core/schema/schema.ts';

const detailsOf = (schema: z.ZodType, value: unknown): string[] => {
  const result = validatePart('body', schema, value);
  return 'faults' in result ? result.faults.map(({ pointer, detail }) => `${pointer}: ${detail}`) : [];
};

const member = (schema: z.ZodType) => z.object({ a: schema });
const letter = z.enum(['A', 'B']);
const named = z.object({ name: z.string() });

test.for<[wrong: string, schema: z.ZodType, value: unknown, detail: string]>([
  ['number for a string', z.string(), 7, 'must be a string'],
  ['null for a string', z.string(), null, 'must be a string'],
  ['string for a number', z.number(), '7', 'must be a number'],
  ['text for a number of the query', z.coerce.number(), 'x', 'must be a number'],
  ['fraction for a whole number', z.int(), 1.5, 'must be a whole number'],
  ['fraction of the query', z.coerce.number().int(), '1.5', 'must be a whole number'],
  ['string for a boolean', z.boolean(), 'true', 'must be true or false'],
  ['object for an array', z.array(z.string()), {}, 'must be an array'],
  ['array for an object', z.object({}), [], 'must be an object'],
  ['array for a free-form object', jsonObject(10), [], 'must be an object'],
  ['a type without words of its own', z.bigint(), 7, 'must be bigint'],
  ['unknown name', letter, 'C', 'must be one of: A, B'],
  ['null for a name', letter, null, 'must be one of: A, B'],
  ['another constant', z.literal('PUT'), 'GET', 'must be "PUT"'],
  ['large number', z.int().max(100), 101, 'must be at most 100'],
  ['number at an exclusive limit', z.number().lt(5), 5, 'must be less than 5'],
  ['small number', z.int().min(1), 0, 'must be at least 1'],
  ['number at an exclusive lower limit', z.number().gt(5), 5, 'must be more than 5'],
  ['long string', z.string().max(3), 'abcd', 'must be at most 3 characters'],
  ['empty string', z.string().min(1), '', 'must be at least 1 character'],
  ['long array', z.array(z.int()).max(1), [1, 2], 'must be at most 1 item'],
  ['short array', z.array(z.int()).min(2), [1], 'must be at least 2 items'],
  ['bad e-mail address', z.email(), 'a@', 'must be an e-mail address'],
  ['bad URL', z.url(), 'a', 'must be a URL'],
  ['bad UUID', z.uuid(), 'a', 'must be a UUID'],
  ['bad date', z.iso.date(), '2026-02-30', 'must be a date as YYYY-MM-DD'],
  ['bad time', z.iso.datetime(), 'now', 'must be an RFC 3339 date-time such as 2026-05-01T12:00:00Z'],
  ['a format without words of its own', z.ipv4(), 'a', 'must be a valid ipv4'],
  ['none of the types of a union', z.union([z.string(), z.number()]), null, 'must be a string or a number'],
  ['branches that say the same', z.union([named, z.object({ id: z.string() })]), 7, 'must be an object'],
  [
    'a wrong member in a union',
    z.union([z.string(), named]),
    { name: 7 },
    'has a wrong member "name": it must be a string',
  ],
  ['constant or name', letter.or(z.literal('')), 'C', 'must be one of: A, B or ""'],
  ['a rule without words of its own', z.string().refine(() => false), 'x', 'is not valid'],
  ['an issue without words of its own', z.strictObject({}), { b: 1 }, 'is not valid'],
  ['text that is too long', text(0, 3), '水水水水', 'must be at most 3 characters'],
  ['text that is too short', text(1, 3), '', 'must be 1 to 3 characters'],
  [
    'an impossible moment',
    Moment(),
    '0000-01-01T00:00:00+01:00',
    'must be a real date-time within the years 0000 to 9999 of UTC',
  ],
])('%s', ([, schema, value, detail]) => {
  expect(detailsOf(member(schema), { a: value })).toEqual([`/body/a: ${detail}`]);
});

test.for<[string, z.ZodType]>([
  ['string', z.string()],
  ['name', letter],
  ['union', z.union([z.string(), z.int()])],
  ['union with its own text', z.union([z.string(), z.int()], 'must be something')],
  ['moment', Moment()],
  ['constant with its own text', z.literal('x', 'must be x')],
])('a missing member is required, whatever its type: %s', ([, schema]) => {
  expect(detailsOf(member(schema), {})).toEqual(['/body/a: is required']);
  expect(detailsOf(member(schema), undefined)).toEqual(['/body: is required']);
});
