/** Which questions of a section are the rows of one table, for respondents, authors and reviewers alike. */
import { expect, test } from 'vitest';
import { findTables } from '#core/pages/fields/grid-groups.ts';
import type { Question } from '#core/structure/question-model.ts';
import { question } from '#test/support/workflow.ts';

const SCALE = { scale: { minVal: 1, maxVal: 3 } };
const first = (name: string): Question => question(name, 'LINEAR_SCALE', SCALE);
const row = (name: string, changes: Partial<Question> = {}): Question =>
  question(name, 'LINEAR_SCALE', { ...SCALE, grid: true, ...changes });
const tablesOf = (questions: readonly Question[]): string[][] =>
  [...new Set(findTables(questions).values())].map((table) => table.map(({ title }) => title));
const titles = (...names: string[]): string[] => names.map((name) => question(name).title);

test('a row continues the table of the question above, if both offer the same', () => {
  const questions = [first('a'), row('b'), row('c'), row('d', { scale: { minVal: 0, maxVal: 3 } })];
  expect(tablesOf(questions)).toEqual([titles('a', 'b', 'c')]);
  expect(tablesOf([row('a'), first('b'), row('c')])).toEqual([titles('b', 'c')]);
});

test('a hidden question is in no table and ends none', () => {
  expect(tablesOf([row('a'), row('b', { hidden: true }), row('c')])).toEqual([titles('a', 'c')]);
});

test('a question alone is no table', () => {
  expect(tablesOf([row('a')])).toEqual([]);
});
