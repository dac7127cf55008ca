/** Accounts: who signs in, how they are shown, and how they are called (interface "User", contract section 2). */
import * as z from 'zod';
import { Id, type Infer, schema } from '#core/schema/schema.ts';

export const UserRole = schema(() => z.enum(['USER', 'ADMIN']).meta({ id: 'UserRole' }));
export type UserRole = Infer<typeof UserRole>;

/** The providers through which one can sign in; which of them there are is configuration. */
export const LoginProvider = schema(() =>
  z.enum(['LOGIN_PROVIDER_1', 'LOGIN_PROVIDER_2']).meta({ id: 'LoginProvider' }),
);
export type LoginProvider = Infer<typeof LoginProvider>;

/** A person as the service keeps them. */
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
  version: number;
  /** The organizations of this person and the role in each. */
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

/** The short form in which a user stands in a form. */
export const ShortUser = schema(() =>
  z.object({ id: Id(), name: z.string(), username: z.string(), emails: z.array(z.string()) }).meta({ id: 'ShortUser' }),
);
export type ShortUser = Infer<typeof ShortUser>;

export const Onboarding = schema(() =>
  z
    .object({
      username: z
        .string()
        .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be 1 to 64 of the characters A-Z a-z 0-9 _ . -')
        .describe('Unique without regard to case.'),
      name: z.string().regex(/^\w{4,15}$/, 'must be 4 to 15 letters, digits or underscores'),
    })
    .meta({ id: 'Onboarding' }),
);
export type Onboarding = Infer<typeof Onboarding>;

export const InternalLogin = schema(() => z.object({ uid: Id() }).meta({ id: 'InternalLogin' }));

/** A URL that the service may be asked to redirect to; whether its origin is allowed is judged in `redirects.ts`. */
const Target = schema(() => z.string().min(1).max(2_048));

export const LoginQuery = schema(() =>
  z.object({
    c: Target().describe('Where the browser goes when the login is over: a URL of an allowed origin.'),
    r: Target().optional().describe('Handed to `c` as the query parameter `r`: a path, or a URL of an allowed origin.'),
    base: Target()
      .optional()
      .describe('The base URL of the callback, for front ends under development; elsewhere 400.'),
  }),
);
export type LoginQuery = Infer<typeof LoginQuery>;

/** What a provider sends a browser back with. */
export const CallbackQuery = schema(() =>
  z.object({
    code: z.string().max(4_096).optional().describe('What the provider answers the profile for.'),
    state: z.string().min(1).max(8_192).describe('As it was given to the provider.'),
    error: z.string().max(256).optional().describe('Why the provider did not.'),
  }),
);
export type CallbackQuery = Infer<typeof CallbackQuery>;

/** What a caller is in the whole installation: operators are named by e-mail in the configuration. */
export const rolesOf = (account: Pick<Account, 'emails'>, operatorEmails: ReadonlySet<string>): UserRole[] =>
  account.emails.some((email) => operatorEmails.has(email.toLowerCase())) ? ['USER', 'ADMIN'] : ['USER'];

/** An account as it is shown to itself and to the members of its organizations. */
export function showUser(account: Account, operatorEmails: ReadonlySet<string>): User {
  return {
    id: account.id,
    username: account.username,
    name: account.name,
    emails: account.emails,
    roles: rolesOf(account, operatorEmails),
    require_onboarding: !account.onboarded,
    avatarUrl: account.avatarUrl,
  };
}

/** An account as it stands in a form; somebody who is gone stays an id. */
export const showShortUser = (id: string, account: Account | undefined): ShortUser => ({
  id,
  name: account?.name ?? '',
  username: account?.username ?? '',
  emails: account?.emails ?? [],
});
