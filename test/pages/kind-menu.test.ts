/** The menu of kinds of questions: what finds a kind, and which comes first. */
import { describe, expect, test } from 'vitest';
import { KIND_WORDS } from '#core/pages/builder/kind-words.ts';
import { rankEntry } from '#core/pages/builder/search-rank.ts';
import { questionsEn } from '#core/pages/text/questions-en.ts';
import { questionsZhTw } from '#core/pages/text/questions-zh-tw.ts';

/** The names of what is found in a language, the best first. */
function find({ types, create, presets }: typeof questionsEn | typeof questionsZhTw, typed: string): string[] {
  const kinds = Object.entries(KIND_WORDS).map(([kind, words]) => {
    const hint: string = Reflect.get(create.typeHints, kind) ?? '';
    const name: string = Reflect.get(types, kind) ?? Reflect.get(presets, kind).name;
    return { name, rank: rankEntry({ name, others: `${hint} ${words}` }, typed) };
  });
  const found = kinds.flatMap(({ name, rank }) => (rank === undefined ? [] : [{ name, rank }]));
  return found.toSorted((a, b) => a.rank - b.rank).map(({ name }) => name);
}

test('the exact name is first, then names that begin so, names that have it, other words', () => {
  const entry = { name: 'Drop-down list', others: 'One of several, select' };
  const typed = ['drop-down list', 'DROPDOWN', 'down list', 'list select', 'Ｓelect', 'selected'];
  expect(typed.map((text) => rankEntry(entry, text))).toEqual([0, 1, 2, 3, 3, undefined]);
});

describe('what people type', () => {
  test.for([
    ['email', 'E-mail address'],
    ['dropdown', 'Drop-down list'],
    ['paragraph', 'Long text'],
    ['number', 'Number'],
    ['likert', 'Agreement scale'],
    ['checkbox', 'Multiple choice'],
    ['radio', 'Single choice'],
    ['file', 'Files'],
    ['signature', 'Declaration'],
    ['下拉', 'Drop-down list'],
  ])('%s finds first %s', ([typed = '', name]) => expect(find(questionsEn, typed)[0]).toBe(name));

  test.for(['grid', 'matrix'])('%s finds what can be rows of a table', (typed) =>
    expect(find(questionsEn, typed)).toEqual(['Single choice', 'Scale', 'Agreement scale']));

  test.for([
    ['email', '電子郵件地址'],
    ['信箱', '電子郵件地址'],
    ['段落', '詳答'],
    ['數字', '數字'],
    ['矩陣', '單選'],
  ])('%s finds first %s in Chinese', ([typed = '', name]) => expect(find(questionsZhTw, typed)[0]).toBe(name));
});
