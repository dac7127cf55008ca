/**
 * Runs a job every `ms` milliseconds, never twice at once: a run that takes longer skips the next ones. Failures are
 * logged. Returns a function that ends the repetition and waits for a running job.
 */
export function every(ms: number, name: string, job: () => unknown): () => Promise<void> {
  let running: Promise<unknown> | undefined;
  const run = () =>
    Promise.resolve()
      .then(job)
      .catch((error: unknown) => console.error(`${name} failed:`, error))
      .finally(() => {
        running = undefined;
      });
  const timer = setInterval(() => {
    running ??= run();
  }, ms);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
