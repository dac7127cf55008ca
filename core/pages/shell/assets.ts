/**
 * Static assets: files with content hashes in their names, built by `stacks/build/assets.ts` into `dist/assets`, whose
 * manifest maps each name to the built one.
 */
import { readFileSync } from 'node:fs';

/** Relative to the directory in which a function starts: the project, or the unpacked function. */
export const ASSETS_DIRECTORY = 'dist/assets';

let manifest: Record<string, string> | undefined;

/** Reads the names of all built assets by their plain names. */
export function assetNames(): Record<string, string> {
  manifest ??= JSON.parse(readFileSync(`${ASSETS_DIRECTORY}/manifest.json`, 'utf8')) as Record<string, string>;
  return manifest;
}

/** Builds the address of an asset by its plain name, such as `style.css`. Throws for an unknown one. */
export function assetUrl(name: string): string {
  const builtName = assetNames()[name];
  if (builtName === undefined)
    throw new Error(`${name} is not in ${ASSETS_DIRECTORY}: run node stacks/build/assets.ts`);
  return `/assets/${builtName}`;
}
