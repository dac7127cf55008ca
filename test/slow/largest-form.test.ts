/**
 * A form of the size of the largest public questionnaires, 480 questions in 110 sections, of which every fifth is shown only
 * after some answers: it is imported, answered page by page, counted, and exported.
 */
import { expect, test } from 'vitest';
import { idWithin } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { writeGate } from '#core/structure/gates.ts';
import type { Structure } from '#core/structure/structure.ts';
import { replaceStoredStructure, requestAs } from '#test/support/building.ts';
import { newCast, newForm, type QuestionKind } from '#test/support/fixtures.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { preview } from '#test/support/responses.ts';
import { fileOf, open, sheetOf } from '#test/support/xlsx.ts';

const [SECTIONS, QUESTIONS] = [110, 480];
const cast = await newCast();

const choices = ['Never', 'Sometimes', 'Often', 'Always'].map((name) => ({ name }));
const kindAt = (index: number): QuestionKind => {
  const title = `Question ${index + 1}`;
  const kinds: QuestionKind[] = [
    { type: 'SHORT_TEXT', title, name: `n${index}`, required: true, text: { format: 'NUMBER', min: 0, max: 999 } },
    { type: 'SINGLE_CHOICE', title, choices, grid: true },
    { type: 'SINGLE_CHOICE', title, choices, grid: true },
    { type: 'SHORT_TEXT', title: `${title} {{n0}}`, text: { format: 'EMAIL' } },
    { type: 'MULTIPLE_CHOICE', title, choices, selection: { min: 1, max: 2 } },
    { type: 'LINEAR_SCALE', title, scale: { minVal: 1, maxVal: 5 } },
  ];
  return kinds[index % kinds.length] ?? { type: 'LONG_TEXT', title };
};

/** The numbers of the questions of each section, in order. */
const numbersOf = Array.from({ length: SECTIONS }, (_, section) =>
  Array.from({ length: QUESTIONS }, (_question, index) => index).filter(
    (index) => Math.floor((index * SECTIONS) / QUESTIONS) === section,
  ),
);

/** Shows every fifth section only if the last number before it is at least 100. */
function gateSections(structure: Structure): Structure {
  const ids = { newId: () => idWithin(structure.formId, app().uuid()) };
  const { sections } = structure;
  return sections.reduce((next, { id }, index) => {
    if (index % 5 !== 4) return next;
    const asked = sections
      .slice(0, index)
      .flatMap(({ questions }) => questions)
      .findLast(({ text }) => text?.format === 'NUMBER');
    const test = { kind: 'atLeast', from: '100' } as const;
    const comparisons = [{ questionId: asked?.id ?? '', test, isNot: false }];
    return writeGate(next, id, { needs: 'all', comparisons }, ids);
  }, structure);
}

async function importForm(): Promise<string> {
  const built = await newForm(
    cast.alice,
    cast.slug,
    numbersOf.map((numbers) => numbers.map(kindAt)),
  );
  await replaceStoredStructure(built.formId, gateSections);
  const definition = await requestAs(cast.alice, 'GET', `/api/forms/${built.formId}/definition`);
  const imported = await requestAs(cast.alice, 'POST', `/api/orgs/${cast.slug}/forms/import`, definition.body);
  expect([definition.status, imported.status]).toEqual([200, 201]);
  await cast.alice.client.forms.publishForm({ params: { formId: imported.body.id } });
  return imported.body.id;
}

test('480 questions in 110 sections are built, answered page by page, counted and exported', async () => {
  const formId = await importForm();
  const { body: listed } = await cast.alice.client.sections.listSections({ params: { formId } });
  const questions = listed.flatMap((each) => each.questions ?? []);
  expect([listed.length, questions.length]).toEqual([SECTIONS, QUESTIONS]);

  // Numbers below 50 questions are 100 and more, so that the gates behind them open.
  const valuesOf = new Map(
    questions.map((question, index): [string, string] => [
      question.id,
      question.text?.format === 'NUMBER'
        ? String(index < 50 ? 100 + index : index % 100)
        : question.text?.format === 'EMAIL'
          ? 'ann@example.org'
          : (question.choices?.[index % 4]?.id ?? '3'),
    ]),
  );
  const pages = pagesOf(cast.dave);
  let place = (await pages.post(`/f/${formId}/start`)).headers.get('location') ?? '';
  place = (await pages.get(place)).headers.get('location') ?? place;
  const responseId = /\/r\/([^/]+)/.exec(place)?.[1] ?? '';
  let seen = 0;
  while (place.includes('/s/') && seen <= SECTIONS) {
    seen += 1;
    const section = listed.find((each) => place.includes(each.section.id));
    const answers = (section?.questions ?? []).map(({ id }) => [`q.${id}`, valuesOf.get(id) ?? ''] as const);
    const answered = await pages.postSection(place.replace(/[?#].*/, ''), [...answers, ['do', 'next']]);
    expect([place, answered.status]).toEqual([place, 303]);
    place = answered.headers.get('location') ?? '';
  }
  // Of the 22 sections with a gate, those behind numbers of 100 and more: the 5th and the 10th.
  expect([seen, place]).toEqual([SECTIONS - 20, `/r/${responseId}/check`]);
  expect((await pages.post(`/r/${responseId}/submit`)).status).toBe(303);

  const shown = await preview(cast.alice, formId, responseId);
  expect(shown.progress).toBe('SUBMITTED');
  const given = shown.sections.flatMap(({ answerDetails }) => answerDetails.filter(({ payload }) => payload));
  expect(given.length).toBeGreaterThan(350);
  expect(shown.sections.filter(({ progress }) => progress === 'SKIPPED')).toHaveLength(20);

  const author = pagesOf(cast.alice);
  for (const path of ['questions', 'questions/order', 'rules', 'preview', 'share']) {
    expect(textOf(await author.show(`/build/${formId}/${path}`))).toContain(
      path === 'preview' ? 'Spring' : 'Question 4',
    );
  }
  expect(textOf(await author.show(`/review/${formId}`))).toContain('dave_1');
  expect(textOf(await author.show(`/review/${formId}/statistics`))).toContain('Question 1');
  expect(textOf(await author.show(`/review/${formId}/r/${responseId}`))).toContain('ann@example.org');

  const body = { questionIds: questions.map(({ id }) => id) };
  const sheet = sheetOf(
    await open(fileOf(await cast.alice.client.exports.downloadTable({ params: { formId }, body }))),
  );
  expect([sheet.columnCount, sheet.rowCount]).toEqual([QUESTIONS + 3, 2]);
  // A number is a number cell, and the text of a number is not.
  expect([4, 5, 6, 7].map((column) => sheet.getCell(2, column).value)).toEqual([
    100,
    'Sometimes',
    'Often',
    'ann@example.org',
  ]);
}, 120_000);
