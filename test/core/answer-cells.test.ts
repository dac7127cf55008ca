/** What the counters of answers weigh: items of DynamoDB have at most 400 KB, and a write is billed by their size. */
import { describe, expect, test } from 'vitest';
import { chooseGroup, chooseGroups, nameRankCell } from '#core/counts/cells.ts';
import { shortName } from '#core/schema/schema.ts';
import type { QuestionType } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';

const id = (): string => crypto.randomUUID();
const at = '2026-05-01T12:00:00.000Z';

/** A form whose questions all have a number of choices. */
function formOf(type: QuestionType, questionCount: number, choiceCount: number): Structure {
  const newChoices = () => Array.from({ length: choiceCount }, (_, index) => ({ id: id(), name: `choice ${index}` }));
  const questions = Array.from({ length: questionCount }, () => ({
    ...{ id: id(), required: false, type, title: 'Which?', description: null, createdAt: at, updatedAt: at },
    choices: newChoices(),
  }));
  const sections = [{ id: id(), description: null, questions, createdAt: at, updatedAt: at }];
  return { formId: id(), version: 1, nodes: [], sections, removed: [] };
}

/** The bytes of the cells of each group, when a million responses select every choice. */
function groupBytes(structure: Structure): number[] {
  const groups = chooseGroups(structure);
  const bytes = new Map<string, number>();
  const million = 1_000_000;
  for (const { id: questionId, type, choices = [] } of structure.sections.flatMap(({ questions }) => questions)) {
    const names = choices.flatMap((each) =>
      type === 'RANKING' ? [shortName(each.id), nameRankCell(each.id)] : [shortName(each.id)],
    );
    const row = JSON.stringify({ [shortName(questionId)]: Object.fromEntries(names.map((name) => [name, million])) });
    const group = chooseGroup(shortName(questionId), groups);
    bytes.set(group, (bytes.get(group) ?? 0) + row.length);
  }
  return [...bytes.values()];
}

describe('the counters of answers', () => {
  test('fit their items with 300 questions of 200 choices, and 500 of 20, that are ranked', () => {
    expect(Math.max(...groupBytes(formOf('RANKING', 300, 200)))).toBeLessThan(300_000);
    expect(Math.max(...groupBytes(formOf('RANKING', 500, 20)))).toBeLessThan(100_000);
  });

  test('of a form with 60 questions of 5 choices have a few KB, in two groups', () => {
    const bytes = groupBytes(formOf('SINGLE_CHOICE', 60, 5));
    expect(bytes.length).toBeLessThanOrEqual(2);
    expect(Math.max(...bytes)).toBeLessThan(6_000);
  });

  test('do not share names within a question or a form', () => {
    const names = Array.from({ length: 20_000 }, () => shortName(id()));
    expect(new Set(names).size).toBe(names.length);
  });
});
