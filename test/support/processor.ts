/** The processor time of work, in units that do not depend on the machine. */
import { randomBytes } from 'node:crypto';

const RUNS = 3;
/** About 10 ms of a processor of 2024 that does nothing else. */
const UNIT_TEXT = JSON.stringify(
  Array.from({ length: 36_000 }, (_, index) => ({ index, text: randomBytes(9).toString('hex') })),
);

/** The processor time that one run takes, in microseconds. */
async function timeOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const unit = () => JSON.stringify(JSON.parse(UNIT_TEXT)).length;

/**
 * The processor time of `run` as a multiple of a piece of work that is done beside it: a slow machine, and one whose
 * processors others share, is slow in both. The least of some pairs; 100 are about a second of a quiet processor.
 */
export async function relativeCost(run: () => unknown, runs = RUNS): Promise<number> {
  const ratios: number[] = [];
  for (let count = 0; count < runs; count += 1) {
    const [before, cost, after] = [await timeOf(unit), await timeOf(run), await timeOf(unit)];
    ratios.push((2 * cost) / (before + after));
  }
  return Math.min(...ratios);
}
