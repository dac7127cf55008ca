/**
 * Least privilege inside the process: a handler sees only what its declaration says it needs, the same list from
 * which its grants are derived. One that touches more fails here, in tests, before it fails in the cloud.
 */
import type { Declaration, Need } from '#core/api/declare.ts';
import type { App } from './app.ts';

/** Puts something around a verb that needs something. */
type Around = <A extends unknown[], R>(need: Need, call: (...args: A) => R) => (...args: A) => R;

/** An app with something around every verb, which is told what that verb needs. */
export const around = (app: App, wrap: Around): App => ({
  ...app,
  table: {
    read: wrap('table:read', app.table.read),
    page: wrap('table:list', app.table.page),
    count: wrap('table:list', app.table.count),
    write: wrap('table:write', app.table.write),
  },
  bucket: {
    signPut: wrap('files:write', app.bucket.signPut),
    signGet: wrap('files:read', app.bucket.signGet),
    inspect: wrap('files:read', app.bucket.inspect),
    put: wrap('files:write', app.bucket.put),
    copy: wrap('files:write', app.bucket.copy),
    remove: wrap('files:remove', app.bucket.remove),
    removeAll: wrap('files:list', app.bucket.removeAll),
  },
  tokens: { ...app.tokens, sign: wrap('tokens:sign', app.tokens.sign) },
  providers: {
    authorize: wrap('providers:call', app.providers.authorize),
    fetchProfile: wrap('providers:call', app.providers.fetchProfile),
  },
});

/** The app as an operation may use it. */
export function guarded(app: App, declaration: Declaration): App {
  const needs: ReadonlySet<Need> = new Set(impliedNeeds(declaration));
  return around(app, (need, call) => (...args) => {
    if (!needs.has(need))
      throw new Error(`${declaration.noun}.${declaration.name} uses ${need} but does not declare it`);
    return call(...args);
  });
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
