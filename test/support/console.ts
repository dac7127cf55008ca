/** The log lines of a test file. */
import { afterEach, beforeEach, vi } from 'vitest';

/** Collects what is written to standard output, until mocks are restored. */
export function captureOutput(): string[] {
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text).trimEnd());
    return true;
  });
  return written;
}

/** Suppresses the log lines of expected errors in a test file, and restores all mocks after each test. */
export function muteErrors(): void {
  beforeEach(() => void captureOutput());
  afterEach(() => {
    vi.restoreAllMocks();
  });
}
