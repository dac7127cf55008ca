/** The identity providers of a process, whose code is loaded at the first call, because few functions call one. */
import type { Ports } from '#core/db/ports.ts';
import type { Providers, ProvidersSettings } from './providers.ts';

/** Creates providers like `configuredProviders`, loaded at the first call. */
export function lazyProviders(settings: ProvidersSettings, log: Ports['log']): Providers {
  let loaded: Promise<Providers> | undefined;
  const providers = (): Promise<Providers> => {
    loaded ??= import('./providers.ts').then(({ configuredProviders }) => configuredProviders(settings, log));
    return loaded;
  };
  return {
    authorize: async (...args) => (await providers()).authorize(...args),
    fetchProfile: async (...args) => (await providers()).fetchProfile(...args),
  };
}
