/** Answers that are stored already: whether a new one equals them, and whether they are still valid for their question. */
import { describe, expect, it } from 'vitest';
import { repeatsAnswer, sameContent, storedFaults } from '#core/responses/answers.ts';
import type { AnswerInput } from '#core/responses/model.ts';
import type { Question, QuestionType } from '#core/structure/question-model.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { namesSameFiles } from '#core/structure/types/upload-file.ts';
import { content, id, question } from '#test/support/workflow.ts';

const FILE = { fileId: id('f1'), originalFilename: 'a.pdf', contentType: 'application/pdf', size: 10 };
const SECOND = { ...FILE, fileId: id('f2') };
const ACCOUNT = { providerId: '7', username: 'dave', email: null, avatar_url: '', avatarUrl: '' };

describe('two answers are the same', () => {
  const value = [id('q1'), id('q2')];
  const answer: AnswerContent = { type: 'MULTIPLE_CHOICE', value, names: ['Red', 'x'], otherText: 'x' };

  it('when only the names of the choices changed since', () => {
    expect(sameContent(answer, { ...answer, names: ['Crimson', 'x'] })).toBe(true);
  });

  it.each<[string, AnswerContent]>([
    ['the selection', { ...answer, value: [id('q1')] }],
    ['the order', { ...answer, value: value.toReversed() }],
    ['the text beside the other choice', { ...answer, otherText: 'y' }],
    ['the type', { ...answer, type: 'RANKING' }],
  ])('unless %s differs', (_, changed) => expect(sameContent(answer, changed)).toBe(false));

  it('whatever the order of the members in a stored profile or file', () => {
    const { fileId, originalFilename, contentType, size } = FILE;
    const reordered = { size, contentType, originalFilename, fileId };
    const files = (all: AnswerContent['value']) => content(all, 'UPLOAD_FILE');
    expect(sameContent(files([FILE]), files([reordered]))).toBe(true);
    expect(sameContent(files([FILE]), files([SECOND]))).toBe(false);
  });
});

describe('a file answer that a submit sends back', () => {
  it.each([
    ['by ids', [id('f2'), id('f1')]],
    ['as the object of files', { files: [{ fileId: id('f1') }, { fileId: id('f2'), size: 10 }] }],
  ])('is the same %s', (_, value) => expect(namesSameFiles(value, [FILE, SECOND])).toBe(true));

  it.each([
    ['one missing', [id('f1')]],
    ['one more', [id('f1'), id('f2'), id('f3')]],
    ['another one', [id('f1'), id('f3')]],
    ['one twice', [id('f1'), id('f1')]],
    ['an id without a list', id('f1')],
    ['a number', 2],
    ['no file', { files: [] }],
  ])('is not the same with %s', (_, value) => expect(namesSameFiles(value, [FILE, SECOND])).toBe(false));
});

describe('an input repeats a stored answer', () => {
  const input = (questionType: QuestionType, value: AnswerInput['value'], otherText?: string): AnswerInput => ({
    questionId: id('q'),
    questionType,
    value,
    ...(otherText === undefined ? {} : { otherText }),
  });
  const chosen: AnswerContent = { type: 'DROPDOWN', value: [id('q1')], names: ['x'], otherText: 'x' };
  const day = content('2026-06-05T00:00:00Z', 'DATE', '2026-06-05');
  const month = content('2026-06-01T00:00:00Z', 'DATE', '2026-06');

  it.each<[AnswerInput, AnswerContent | undefined, boolean]>([
    [input('SHORT_TEXT', 'a'), content('a'), true],
    [input('SHORT_TEXT', 'b'), content('a'), false],
    [input('LONG_TEXT', 'a'), content('a'), false],
    [input('SHORT_TEXT', 'a'), undefined, false],
    [input('SHORT_TEXT', ''), undefined, true],
    [input('SHORT_TEXT', ''), content('a'), false],
    [input('DROPDOWN', [id('q1')], 'x'), chosen, true],
    [input('DROPDOWN', [id('q1')], 'y'), chosen, false],
    [input('DROPDOWN', [id('q1')]), chosen, false],
    [input('DATE', '2026-06-05T00:00:00Z'), day, true],
    [input('DATE', '2026-6-5'), day, true],
    [input('DATE', '2026-06-05T23:30:00+09:00'), day, true],
    [input('DATE', '2026-06-06'), day, false],
    [input('DATE', '2026-06'), month, true],
    [input('DATE', '2026-06-20'), month, true],
    [input('DATE', '2026-07'), month, false],
    [input('UPLOAD_FILE', [id('f2'), id('f1')]), content([FILE, SECOND], 'UPLOAD_FILE'), true],
    [input('UPLOAD_FILE', [id('f2')]), content([FILE, SECOND], 'UPLOAD_FILE'), false],
  ])('%j repeats %j: %j', (given, stored, expected) => expect(repeatsAnswer(given, stored)).toBe(expected));
});

describe('a stored answer stays valid', () => {
  const ofType = (type: QuestionType, more: Partial<Question> = {}) => question('q', type, more);
  const rating = ofType('RATING', { scale: { minVal: 1, maxVal: 5, icon: 'star' } });
  const date = ofType('DATE', { date: { hasYear: true, hasMonth: true, hasDay: true, minDate: '2020-01-01' } });
  const upload = (maxFileAmount: number, maxFileSizeLimit: number, types: ('PDF' | 'PNG')[]) =>
    ofType('UPLOAD_FILE', { uploadFile: { allowedFileTypes: types, maxFileAmount, maxFileSizeLimit } });
  const files = content([FILE, SECOND], 'UPLOAD_FILE');
  const account = content({ provider: 'PROVIDER_ONE', ...ACCOUNT }, 'OAUTH_CONNECT');

  it.each<[string, Question, AnswerContent, number]>([
    ['while its choice is offered', ofType('DROPDOWN'), content([id('q1')], 'DROPDOWN'), 0],
    ['unless its choice was removed', ofType('DROPDOWN'), content([id('q9')], 'DROPDOWN'), 1],
    ['while it is in the range', rating, content(5, 'RATING'), 0],
    ['unless the scale was narrowed', rating, content(9, 'RATING'), 1],
    ['unless the date range was narrowed', date, content('2019-01-01T00:00:00Z', 'DATE'), 1],
    ['unless the question has another type', ofType('RANKING'), content([id('q1')], 'DROPDOWN'), 1],
    ['with files that are allowed', upload(2, 10, ['PDF']), files, 0],
    ['unless fewer files are allowed', upload(1, 10, ['PDF']), files, 1],
    ['unless smaller files are allowed', upload(2, 9, ['PDF']), files, 2],
    ['unless files of other types are allowed', upload(2, 10, ['PNG']), files, 2],
    ['with an account of the provider', ofType('OAUTH_CONNECT', { oauthConnect: 'PROVIDER_ONE' }), account, 0],
    ['unless the question has another provider', ofType('OAUTH_CONNECT', { oauthConnect: 'PROVIDER_TWO' }), account, 1],
  ])('%s', (_, current, answer, count) => {
    const offered = current.choices ?? [];
    expect(storedFaults(current, answer, offered)).toHaveLength(count);
  });
});
