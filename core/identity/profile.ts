/**
 * What the claims of a provider say about a person, read by the mapping of its configuration. Pure, and suspicious:
 * claims are whatever somebody else's server sent.
 */
import * as z from 'zod';

export type Profile = {
  /** Who it is at that provider, for good. */
  subject: string;
  username: string;
  /** An e-mail address in ASCII, or empty. */
  email: string;
  /** Whether the provider vouches that the address is this person's; false without an address. */
  emailVerified: boolean;
  /** An http or https URL, or empty. It is never fetched by the service. */
  avatarUrl: string;
};

/** Where in the claims each part stands; an empty text: nowhere. */
export type ProfileMapping = Readonly<Record<keyof Profile, string>>;

const MAX_SUBJECT = 255;
const MAX_USERNAME = 200;
const MAX_EMAIL = 254;
const MAX_URL = 2_048;

/** The profile in some claims; undefined when they do not say whose they are. */
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

/** A member of some claims: by its whole name, which may hold dots, else by the names between them. */
function member(claims: unknown, path: string): unknown {
  if (path === '' || own(claims, path) !== undefined) return own(claims, path);
  return path.split('.').reduce(own, claims);
}

const own = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Numbers beyond what JSON keeps exactly, and halves of surrogate pairs, would make two people one. */
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

/** Only ASCII, as for members: other letters may turn into those of somebody else's address when case is dropped. */
const emailOf = (value: unknown): string => {
  const read = z.email().max(MAX_EMAIL).safeParse(value);
  return read.success ? read.data : '';
};

function urlOf(value: unknown): string {
  if (typeof value !== 'string' || !/^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(value) || !URL.canParse(value)) return '';
  const { href } = new URL(value);
  return href.length <= MAX_URL ? href : '';
}
