/** Reads pasted lines of people who are invited: an address, a tab and a label on each, or one of both. Pure. */
import { GuestInput, MAX_INVITED_AT_ONCE } from '#core/invitations/model.ts';

/** The most lines of one press, so that it ends in time. */
export const MAX_LINES = 900;

/** `faults`: the numbers of the lines that are neither an address nor a label, or have a wrong one. */
export type PastedGuests = { guests: GuestInput[]; faults: number[] };

/** Reads the guests of pasted lines; empty lines are left out. */
export function readGuestLines(text: string): PastedGuests {
  const read: PastedGuests = { guests: [], faults: [] };
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue;
    const guest = GuestInput().safeParse(readLine(line));
    if (guest.success) read.guests.push(guest.data);
    else read.faults.push(index + 1);
  }
  return read;
}

function readLine(line: string): GuestInput {
  const [first = '', ...others] = line.split('\t').map((cell) => cell.trim());
  const rest = others.filter((cell) => cell !== '').join(' ');
  const label = first.includes('@') ? rest : [first, rest].filter((cell) => cell !== '').join(' ');
  return { ...(first.includes('@') && { email: first }), ...(label !== '' && { label }) };
}

/** Splits guests into those of one request each. */
export const inRequests = (guests: readonly GuestInput[]): GuestInput[][] =>
  Array.from({ length: Math.ceil(guests.length / MAX_INVITED_AT_ONCE) }, (_, index) =>
    guests.slice(index * MAX_INVITED_AT_ONCE, (index + 1) * MAX_INVITED_AT_ONCE),
  );
