/**
 * How fast the XLSX writer is and how much memory it takes, beside the floor: the XML of a sheet by hand without cell
 * references into node:zlib level 1. Every case runs in a process of its own.
 * Run by hand: `node test/bench/xlsx.bench.ts [runs]`; the budgets are ratios in one run, not figures.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { createGzip, type ZlibOptions } from 'node:zlib';
import { writeXlsx } from '#core/exports/xlsx.ts';
import type { Cell } from '#core/exports/xlsx-cells.ts';
import type { Column } from '#core/exports/xlsx-parts.ts';

const COLUMNS = 30;
const SIZES = [100_000, 500_000];
const CHUNK_BYTES = 65_536;
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);
const WORDS = 'form answer 問卷 survey tea & coffee quite often <never> 很好 blue 42 maybe next time'.split(' ');

// As roomy as the writer's own stream, so that the floor overlaps rendering with compressing as well.
const FLOOR_OPTIONS: ZlibOptions & { highWaterMark: number } = {
  level: 1,
  chunkSize: 65_536,
  highWaterMark: 1_048_576,
};

type Result = { rowsPerSecond: number; peakMb: number; fileMb: number };

const columns: Column[] = Array.from({ length: COLUMNS }, (_, i) => ({ title: `Question ${i + 1}` }));

/** Texts of every length, made before the clock starts, so that making rows costs little beside writing them. */
const TEXTS = Array.from({ length: 4_099 }, (_, seed) =>
  Array.from({ length: 2 + (seed % 14) }, (_, i) => WORDS[(seed + i * i) % WORDS.length]).join(' '),
);
const MAILS = Array.from({ length: 9_973 }, (_, i) => `person${i}@example.org`);

/** One row of mixed answers, the same in every run. */
function row(index: number): Cell[] {
  const cells: Cell[] = [`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`];
  for (let column = 1; column < COLUMNS; column += 1) cells.push(answer(column % 6, index * 31 + column * 7));
  return cells;
}

function answer(kind: number, seed: number): Cell {
  if (kind === 1) return { date: new Date(START_MS + (seed % 50_000_000) * 1_000), format: 'datetime' };
  if (kind === 2) return seed % 11;
  if (kind === 3 && seed % 5 === 0) return null;
  return (kind === 4 ? MAILS[seed % MAILS.length] : TEXTS[seed % TEXTS.length]) ?? null;
}

function* rows(count: number): Generator<Cell[]> {
  for (let i = 0; i < count; i += 1) yield row(i);
}

/** The least that any writer must do. */
async function floor(count: number, path: string): Promise<void> {
  const gzip = createGzip(FLOOR_OPTIONS);
  const written = pipeline(gzip, createWriteStream(path));
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let used = chunk.write('<worksheet><sheetData>');
  for (const cells of rows(count)) {
    const xml = `<row>${cells.map(floorCell).join('')}</row>`;
    if (used + xml.length * 3 > CHUNK_BYTES) {
      if (!gzip.write(chunk.subarray(0, used))) await once(gzip, 'drain');
      await setImmediate();
      chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      used = 0;
    }
    used += chunk.write(xml, used);
  }
  gzip.end(`${chunk.toString('utf8', 0, used)}</sheetData></worksheet>`);
  await written;
}

function floorCell(cell: Cell): string {
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  if (typeof cell === 'string') {
    const text = /[&<>]/.test(cell) ? cell.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : cell;
    return `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  }
  if (cell === null) return '<c/>';
  if ('link' in cell) return floorCell(cell.text);
  return `<c s="1"><v>${Number(cell.date) / DAY_MS + 25_569}</v></c>`;
}

const WRITERS: Record<string, (count: number, path: string) => Promise<void>> = {
  floor,
  writeXlsx: (count, path) =>
    pipeline(
      writeXlsx({ columns, rows: rows(count), title: 'Bench', createdAt: new Date(START_MS) }),
      createWriteStream(path),
    ),
};

// V8 lets the young generation grow with the time that a process runs, whatever lives in it; held still, what is left
// to see is the writer's own memory.
const STILL = ['--max-semi-space-size=4'];
const CASES: { label: string; writer: string; flags: string[] }[] = [
  { label: 'floor', writer: 'floor', flags: [] },
  { label: 'writeXlsx', writer: 'writeXlsx', flags: [] },
  { label: `floor ${STILL}`, writer: 'floor', flags: STILL },
  { label: `writeXlsx ${STILL}`, writer: 'writeXlsx', flags: STILL },
];

/** Runs one case in this process and prints its result as JSON. */
async function runCase(name: string, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'xlsx-bench-'));
  const path = join(folder, 'out');
  const started = performance.now();
  await WRITERS[name]?.(count, path);
  const seconds = (performance.now() - started) / 1_000;
  const result: Result = {
    rowsPerSecond: Math.round(count / seconds),
    peakMb: Math.round(process.resourceUsage().maxRSS / 1_024),
    fileMb: Math.round(statSync(path).size / 1e5) / 10,
  };
  rmSync(folder, { recursive: true });
  console.log(JSON.stringify(result));
}

/** Runs every case in turn, so that a slow spell of the machine hits all of them, and prints the best of each. */
function runAll(runs: number): void {
  const table: Record<string, Result & { ofFloor: string }> = {};
  for (const count of SIZES) {
    const best = new Map<string, Result>();
    for (let run = 0; run < runs; run += 1) {
      for (const { label, writer, flags } of CASES) {
        const result = runApart(flags, writer, count);
        const before = best.get(label);
        if (!before || result.rowsPerSecond > before.rowsPerSecond) best.set(label, result);
      }
    }
    for (const [label, result] of best) {
      const floorSpeed = best.get(label.replace('writeXlsx', 'floor'))?.rowsPerSecond ?? Number.NaN;
      table[`${count} × ${COLUMNS} ${label}`] = { ...result, ofFloor: (result.rowsPerSecond / floorSpeed).toFixed(2) };
    }
  }
  console.table(table);
}

function runApart(flags: string[], writer: string, count: number): Result {
  const script = [...flags, import.meta.filename, writer, String(count)];
  return JSON.parse(execFileSync(process.execPath, script, { encoding: 'utf8' }));
}

const [first = '2', count] = process.argv.slice(2);
if (count === undefined) runAll(Number(first));
else await runCase(first, Number(count));
