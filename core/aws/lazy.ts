/** The bucket and the mail of a process, whose clients are loaded at the first call. */
import type { Bucket } from '#core/db/bucket.ts';
import { lazyPort } from '#core/db/ports.ts';
import type { MailPort } from '#core/mail/ports.ts';
import { callStorage } from './busy.ts';
import type { Config } from './config.ts';

/** Creates a bucket port whose functions throw StorageBusy when S3 is busy. */
export const lazyBucket = (settings: Config): Bucket =>
  lazyPort<Bucket>(
    async () => (await import('./s3-bucket.ts')).s3Bucket(settings),
    { signPut: true, signGet: true, inspect: true, put: true, upload: true, remove: true, removeSome: true },
    callStorage,
  );

/** Creates a mail port that loads the client of SES when the first mail is sent. */
export const lazyMail = (settings: Config): MailPort =>
  lazyPort<MailPort>(async () => (await import('./ses-mail.ts')).sesMail(settings), { send: true });
