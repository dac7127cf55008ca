/**
 * The people of the local identity provider and their claims. The demo people have the e-mail addresses of the accounts
 * in `seed.ts`, so signing in with the provider links to these accounts.
 */

/** The claims of a person (OpenID Connect Core 5.1), without the picture, whose address is that of a server. */
export type ProviderPerson = {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
  preferred_username: string;
};

const person = (username: string, name: string): ProviderPerson => ({
  sub: `person-${username}`,
  email: `${username}@example.org`,
  email_verified: true,
  name,
  preferred_username: username,
});

/** frank has no account yet; mallory has the e-mail address of alice, not verified. */
export const PROVIDER_PEOPLE: readonly ProviderPerson[] = [
  person('alice', 'Alice Adams'),
  person('bob', 'Bob Brown'),
  person('chelsea', 'Chelsea Clark'),
  person('dave', 'Dave Dunn'),
  person('oscar', 'Oscar Olsen'),
  person('frank', 'Frank Fisher'),
  { ...person('mallory', 'Mallory Moss'), email: 'alice@example.org', email_verified: false },
];
