/** The ports and settings of a process, built once from the environment. */
import { dynamoClient } from '#core/aws/clients.ts';
import { type Config, config } from '#core/aws/config.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import { lazyBucket, lazyMail } from '#core/aws/lazy.ts';
import { loadSecrets } from '#core/aws/secrets.ts';
import { type ChangePorts, lazyPort } from '#core/db/ports.ts';
import { lazySheets } from '#core/google/lazy.ts';
import type { IdentityPorts } from '#core/identity/ports.ts';
import type { Providers } from '#core/identity/providers.ts';
import { signedStates } from '#core/identity/states.ts';
import { signedTokens, type Tokens } from '#core/identity/tokens.ts';
import type { MailPorts } from '#core/mail/ports.ts';
import type { SheetPorts } from '#core/sheets/port.ts';
import { log } from './log.ts';

export type App = IdentityPorts & MailPorts & SheetPorts & { config: Config };

/** The app that a handler receives, with the ports of the request. */
export type RequestApp = App & ChangePorts;

let currentApp: App | undefined;

/** Returns the app of this process, created at the first call. */
export function app(): App {
  currentApp ??= createApp(config());
  return currentApp;
}

/** Replaces the app of this process, for tests. Returns the previous one. */
export function replaceApp(replacement: App): App {
  const previous = app();
  currentApp = replacement;
  return previous;
}

/** Delays reading the secret key until the first token, guest credential or link is signed. */
function withLazyKey(tokens: Tokens): Tokens {
  const later =
    <A extends unknown[]>(sign: (...args: A) => Promise<string>) =>
    async (...args: A): Promise<string> => {
      await loadSecrets(['tokens:sign']);
      return sign(...args);
    };
  const { sign, signGuest, signGuestLink, signUnsubscribe } = tokens;
  return {
    ...tokens,
    sign: later(sign),
    signGuest: later(signGuest),
    signGuestLink: later(signGuestLink),
    signUnsubscribe: later(signUnsubscribe),
  };
}

/** Creates, when it is needed, a client that sends each request once: few processes give places back. */
function onceClient(settings: Config): () => ReturnType<typeof dynamoClient> {
  let client: ReturnType<typeof dynamoClient> | undefined;
  return () => {
    client ??= dynamoClient(settings, 1);
    return client;
  };
}

/** Builds an app for a configuration. */
export function createApp(settings: Config): App {
  return {
    config: settings,
    table: dynamoTable(dynamoClient(settings), settings.tableName, onceClient(settings)),
    bucket: lazyBucket(settings),
    tokens: withLazyKey(signedTokens(settings.token)),
    states: signedStates(settings),
    providers: lazyPort<Providers>(
      async () => (await import('#core/identity/providers.ts')).configuredProviders(settings.providers, log),
      { authorize: true, fetchProfile: true },
    ),
    mail: lazyMail(settings),
    sheets: lazySheets(() => settings.sheets),
    now: () => new Date(),
    uuid: () => crypto.randomUUID(),
    log,
  };
}
