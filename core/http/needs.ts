/**
 * Restricts a handler to the needs in its declaration, from which its IAM grants are derived, so that a missing need
 * fails locally and in tests as it would in the cloud.
 */
import type { Declaration, Need } from '#core/api/declare.ts';
import type { App } from './app.ts';

type Wrap = <A extends unknown[], R>(need: Need, call: (...args: A) => R) => (...args: A) => R;

/** An app with every port function wrapped; `wrap` receives the need of the function. */
export const wrapPorts = (app: App, wrap: Wrap): App => ({
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
    remove: wrap('files:remove', app.bucket.remove),
    removeAll: wrap('files:list', app.bucket.removeAll),
  },
  tokens: { ...app.tokens, sign: wrap('tokens:sign', app.tokens.sign) },
  states: { sign: wrap('states:sign', app.states.sign), open: wrap('states:sign', app.states.open) },
  providers: {
    authorize: wrap('providers:call', app.providers.authorize),
    fetchProfile: wrap('providers:call', app.providers.fetchProfile),
  },
});

/** Restricts an app to the needs of an operation. */
export function restrictTo(declaration: Declaration): (app: App) => App {
  const needs: ReadonlySet<Need> = new Set(impliedNeeds(declaration));
  const wrap: Wrap =
    (need, call) =>
    (...args) => {
      if (needs.has(need)) return call(...args);
      throw new Error(`${declaration.noun}.${declaration.name} uses ${need} without declaring it`);
    };
  return (app) => wrapPorts(app, wrap);
}

/**
 * The declared needs and those implied by other parts of a declaration: an idempotent operation writes its record, and
 * the visibility of an unpublished form depends on the caller's list of responses.
 */
export const impliedNeeds = (declaration: Declaration): Need[] => [
  ...new Set([
    ...declaration.needs,
    ...(declaration.idempotent ? (['table:write'] as const) : []),
    ...(declaration.access.target === 'form' || declaration.access.target === 'view' ? (['table:list'] as const) : []),
  ]),
];
