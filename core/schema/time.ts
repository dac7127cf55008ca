/** Times in the two forms that the service stores: ISO texts, and whole seconds for TTLs and JWTs. */

/** Whole seconds since 1970. */
export const epochSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000);

/** The time some seconds after another, as ISO text in UTC. */
export const timeAfter = (time: Date, seconds: number): string =>
  new Date(time.getTime() + seconds * 1_000).toISOString();
