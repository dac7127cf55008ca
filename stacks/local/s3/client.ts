/** Clients of the store of the local S3, which accepts every call. */
import { S3Client } from '@aws-sdk/client-s3';

/** Creates a client of an S3 emulator. */
export const emulatorBucketClient = (endpoint: string): S3Client =>
  new S3Client({
    endpoint,
    region: 'local',
    forcePathStyle: true,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
