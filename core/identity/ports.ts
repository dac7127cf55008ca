/** What identity needs in addition to the ports of the domain. */
import type { Ports } from '#core/db/ports.ts';
import type { Providers, ProvidersSettings } from './providers.ts';
import type { AllowedOrigins } from './redirects.ts';
import type { States } from './states.ts';
import type { TokenSettings, Tokens } from './tokens.ts';

export type CookieSettings = { secure: boolean; sameSite: 'lax' | 'strict' | 'none'; domain: string | undefined };

export type IdentitySettings = AllowedOrigins & {
  token: TokenSettings & { refreshDays: number };
  cookies: CookieSettings;
  providers: ProvidersSettings;
  /** Users with one of these e-mail addresses, in lower case, operate the installation. */
  operatorEmails: ReadonlySet<string>;
  /** Whether people without an account may respond to forms that allow it. */
  guests: boolean;
  /** Whether login by user ID exists. */
  internalLogin: boolean;
  /** Whether the `base` of a login is accepted. */
  development: boolean;
};

export type IdentityPorts = Ports & {
  config: IdentitySettings;
  tokens: Tokens;
  states: States;
  providers: Providers;
};
