/**
 * The bucket of this process, loaded when it is first used: most operations never touch a file, and should not pay for
 * the S3 client when they start (a house test holds them to it).
 */
import type { Bucket } from '#core/db/bucket.ts';
import { busy } from './busy.ts';
import type { Config } from './config.ts';

/** A bucket port that loads the S3 client at its first call. Its verbs throw StorageBusy when S3 is. */
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
    copy: (...args) => using((it) => it.copy(...args)),
    remove: (...args) => using((it) => it.remove(...args)),
    removeAll: (...args) => using((it) => it.removeAll(...args)),
  };
}
