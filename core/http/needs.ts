/**
 * Restricts a handler to the needs in its declaration, from which its IAM grants are derived, so that a missing need
 * fails locally and in tests as it would in the cloud.
 */
import type { Declaration, Need } from '#core/api/declare.ts';
import { type ObjectKind, objectKind } from '#core/db/bucket.ts';
import type { App } from './app.ts';

type Wrap = <A extends unknown[], R>(need: Need, call: (...args: A) => R) => (...args: A) => R;

/** Wraps a function of the bucket, whose need depends on the kind of the object. */
const wrapObject =
  <A extends unknown[], R>(wrap: Wrap, access: 'read' | 'write', call: (key: string, ...args: A) => R) =>
  (key: string, ...args: A): R =>
    wrap(`${objectKind(key)}:${access}`, call)(key, ...args);

/** Wraps the removal of objects, which needs the permission of each of their kinds. */
const wrapRemoval =
  (wrap: Wrap, remove: App['bucket']['remove']) =>
  (keys: readonly string[]): Promise<void> =>
    [...new Set(keys.map(objectKind))].reduce(
      (call, kind) => wrap(`${requireRemovable(kind)}:remove`, call),
      remove,
    )(keys);

/** Throws for an asset of pages, which no function removes. */
function requireRemovable(kind: ObjectKind): Exclude<ObjectKind, 'assets'> {
  if (kind === 'assets') throw new Error('no function removes assets');
  return kind;
}

/** Wraps every port function of an app; `wrap` receives the need of the function. */
export const wrapPorts = (app: App, wrap: Wrap): App => ({
  ...app,
  table: {
    read: wrap('table:read', app.table.read),
    list: wrap('table:list', app.table.list),
    count: wrap('table:list', app.table.count),
    write: wrap('table:write', app.table.write),
    remove: wrap('table:remove', app.table.remove),
  },
  bucket: {
    signPut: wrapObject(wrap, 'write', app.bucket.signPut),
    signGet: wrapObject(wrap, 'read', app.bucket.signGet),
    inspect: wrapObject(wrap, 'read', app.bucket.inspect),
    put: wrapObject(wrap, 'write', app.bucket.put),
    upload: wrapObject(wrap, 'write', app.bucket.upload),
    remove: wrapRemoval(wrap, app.bucket.remove),
    removeSome: wrap('objects:remove', app.bucket.removeSome),
  },
  tokens: {
    ...app.tokens,
    sign: wrap('tokens:sign', app.tokens.sign),
    signGuest: wrap('tokens:sign', app.tokens.signGuest),
    signGuestLink: wrap('tokens:sign', app.tokens.signGuestLink),
    signUnsubscribe: wrap('tokens:sign', app.tokens.signUnsubscribe),
  },
  states: { sign: wrap('states:sign', app.states.sign), open: wrap('states:sign', app.states.open) },
  providers: {
    authorize: wrap('providers:call', app.providers.authorize),
    fetchProfile: wrap('providers:call', app.providers.fetchProfile),
  },
  mail: { send: wrap('mail:send', app.mail.send) },
  sheets: {
    email: wrap('sheets:call', app.sheets.email),
    canWrite: wrap('sheets:call', app.sheets.canWrite),
    write: wrap('sheets:call', app.sheets.write),
  },
});

/** Restricts an app to some needs; `name` is the operation or worker to name in the error. */
export function restrictTo(name: string, allowed: readonly Need[]): (app: App) => App {
  const needs: ReadonlySet<Need> = new Set(allowed);
  const wrap: Wrap =
    (need, call) =>
    (...args) => {
      if (needs.has(need)) return call(...args);
      throw new Error(`${name} uses ${need} without declaring it`);
    };
  return (app) => wrapPorts(app, wrap);
}

/**
 * Lists the declared needs and those implied by other parts of a declaration: an idempotent operation writes its record, and
 * the visibility of an unpublished form depends on the caller's list of responses.
 */
export const operationNeeds = (declaration: Declaration): Need[] => [
  ...new Set([
    ...declaration.needs,
    ...(declaration.idempotent ? (['table:write'] as const) : []),
    ...(declaration.access.target === 'form' || declaration.access.target === 'view' ? (['table:list'] as const) : []),
  ]),
];
