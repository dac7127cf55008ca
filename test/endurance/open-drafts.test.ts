/**
 * A respondent keeps submitting while an author restructures a published form, publishes and restores changes: every
 * question at which the respondent is stopped was on the page on which the author published.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProblemError } from '#core/api/client.ts';
import { app } from '#core/http/app.ts';
import { editQuestions, reloadEditedForm } from '#core/structure/changes.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { isChoiceType } from '#core/structure/types/traits.ts';
import { anyEdits, anyPublished, applied, type Edit } from '#test/core/structure-edits.ts';
import { replaceStoredStructure } from '#test/support/building.ts';
import { newCast, newForm, writingApp } from '#test/support/fixtures.ts';
import { fillIn, pagesOf, textOf } from '#test/support/pages.ts';
import { cancel, preview, save, sent, start, submit } from '#test/support/responses.ts';

const cast = await newCast();

/** A form with a structure, and a draft of it. */
async function begin(structure: Structure): Promise<{ formId: string; responseId: string }> {
  const { formId } = await newForm(cast.alice, cast.slug, []);
  await replaceStoredStructure(formId, ({ version }) => ({ ...structure, formId, version }));
  return { formId, responseId: await start(cast.dave, formId) };
}

const live = async (formId: string): Promise<Structure> => (await reloadEditedForm(app().table, formId)).live.structure;

/** Publishes edits or an earlier version on the page; returns its text, or undefined where nothing can be published. */
async function publish(formId: string, { edits, restores }: Step, name: string): Promise<string | undefined> {
  const params = { formId };
  const versions = (await cast.bob.client.forms.listVersions({ params })).body;
  const version = restores === null ? undefined : versions[restores]?.version;
  if (version !== undefined) {
    await cast.bob.client.forms.restoreVersion({ params: { formId, version: String(version) }, body: {} });
  } else {
    const [edited, editing] = [await reloadEditedForm(app().table, formId), writingApp()];
    await editQuestions(editing, { edited, formId, editorId: cast.bob.id }, (structure) => ({
      next: applied(structure, edits, 2, name),
      body: undefined,
    }));
  }
  const path = `/build/${formId}/changes`;
  const said = textOf(await pagesOf(cast.bob).show(path));
  const { status } = await fillIn(cast.bob, path, [], 'publish');
  // The type of a question that was answered meanwhile stays.
  if (status === 409) await fillIn(cast.bob, path, [], 'discard');
  return status === 303 ? said : undefined;
}

/** Submits, answers what the service asks for and submits again, until the response is submitted. */
async function submitAtLast(formId: string, responseId: string, draw: () => number): Promise<string[]> {
  const stops: string[] = [];
  for (let round = 0; round < 20; round += 1) {
    try {
      await submit(cast.dave, responseId);
      return stops;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const [pointer = ''] = error.problem.errors?.map((each) => each.pointer) ?? [];
      const questionId = pointer.replace('/answers/', '');
      stops.push(questionId);
      await answer(formId, responseId, questionId, draw);
    }
  }
  throw new Error(`a response cannot be submitted: ${stops.join(', ')}`);
}

/** Answers a question with what its page offers. */
async function answer(formId: string, responseId: string, questionId: string, draw: () => number): Promise<void> {
  const { sections } = await preview(cast.dave, formId, responseId);
  const asked = sections
    .flatMap(({ answerDetails }) => answerDetails)
    .find(({ question }) => question.id === questionId);
  if (!asked) throw new Error(`${questionId} is not asked`);
  const { type, choices = [] } = asked.question;
  const chosen = choices[draw() % Math.max(choices.length, 1)]?.id;
  const value = isChoiceType(type) ? (chosen === undefined ? [] : [chosen]) : 'ab'.charAt(draw());
  await save(cast.dave, responseId, [sent(questionId, type, value)]);
}

type Step = { edits: Edit[]; restores: number | null; submits: boolean };
/** Mostly edits of the path: what they do is not at the place of the edit. */
const PATH_EDITS: readonly Edit['do'][] = ['lead', 'branch', 'swap', 'ask', 'insert', 'remove', 'loseChoice'];
const anyStep = fc.record<Step>({
  edits: anyEdits.map((edits) =>
    edits.toSorted((a, b) => Number(PATH_EDITS.includes(b.do)) - Number(PATH_EDITS.includes(a.do))),
  ),
  restores: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 4 }),
  submits: fc.integer({ min: 0, max: 3 }).map((each) => each > 0),
});
const anyDraws = fc.array(fc.nat(1), { minLength: 30, maxLength: 30 });

test('whoever could submit is stopped only at what the page had named', async () => {
  let stopped = 0;
  await fc.assert(
    fc.asyncProperty(anyPublished, fc.array(anyStep, { minLength: 4, maxLength: 6 }), anyDraws, async (...drawn) => {
      const [first, steps, draws] = drawn;
      let at = 0;
      const draw = () => draws[at++ % draws.length] ?? 0;
      const { formId, responseId } = await begin(first);
      await submitAtLast(formId, responseId, draw);
      await cancel(cast.dave, responseId);
      let said = '';
      for (const [index, step] of steps.entries()) {
        said += (await publish(formId, step, 'bcdefg'.charAt(index))) ?? '';
        if (!step.submits) continue;
        const stops = await submitAtLast(formId, responseId, draw);
        stopped += stops.length;
        const structure = await live(formId);
        for (const id of stops) expect(said).toContain(`“${findQuestion(structure, id)?.question.title}”`);
        await cancel(cast.dave, responseId);
        said = '';
      }
    }),
    // A smaller example would take as many requests again each time.
    { numRuns: 20, endOnFailure: true },
  );
  expect(stopped).toBeGreaterThan(5);
});
