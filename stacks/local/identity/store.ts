/**
 * The in-memory storage of the local identity provider: interactions, grants, codes and access tokens. Sessions are not
 * stored, so every authorization request shows the page to pick a person.
 */
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

type Entry = { payload: AdapterPayload; expiresAt: number };

/** Creates the storage of one provider. */
export function providerStore(): AdapterFactory {
  const entries = new Map<string, Entry>();
  return (model) => (model === 'Session' ? NOTHING : memory(entries, model));
}

function memory(entries: Map<string, Entry>, model: string): Adapter {
  const toKey = (id: string) => `${model} ${id}`;
  return {
    ...NOTHING,
    async upsert(id, payload, expiresIn) {
      const now = Date.now();
      for (const [key, { expiresAt }] of entries) if (expiresAt < now) entries.delete(key);
      entries.set(toKey(id), { payload, expiresAt: expiresIn === undefined ? Infinity : now + expiresIn * 1_000 });
    },
    // The library checks the expiry.
    find: async (id) => entries.get(toKey(id))?.payload,
    async consume(id) {
      const found = entries.get(toKey(id));
      if (found) found.payload.consumed = Math.floor(Date.now() / 1_000);
    },
    async destroy(id) {
      entries.delete(toKey(id));
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key);
    },
  };
}

/** Stores nothing. Lookups by user code or uid belong to flows that this provider does not offer. */
const NOTHING: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};
