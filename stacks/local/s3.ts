/**
 * The local S3: the emulator fauxqs keeps the objects and answers the service, which talks to it with the SDK; a gate
 * in front of it, on a port of its own, answers browsers with presigned URLs (`s3-gate.ts`), as fauxqs checks nothing.
 * Objects stand in SQLite, written before they are acknowledged, so they survive a SIGKILL.
 *
 * Known to differ from S3 on the service's side: a copy goes ahead whatever its CopySourceIfMatch says, checksums are
 * kept but not compared, and keys are listed in the order of a dictionary, which is S3's only for lower-case ones.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { DeleteObjectsCommand, ListBucketsCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { PENDING, PENDING_DAYS } from '#core/db/objects.ts';
import { closeNow, HOST, listen } from './listening.ts';
import { emulatorBucketClient } from './s3-client.ts';
import { createGate, type GateOptions } from './s3-gate.ts';

export type S3Options = {
  /** Where the objects stay; null keeps them in memory and forgets them at the end. */
  directory: string | null;
  /** Made if they are missing. */
  buckets: readonly string[];
  origins: GateOptions['origins'];
};

export type LocalS3 = {
  /** For the service: everything the SDK asks for, unchecked. */
  endpoint: string;
  /** For browsers: what was presigned for it, and nothing else. */
  publicEndpoint: string;
  /** Ends at once, whoever is still connected. What was stored stays in the directory. */
  stop(): Promise<void>;
  /** Removes what the lifecycle rule of every bucket would have by `now`: uploads that were pending for longer than a day. */
  sweep(now: Date): Promise<void>;
};

const DAY_MS = 86_400_000;

/** Starts both sides on free ports of this machine, and answers when they take requests. */
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
    return {
      endpoint,
      publicEndpoint,
      stop,
      async sweep(now) {
        const limit = new Date(now.getTime() - PENDING_DAYS * DAY_MS);
        const { Buckets = [] } = await store.send(new ListBucketsCommand({}));
        for (const { Name } of Buckets) if (Name) await removeOlder(store, Name, limit);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Listens = { listen(options: { port: number; host: string }): Promise<string> };

/**
 * fauxqs listens for the whole network whatever `host` it is given, and lets everybody in. Fastify, on which it is
 * built, announces each server before it listens: there the host is put right.
 */
async function startEmulator(directory: string | null): Promise<FauxqsServer> {
  const stayHere = (message: unknown): void => {
    if (!announcesServer(message)) return;
    const { fastify } = message;
    const listenAnywhere = fastify.listen.bind(fastify);
    fastify.listen = (options) => listenAnywhere({ ...options, host: HOST });
  };
  subscribe('fastify.initialization', stayHere);
  // The server is made before the first await in there, so nobody else's is caught.
  const starting = startFauxqs({ port: 0, logger: false, ...(directory === null ? {} : { dataDir: directory }) });
  unsubscribe('fastify.initialization', stayHere);
  const emulator = await starting;
  if (new URL(emulator.address).hostname === HOST) return emulator;
  await emulator.stop();
  throw new Error(`The S3 emulator must be reachable from this machine only, but listens on ${emulator.address}.`);
}

const announcesServer = (message: unknown): message is { fastify: Listens } =>
  typeof message === 'object' &&
  message !== null &&
  'fastify' in message &&
  typeof message.fastify === 'object' &&
  message.fastify !== null &&
  'listen' in message.fastify &&
  typeof message.fastify.listen === 'function';

async function removeOlder(store: S3Client, Bucket: string, limit: Date): Promise<void> {
  for await (const page of paginateListObjectsV2({ client: store }, { Bucket, Prefix: PENDING })) {
    const older = (page.Contents ?? []).filter(({ LastModified }) => LastModified && LastModified < limit);
    const Objects = older.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
    // A page holds as many keys as one removal takes.
    if (Objects.length > 0) await store.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
  }
}
