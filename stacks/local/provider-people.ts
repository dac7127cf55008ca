/**
 * The people whom the local identity provider knows, and what it says about each of them.
 * Those of the demo have the e-mail addresses of the accounts in `seed.ts`; so signing in here links to these accounts.
 */

/** A person as the provider's claims tell (OpenID Connect Core 5.1); `sub` stays the same, whatever else changes. */
export type ProviderPerson = {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
  preferred_username: string;
  picture: string;
};

const known = (username: string, name: string): ProviderPerson => ({
  sub: `person-${username}`,
  email: `${username}@example.org`,
  email_verified: true,
  name,
  preferred_username: username,
  picture: `https://example.org/pictures/${username}.png`,
});

/** Frank has no account yet and is to be onboarded; mallory claims an address of alice that nobody verified. */
export const PROVIDER_PEOPLE: readonly ProviderPerson[] = [
  known('alice', 'Alice Adams'),
  known('bob', 'Bob Brown'),
  known('chelsea', 'Chelsea Clark'),
  known('dave', 'Dave Dunn'),
  known('oscar', 'Oscar Olsen'),
  known('frank', 'Frank Fisher'),
  { ...known('mallory', 'Mallory Moss'), email: 'alice@example.org', email_verified: false },
];
