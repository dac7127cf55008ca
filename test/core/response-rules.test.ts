/**
 * Which changes of a response are allowed when the form is closed, and the two exceptions. What a form allows while it is
 * open, for drafts and submitted responses, is compared with a model in `response-laws.test.ts`.
 */
import { describe, expect, test } from 'vitest';
import type { Gate } from '#core/forms/gate.ts';
import { answerLookup, requireComplete } from '#core/responses/answers.ts';
import { allowedEdit, type Exceptions, type OpenedResponse } from '#core/responses/change.ts';
import { cancel, newResponse, removeFile, saveAnswers, setAnswer, submit } from '#core/responses/edits.ts';
import type { AnswerInput, Response } from '#core/responses/model.ts';
import { attachedFiles } from '#core/structure/types/upload-file.ts';
import { content, form, id, LATER, NOW, outcomeOf, question, section } from '#test/support/workflow.ts';
import { openGate } from './response-model.ts';

/** A rule of a response, as the operations have them. */
type Decide = (current: OpenedResponse, now: string) => Response;

const FILE = { fileId: id('file'), originalFilename: 'a.pdf', contentType: 'application/pdf', size: 10 };
const structure = form('a', [section('a', 'end', [question('q'), question('f', 'UPLOAD_FILE', { required: false })])]);
const open = openGate;
const locked: Gate = { ...open, allowEditResponse: false };
const closed: Gate = { ...open, deadline: NOW };

const text = (value: string): AnswerInput[] => [{ questionId: id('q'), questionType: 'SHORT_TEXT', value }];
const attach = (response: Response): Response =>
  setAnswer({ response, structure }, id('f'), content([FILE], 'UPLOAD_FILE'), NOW);
const draft = attach(
  saveAnswers({ response: newResponse(id('r'), id('form'), id('user'), NOW), structure }, text('x'), NOW),
);
const submitted = requireComplete({ response: submit(draft, NOW), structure });

const change = (response: Response, gate: Gate, decide: Decide, exceptions: Exceptions = {}) =>
  outcomeOf(() => {
    const current = { response, structure, gate, answered: new Set<string>() };
    const edit = (opened: OpenedResponse, now: string) => ({ next: decide(opened, now) });
    return allowedEdit(current, edit, new Date(LATER), exceptions).next;
  });
const saving =
  (value: string): Decide =>
  (current, now) =>
    saveAnswers(current, text(value), now);
const submitting: Decide = (current, now) => submit(saveAnswers(current, text('y'), now), now);
const cancelling: Decide = ({ response }, now) => cancel(response, now);
const removing: Decide = (current, now) => removeFile(current, FILE.fileId, now);

test.each<[string, Response, Gate, Decide, number | Response['progress']]>([
  ['a submitted response loses no file without allowEditResponse', submitted, locked, removing, 403],
  ['what was sent is judged before it is refused', submitted, locked, saving('x'.repeat(501)), 400],
  ['a closed form accepts no answer', draft, closed, saving('y'), 400],
  ['a closed form accepts no submit', draft, closed, submitting, 400],
  ['a closed form accepts no cancel', submitted, closed, cancelling, 400],
  ['a closed form accepts what changes nothing', submitted, closed, saving('x'), 'SUBMITTED'],
])('%s', (_, response, gate, decide, expected) => {
  const outcome = change(response, gate, decide);
  expect('value' in outcome ? outcome.value.progress : outcome.status).toBe(expected);
});

test('a closed form is reported instead of whatever else is wrong', () => {
  expect(change(draft, closed, saving('x'.repeat(501)))).toEqual(change(draft, closed, saving('y')));
});

test('a change that changes nothing returns the same response', () => {
  expect(change(submitted, closed, saving('x'))).toEqual({ value: submitted });
  const outcome = change(submitted, locked, saving('x'));
  expect('value' in outcome && outcome.value).toBe(submitted);
});

describe('exceptions', () => {
  const filesOf = (response: Response) => attachedFiles(answerLookup(response.answers)(id('f')));

  test.each([open, locked, closed])('an administrator deletes a file at any time, and the path stays', (gate) => {
    const outcome = change(submitted, gate, removing, { administrator: true });
    if (!('value' in outcome)) throw new Error(`refused with ${outcome.status}`);
    expect(outcome.value).toMatchObject({ progress: 'SUBMITTED', path: submitted.path });
    expect(filesOf(outcome.value)).toEqual([]);
  });

  test('uploads begun in time are completed after the form has closed, if they only add files', () => {
    const without = removeFile({ response: draft, structure }, FILE.fileId, NOW);
    const adding: Decide = ({ response }) => attach(response);
    expect(change(without, closed, adding)).toMatchObject({ status: 400 });
    expect(change(without, closed, adding, { completesUploads: true })).toMatchObject({ value: draft });
    expect(change(draft, closed, removing, { completesUploads: true })).toMatchObject({ status: 400 });
    const submittedWithout = removeFile({ response: submitted, structure }, FILE.fileId, NOW);
    const lockedAndClosed = { ...locked, deadline: NOW };
    expect(change(submittedWithout, lockedAndClosed, adding, { completesUploads: true })).toMatchObject({
      status: 403,
    });
  });
});
