/** A client of the local S3's own side, which takes everything and asks for nothing. */
import { S3Client } from '@aws-sdk/client-s3';

/** A client of an emulator of S3. */
export const emulatorBucketClient = (endpoint: string): S3Client =>
  new S3Client({
    endpoint,
    region: 'local',
    forcePathStyle: true,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
