/**
 * The id of a mail: the message tag by which events about it are recognized, of letters, digits, - and _. It names the
 * item of the delivery and when it was queued, so that events of an earlier mail are told apart.
 */
import { type Key, keys, lastPart } from '#core/db/keys.ts';
import type { Delivery } from '#core/outbox/delivery.ts';

/** A time in milliseconds has 13 digits until the year 2286; more digits may be no time at all. */
const ID = /^(response|export)_([0-9a-f-]{36})_(\d{1,13})$/;

/** The id of the mail of a delivery. */
export function mailIdOf({ key, kind, queuedAt }: Pick<Delivery, 'key' | 'kind' | 'queuedAt'>): string {
  const about = kind === 'export-mail' ? `export_${lastPart(key.sk)}` : `response_${lastPart(key.pk)}`;
  return `${about}_${Date.parse(queuedAt)}`;
}

/** The key of the delivery of a mail, and when it was queued; undefined for other mails. */
export function parseMailId(id: string): { key: Key; queuedAt: string } | undefined {
  const [, about, aboutId = '', time] = ID.exec(id) ?? [];
  if (about === undefined) return undefined;
  const key = about === 'export' ? keys.exportMail(aboutId) : keys.delivery(aboutId, 'email');
  return { key, queuedAt: new Date(Number(time)).toISOString() };
}
