/**
 * Least privilege inside the process: a handler sees only what its declaration says it needs, the same list from
 * which its grants are derived. One that touches more fails here, in tests, before it fails in the cloud.
 */
import type { Declaration, Need } from '#core/api/declare.ts';
import type { App } from './app.ts';

/** The app as an operation may use it. */
export function guarded(app: App, declaration: Declaration): App {
  const needs: ReadonlySet<Need> = new Set(impliedNeeds(declaration));
  const demand = (need: Need): void => {
    if (!needs.has(need))
      throw new Error(`${declaration.noun}.${declaration.name} uses ${need} but does not declare it`);
  };
  const allowing =
    <A extends unknown[], R>(need: Need, call: (...args: A) => R) =>
    (...args: A): R => {
      demand(need);
      return call(...args);
    };
  return {
    ...app,
    table: {
      read: allowing('table:read', app.table.read),
      page: allowing('table:list', app.table.page),
      count: allowing('table:list', app.table.count),
      write: allowing('table:write', app.table.write),
    },
    bucket: {
      signPut: allowing('files:write', app.bucket.signPut),
      signGet: allowing('files:read', app.bucket.signGet),
      inspect: allowing('files:read', app.bucket.inspect),
      put: allowing('files:write', app.bucket.put),
      copy: allowing('files:write', app.bucket.copy),
      remove: allowing('files:remove', app.bucket.remove),
      removeAll: allowing('files:list', app.bucket.removeAll),
    },
    tokens: { ...app.tokens, sign: allowing('tokens:sign', app.tokens.sign) },
    providers: {
      authorize: allowing('providers:call', app.providers.authorize),
      fetchProfile: allowing('providers:call', app.providers.fetchProfile),
    },
  };
}

/**
 * The declared needs and those that follow from other parts of a declaration: who addresses an ARCHIVED form may be
 * one of its respondents, which only their list of responses tells.
 */
export const impliedNeeds = (declaration: Declaration): Need[] => [
  ...new Set([
    ...declaration.needs,
    ...(declaration.idempotent ? (['table:write'] as const) : []),
    ...(declaration.access.target === 'form' || declaration.access.target === 'view' ? (['table:list'] as const) : []),
  ]),
];
