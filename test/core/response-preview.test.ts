/**
 * A response read along its path: its preview and the answers that count, as pure functions. The order of sections and
 * their progress are compared with a model in `response-laws.test.ts`.
 */

import { describe, expect, test } from 'vitest';
import { countedAnswers } from '#core/responses/answers.ts';
import { newResponse } from '#core/responses/edits.ts';
import type { Answer, Response } from '#core/responses/model.ts';
import { buildPreview } from '#core/responses/preview.ts';
import type { RemovedQuestion, Structure } from '#core/structure/structure.ts';
import { condition, content, form, id, NOW, question, section } from '#test/support/workflow.ts';

const optional = { required: false };
/** a (qa) → qa is yes? → b (qb required, ob) or c (oc) → e (no questions) → end; z is linked to nothing. */
const structure = form('a', [
  section('z', undefined, [question('qz')]),
  section('c', 'e', [question('oc', 'SHORT_TEXT', optional)]),
  section('e', 'end'),
  section('b', 'e', [question('qb'), question('ob', 'SHORT_TEXT', optional)]),
  section('a', 'if', [question('qa')]),
  condition('if', { asks: 'qa', pattern: '^yes$' }, 'b', 'c'),
]);

const stored = (value: string): Answer => ({ ...content(value), createdAt: NOW, updatedAt: NOW });
const answering = (byName: Record<string, string>, more: Partial<Response> = {}): Response => ({
  ...newResponse(id('r'), id('form'), id('user'), NOW),
  answers: Object.fromEntries(Object.entries(byName).map(([name, value]) => [id(name), stored(value)])),
  ...more,
});
const progresses = (response: Response) =>
  buildPreview({ response, structure }, undefined).sections.map((each) => [each.title, each.progress]);

describe('the sections of a preview', () => {
  test('are COMPLETED without questions when they are reached, else SKIPPED like any other', () => {
    expect(progresses(answering({ qa: 'no' }))[2]).toEqual(['e', 'COMPLETED']);
    expect(progresses(answering({}))[3]).toEqual(['e', 'SKIPPED']);
  });

  test('are COMPLETED although a required question has no choices to offer, and DRAFT once it has', () => {
    const { choices: _, ...best } = question('best', 'DROPDOWN', { sourceId: id('qs') });
    const source = question('qs', 'MULTIPLE_CHOICE', optional);
    const sourced = form('a', [section('a', 'end', [question('qa'), source, best])]);
    const progress = (byName: Record<string, string>, more: Response['answers'] = {}) => {
      const response = answering(byName);
      const answers = { ...response.answers, ...more };
      return buildPreview({ response: { ...response, answers }, structure: sourced }, undefined).sections[0]?.progress;
    };
    expect(progress({ qa: 'yes' })).toBe('COMPLETED');
    const selected = { ...content([id('qs1')], 'MULTIPLE_CHOICE'), createdAt: NOW, updatedAt: NOW };
    expect(progress({ qa: 'yes' }, { [id('qs')]: selected })).toBe('DRAFT');
  });

  test('show each question in its place, with its answer or null', () => {
    const response = answering({ qa: 'no', qb: 'kept' });
    const [, , , skipped] = buildPreview({ response, structure }, undefined).sections;
    expect(skipped?.answerDetails).toMatchObject([
      {
        question: { id: id('qb'), order: 1, sectionId: id('b') },
        payload: { displayValue: 'kept', responseId: id('r') },
      },
      { question: { id: id('ob'), order: 2 }, payload: null },
    ]);
  });
});

describe('the answers that count', () => {
  const removed = (name: string, sectionName: string): RemovedQuestion => ({
    id: id(name),
    sectionId: id(sectionName),
    title: name,
    type: 'SHORT_TEXT',
    removedAt: NOW,
  });
  const given = { qa: 'no', qb: 'kept', oc: 'x', gone: 'y', away: 'z' };
  const names = ['qa', 'qb', 'oc', 'ob', 'gone', 'away'];
  const countedOf = (response: Response, edited: Structure) => {
    const counted = countedAnswers({ response, structure: edited });
    return names.filter((name) => counted(id(name)) !== undefined);
  };
  const edited = { ...structure, removed: [removed('gone', 'c'), removed('away', 'b')] };

  test('are those on the path, and those to removed questions of its sections', () => {
    expect(countedOf(answering(given), edited)).toEqual(['qa', 'oc', 'gone']);
  });

  test('of a submitted response are those on the path of its submission, whatever the form has become', () => {
    const submitted = answering(given, { progress: 'SUBMITTED', submittedAt: NOW, path: ['a', 'b'].map(id) });
    expect(countedOf(submitted, edited)).toEqual(['qa', 'qb', 'away']);
    expect(
      buildPreview({ response: submitted, structure: edited }, undefined).sections.map(({ title, progress }) => [
        title,
        progress,
      ]),
    ).toEqual([
      ['a', 'COMPLETED'],
      ['b', 'COMPLETED'],
      ['c', 'SKIPPED'],
      ['e', 'SKIPPED'],
      ['z', 'SKIPPED'],
      ['c', 'SKIPPED'],
      ['b', 'COMPLETED'],
    ]);
  });
});
