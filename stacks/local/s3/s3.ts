/**
 * The local S3: the emulator fauxqs stores the objects (in SQLite, so they survive a SIGKILL) and serves the service's
 * SDK. fauxqs checks no signatures, so browsers use a gate in front of it on its own port (`gate.ts`).
 *
 * Known differences from S3 on the service's side: checksums are stored but not compared, a missing key is always 404,
 * and keys are listed in dictionary order, not in byte order.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { closeNow, HOST, listen } from '../gateway/listening.ts';
import { emulatorBucketClient } from './client.ts';
import { createGate, type GateOptions } from './gate.ts';

type S3Options = {
  /** Where the objects are kept; null keeps them in memory and removes them at the end. */
  directory: string | null;
  /** Created if they are missing. */
  buckets: readonly string[];
  origins: GateOptions['origins'];
};

export type LocalS3 = {
  /** For the service: accepts every SDK call. */
  endpoint: string;
  /** For browsers: accepts presigned requests only. */
  publicEndpoint: string;
  /** Closes all connections and frees the ports. Objects stay in the directory. */
  stop(): Promise<void>;
};

/** Starts both sides on free ports of this machine, and resolves when they take requests. */
export async function startS3({ directory, buckets, origins }: S3Options): Promise<LocalS3> {
  const emulator = await startEmulator(directory);
  const endpoint = `http://${HOST}:${emulator.port}`;
  const store = emulatorBucketClient(endpoint);
  const gate = createGate({ store, origins });
  const stop = async (): Promise<void> => {
    await closeNow(gate);
    store.destroy();
    await emulator.stop();
  };
  try {
    for (const bucket of buckets) emulator.createBucket(bucket);
    const publicEndpoint = `http://${HOST}:${await listen(gate, 0)}`;
    return { endpoint, publicEndpoint, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Listens = { listen(options: { port: number; host: string }): Promise<string> };

/**
 * fauxqs ignores `host`, listens on all network interfaces and checks no credentials. Fastify, on which it is built,
 * publishes each server before it listens; the host is corrected there.
 */
async function startEmulator(directory: string | null): Promise<FauxqsServer> {
  const correctHost = (message: unknown): void => {
    if (!hasServer(message)) return;
    const { fastify } = message;
    const original = fastify.listen.bind(fastify);
    fastify.listen = (options) => original({ ...options, host: HOST });
  };
  subscribe('fastify.initialization', correctHost);
  // startFauxqs creates its server before its first await, so no other server is affected.
  const starting = startFauxqs({ port: 0, logger: false, ...(directory === null ? {} : { dataDir: directory }) });
  unsubscribe('fastify.initialization', correctHost);
  const emulator = await starting;
  if (new URL(emulator.address).hostname === HOST) return emulator;
  await emulator.stop();
  throw new Error(`The S3 emulator must be reachable from this machine only, but listens on ${emulator.address}.`);
}

const hasServer = (message: unknown): message is { fastify: Listens } =>
  typeof message === 'object' &&
  message !== null &&
  'fastify' in message &&
  typeof message.fastify === 'object' &&
  message.fastify !== null &&
  'listen' in message.fastify &&
  typeof message.fastify.listen === 'function';
