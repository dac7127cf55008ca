/**
 * What the local identity provider remembers, in memory, until it expires or the process ends: requests under way,
 * grants, codes, access tokens. Sessions are forgotten at once, so every request asks anew who somebody is.
 */
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

type Kept = { payload: AdapterPayload; expiresAt: number };

/** A store of its own for one provider. */
export function providerStore(): AdapterFactory {
  const kept = new Map<string, Kept>();
  return (model) => (model === 'Session' ? FORGETFUL : memory(kept, model));
}

function memory(kept: Map<string, Kept>, model: string): Adapter {
  const keyOf = (id: string) => `${model} ${id}`;
  return {
    ...FORGETFUL,
    async upsert(id, payload, expiresIn) {
      const now = Date.now();
      for (const [key, { expiresAt }] of kept) if (expiresAt < now) kept.delete(key);
      kept.set(keyOf(id), { payload, expiresAt: expiresIn === undefined ? Infinity : now + expiresIn * 1_000 });
    },
    // Whether it has expired is asked by the caller.
    find: async (id) => kept.get(keyOf(id))?.payload,
    async consume(id) {
      const found = kept.get(keyOf(id));
      if (found) found.payload.consumed = Math.floor(Date.now() / 1_000);
    },
    async destroy(id) {
      kept.delete(keyOf(id));
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key);
    },
  };
}

/** Keeps nothing. Searches by other names than the id are for flows that this provider does not offer. */
const FORGETFUL: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};
