/** The assets of the pages in the bucket, where those of earlier deployments stay. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { objects } from '#core/db/bucket.ts';
import { ASSETS_DIRECTORY } from '#core/pages/shell/assets.ts';

/**
 * Adds the assets of this build to the bucket. Pages of the build must be deployed after them: until its own function is
 * replaced, the previous one serves new assets from here.
 */
export function storeAssets(bucket: sst.aws.Bucket): aws.s3.BucketObjectv2[] {
  const directory = join(process.cwd(), ASSETS_DIRECTORY);
  const names: string[] = Object.values(JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')));
  return names.map(
    (name) =>
      new aws.s3.BucketObjectv2(
        `Asset-${name}`,
        { bucket: bucket.name, key: objects.asset(name), source: new $util.asset.FileAsset(join(directory, name)) },
        { retainOnDelete: true },
      ),
  );
}
