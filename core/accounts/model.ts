/** Accounts, users and onboarding: schemas, and how an account is returned. */
import * as z from 'zod';
import { isGuestId } from '#core/db/keys.ts';
import { CODE_DIGITS } from '#core/schema/format.ts';
import { Id, type Infer, schema } from '#core/schema/schema.ts';

export const UserRole = schema(() => z.enum(['USER', 'ADMIN']).meta({ id: 'UserRole' }));
export type UserRole = Infer<typeof UserRole>;

/** An account as it is stored. */
export type Account = {
  id: string;
  /** Empty until onboarded. */
  username: string;
  name: string;
  emails: string[];
  avatarUrl: string;
  onboarded: boolean;
  createdAt: string;
  updatedAt: string;
  /** How often all sessions were ended; sessions that began before the last time are not renewed. */
  sessionEpoch: number;
  version: number;
  /** The role in each organization of the user, by organization id. */
  memberships: Record<string, 'ADMIN' | 'MEMBER'>;
};

export const User = schema(() =>
  z
    .object({
      id: Id(),
      username: z.string(),
      name: z.string(),
      emails: z.array(z.string()),
      roles: z.array(UserRole()),
      require_onboarding: z.boolean(),
      avatarUrl: z.string(),
    })
    .meta({ id: 'User' }),
);
export type User = Infer<typeof User>;

/** A user as returned in forms and responses. */
export const ShortUser = schema(() =>
  z.object({ id: Id(), name: z.string(), username: z.string(), emails: z.array(z.string()) }).meta({ id: 'ShortUser' }),
);
export type ShortUser = Infer<typeof ShortUser>;

/** The lengths of the names that people choose, in characters. */
export const MAX_USERNAME = 64;
export const MIN_NAME = 4;
export const MAX_NAME = 15;

/**
 * Whether nobody may choose a username: one with which somebody could pass for the service or its operators, such as `Admin`
 * or `ad.min_`, one that programs read as no name, and `...`.
 */
export function isReservedUsername(username: string): boolean {
  const name = username.toLowerCase().replace(/[_.-]/g, '');
  const reserved =
    'admin administrator administrators root system sysadmin superuser operator operators moderator staff owner team ' +
    'support help helpdesk service info contact security abuse postmaster webmaster hostmaster mailer daemon noreply ' +
    'form forms formservice official everyone everybody anyone anonymous guest nobody unknown deleted user me self ' +
    'null undefined none nan true false';
  return name === '' || reserved.split(' ').includes(name);
}

export const Onboarding = schema(() =>
  z
    .object({
      username: z
        .string()
        .regex(
          new RegExp(`^[A-Za-z0-9_.-]{1,${MAX_USERNAME}}$`),
          `must be 1 to ${MAX_USERNAME} of the characters A-Z a-z 0-9 _ . -`,
        )
        .describe(
          'Unique, ignoring case; names such as `admin` and `support`, and names without a letter or digit, count as in use.',
        ),
      name: z
        .string()
        .regex(
          new RegExp(`^\\w{${MIN_NAME},${MAX_NAME}}$`),
          `must be ${MIN_NAME} to ${MAX_NAME} letters, digits or underscores`,
        ),
    })
    .meta({ id: 'Onboarding' }),
);
export type Onboarding = Infer<typeof Onboarding>;

/** The roles of an account in the installation; operators are configured by e-mail address. */
export const getRoles = (account: Pick<Account, 'emails'>, operatorEmails: ReadonlySet<string>): UserRole[] =>
  account.emails.some((email) => operatorEmails.has(email.toLowerCase())) ? ['USER', 'ADMIN'] : ['USER'];

/** Presents an account to its owner and to the members of its organizations. */
export function presentUser(account: Account, operatorEmails: ReadonlySet<string>): User {
  return {
    id: account.id,
    username: account.username,
    name: account.name,
    emails: account.emails,
    roles: getRoles(account, operatorEmails),
    require_onboarding: !account.onboarded,
    avatarUrl: account.avatarUrl,
  };
}

/**
 * Presents an account to somebody who typed one of its addresses, without its other addresses, and without telling
 * whether the user is an operator.
 */
export const presentFoundUser = (account: Account, typedEmail: string): User => ({
  ...presentUser(account, new Set()),
  emails: account.emails.filter((email) => email.toLowerCase() === typedEmail.toLowerCase()),
});

/**
 * Returns the code by which the guest with an id is told from others, as in "Guest 7QK3"; undefined for the id of an account.
 * Of a thousand guests some share one.
 */
export function guestCode(id: string): string | undefined {
  if (!isGuestId(id)) return undefined;
  const bits = Number.parseInt(id.slice(-5), 16);
  return [15, 10, 5, 0].map((shift) => CODE_DIGITS[(bits >> shift) & 31]).join('');
}

/** Names somebody who has no account: a guest by their code; nothing for an account that no longer exists. */
function nameWithoutAccount(id: string): string {
  const code = guestCode(id);
  return code === undefined ? '' : `Guest ${code}`;
}

/** Whoever has a response: somebody with an account, or an invited guest, whose name is their label or address, if they have one. */
export type Respondent = Account | { name: string | undefined; username: ''; emails: string[] };

/** Presents a user or guest in forms and responses; only the id of an account that no longer exists. */
export const presentShortUser = (id: string, respondent: Respondent | undefined): ShortUser => ({
  id,
  name: respondent?.name ?? nameWithoutAccount(id),
  username: respondent?.username ?? '',
  emails: respondent?.emails ?? [],
});

/** Whether the name of a guest is made from their id, because nobody has given them another one. */
export const isUnnamedGuest = ({ id, name }: Pick<ShortUser, 'id' | 'name'>): boolean =>
  isGuestId(id) && name === nameWithoutAccount(id);

/**
 * Names a respondent in exports and spreadsheets: a guest by their label, address or code, others by an address, or else by username or id; many
 * have no username yet.
 */
export const respondentName = (id: string, respondent: Respondent | undefined): string =>
  isGuestId(id) ? presentShortUser(id, respondent).name : (respondent?.emails[0] ?? (respondent?.username || id));
