/**
 * The profile in the claims of an identity provider, by the mapping of its configuration. Claims are untrusted input of
 * any shape.
 */
import * as z from 'zod';
import { isWebUrl } from '#core/schema/text.ts';
import type { ProfileMapping } from './provider-settings.ts';

export type Profile = {
  /** The lasting identifier of the person at the provider. */
  subject: string;
  username: string;
  /** An e-mail address in ASCII, or empty. */
  email: string;
  /** Whether the provider says that it verified the address; false without an address. */
  emailVerified: boolean;
  /** An http or https URL, or empty. The service never fetches it. */
  avatarUrl: string;
};

const MAX_SUBJECT = 255;
const MAX_USERNAME = 200;
const MAX_EMAIL = 254;
const MAX_URL = 2_048;

/** The profile in claims; undefined when they have no usable subject. */
export function profileOf(mapping: ProfileMapping, claims: unknown): Profile | undefined {
  const subject = subjectOf(member(claims, mapping.subject));
  if (subject === undefined) return undefined;
  const email = emailOf(member(claims, mapping.email));
  const verified = member(claims, mapping.emailVerified);
  return {
    subject,
    username: lineOf(member(claims, mapping.username)),
    email,
    emailVerified: email !== '' && (verified === true || verified === 'true'),
    avatarUrl: urlOf(member(claims, mapping.avatarUrl)),
  };
}

/** A member of claims: by its whole name, which may contain dots, else by the names between the dots. */
function member(claims: unknown, path: string): unknown {
  if (path === '' || own(claims, path) !== undefined) return own(claims, path);
  return path.split('.').reduce(own, claims);
}

const own = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Unsafe integers and lone surrogates are refused: after conversion two people could have the same subject. */
function subjectOf(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || !text.isWellFormed()) return undefined;
  return text.length >= 1 && text.length <= MAX_SUBJECT ? text : undefined;
}

/** A text on one line, cut between characters. */
function lineOf(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return '';
  const line = text
    .slice(0, MAX_USERNAME * 4)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, MAX_USERNAME).join('');
}

/** Only ASCII: other letters can become those of another person's address when converted to lower case. */
const emailOf = (value: unknown): string => {
  const read = z.email().max(MAX_EMAIL).safeParse(value);
  return read.success ? read.data : '';
};

function urlOf(value: unknown): string {
  if (typeof value !== 'string' || !isWebUrl(value)) return '';
  const { href } = new URL(value);
  return href.length <= MAX_URL ? href : '';
}
