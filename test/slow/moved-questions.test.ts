/**
 * Questions that are moved between submissions: an answer counts if the section in which its question was at the
 * submission is on the path of the response, and everything that shows or counts answers agrees on that.
 */
import { describe, expect, test } from 'vitest';
import { CHANGES, parseCounterState } from '#core/counts/counters.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { filledRows } from '#stacks/local/sheets/spreadsheet.ts';
import { choiceCounts, repairCounts } from '#test/support/counts.ts';
import { type Person, person } from '#test/support/fixtures.ts';
import { mailsTo, ownSes } from '#test/support/mail.ts';
import { fillIn, pagesOf } from '#test/support/pages.ts';
import {
  branchedForm,
  castAt,
  choice,
  pass,
  preview,
  readQuestion,
  readTable,
  respond,
  save,
  sent,
  start,
  submit,
  text,
} from '#test/support/responses.ts';
import { addressOf, ownSheets, setSpreadsheet } from '#test/support/sheets.ts';
import { runSweep } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = await castAt();
const ownMail = ownSes();
const sheets = ownSheets();
const NAMES = ['Vermilion', 'Turquoise'];
const short = { type: 'SHORT_TEXT' } as const;
const colour = { type: 'SINGLE_CHOICE', title: 'Which?', choices: NAMES.map((name) => ({ name })) } as const;
const SECTIONS = ['first', 'yes', 'no', 'last'] as const;
type SectionName = (typeof SECTIONS)[number];

type Form = Awaited<ReturnType<typeof formWith>>;

/** A form first → yes or no → last that asks for a colour in a section, which is highlighted, mailed and in a sheet. */
async function formWith(at: SectionName) {
  const { alice, slug } = cast;
  const sections = { first: [short], yes: [short], no: [short], last: [short] };
  const branched = await branchedForm({ person: alice, slug }, { ...sections, [at]: [short, colour] });
  const { formId, asked } = branched;
  const colourId = branched[at][1] ?? '';
  const question = await readQuestion(alice, formId, colourId);
  const spreadsheetId = `moves-${formId}`;
  await setSpreadsheet(alice, formId, addressOf(spreadsheetId));
  await alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true } });
  await alice.client.forms.setHighlight({ params: { formId }, body: { questionId: colourId } });
  const select = (name: string) => sent(colourId, 'SINGLE_CHOICE', [choice(question, name)]);
  const sectionIds = Object.fromEntries(SECTIONS.map((name, index) => [name, branched.sectionIds[index] ?? '']));
  return { formId, asked, colourId, select, spreadsheetId, sectionIds, choiceIds: question.choices ?? [] };
}

type Step = SectionName | 'top' | 'removed' | 'restored';
type Edit = (form: Form, step: Step) => Promise<void>;

/** Where the colour is, and where a step puts it: at the end of a section or at the top of its own. */
async function findPlaces({ formId, colourId, sectionIds }: Form, step: Step) {
  const listed = (await cast.bob.client.sections.listSections({ params: { formId } })).body;
  const { section } = listed.find(({ questions }) => questions?.some(({ id }) => id === colourId)) ?? {};
  const from = section?.id ?? '';
  const sectionId = step === 'top' ? from : (Object.entries(sectionIds).find(([name]) => name === step)?.[1] ?? '');
  const questions = listed.find((each) => each.section.id === sectionId)?.questions ?? [];
  const after = step === 'top' ? null : (questions.findLast(({ id }) => id !== colourId)?.id ?? null);
  return { from, to: { sectionId, after } };
}

/** Moves the colour in the published form, or removes it. */
const edit: Edit = async (form, step) => {
  const { questions } = cast.bob.client;
  const { from, to } = await findPlaces(form, step);
  const params = { sectionId: from, questionId: form.colourId };
  if (step === 'removed') await questions.deleteQuestion({ params });
  else await questions.moveQuestion({ params, body: to });
};

/** Moves or removes the colour on its page, or restores the first version of the form, and publishes that change. */
const publishEdit: Edit = async (form, step) => {
  const { formId, colourId } = form;
  const { bob } = cast;
  const [build, pages] = [`/build/${formId}`, pagesOf(bob)];
  const press = async () => {
    if (step === 'removed') return pages.post(`${build}/q/${colourId}/delete`);
    if (step === 'restored') {
      const versions = (await bob.client.forms.listVersions({ params: { formId } })).body;
      return fillIn(bob, `${build}/versions/${versions.at(-1)?.version}`, [], 'restore');
    }
    const { sectionId, after } = (await findPlaces(form, step)).to;
    const fields = { place: `${sectionId}:${after ?? ''}`, do: 'move' };
    return pages.post(`${build}/q/${colourId}`, Object.entries(fields));
  };
  const before = await findPlaces(form, 'top');
  expect((await press()).status).toBe(303);
  expect(await findPlaces(form, 'top')).toEqual(before);
  const published = await fillIn(bob, `${build}/changes`, [], 'publish');
  expect(published.headers.get('location')).toContain('done=changesPublished');
};

/** The colours that each view counts, with what was submitted by each person. */
async function views(form: Form, responses: readonly { by: Person; id: string }[]) {
  const { formId, colourId, spreadsheetId, choiceIds } = form;
  const { client } = cast.alice;
  const params = { formId };
  const only = (has: (name: string) => boolean) => NAMES.filter(has);
  const optionOf = (name: string) => choiceIds.find((each) => each.name === name)?.id ?? '';
  const isSelected = async (name: string) => {
    const body = { filters: [{ questionId: colourId, answers: [{ option: optionOf(name) }] }] };
    return (await client.responses.filterResponses({ params, body })).body.responses.length;
  };
  const selected = await Promise.all(NAMES.map(isSelected));
  const viewId = (await client.views.createView({ params })).body.id;
  const { answers: distinct } = (
    await client.views.listDistinctAnswers({
      params: { formId, viewId, questionId: colourId },
      body: { filters: [] },
    })
  ).body;
  const previews = await Promise.all(responses.map(({ by, id }) => preview(by, formId, id)));
  const inPreviews = previews.flatMap(({ sections }) =>
    sections
      .filter(({ progress }) => progress === 'COMPLETED')
      .flatMap(({ answerDetails }) => answerDetails.map(({ payload }) => payload?.displayValue)),
  );
  const { rows } = await readTable(cast.alice, formId, [colourId]);
  const inTable = rows.map(({ answers }) => answers[colourId]?.displayValue);
  const file = await client.exports.downloadTable({ params, body: { questionIds: [colourId] } });
  const inExport = valuesOf(sheetOf(await open(fileOf(file))), 4).map((row) => row[3]);
  const inSheet = filledRows(sheets().api.spreadsheet(spreadsheetId)).flat();
  const mails = responses.map(({ by }) =>
    mailsTo(ownMail(), by)
      .map((mail) => mail.text)
      .join(),
  );
  const highlighted = (await client.forms.getHighlight({ params })).body;
  return {
    preview: only((name) => inPreviews.includes(name)),
    table: only((name) => inTable.includes(name)),
    export: only((name) => inExport.includes(name)),
    filter: NAMES.filter((_, index) => selected[index] === 1),
    distinct: only((name) => distinct.some(({ displayValue }) => displayValue === name)),
    sheet: only((name) => inSheet.includes(name)),
    mail: only((name) => mails.some((mail) => mail.includes(name))),
    // A removed question is no longer highlighted.
    ...(highlighted.questionId && {
      highlight: highlighted.choices.filter(({ count }) => count === 1).map(({ name }) => name),
    }),
    counters: await counted(form),
  };
}

/** The colours that the counters count. */
async function counted({ formId, colourId, choiceIds }: Form): Promise<string[]> {
  const ids = choiceIds.map(({ id }) => id);
  const counts = await choiceCounts(formId, colourId, ids);
  return choiceIds.filter((_, index) => counts[index] === 1).map(({ name }) => name);
}

/** Counts a form again, although nothing that counts has changed. */
async function recount({ formId }: Form): Promise<void> {
  const key = keys.counters(formId, 0);
  const readEpoch = async () => parseCounterState((await app().table.read([key]))[0] ?? key).epoch;
  await repairCounts();
  await app().table.write([{ update: key, add: { [CHANGES]: 1 } }]);
  const before = await readEpoch();
  await repairCounts(2);
  expect(await readEpoch()).toBeGreaterThan(before);
}

const inAll = (names: string[], highlight = true) => ({
  ...Object.fromEntries(
    ['preview', 'table', 'export', 'filter', 'distinct', 'sheet', 'mail', 'counters'].map((view) => [view, names]),
  ),
  ...(highlight && { highlight: names }),
});

/**
 * Both respondents take the way through `yes`. One submits before the steps, the other afterwards a draft that had an answer
 * before them. Returns what the views count, also after the steps of `later`.
 */
async function countAround(by: Edit, steps: readonly Step[], later: readonly Step[] = []) {
  const form = await formWith('first');
  const [early, late] = [await person('early'), await person('late')];
  const answersOf = (name: string) => [text(form.asked, 'yes'), form.select(name)];
  const before = await respond(early, form.formId, answersOf('Vermilion'));
  const draft = await start(late, form.formId, answersOf('Turquoise'));
  await deliverStream({ only: ['tally'] });
  for (const step of steps) await by(form, step);
  pass(60);
  await submit(late, draft);
  for (const step of later) await by(form, step);
  await deliverStream();
  await runSweep();
  const responses = [
    { by: early, id: before },
    { by: late, id: draft },
  ];
  const shown = await views(form, responses);
  await recount(form);
  return { shown, recounted: await counted(form) };
}

const MOVES: [string, Step[], boolean][] = [
  ['within its section', ['top'], true],
  ['to another section on the path', ['last'], true],
  ['to another branch', ['no'], false],
  ['to another branch and back', ['no', 'first'], true],
  ['to the path and then to another branch', ['yes', 'no'], false],
  ['to another branch, and is then removed', ['no', 'removed'], false],
  ['to another section on the path, and is then removed', ['last', 'removed'], true],
];

describe.each([
  ['live', edit],
  ['in changes that are published', publishEdit],
] as const)('a question moved %s', (_how, by) => {
  test.each(MOVES)('%s counts as where it was at each submission', async (_name, steps, countsAfter) => {
    const expected = countsAfter ? NAMES : NAMES.slice(0, 1);
    expect(await countAround(by, steps)).toEqual({
      shown: inAll(expected, !steps.includes('removed')),
      recounted: expected,
    });
  });
});

// Where it was at the submission counts: before the version was restored, on another branch.
test.each<[string, Step[], Step[], boolean]>([
  ['moved to another branch before a submission, and restored before it', ['no', 'restored'], [], true],
  ['moved to another branch before a submission, and restored after it', ['no'], ['restored'], false],
  ['moved to the path before a submission, and restored after it', ['last'], ['restored'], true],
  ['removed before a submission, and restored after it', ['removed'], ['restored'], true],
])('a question %s by a version counts as where it was', async (_name, steps, later, countsAfter) => {
  const expected = countsAfter ? NAMES : NAMES.slice(0, 1);
  expect(await countAround(publishEdit, steps, later)).toEqual({
    // The highlight comes back with its question.
    shown: inAll(expected),
    recounted: expected,
  });
});

test('an unused answer on another branch does not start to count when its question is moved to the path', async () => {
  const form = await formWith('no');
  const early = await person('early');
  const id = await start(early, form.formId, [text(form.asked, 'not yet'), form.select('Vermilion')]);
  await save(early, id, [text(form.asked, 'yes')]);
  await submit(early, id);
  await edit(form, 'first');
  await deliverStream();
  await runSweep();
  expect(await views(form, [{ by: early, id }])).toEqual(inAll([]));
});

test('a submitted response that is edited follows the form as it is then', async () => {
  const form = await formWith('first');
  const early = await person('early');
  await cast.alice.client.forms.updateForm({ params: { formId: form.formId }, body: { allowEditResponse: true } });
  const id = await respond(early, form.formId, [text(form.asked, 'yes'), form.select('Vermilion')]);
  await edit(form, 'no');
  await save(early, id, [text(form.asked, 'yes')]);
  expect((await readTable(cast.alice, form.formId, [form.colourId])).rows[0]?.answers[form.colourId]).not.toBeNull();
  await save(early, id, [text(form.asked, 'yes!')]);
  await deliverStream();
  await runSweep();
  expect(await views(form, [{ by: early, id }])).toEqual(inAll([]));
});
