/** What tests do in the nightly run only, with the environment variable `NIGHTLY=true`. */

export const IS_NIGHTLY = process.env.NIGHTLY === 'true';

/** How often a property is tried, in every run and in the nightly one. */
export const tries = (everyRun: number, nightly: number): number => (IS_NIGHTLY ? nightly : everyRun);
