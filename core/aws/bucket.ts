/** The bucket of a process. The S3 client is loaded at the first call, because most functions do not use it. */
import type { Bucket } from '#core/db/bucket.ts';
import { callStorage } from './busy.ts';
import type { Config } from './config.ts';

/** Creates a bucket port that loads the S3 client at its first call. Its functions throw StorageBusy when S3 is busy. */
export function lazyBucket(settings: Config): Bucket {
  let loaded: Promise<Bucket> | undefined;
  const bucket = (): Promise<Bucket> => {
    loaded ??= import('./s3-bucket.ts').then(({ s3Bucket }) => s3Bucket(settings));
    return loaded;
  };
  const withBucket = <T>(call: (bucket: Bucket) => Promise<T>): Promise<T> =>
    callStorage(async () => call(await bucket()));
  return {
    signPut: (...args) => withBucket((port) => port.signPut(...args)),
    signGet: (...args) => withBucket((port) => port.signGet(...args)),
    inspect: (...args) => withBucket((port) => port.inspect(...args)),
    put: (...args) => withBucket((port) => port.put(...args)),
    upload: (...args) => withBucket((port) => port.upload(...args)),
    remove: (...args) => withBucket((port) => port.remove(...args)),
    removeSome: (...args) => withBucket((port) => port.removeSome(...args)),
  };
}
