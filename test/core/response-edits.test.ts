/** Answers that are saved again: what changes nothing, and the texts of other choices that other answers took over. */
import { describe, expect, test } from 'vitest';
import { requireComplete } from '#core/responses/answers.ts';
import { clearAnswer, newResponse, saveAnswers, submit } from '#core/responses/edits.ts';
import type { AnswerInput, Response } from '#core/responses/model.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import { displayValue } from '#core/structure/types/types.ts';
import { content, form, id, LATER, NOW, question, section } from '#test/support/workflow.ts';
import { chosen, pointersOf, text } from './response-model.ts';

const empty = newResponse(id('r'), id('form'), id('user'), NOW);
const save = (response: Response, inputs: AnswerInput[], structure: Structure, now = NOW): Response =>
  saveAnswers({ response, structure }, inputs, now);
const complete = (response: Response, structure: Structure): Response =>
  requireComplete({ response: submit(response, LATER), structure });

describe('a submitted response', () => {
  const pick = question('pick', 'SINGLE_CHOICE');
  const structure = form('a', [section('a', 'end', [pick, question('note', 'SHORT_TEXT', { required: false })])]);
  const without = form('a', [
    section('a', 'end', [
      { ...pick, choices: (pick.choices ?? []).slice(1) },
      question('note', 'SHORT_TEXT', { required: false }),
    ]),
  ]);
  const stored = [chosen('pick', 'SINGLE_CHOICE', 'pick1')];
  const submitted = complete(save(empty, stored, structure), structure);

  test('accepts what changes nothing although its choice was removed or its section is off the path now', () => {
    const away = form('b', [section('b', 'end'), section('a', 'end', [pick])]);
    for (const edited of [without, away]) expect(save(submitted, stored, edited, LATER)).toBe(submitted);
    expect(save(submitted, [...stored, text('note', ' ')], without, LATER)).toBe(submitted);
  });

  test('has everything else of a request judged, and a draft also what it repeats', () => {
    const pointers = (inputs: AnswerInput[], response = submitted) =>
      pointersOf(() => save(response, inputs, without, LATER));
    expect(pointers([...stored, text('note', 'new')])).toEqual(['/body/answers/0/value/0']);
    expect(pointersOf(() => save(submitted, stored, form('a', [section('a', 'end')]), LATER))).toEqual([
      '/body/answers/0/questionId',
    ]);
    expect(pointers([...stored, ...stored])).toContain('/body/answers/1/questionId');
    expect(pointers([...stored, text('none', '')])).toContain('/body/answers/1/questionId');
    expect(pointers([...stored, { ...text('note', ''), questionType: 'LONG_TEXT' }])).toContain(
      '/body/answers/1/questionType',
    );
    expect(pointers([...stored, { ...text('note', ''), otherText: 'x' }])).toContain('/body/answers/1/otherText');
    expect(pointers(stored, { ...submitted, progress: 'DRAFT', submittedAt: null })).toEqual([
      '/body/answers/0/value/0',
    ]);
  });
});

describe('the text of an other choice', () => {
  const other = { id: id('o'), name: 'Else', isOther: true };
  const source = question('s', 'MULTIPLE_CHOICE', { choices: [{ id: id('x'), name: 'X' }, other] });
  const sourced = (name: string, type: Question['type'], sourceId: string): Question => {
    const { choices: _, ...rest } = question(name, type, { sourceId: id(sourceId) });
    return rest;
  };
  const structureWith = (first: Question) =>
    form('a', [section('a', 'end', [first, sourced('b', 'RANKING', 's'), sourced('c', 'DROPDOWN', 'b')])]);
  const structure = structureWith(source);
  const picks = (otherText?: string): AnswerInput => ({
    ...chosen('s', 'MULTIPLE_CHOICE', 'o', 'x'),
    ...(otherText && { otherText }),
  });
  const all = (otherText?: string) => [
    picks(otherText),
    chosen('b', 'RANKING', 'x', 'o'),
    chosen('c', 'DROPDOWN', 'o'),
  ];
  const shown = ({ answers }: Response) =>
    ['s', 'b', 'c'].map((name) => displayValue(answers[id(name)] ?? content('')));
  const first = save(empty, all('Tea'), structure);

  test('is followed by the answers that took it over, along the chain, and only their names change', () => {
    expect(shown(first)).toEqual(['Tea, X', 'X > Tea', 'Tea']);
    for (const inputs of [[picks('Beer')], all('Beer'), all('Beer').toReversed()]) {
      const corrected = save(first, inputs, structure, LATER);
      expect(shown(corrected)).toEqual(['Beer, X', 'X > Beer', 'Beer']);
      expect(corrected.answers[id('s')]).toMatchObject({ otherText: 'Beer', updatedAt: LATER });
      for (const name of ['b', 'c']) {
        expect(corrected.answers[id(name)]).toMatchObject({ createdAt: NOW, updatedAt: NOW });
      }
    }
  });

  test('is followed when it is taken away, when it comes back, and after its answer was cleared', () => {
    const named = save(first, [picks()], structure, LATER);
    expect(shown(named)).toEqual(['Else, X', 'X > Else', 'Else']);
    expect(shown(save(named, [picks('Beer')], structure, LATER))).toEqual(['Beer, X', 'X > Beer', 'Beer']);
    const cleared = clearAnswer({ response: first, structure }, id('s'), LATER);
    expect(shown(save(cleared, [picks()], structure, LATER))).toEqual(['Else, X', 'X > Else', 'Else']);
    const emptied = save(first, [{ ...picks(), value: [] }], structure, LATER);
    expect(shown(save(emptied, [picks('Beer')], structure, LATER))).toEqual(['Beer, X', 'X > Beer', 'Beer']);
  });

  test('keeps the names of choices that an editor has renamed since', () => {
    const renamed = structureWith({
      ...source,
      choices: [
        { id: id('x'), name: 'Y' },
        { ...other, name: 'Something' },
      ],
    });
    expect(save(first, all('Tea'), renamed, LATER)).toBe(first);
    expect(shown(save(first, [picks('Beer')], renamed, LATER))).toEqual(['Beer, Y', 'X > Beer', 'Beer']);
    const named = save(empty, all(), structure);
    expect(shown(save(named, all(), renamed, LATER))).toEqual(['Else, X', 'X > Else', 'Else']);
  });
});
