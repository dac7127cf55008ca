/** Limits that a stage sets itself, for the deployment and for what `docs` says about them. */

/** Requests per second of the whole API, and how many may arrive at once; beyond them the API responds with 429. */
export const RATE_LIMIT = 500;
export const BURST_LIMIT = 1_000;

/** Batches of one shard of the stream that a worker handles at once; changes of one item stay in order. */
export const PARALLEL_BATCHES = 4;
