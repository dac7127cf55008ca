/** The bucket of covers and files: private, over TLS only. S3 encrypts all objects. Browsers use presigned URLs. */
import { BUCKET_CORS } from '../cors-rules.ts';
import type { Stage } from '../stage.ts';

/** Lambda writes the stream records and the events that a worker could not process under this prefix. */
export const FAILED_RECORDS = 'aws/lambda/';

/** Creates the bucket of a stage. Pages of the service itself may upload to it, and those of the allowed origins. */
export function createBucket({ isProduction, allowedOrigins }: Stage, publicUrl: $util.Output<string>): sst.aws.Bucket {
  return new sst.aws.Bucket('Files', {
    cors: {
      allowOrigins: publicUrl.apply((url) => [new URL(url).origin, ...allowedOrigins]),
      allowMethods: [...BUCKET_CORS.methods],
      allowHeaders: [...BUCKET_CORS.headers],
      exposeHeaders: [...BUCKET_CORS.exposeHeaders],
      maxAge: `${BUCKET_CORS.maxAgeSeconds} seconds`,
    },
    lifecycle: [
      { id: 'failed-records', prefix: FAILED_RECORDS, expiresIn: '14 days' },
      // Clean-ups remove exports after 7 days; this rule removes what they missed.
      { id: 'expired-exports', prefix: 'exports/', expiresIn: '8 days' },
    ],
    transform: {
      bucket: { forceDestroy: !isProduction },
      lifecycle: (args) => {
        args.rules = $output(args.rules).apply((rules = []) => [
          ...rules,
          {
            id: 'aborted-uploads',
            status: 'Enabled',
            filter: { prefix: '' },
            abortIncompleteMultipartUpload: { daysAfterInitiation: 1 },
          },
        ]);
      },
    },
  });
}
