/** Whatever people answer, the XLSX read back is the table. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { requireComplete } from '#core/responses/answers.ts';
import { saveAnswers, submit } from '#core/responses/edits.ts';
import type { StoredAnswer } from '#core/responses/model.ts';
import { isLine } from '#core/schema/text.ts';
import type { QuestionDocument } from '#core/structure/question-model.ts';
import { parseStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import {
  castAt,
  draftOf,
  type EveryType,
  everyTypeForm,
  NOW,
  readTable,
  type Sent,
  sent,
  store,
} from '#test/support/responses.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = await castAt();
let form: EveryType;
let structure: Structure;
beforeAll(async () => {
  form = await everyTypeForm(cast.alice, cast.slug);
  const stored = parseStructure((await app().table.read([keys.formStructure(form.formId)]))[0]);
  if (!stored) throw new Error('the form has a structure');
  structure = stored;
});

const character = fc.oneof(
  fc.constantFrom('=', '+', '-', '@', '\t', '\n', '\r', '\u0001', '"', '<', '&', '_x0041_', ' ', '\u001f', '\uffff'),
  fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
);
/** Texts that answers may contain: any Unicode but U+0000. */
const words = (maxLength: number) =>
  fc.string({ maxLength, unit: character }).filter((text) => text.isWellFormed() && !text.includes('\0'));
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const selection = ({ choices = [] }: QuestionDocument, max: number) =>
  fc
    .tuple(fc.shuffledSubarray(choices, { minLength: 1, maxLength: max }), words(20).filter(isLine))
    .map(([chosen, other]) => ({
      ids: chosen.map(({ id }) => id),
      isOther: chosen.some(({ isOther }) => isOther),
      other,
    }));

/** An answer of any kind to a question, or none. */
function anyAnswer(question: QuestionDocument): fc.Arbitrary<Sent | undefined> {
  const { id, type } = question;
  const of = (values: fc.Arbitrary<Sent['value']>) =>
    fc.option(
      values.map((value) => sent(id, type, value)),
      { nil: undefined },
    );
  const chosen = (max: number) =>
    fc.option(
      selection(question, max).map(({ ids, isOther, other }) => sent(id, type, ids, isOther ? other : undefined)),
      { nil: undefined },
    );
  switch (type) {
    case 'SHORT_TEXT':
      return of(words(100));
    case 'LONG_TEXT':
      return of(words(300));
    case 'HYPERLINK':
      return of(fc.webUrl({ withFragments: true, withQueryParameters: true }));
    case 'DATE':
      return of(day);
    case 'LINEAR_SCALE':
      return of(fc.integer({ min: 1, max: 10 }));
    case 'RATING':
      return of(fc.integer({ min: 1, max: 5 }));
    case 'SINGLE_CHOICE':
    case 'DROPDOWN':
      return chosen(1);
    case 'MULTIPLE_CHOICE':
    case 'DETAILED_MULTIPLE_CHOICE':
    case 'RANKING':
      return chosen(3);
    case 'UPLOAD_FILE':
    case 'OAUTH_CONNECT':
      return fc.constant(undefined);
  }
}

/** The cell that an answer of the table comes to in a spreadsheet. */
function cellOf(answer: StoredAnswer | null | undefined): unknown {
  if (!answer) return null;
  const { displayValue, answer: given } = answer;
  if (typeof given.value === 'number') return given.value;
  // A spreadsheet counts days from 1900 on; before that, and before 1 March of that year, a day is text.
  if (given.questionType === 'DATE' && displayValue >= '1900-03-01') return new Date(displayValue);
  return displayValue.replace(/\r\n?/g, '\n') || null;
}

test('the XLSX read back equals the table, for any answers', async () => {
  const { alice, dave } = cast;
  const { formId, questionIds } = form;
  const questions = questionIds.map((id) => Object.values(form.byType).find((question) => question.id === id));
  const answers = fc
    .tuple(...questions.map((question) => (question ? anyAnswer(question) : fc.constant(undefined))))
    .map((all) => all.filter((answer) => answer !== undefined));
  await fc.assert(
    fc.asyncProperty(fc.array(answers, { minLength: 1, maxLength: 6 }), async (sets) => {
      const responses = sets.map((inputs) => {
        const response = saveAnswers({ response: draftOf(form, dave.id, NOW), structure }, inputs, NOW);
        return requireComplete({ response: submit(response, NOW), structure });
      });
      await store(responses);
      const { rows } = await readTable(alice, formId, questionIds);
      const file = await alice.client.exports.downloadTable({ params: { formId }, body: { questionIds } });
      const cells = valuesOf(sheetOf(await open(fileOf(file))), questionIds.length + 3);
      expect(cells).toEqual(
        rows.map(({ id, answers: given }) => [
          id,
          new Date(NOW),
          dave.email,
          ...questionIds.map((questionId) => cellOf(given[questionId])),
        ]),
      );
      for (const { id } of responses) {
        const params = { formId, responseId: id };
        await alice.client.responses.deleteResponse({ params });
      }
    }),
    { numRuns: 20 },
  );
});
