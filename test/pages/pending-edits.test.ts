/**
 * Edits of a submitted response that lead to further questions: they wait beside the submission, and are sent together, once; nobody
 * else sees them, and nothing of them is lost.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { measureCost } from '#test/support/cost.ts';
import { beforeFirstWrite, losingResponses, withTable } from '#test/support/faults.ts';
import { type Cast, expectProblem, newCast, type QuestionKind } from '#test/support/fixtures.ts';
import { withLaggingIndex } from '#test/support/lagging-index.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import {
  branchedForm,
  cancel,
  choice,
  displays,
  preview,
  readQuestion,
  readTable,
  respond,
  save,
  sent,
  submit,
  text,
} from '#test/support/responses.ts';
import { sweepIn } from '#test/support/sweeps.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const PASSED = '2026-01-01T00:00:00.000Z';
const NAME: QuestionKind = { type: 'SHORT_TEXT', title: 'Name' };
const REASON: QuestionKind = { type: 'SHORT_TEXT', title: 'Why not?', required: true };

type Options = { no?: QuestionKind[]; last?: QuestionKind[] };

/**
 * A submission of dave's that says "yes"; "no" would lead to the section of `no`. `change` posts the first section, `answer` that of
 * "no", with the button that continues unless another is named.
 */
async function submission({ no = [REASON], last = [] }: Options = {}) {
  const first = [{ type: 'SHORT_TEXT' as const, title: 'Do you come?' }, NAME];
  const person = { person: cast.alice, slug: cast.slug };
  const form = await branchedForm(person, { first, yes: [], no, last }, undefined, { allowEditResponse: true });
  const [asked = '', name = ''] = form.first;
  const responseId = await respond(cast.dave, form.formId, [text(asked, 'yes'), text(name, 'Dave')]);
  const path = `/r/${responseId}`;
  const [firstId = '', , noId = ''] = form.sectionIds;
  const pages = pagesOf(cast.dave);
  const post = async (sectionId: string, [name, value]: [string, string], button = 'next') => {
    const page = `${path}/s/${sectionId}`;
    const shown = fieldsOf(await pages.show(page)).filter(([key]) => key !== name);
    return pages.post(page, [...shown, [name, value], ['do', button]]);
  };
  const press = async (button: string, page?: string) =>
    pages.post(`${path}/change`, [...fieldsOf(page ?? (await pages.show(`${path}/change`))), ['do', button]]);
  return {
    ...{ ...form, ...pages, asked, name, reason: form.no[0] ?? '', responseId, path, firstId, noId, press },
    params: { responseId },
    change: (answer = 'no', button?: string) => post(firstId, [`q.${asked}`, answer], button),
    rename: (value: string) => post(firstId, [`q.${name}`, value]),
    answer: (value: string, button?: string) => post(noId, [`q.${form.no[0]}`, value], button),
    stored: async () => displays(await preview(cast.bob, form.formId, responseId)),
    waiting: async () => (await app().table.read([keys.pendingEdit(responseId)]))[0],
  };
}

type Submission = Awaited<ReturnType<typeof submission>>;

const location = (response: Response): [number, string | null] => [response.status, response.headers.get('location')];

/** Saves the answer to the first question like the scripts of the page. */
async function typeAnswer({ path, firstId, asked, show }: Submission, value: string) {
  const page = `${path}/s/${firstId}`;
  const stamp = /name="(s\.[^"]+)" value="([^"]*)"/g;
  const stamps = [...(await show(page)).matchAll(stamp)].map(([, key = '', hash = '']): [string, string] => [
    key,
    hash,
  ]);
  const response = await pagesOf(cast.dave, { accept: 'application/json' }).post(page, [
    ...stamps.filter(([key]) => key === `s.${asked}`),
    [`q.${asked}`, value],
    ['do', 'save'],
  ]);
  return (await response.json()) as { pending?: true; questions: object; problem?: string };
}

describe('a change that leads to a required question', () => {
  test('waits, is answered, and is stored in one write', async () => {
    const found = await submission();
    const { path, noId, firstId, show, stored, asked, reason } = found;
    expect(location(await found.change())).toEqual([303, `${path}/s/${noId}`]);
    expect((await stored())[asked]).toBe('yes');
    const [row] = (await readTable(cast.bob, found.formId, [asked])).rows;
    expect(row?.answers[asked]?.displayValue).toBe('yes');
    // The page goes on from the changed answer, and says that it is not sent.
    expect(await show(`${path}/s/${firstId}`)).toContain('value="no"');
    expect(textOf(await show(`${path}/s/${noId}`))).toContain('are not sent yet');
    expect(textOf(await show(`${path}/done`))).toContain('Your changes are not sent yet');
    expect(location(await found.answer('I am away'))).toEqual([303, `${path}/done?done=saved`]);
    expect(await stored()).toMatchObject({ [asked]: 'no', [reason]: 'I am away' });
    expect(await found.waiting()).toBeUndefined();
    expect(textOf(await show(`${path}/done?done=saved`))).not.toContain('not sent yet');
    expect(location(await found.get(`${path}/change`))).toEqual([303, path]);
  });

  test('asks for what is missing, and is sent by its own page after the rest was saved without Continue', async () => {
    const found = await submission();
    const { path, noId, show, reason } = found;
    await found.change();
    const asking = textOf(await show(`${path}/change`));
    expect(asking).toContain('These questions have to be answered before you can send your changes: Why not?');
    expect(await show(`${path}/change`)).toContain(`href="${path}/s/${noId}"`);
    await found.answer('I am away', 'back');
    expect((await found.stored())[reason] ?? null).toBeNull();
    const complete = await show(`${path}/change`);
    expect(textOf(complete)).toMatch(
      /Do you come\? Changed to no Submitted yes .*Why not\? Changed to I am away Submitted No answer/,
    );
    expect(location(await found.press('send', complete))).toEqual([303, `${path}/done?done=saved`]);
    // Pressed again, or with the page that somebody came back to.
    expect(location(await found.press('send', complete))).toEqual([303, `${path}/done?done=saved`]);
    expect(await found.stored()).toMatchObject({ [found.asked]: 'no', [reason]: 'I am away' });
  });

  test('is nothing any more once it was changed back', async () => {
    const found = await submission();
    await found.change();
    expect(await found.waiting()).toBeDefined();
    expect(location(await found.change('yes'))).toEqual([303, `${found.path}/done?done=saved`]);
    expect(await found.waiting()).toBeUndefined();
    expect(textOf(await found.show(`${found.path}/done`))).not.toContain('not sent yet');
  });

  test('takes along what is changed after it, and is discarded with it', async () => {
    const found = await submission();
    await found.change();
    await found.rename('David');
    expect((await found.stored())[found.name]).toBe('Dave');
    expect(location(await found.press('discard'))).toEqual([303, `${found.path}/done?done=discarded`]);
    expect(textOf(await found.show(`${found.path}/done?done=discarded`))).toContain('Your changes were discarded.');
    expect([(await found.stored())[found.name], await found.waiting()]).toEqual(['Dave', undefined]);
    // Without anything that waits, a change is stored at once, as before.
    await found.rename('Dan');
    expect((await found.stored())[found.name]).toBe('Dan');
  });

  test('is not sent while an answer on the page is not valid', async () => {
    const found = await submission({
      no: [
        { ...REASON, type: 'HYPERLINK' },
        { ...NAME, title: 'Else' },
      ],
    });
    await found.change();
    await found.answer('https://example.org', 'back');
    const refused = await found.answer('not a link');
    expect(refused.status).toBe(400);
    expect((await found.stored())[found.asked]).toBe('yes');
    expect(location(await found.answer('https://example.org/2'))).toEqual([303, `${found.path}/done?done=saved`]);
  });

  test('of which the reply was lost is kept once', async () => {
    const found = await submission();
    const page = `${found.path}/s/${found.firstId}`;
    const fields: [string, string][] = [
      ...fieldsOf(await found.show(page)).filter(([key]) => key !== `q.${found.asked}`),
    ];
    const send = () => found.post(page, [...fields, [`q.${found.asked}`, 'no'], ['do', 'next']]);
    await withTable(losingResponses(1), send).catch(() => undefined);
    expect(location(await send())).toEqual([303, `${found.path}/s/${found.noId}`]);
    expect(location(await found.answer('I am away'))).toEqual([303, `${found.path}/done?done=saved`]);
  });

  test.for<[string, QuestionKind]>([
    [
      'a file',
      { type: 'UPLOAD_FILE', uploadFile: { allowedFileTypes: ['PNG'], maxFileAmount: 1, maxFileSizeLimit: 9 } },
    ],
    ['a connected account', { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE' }],
  ])('that asks for %s is refused, with the way out', async ([, kind]) => {
    const found = await submission({ no: [{ ...kind, title: 'Proof', required: true }] });
    const refused = await found.change();
    expect(refused.status).toBe(400);
    const page = await refused.text();
    expect(textOf(page)).toContain('these questions in other sections would have to be answered too: Proof');
    expect(page).toContain(`href="${found.path}/withdraw"`);
    expect(page).toContain('value="no"');
    expect(await found.waiting()).toBeUndefined();
  });

  test('offers a file that is optional once it is sent', async () => {
    const uploadFile = { allowedFileTypes: ['PNG' as const], maxFileAmount: 1, maxFileSizeLimit: 1_000 };
    const found = await submission({ no: [REASON, { type: 'UPLOAD_FILE', title: 'Proof', uploadFile }] });
    await found.change();
    const page = await found.show(`${found.path}/s/${found.noId}`);
    expect(page).not.toContain('type="file"');
    expect(textOf(page)).toContain('You can add this once your changes are sent.');
    await found.answer('I am away');
    expect(await found.show(`${found.path}/s/${found.noId}`)).toContain('type="file"');
  });

  test('is still refused by the API, which can send all at once', async () => {
    const found = await submission();
    const refused = await expectProblem(save(cast.dave, found.responseId, [text(found.asked, 'no')]));
    expect(refused).toMatchObject({ status: 400, code: 'response_incomplete' });
    expect(await found.waiting()).toBeUndefined();
  });
});

describe('while one types', () => {
  test('the change waits, and the page is told; it is not sent by itself when it is complete', async () => {
    const found = await submission({ no: [{ ...REASON, required: true }] });
    expect(await typeAnswer(found, 'no')).toMatchObject({ pending: true });
    await found.answer('I am away', 'back');
    expect(await typeAnswer(found, 'nobody')).toMatchObject({ pending: true });
    expect((await found.stored())[found.asked]).toBe('yes');
    expect(await typeAnswer(found, 'yes')).toMatchObject({ pending: true });
    // The answer behind the branch is left; it goes with the edit or is discarded.
    await found.press('discard');
    expect(await typeAnswer(found, 'yes')).not.toHaveProperty('pending');
  });

  test('an answer that was typed in another tab is not overwritten', async () => {
    const found = await submission();
    const page = `${found.path}/s/${found.firstId}`;
    const opened = fieldsOf(await found.show(page)).filter(([key]) => key !== `q.${found.asked}`);
    await found.change('no');
    const other = await found.post(page, [...opened, [`q.${found.asked}`, 'not me'], ['do', 'next']]);
    expect(other.status).toBe(400);
    expect(textOf(await other.text())).toMatch(/another tab|elsewhere|other device/);
  });
});

describe('a response that changes while an edit of it waits', () => {
  test('keeps both: the edit is sent only after its respondent has seen them', async () => {
    const found = await submission();
    await found.change();
    await save(cast.dave, found.responseId, [text(found.name, 'David')]);
    expect(location(await found.answer('I am away'))).toEqual([303, `${found.path}/change`]);
    expect((await found.stored())[found.asked]).toBe('yes');
    const page = await found.show(`${found.path}/change`);
    expect(textOf(page)).toContain('The response itself has changed since you began.');
    // It changes again before the button is pressed.
    await save(cast.dave, found.responseId, [text(found.name, 'Dan')]);
    expect(location(await found.press('send', page))).toEqual([303, `${found.path}/change`]);
    expect(location(await found.press('send'))).toEqual([303, `${found.path}/done?done=saved`]);
    expect(await found.stored()).toMatchObject({ [found.asked]: 'no', [found.name]: 'Dan' });
  });

  test('is not overwritten by a change that comes between reading and writing', async () => {
    const found = await submission();
    await found.change();
    const sending = () => found.answer('I am away');
    const sent = await beforeFirstWrite(sending, () => save(cast.dave, found.responseId, [text(found.name, 'David')]));
    expect(location(sent)).toEqual([303, `${found.path}/change`]);
    expect(await found.stored()).toMatchObject({ [found.asked]: 'yes', [found.name]: 'David' });
  });

  test('loses the edit when it is withdrawn, as the page says before', async () => {
    const found = await submission();
    await found.change();
    expect(textOf(await found.show(`${found.path}/withdraw`))).toContain(
      'Changes that you have not sent are discarded.',
    );
    await cancel(cast.dave, found.responseId);
    expect(await found.waiting()).toBeUndefined();
    await submit(cast.dave, found.responseId);
    expect(await found.show(`${found.path}/s/${found.firstId}`)).toContain('value="yes"');
  });

  test('ignores what is left over from an earlier submission, and replaces it', async () => {
    const found = await submission();
    await found.change();
    const left = await found.waiting();
    await cancel(cast.dave, found.responseId);
    await submit(cast.dave, found.responseId);
    await app().table.write([{ put: left ?? keys.pendingEdit(found.responseId) }]);
    expect(await found.show(`${found.path}/s/${found.firstId}`)).toContain('value="yes"');
    expect(location(await found.change())).toEqual([303, `${found.path}/s/${found.noId}`]);
    expect(location(await found.answer('I am away'))).toEqual([303, `${found.path}/done?done=saved`]);
  });

  test('has nothing of an edit that was kept at the moment at which it was withdrawn', async () => {
    const found = await submission();
    const kept = await beforeFirstWrite(
      () => found.change(),
      () => cancel(cast.dave, found.responseId),
    );
    // The response is a draft now, which takes the answer itself.
    expect(kept.status).toBe(303);
    expect([(await found.stored())[found.asked], await found.waiting()]).toEqual(['no', undefined]);
  });

  test('leaves nothing when it is deleted', async () => {
    const found = await submission();
    await found.change();
    await cast.alice.client.responses.deleteResponse({
      params: { formId: found.formId, responseId: found.responseId },
    });
    await sweepIn(1);
    expect(await found.waiting()).toBeUndefined();
    expect((await found.get(`${found.path}/change`)).status).toBe(404);
  });
});

describe('a form', () => {
  test('that is closed shows what waits, and takes it when it is open again', async () => {
    const found = await submission();
    await found.change();
    await found.answer('I am away', 'back');
    const page = await found.show(`${found.path}/change`);
    const section = `${found.path}/s/${found.noId}`;
    const typed = fieldsOf(await found.show(section)).filter(([key]) => key !== `q.${found.reason}`);
    const params = { formId: found.formId };
    await cast.alice.client.forms.updateForm({ params, body: { deadline: PASSED } });
    const closed = await found.show(`${found.path}/change`);
    expect(textOf(closed)).toMatch(/They cannot be sent any more\..*Changed to I am away/);
    expect(closed).not.toContain('value="send"');
    expect(location(await found.press('send', page))).toEqual([303, `${found.path}/change`]);
    const late = await found.post(section, [...typed, [`q.${found.reason}`, 'I am ill'], ['do', 'back']]);
    expect([late.status, textOf(await late.text())]).toEqual([400, expect.stringContaining('closed')]);
    expect(textOf(await found.show(`${found.path}/change`))).toContain('Changed to I am away');
    await cast.alice.client.forms.updateForm({ params, body: { deadline: null } });
    await found.press('send', page);
    expect((await found.stored())[found.asked]).toBe('no');
  });

  test('that loses a question meanwhile drops its answer from the edit', async () => {
    const found = await submission({ last: [{ ...NAME, title: 'Remark' }] });
    await found.change();
    const remark = found.last[0] ?? '';
    await found.postSection(`${found.path}/s/${found.sectionIds[3]}`, [
      [`q.${remark}`, 'Hello'],
      ['do', 'back'],
    ]);
    await cast.alice.client.questions.deleteQuestion({
      params: { sectionId: found.sectionIds[3] ?? '', questionId: remark },
    });
    expect(location(await found.answer('I am away'))).toEqual([303, `${found.path}/done?done=saved`]);
    expect((await found.stored())[found.asked]).toBe('no');
  });

  test('that has no place left for the edit says so, and keeps it', async () => {
    const courses = [{ name: 'Yoga', limit: 1 }, { name: 'Judo' }];
    const found = await submission({
      no: [{ type: 'SINGLE_CHOICE', title: 'Course', required: true, choices: courses }],
    });
    const course = await readQuestion(cast.alice, found.formId, found.reason);
    await found.change();
    await found.answer(choice(course, 'Yoga'), 'back');
    await respond(cast.erin, found.formId, [
      text(found.asked, 'no'),
      sent(course.id, 'SINGLE_CHOICE', [choice(course, 'Yoga')]),
    ]);
    const refused = await found.press('send');
    expect(location(refused)).toEqual([303, `${found.path}/change?full`]);
    expect(textOf(await found.show(`${found.path}/change?full`))).toContain('has no place left');
    expect((await found.stored())[found.asked]).toBe('yes');
    await found.answer(choice(course, 'Judo'));
    expect((await found.stored())[found.asked]).toBe('no');
  });

  test('that forbids edits meanwhile takes none', async () => {
    const found = await submission();
    await found.change();
    await cast.alice.client.forms.updateForm({ params: { formId: found.formId }, body: { allowEditResponse: false } });
    expect(location(await found.press('send', ''))).toEqual([303, `${found.path}/done?done=saved`]);
    expect((await found.stored())[found.asked]).toBe('yes');
  });
});

test('nobody else finds the edit', async () => {
  const found = await submission();
  await found.change();
  for (const other of [cast.erin, cast.bob, cast.alice])
    expect((await pagesOf(other).get(`${found.path}/change`)).status).toBeGreaterThanOrEqual(403);
});

test('a section of a submission reads one unit more than that of a draft, and a withdrawal one more once its form had such an edit', async () => {
  const found = await submission();
  const page = `${found.path}/s/${found.firstId}`;
  // The first request caches the questions.
  await found.show(page);
  const costOf = async (run: () => Promise<unknown>) => {
    const { calls, capacityUnits } = (await measureCost(run)).cost;
    return { calls, capacityUnits };
  };
  const section = () => costOf(() => found.show(page));
  const withdrawal = () => costOf(() => cancel(cast.dave, found.responseId));
  const before = { submitted: await section(), withdrawal: await withdrawal(), draft: await section() };
  await submit(cast.dave, found.responseId);
  await found.change();
  await found.press('discard');
  expect(await found.waiting()).toBeUndefined();
  const more = ({ calls, capacityUnits }: typeof before.draft) => ({
    calls: calls + 1,
    capacityUnits: capacityUnits + 1,
  });
  // What the page knows of the form may be older than its first edit.
  expect(before.submitted).toEqual(more(before.draft));
  const after = { submitted: await section(), withdrawal: await withdrawal(), draft: await section() };
  expect(after).toEqual({
    submitted: before.submitted,
    withdrawal: more(before.withdrawal),
    draft: before.draft,
  });
});

test('the first edit of a form is shown at once, although the mark of the form is not seen yet', async () => {
  const found = await submission();
  await withLaggingIndex('stale', async () => {
    expect(location(await found.change())).toEqual([303, `${found.path}/s/${found.noId}`]);
    expect(textOf(await found.show(`${found.path}/s/${found.noId}`))).toContain('are not sent yet');
  });
});

test('two respondents who keep the first edits of a form at once both keep theirs', async () => {
  const found = await submission();
  const other = await respond(cast.erin, found.formId, [text(found.asked, 'yes'), text(found.name, 'Erin')]);
  const pages = pagesOf(cast.erin);
  const page = `/r/${other}/s/${found.firstId}`;
  const fields = fieldsOf(await pages.show(page)).filter(([name]) => name !== `q.${found.asked}`);
  const changeOther = () => pages.post(page, [...fields, [`q.${found.asked}`, 'no'], ['do', 'next']]);
  const kept = await beforeFirstWrite(() => found.change(), changeOther);
  expect(location(kept)).toEqual([303, `${found.path}/s/${found.noId}`]);
  expect(textOf(await pages.show(`/r/${other}/s/${found.noId}`))).toContain('are not sent yet');
  expect(textOf(await found.show(`${found.path}/s/${found.noId}`))).toContain('are not sent yet');
});
