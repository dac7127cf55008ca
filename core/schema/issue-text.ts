/** The error map for all requests: plain messages in place of those of zod. */
import type * as z from 'zod';

type Issue = z.core.$ZodRawIssue;

/** Why a value does not match its schema; that of a check has a `CheckFault`. */
export type ValueIssue = z.core.$ZodIssue;

/** Whether a member is missing. The message of a schema describes invalid values, so it is reported as required. */
export const isMissing = ({ code, input }: ValueIssue): boolean => code !== 'custom' && input === undefined;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
  date: 'a date as YYYY-MM-DD',
  datetime: 'an RFC 3339 date-time such as 2026-05-01T12:00:00Z',
};

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

/** The message of a zod issue, as a sentence without its subject: "must be a string". */
export function issueText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of: ${issue.values.join(', ')}`;
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? `a valid ${issue.format}`}`;
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${amount(issue.maximum, issue.origin)}`;
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${amount(issue.minimum, issue.origin)}`;
    case 'invalid_union':
      return unionText(issue.errors);
    default:
      return NOT_VALID;
  }
}

const NOT_VALID = 'is not valid';

function amount(limit: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  if (unit === undefined) return String(limit);
  return `${limit} ${unit}${limit === 1 ? '' : 's'}`;
}

/** Reports the fault inside a branch whose own type matches; otherwise lists the types of all branches. */
function unionText(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  const nested = branches.flat().find((issue) => issue.path.length > 0);
  if (nested) return `has a wrong member "${nested.path.join('.')}": it ${nested.message}`;
  const texts = branches.flatMap(([first]) => (first ? [first.message.replace(/^must be /, '')] : []));
  return texts.length > 0 ? `must be ${[...new Set(texts)].join(' or ')}` : NOT_VALID;
}
