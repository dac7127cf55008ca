/**
 * Questions that were moved: any sequence of edits is stored version by version, and for a submitted response each of
 * its answers counts exactly if it counted when it was submitted.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractContent } from '#core/definitions/content.ts';
import { hashQuestion } from '#core/pages/builder/content-hash.ts';
import { countedAnswers } from '#core/responses/answers.ts';
import { newResponse, saveAnswers } from '#core/responses/edits.ts';
import type { Answer, Response } from '#core/responses/model.ts';
import { buildPreview, listAnsweredSections } from '#core/responses/preview.ts';
import { presentSection } from '#core/structure/documents.ts';
import { copyQuestion, deleteQuestion, replaceQuestion } from '#core/structure/questions.ts';
import { recordMoves } from '#core/structure/service.ts';
import { findPlacement, findQuestion, type Structure, sectionAt } from '#core/structure/structure.ts';
import { deleteNode } from '#core/structure/workflow-edits.ts';
import { answersInTable, listColumns } from '#core/table/table.ts';
import { content, form, id, LATER, NOW, question, section } from '#test/support/workflow.ts';

const SECTIONS = ['a', 'b', 'c'];
const QUESTIONS = ['p', 'q', 'r', 's'];
/** a (p, q) → b (r) → c (s) → end; everything but s has answers. */
const start = form('a', [
  section('a', 'b', [question('p'), question('q')]),
  section('b', 'c', [question('r')]),
  section('c', 'end', [question('s')]),
]);
const answered = new Set(['p', 'q', 'r'].map(id));

type Edit =
  | { do: 'move'; question: string; to: string }
  | { do: 'remove'; question: string }
  | { do: 'replace'; question: string }
  | { do: 'remove section'; section: string };

/** The structure after an edit; one that is not possible any more changes nothing but the version. */
function edited(structure: Structure, edit: Edit): Structure {
  if (edit.do === 'remove section') {
    const exists = structure.nodes.some((node) => node.id === id(edit.section));
    return exists ? deleteNode(structure, answered, id(edit.section), LATER) : structure;
  }
  const placed = findQuestion(structure, id(edit.question));
  if (!placed) return structure;
  const names = { sectionId: placed.section.id, questionId: id(edit.question) };
  if (edit.do === 'remove') return deleteQuestion(structure, answered, { ...names, now: LATER });
  if (edit.do === 'replace') {
    const input = { type: 'SHORT_TEXT' as const, required: false, title: 'new', description: null, order: 1 };
    return replaceQuestion(structure, answered, { ...names, input, now: LATER, newId: () => id('new') });
  }
  if (!structure.sections.some((each) => each.id === id(edit.to))) return structure;
  const sections = structure.sections.map((each) => {
    const questions = each.questions.filter(({ id }) => id !== names.questionId);
    return { ...each, questions: each.id === id(edit.to) ? [...questions, placed.question] : questions };
  });
  return { ...structure, sections };
}

/** Stores an edit as the next version. */
const stored = (structure: Structure, edit: Edit): Structure =>
  recordMoves({ structure, answered }, { ...edited(structure, edit), version: structure.version + 1 });

/** The structures of all versions, the first one included. */
function history(edits: readonly Edit[]): Structure[] {
  const versions = [start];
  for (const edit of edits) versions.push(stored(last(versions), edit));
  return versions;
}
const last = (versions: readonly Structure[]): Structure => versions.at(-1) ?? start;

const move = (name: string, to: string): Edit => ({ do: 'move', question: name, to });
const anyQuestion = fc.constantFrom(...QUESTIONS);
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(anyQuestion, fc.constantFrom(...SECTIONS)).map(([name, to]) => move(name, to)) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), question: anyQuestion }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const), question: anyQuestion }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('remove section' as const), section: fc.constantFrom(...SECTIONS) }),
  },
);
const anyHistory = fc.array(anyEdit, { maxLength: 12 }).map(history);

const answer = (name: string): Answer => ({ ...content(`${name}!`), createdAt: NOW, updatedAt: NOW });

/** A response that answers some questions, submitted on a path at a version. */
const submitted = (names: readonly string[], path: readonly string[], structureVersion: number): Response => ({
  ...newResponse(id('resp'), id('form'), id('user'), NOW),
  answers: Object.fromEntries(names.map((name) => [id(name), answer(name)])),
  progress: 'SUBMITTED',
  submittedAt: NOW,
  path: path.map(id),
  structureVersion,
});

/** The questions whose answers each view counts; `counts` decides alone for filters, distinct answers and highlights. */
function views(response: Response, structure: Structure): Record<string, string[]> {
  const current = { response, structure };
  const named = (ids: readonly string[]) => QUESTIONS.filter((name) => ids.includes(id(name)));
  const counts = countedAnswers(current);
  const columns = listColumns(structure);
  const answers = answersInTable(response, structure, columns);
  return {
    counts: QUESTIONS.filter((name) => counts(id(name))),
    table: named(columns.flatMap((column, index) => (answers[index] ? [column.id] : []))),
    mail: named(
      listAnsweredSections(current).flatMap(({ questions }) =>
        questions.flatMap(({ question, answer }) => (answer ? [question.id] : [])),
      ),
    ),
    preview: named(
      buildPreview(current, undefined)
        .sections.filter(({ progress }) => progress === 'COMPLETED')
        .flatMap(({ answerDetails }) => answerDetails.flatMap((each) => (each.payload ? [each.question.id] : []))),
    ),
  };
}
const inAll = (names: string[]) => ({ counts: names, table: names, mail: names, preview: names });

test('the placement of an answered question says where it was in every version', () => {
  fc.assert(
    fc.property(anyHistory, (versions) => {
      for (const earlier of versions) {
        for (const questionId of answered) {
          const then = findQuestion(earlier, questionId)?.section.id;
          const placement = findPlacement(last(versions), questionId);
          if (then) expect(placement && sectionAt(placement, earlier.version)).toBe(then);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('what counted when a response was submitted counts for good, in all views, and nothing else', () => {
  const any = fc.record({
    versions: anyHistory,
    at: fc.nat(),
    names: fc.subarray(['p', 'q', 'r']),
    path: fc.subarray(SECTIONS),
  });
  fc.assert(
    fc.property(any, ({ versions, at, names, path }) => {
      const then = versions[at % versions.length] ?? start;
      const onPath = (name: string) => path.map(id).includes(findQuestion(then, id(name))?.section.id ?? '');
      // Questions that were removed before the submission count by the section in which they were last.
      const existing = names.filter((name) => findQuestion(then, id(name)));
      const response = submitted(existing, path, then.version);
      expect(views(response, last(versions))).toEqual(inAll(existing.filter(onPath)));
    }),
    { numRuns: 300 },
  );
});

test('an edit of an answer changes what counts nowhere', () => {
  const any = fc.record({ versions: anyHistory, at: fc.nat(), path: fc.subarray(SECTIONS) });
  let edits = 0;
  fc.assert(
    fc.property(any, ({ versions, at, path }) => {
      const then = versions[at % versions.length] ?? start;
      const now = last(versions);
      const names = ['p', 'q', 'r'].filter((name) => findQuestion(then, id(name)));
      const response = { ...submitted(names, path, then.version), progress: 'SUBMITTED' as const };
      const before = views(response, now);
      for (const name of before.counts ?? []) {
        if (!findQuestion(now, id(name))) continue;
        const input = { questionId: id(name), questionType: 'SHORT_TEXT' as const, value: 'another' };
        const edited = saveAnswers({ response, structure: now }, [input], '2026-05-02T12:00:00.000Z');
        expect(edited.answers[id(name)]?.value).toBe('another');
        expect(views(edited, now)).toEqual(before);
        edits += 1;
      }
    }),
    { numRuns: 300 },
  );
  expect(edits).toBeGreaterThan(100);
});

describe('an answered question that is moved', () => {
  test.each<[string, Edit[], { before: string[]; after: string[] }]>([
    ['to a section on the path', [move('p', 'b')], { before: ['p', 'q', 'r'], after: ['p', 'q', 'r'] }],
    ['to a section off the path', [move('p', 'c')], { before: ['p', 'q', 'r'], after: ['q', 'r'] }],
    ['away and back', [move('p', 'c'), move('p', 'a')], { before: ['p', 'q', 'r'], after: ['p', 'q', 'r'] }],
    ['twice', [move('p', 'b'), move('p', 'c')], { before: ['p', 'q', 'r'], after: ['q', 'r'] }],
    [
      'away, and is then removed',
      [move('p', 'c'), { do: 'remove', question: 'p' }],
      { before: ['p', 'q', 'r'], after: ['q', 'r'] },
    ],
    [
      'out of a section that is then removed',
      [move('p', 'c'), { do: 'remove section', section: 'a' }],
      { before: ['p', 'q', 'r'], after: ['q', 'r'] },
    ],
    [
      'to a section that is then removed',
      [move('p', 'c'), { do: 'remove section', section: 'c' }],
      { before: ['p', 'q', 'r'], after: ['q', 'r'] },
    ],
  ])('%s counts as it did in each submission', (_, edits, { before, after }) => {
    const now = last(history(edits));
    const names = ['p', 'q', 'r'];
    expect(views(submitted(names, ['a', 'b'], start.version), now)).toEqual(inAll(before));
    expect(views(submitted(names, ['a', 'b'], now.version), now)).toEqual(inAll(after));
  });

  test('from another branch does not start to count', () => {
    const now = last(history([move('r', 'a')]));
    expect(views(submitted(['p', 'r'], ['a'], start.version), now)).toEqual(inAll(['p']));
    expect(views(submitted(['p', 'r'], ['a'], now.version), now)).toEqual(inAll(['p', 'r']));
  });

  test('is shown in the section in which it was, after the questions that are still there', () => {
    const now = last(history([move('p', 'b')]));
    const shown = buildPreview({ response: submitted(['p'], ['a'], start.version), structure: now }, undefined);
    const [first, second] = shown.sections;
    expect(first?.answerDetails.map(({ question }) => question.title)).toEqual(['q', 'p']);
    expect(second?.answerDetails.map(({ question }) => question.title)).toEqual(['r']);
  });

  test('counts in a draft as the form is now', () => {
    const { path: _path, structureVersion: _version, ...rest } = submitted(['p'], [], 1);
    const draft: Response = { ...rest, progress: 'DRAFT', submittedAt: null };
    const away = last(history([move('p', 'c'), { do: 'remove section', section: 'b' }]));
    expect(countedAnswers({ response: draft, structure: start })(id('p'))).toBeDefined();
    expect(countedAnswers({ response: draft, structure: away })(id('p'))).toBeUndefined();
  });
});

describe('moves', () => {
  const moved = last(history([move('p', 'b'), move('s', 'a'), { do: 'replace', question: 'p' }]));

  test('are kept of answered questions only', () => {
    expect(findQuestion(moved, id('p'))?.question.moves).toEqual([{ from: id('a'), version: 2 }]);
    expect(findQuestion(moved, id('s'))?.question).not.toHaveProperty('moves');
  });

  test('do not change the hash of a question, so that nobody who edits it meanwhile is stopped', () => {
    const hashIn = (structure: Structure) => {
      const found = findQuestion(structure, id('p'))?.question;
      return found && hashQuestion(found);
    };
    expect(hashIn(start)).toBeDefined();
    expect(hashIn(last(history([move('p', 'b')])))).toBe(hashIn(start));
  });

  test('are in no document of the API, no definition and no copy', () => {
    const documents = moved.sections.map((each) => presentSection(moved, each));
    const views = { formId: id('form'), version: 1, views: [] };
    const definition = extractContent({ structure: moved, highlight: undefined, views });
    expect(JSON.stringify([documents, definition])).not.toContain('moves');
    const names = { sectionId: id('b'), questionId: id('p') };
    const copied = copyQuestion(moved, names, { copyId: id('copy'), newId: () => id('new'), now: LATER });
    const next = recordMoves({ structure: moved, answered }, { ...copied, version: 5 });
    expect(findQuestion(next, id('copy'))?.question).not.toHaveProperty('moves');
    expect(findQuestion(next, id('p'))?.question.moves).toHaveLength(1);
  });
});
