/**
 * What a handler has of the world: the table, the bucket, the clock, fresh identifiers, tokens, cursors, configuration.
 * Built once per process from the environment; `replaceApp` lets tests watch it or make it fail.
 */
import { createHmac } from 'node:crypto';
import { lazyBucket } from '#core/aws/bucket.ts';
import { documentClient } from '#core/aws/clients.ts';
import { type Config, config } from '#core/aws/config.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import type { Bucket } from '#core/db/bucket.ts';
import { idWithin } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { configuredProviders, type Providers } from '#core/identity/providers.ts';
import { type States, signedStates } from '#core/identity/states.ts';
import { signedTokens, type Tokens } from '#core/identity/tokens.ts';
import { type Cursors, signedCursors } from './cursors.ts';

export type App = {
  config: Config;
  table: Table;
  bucket: Bucket;
  tokens: Tokens;
  cursors: Cursors;
  states: States;
  providers: Providers;
  now(): Date;
  /** A fresh random UUID of version 4. */
  uuid(): string;
};

/** The fresh id of something that belongs to a form: it begins with the form's key (see `core/db/keys.ts`). */
export const newIdWithin = (app: Pick<App, 'uuid'>, formId: string): string => idWithin(formId, app.uuid());

let current: App | undefined;

/** The app of this process. */
export function app(): App {
  current ??= createApp(config());
  return current;
}

/** Puts another app in the place of this process's; for tests. Answers the one before. */
export function replaceApp(replacement: App): App {
  const before = app();
  current = replacement;
  return before;
}

/** Builds an app for a configuration. */
export function createApp(settings: Config): App {
  return {
    config: settings,
    table: dynamoTable(documentClient(settings), settings.tableName),
    bucket: lazyBucket(settings),
    tokens: signedTokens(settings.token),
    cursors: signedCursors(settings.cursorSecret),
    states: signedStates(settings.cursorSecret),
    providers: configuredProviders(settings.providers),
    now: () => new Date(),
    uuid: () => crypto.randomUUID(),
  };
}

/**
 * An app whose fresh ids and write ids follow from `scope`: a handler that is run again for the same
 * Idempotency-Key makes the same ids, so what its first run had stored is recognized instead of made twice.
 */
export function repeatable(base: App, scope: string): App {
  let drawn = 0;
  const draw = (): string => {
    drawn += 1;
    return uuidFrom(createHmac('sha256', base.config.cursorSecret).update(`${scope}\n${drawn}`).digest('hex'));
  };
  return {
    ...base,
    uuid: draw,
    table: { ...base.table, write: (writes, writeId) => base.table.write(writes, writeId ?? draw()) },
  };
}

/** The UUID of version 4 whose random bits are the first of a hexadecimal text. */
const uuidFrom = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
