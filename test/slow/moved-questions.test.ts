/**
 * Questions that are moved between submissions: an answer counts if the section in which its question was at the
 * submission is on the path of the response, and everything that shows or counts answers agrees on that.
 */
import { expect, test } from 'vitest';
import { CHANGES, parseCounterState } from '#core/counts/counters.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { filledRows } from '#stacks/local/sheets/spreadsheet.ts';
import { choiceCounts, repairCounts } from '#test/support/counts.ts';
import { type Person, person } from '#test/support/fixtures.ts';
import { mailsTo, ownSes } from '#test/support/mail.ts';
import {
  branchedForm,
  castAt,
  choice,
  pass,
  preview,
  questionOf,
  respond,
  save,
  sent,
  start,
  submit,
  tableOf,
  text,
} from '#test/support/responses.ts';
import { addressOf, ownSheets, setSpreadsheet } from '#test/support/sheets.ts';
import { runSweep } from '#test/support/sweeps.ts';
import { deliverStream } from '#test/support/workers.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = castAt();
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
  const { alice, slug } = cast();
  const sections = { first: [short], yes: [short], no: [short], last: [short] };
  const branched = await branchedForm({ person: alice, slug }, { ...sections, [at]: [short, colour] });
  const { formId, asked } = branched;
  const colourId = branched[at][1] ?? '';
  const question = await questionOf(alice, formId, colourId);
  const spreadsheetId = `moves-${formId}`;
  await setSpreadsheet(alice, formId, addressOf(spreadsheetId));
  await alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true } });
  await alice.client.forms.setHighlight({ params: { formId }, body: { questionId: colourId } });
  const select = (name: string) => sent(colourId, 'SINGLE_CHOICE', [choice(question, name)]);
  const sectionIds = Object.fromEntries(SECTIONS.map((name, index) => [name, branched.sectionIds[index] ?? '']));
  return { formId, asked, colourId, select, spreadsheetId, sectionIds, choiceIds: question.choices ?? [] };
}

type Step = SectionName | 'top' | 'removed';

/** Moves the colour to the end of a section or to the top of its own, or removes it. */
async function edit({ formId, colourId, sectionIds }: Form, step: Step): Promise<void> {
  const { client } = cast().bob;
  const listed = (await client.sections.listSections({ params: { formId } })).body;
  const { section } = listed.find(({ questions }) => questions?.some(({ id }) => id === colourId)) ?? {};
  const params = { sectionId: section?.id ?? '', questionId: colourId };
  if (step === 'removed') {
    await client.questions.deleteQuestion({ params });
    return;
  }
  const sectionId = step === 'top' ? params.sectionId : (sectionIds[step] ?? '');
  const questions = listed.find((each) => each.section.id === sectionId)?.questions ?? [];
  const after = step === 'top' ? null : (questions.findLast(({ id }) => id !== colourId)?.id ?? null);
  await client.questions.moveQuestion({ params, body: { sectionId, after } });
}

/** The colours that each view counts, with what was submitted by each person. */
async function views(form: Form, responses: readonly { by: Person; id: string }[]) {
  const { formId, colourId, spreadsheetId, choiceIds } = form;
  const { client } = cast().alice;
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
  const { rows } = await tableOf(cast().alice, formId, [colourId]);
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

// Both respondents take the way through `yes`. One has submitted before the moves; the other has a draft with an answer.
test.for<[string, Step[], boolean]>([
  ['within its section', ['top'], true],
  ['to another section on the path', ['last'], true],
  ['to another branch', ['no'], false],
  ['to another branch and back', ['no', 'first'], true],
  ['to the path and then to another branch', ['yes', 'no'], false],
  ['to another branch, and is then removed', ['no', 'removed'], false],
  ['to another section on the path, and is then removed', ['last', 'removed'], true],
])('a question moved %s counts as where it was at each submission', async ([, steps, countsAfter]) => {
  const form = await formWith('first');
  const [early, late] = [await person('early'), await person('late')];
  const answersOf = (name: string) => [text(form.asked, 'yes'), form.select(name)];
  const before = await respond(early, form.formId, answersOf('Vermilion'));
  const draft = await start(late, form.formId, answersOf('Turquoise'));
  await deliverStream({ only: ['tally'] });
  for (const step of steps) await edit(form, step);
  pass(60);
  await submit(late, draft);
  await deliverStream();
  await runSweep();
  const responses = [
    { by: early, id: before },
    { by: late, id: draft },
  ];
  const expected = countsAfter ? NAMES : NAMES.slice(0, 1);
  expect(await views(form, responses)).toEqual(inAll(expected, !steps.includes('removed')));
  await recount(form);
  expect(await counted(form)).toEqual(expected);
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
  await cast().alice.client.forms.updateForm({ params: { formId: form.formId }, body: { allowEditResponse: true } });
  const id = await respond(early, form.formId, [text(form.asked, 'yes'), form.select('Vermilion')]);
  await edit(form, 'no');
  await save(early, id, [text(form.asked, 'yes')]);
  expect((await tableOf(cast().alice, form.formId, [form.colourId])).rows[0]?.answers[form.colourId]).not.toBeNull();
  await save(early, id, [text(form.asked, 'yes!')]);
  await deliverStream();
  await runSweep();
  expect(await views(form, [{ by: early, id }])).toEqual(inAll([]));
});
