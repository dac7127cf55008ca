/**
 * Reads pasted lines of people who are invited: an address and a label on each, or one of both, as spreadsheets and mail programs
 * write them. Pure.
 */
import { GuestInput, MAX_INVITED_AT_ONCE } from '#core/invitations/model.ts';

/** The most lines of one press, so that it ends in time. */
export const MAX_LINES = 900;

/** `faults`: the numbers and texts of the lines that are neither an address nor a label, or have a wrong one. */
export type PastedGuests = { guests: GuestInput[]; faults: { number: number; text: string }[] };

/** Reads the guests of pasted lines; empty lines are left out. */
export function readGuestLines(text: string): PastedGuests {
  const read: PastedGuests = { guests: [], faults: [] };
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue;
    const guest = GuestInput().safeParse(readLine(line));
    if (guest.success) read.guests.push(guest.data);
    else read.faults.push({ number: index + 1, text: line.trim() });
  }
  return read;
}

/** What stands between an address and a label: `ann@example.org, Ann`, `Ann <ann@example.org>`. */
const BETWEEN = ' \t,;<>';

/** Reads a line. The address is its first or last word; where there is another `@`, the line is left to be refused. */
function readLine(line: string): GuestInput {
  const trimmed = stripBetween(line);
  if (!trimmed.includes('@')) return { label: unquote(trimmed.split(/\t\s*/).join(' ')) };
  const words = trimmed.split(/[ \t,;<>]/);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  const isFirst = first.includes('@');
  const email = isFirst ? first : last;
  const rest = isFirst ? trimmed.slice(first.length) : trimmed.slice(0, trimmed.length - last.length);
  const label = unquote(stripBetween(rest).split(/\t\s*/).join(' '));
  if (!email.includes('@') || label.includes('@')) return { email: trimmed };
  return { email, ...(label !== '' && { label }) };
}

function stripBetween(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BETWEEN.includes(text.charAt(start))) start += 1;
  while (end > start && BETWEEN.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Removes the quotation marks of a whole text. */
const unquote = (text: string): string => (/^".*"$/.test(text) ? text.slice(1, -1).trim() : text);

/** Splits guests into those of one request each. */
export const inRequests = (guests: readonly GuestInput[]): GuestInput[][] =>
  Array.from({ length: Math.ceil(guests.length / MAX_INVITED_AT_ONCE) }, (_, index) =>
    guests.slice(index * MAX_INVITED_AT_ONCE, (index + 1) * MAX_INVITED_AT_ONCE),
  );
