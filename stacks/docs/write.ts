/**
 * Writes the generated parts of the documentation, between `<!-- generated: NAME -->` and `<!-- end -->`: `npm run
 * generate`. Parts that need a measurement are written by the benchmarks.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scaleTable } from '#stacks/scale.ts';
import { stageTable, variablesTable } from './configuration.ts';
import { alarmsTable } from './runbook.ts';

const DOCS = join(import.meta.dirname, '../../docs');

/** The generated parts by file and name. */
const PARTS: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'configuration.md': { variables: variablesTable },
  'operate/deploy.md': { settings: stageTable },
  'operate/runbook.md': { alarms: alarmsTable },
  'scale.md': { resources: scaleTable },
};

/** A text with a generated part replaced. Throws when the text has no part of that name. */
function withPart(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- generated: ${name} -->\n`, '\n<!-- end -->'];
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`There is no generated part "${name}"`);
  return text.slice(0, from + start.length) + content + text.slice(to);
}

/** Replaces a generated part of a file in `docs`. */
export function writePart(file: string, name: string, content: string): void {
  const path = join(DOCS, file);
  writeFileSync(path, withPart(readFileSync(path, 'utf8'), name, content));
}

/** The files with generated parts: their text as it is, and as it should be. */
export const generatedDocs = (): { file: string; text: string; current: string }[] =>
  Object.entries(PARTS).map(([file, parts]) => {
    const current = readFileSync(join(DOCS, file), 'utf8');
    const text = Object.entries(parts).reduce((result, [name, make]) => withPart(result, name, make()), current);
    return { file, text, current };
  });

if (process.argv[1] === import.meta.filename) {
  for (const { file, text } of generatedDocs()) writeFileSync(join(DOCS, file), text);
}
