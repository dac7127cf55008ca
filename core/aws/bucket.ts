/** The bucket of a process. The S3 client is loaded at the first call, because most functions do not use it. */
import type { Bucket } from '#core/db/bucket.ts';
import { busy } from './busy.ts';
import type { Config } from './config.ts';

/** A bucket port that loads the S3 client at its first call. Its functions throw StorageBusy when S3 is busy. */
export function lazyBucket(settings: Config): Bucket {
  let loaded: Promise<Bucket> | undefined;
  const bucket = (): Promise<Bucket> => {
    loaded ??= import('./s3-bucket.ts').then(({ s3Bucket }) => s3Bucket(settings));
    return loaded;
  };
  const using = <T>(call: (bucket: Bucket) => Promise<T>): Promise<T> => busy(async () => call(await bucket()));
  return {
    signPut: (...args) => using((it) => it.signPut(...args)),
    signGet: (...args) => using((it) => it.signGet(...args)),
    inspect: (...args) => using((it) => it.inspect(...args)),
    put: (...args) => using((it) => it.put(...args)),
    upload: (...args) => using((it) => it.upload(...args)),
    remove: (...args) => using((it) => it.remove(...args)),
    removeSome: (...args) => using((it) => it.removeSome(...args)),
  };
}
