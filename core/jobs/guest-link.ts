/** The mail with a guest's link, as a job of the form. `core/mail` attempts it. */
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Write } from '#core/db/table.ts';
import { epochSeconds, type Language } from '#core/schema/format.ts';
import { sha256 } from '#core/schema/hash.ts';
import { ATTEMPTED_HOURS } from '#core/schema/limits.ts';
import { queueJob } from './job.ts';

/** `countedAt`: when the job was queued that was counted for the limit of the address. */
export type GuestLinkMail = { email: string; language?: Language; countedAt?: string };

/** How long a mail that cannot be sent is kept: no address of somebody who may not have asked for it stays. */
const KEPT_SECONDS = (ATTEMPTED_HOURS + 24) * 60 * 60;

/**
 * Builds the write that queues the mail with a link to a form for the guest with an address. It is the same write whether or not the
 * address is known, and replaces an earlier one to the address that was not sent yet.
 */
export const queueGuestLink = (
  { now, language }: Pick<Ports, 'now'> & { language?: Language | undefined },
  formId: string,
  email: string,
): Write =>
  queueJob<GuestLinkMail>(
    {
      key: keys.linkMail(formId, sha256(email.toLowerCase(), 'hex')),
      kind: 'guest-link-mail',
      data: { email, ...(language && { language }) },
      attributes: { expiresAt: epochSeconds(now()) + KEPT_SECONDS },
    },
    now(),
  );
