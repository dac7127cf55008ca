/**
 * The profile in the claims of an identity provider, by the mapping of its configuration. Claims are untrusted input of
 * any shape.
 */
import * as z from 'zod';
import { isWebUrl } from '#core/schema/text.ts';
import { MAX_CONNECTED_USERNAME } from '#core/structure/types/oauth-connect.ts';
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
const MAX_EMAIL = 254;
const MAX_URL = 2_048;

/** Parses the profile in claims; undefined when they have no usable subject. */
export function parseProfile(mapping: ProfileMapping, claims: unknown): Profile | undefined {
  const subject = parseSubject(readMember(claims, mapping.subject));
  if (subject === undefined) return undefined;
  const email = parseEmail(readMember(claims, mapping.email));
  const verified = readMember(claims, mapping.emailVerified);
  return {
    subject,
    username: parseLine(readMember(claims, mapping.username)),
    email,
    emailVerified: email !== '' && (verified === true || verified === 'true'),
    avatarUrl: parseUrl(readMember(claims, mapping.avatarUrl)),
  };
}

/** Reads a member of claims: by its whole name, which may contain dots, else by the names between the dots. */
function readMember(claims: unknown, path: string): unknown {
  if (path === '' || readOwn(claims, path) !== undefined) return readOwn(claims, path);
  return path.split('.').reduce(readOwn, claims);
}

const readOwn = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Unsafe integers and lone surrogates are refused: after conversion two people could have the same subject. */
function parseSubject(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || !text.isWellFormed()) return undefined;
  return text.length >= 1 && text.length <= MAX_SUBJECT ? text : undefined;
}

/** Parses a text on one line, truncated between characters. */
function parseLine(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return '';
  const line = text
    .slice(0, MAX_CONNECTED_USERNAME * 4)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, MAX_CONNECTED_USERNAME).join('');
}

/** Only ASCII: other letters can become those of another person's address when converted to lower case. */
const parseEmail = (value: unknown): string => {
  const parsed = z.email().max(MAX_EMAIL).safeParse(value);
  return parsed.success ? parsed.data : '';
};

function parseUrl(value: unknown): string {
  if (typeof value !== 'string' || !isWebUrl(value)) return '';
  const { href } = new URL(value);
  return href.length <= MAX_URL ? href : '';
}
