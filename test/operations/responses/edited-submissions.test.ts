/** An edit of one answer of a submission hides no other, whatever has become of the form. */
import { describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { parseResponse } from '#core/responses/store.ts';
import { shortName } from '#core/schema/schema.ts';
import { expectProblem } from '#test/support/fixtures.ts';
import { fillIn, pagesOf, textOf } from '#test/support/pages.ts';
import {
  branchedForm,
  castAt,
  clear,
  displays,
  editQuestion,
  pass,
  preview,
  progresses,
  readQuestion,
  readTable,
  respond,
  save,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();
const { alice, dave, slug } = cast;
const kind = (title: string) => ({ type: 'SHORT_TEXT' as const, title });

/**
 * A form that goes from *Which way?*, *Name*, *Size* to *Kept* for "yes" and else to *Other*, and a submission of Dave for "yes" that
 * leaves nothing but *Late* empty.
 */
async function submission() {
  const sections = {
    first: [kind('Which way?'), kind('Name'), kind('Size')],
    yes: [kind('Kept'), kind('Late')],
    no: [kind('Other')],
  };
  const form = await branchedForm({ person: alice, slug }, sections);
  const [, name = '', size = ''] = form.first;
  const [kept = '', late = ''] = form.yes;
  const [other = ''] = form.no;
  const answers = [text(form.asked, 'yes'), text(name, 'Dave'), text(size, '4'), text(kept, 'kept')];
  const responseId = await respond(dave, form.formId, answers);
  const [first = '', yes = '', no = ''] = form.sectionIds;
  const move = (questionId: string, from: string, to: string) =>
    alice.client.questions.moveQuestion({
      params: { sectionId: from, questionId },
      body: { sectionId: to, after: null },
    });
  const row = async () => {
    const { rows } = await readTable(alice, form.formId, [form.asked, name, size, kept, late, other]);
    const answered = rows[0]?.answers ?? {};
    const values = { way: form.asked, name, size, kept, late, other };
    return Object.fromEntries(Object.entries(values).map(([key, id]) => [key, answered[id]?.displayValue ?? null]));
  };
  const stored = async () => {
    const [item] = await app().table.read([keys.response(responseId)]);
    return parseResponse(item);
  };
  return { ...form, name, size, kept, late, other, responseId, first, yes, no, move, row, stored };
}
const SUBMITTED = { way: 'yes', name: 'Dave', size: '4', kept: 'kept', late: null, other: null };

describe('after an answered question has moved to a section off the path', () => {
  test('an edit of another answer leaves it in the table and the preview', async () => {
    const { formId, responseId, name, size, first, no, move, row } = await submission();
    await move(size, first, no);
    await save(dave, responseId, [text(name, 'David')]);
    expect(await row()).toEqual({ ...SUBMITTED, name: 'David' });
    expect(displays(await preview(dave, formId, responseId))[size]).toBe('4');
  });

  test('its respondent corrects and takes back that answer, too', async () => {
    const { responseId, size, first, no, move, row } = await submission();
    await move(size, first, no);
    await save(dave, responseId, [text(size, '5')]);
    expect(await row()).toEqual({ ...SUBMITTED, size: '5' });
    await clear(dave, responseId, size);
    expect(await row()).toEqual({ ...SUBMITTED, size: null });
  });

  test('pages offer it where it was, and nothing that was not asked', async () => {
    const { formId, responseId, asked, size, other, first, no, move, row } = await submission();
    pass(1);
    await respond(alice, formId, [text(asked, 'no'), text(other, 'asked')]);
    await move(size, first, no);
    await move(other, no, first);
    const pages = pagesOf(dave);
    const section = `/r/${responseId}/s/${first}`;
    const shown = textOf(await pages.show(section));
    for (const title of ['Which way?', 'Name', 'Size']) expect(shown).toContain(title);
    expect(shown).not.toContain('Other');
    await fillIn(dave, section, [
      [`q.${size}`, '6'],
      ['do', 'next'],
    ]);
    expect(await row()).toEqual({ ...SUBMITTED, size: '6' });
    const inOther = expectProblem(save(dave, responseId, [text(other, 'not asked')]));
    expect(await inOther).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0' }] });
  });

  test('a change of the answer that a condition reads finds the path again', async () => {
    const { formId, responseId, asked, size, first, yes, move, row } = await submission();
    await move(size, first, yes);
    await save(dave, responseId, [text(asked, 'no')]);
    expect(await row()).toEqual({ way: 'no', name: 'Dave', size: null, kept: null, late: null, other: null });
    expect(progresses(await preview(dave, formId, responseId)).at(-1)).toBe('SKIPPED');
    await save(dave, responseId, [text(asked, 'yes')]);
    expect(await row()).toEqual(SUBMITTED);
  });
});

test('a question that has become required is asked of who edits, where it was asked before', async () => {
  const { formId, responseId, name, late, row } = await submission();
  await editQuestion(alice, await readQuestion(alice, formId, late), { required: true });
  const refused = await expectProblem(save(dave, responseId, [text(name, 'David')]));
  expect(refused).toMatchObject({ status: 400, errors: [{ pointer: `/answers/${late}` }] });
  await save(dave, responseId, [text(name, 'David'), text(late, 'now')]);
  expect(await row()).toEqual({ ...SUBMITTED, name: 'David', late: 'now' });
});

test('what is stored as asked without an answer follows the edits', async () => {
  const { responseId, late, kept, stored } = await submission();
  const before = await stored();
  expect(before?.unanswered).toEqual([shortName(late)]);
  await save(dave, responseId, [text(late, 'now')]);
  expect((await stored())?.unanswered).toEqual([]);
  await clear(dave, responseId, kept);
  const after = await stored();
  expect(after?.unanswered).toEqual([shortName(kept)]);
  expect([after?.path, after?.structureVersion]).toEqual([before?.path, before?.structureVersion]);
});
