/** Guests as they are when a request begins: those with an invitation are admitted while it lasts. */
import { loadInvitation, toInvited } from '#core/accounts/invitation.ts';
import type { Table } from '#core/db/table.ts';
import type { Guest } from './tokens.ts';

/**
 * Returns a guest with what is stored of their invitation, if they have one; undefined when it was deleted, was revoked, or has a
 * newer code.
 */
export async function findCurrentGuest({ table }: { table: Table }, guest: Guest): Promise<Guest | undefined> {
  if (guest.generation === undefined) return guest;
  const invited = toInvited(await loadInvitation(table, guest.id), guest.generation);
  return invited && { ...guest, invited: { ...invited, codeAt: guest.codeAt } };
}
