/**
 * How a browser that came back from a provider is introduced: by the profile of a person, or by the code of what went
 * wrong on the way (contract sections 2 and 10).
 */

import type { CallbackQuery } from '#core/accounts/model.ts';
import type { App } from '#core/http/app.ts';
import type { Arrival } from '#core/identity/authorization.ts';
import { passedOn } from '#core/identity/redirects.ts';
import { type Profile, profileOf } from './profile.ts';

export type Introduction = { profile: Profile } | { error: string };

/**
 * Who came back. The errors are the provider's own code, or `missing_code`, `exchange_failed`, `profile_failed`; the
 * last also for claims that do not say whose they are.
 */
export async function introduce(
  app: App,
  provider: keyof App['config']['providers'],
  arrival: Arrival,
  { error, code }: CallbackQuery,
): Promise<Introduction> {
  if (error) return { error: passedOn(error) };
  if (!code) return { error: 'missing_code' };
  const fetched = await arrival.fetchProfile();
  if ('failed' in fetched) return { error: fetched.failed };
  const settings = app.config.providers[provider];
  const profile = settings && profileOf(settings.profile, fetched.claims);
  return profile ? { profile } : { error: 'profile_failed' };
}
