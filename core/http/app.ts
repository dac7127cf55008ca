/** The ports and settings of a process, built once from the environment. */
import { lazyBucket } from '#core/aws/bucket.ts';
import { documentClient } from '#core/aws/clients.ts';
import { type Config, config } from '#core/aws/config.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { IdentityPorts } from '#core/identity/ports.ts';
import { configuredProviders } from '#core/identity/providers.ts';
import { signedStates } from '#core/identity/states.ts';
import { signedTokens } from '#core/identity/tokens.ts';
import { log } from './log.ts';

export type App = IdentityPorts & { config: Config };

/** The app as a handler receives it, with the ports of the request. */
export type RequestApp = App & ChangePorts;

let current: App | undefined;

/** The app of this process. */
export function app(): App {
  current ??= createApp(config());
  return current;
}

/** Replaces the app of this process, for tests. Returns the previous one. */
export function replaceApp(replacement: App): App {
  const previous = app();
  current = replacement;
  return previous;
}

/** Builds an app for a configuration. */
export function createApp(settings: Config): App {
  return {
    config: settings,
    table: dynamoTable(documentClient(settings), settings.tableName),
    bucket: lazyBucket(settings),
    tokens: signedTokens(settings.token),
    states: signedStates(settings),
    providers: configuredProviders(settings.providers, log),
    now: () => new Date(),
    uuid: () => crypto.randomUUID(),
    log,
  };
}
