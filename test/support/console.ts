/** The console of a test file. */
import { afterEach, beforeEach, vi } from 'vitest';

/** Suppresses the log lines of expected errors in a test file, and restores all mocks after each test. */
export function muteErrors(): void {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
}
