/** Edits as large as the limits of a form allow: storage has limits of its own that must not show before them. */
import { expect, test } from 'vitest';
import { idWithin } from '#core/db/keys.ts';
import { draftForm, newNode, replaceStoredStructure } from '#test/support/building.ts';
import { newCast, question } from '#test/support/fixtures.ts';

const cast = await newCast();

/** A form with a section of 500 questions that nobody has answered. */
async function fullForm() {
  const { id: formId } = await draftForm(cast.alice, cast.slug);
  const sectionId = await newNode(cast.alice, formId);
  const { client } = cast.alice;
  const params = { sectionId };
  await client.questions.createQuestion({ params, body: question({ type: 'SHORT_TEXT' }) });
  await replaceStoredStructure(formId, (structure) => ({
    ...structure,
    sections: structure.sections.map((section) => ({
      ...section,
      questions: section.questions.flatMap((first) => [
        first,
        ...Array.from({ length: 499 }, () => ({ ...first, id: idWithin(formId, crypto.randomUUID()) })),
      ]),
    })),
  }));
  return { formId, sectionId };
}

test('a section of 500 questions that nobody has answered can be deleted', async () => {
  const { formId, sectionId } = await fullForm();
  await cast.alice.client.workflow.deleteNode({ params: { formId, nodeId: sectionId } });
  expect((await cast.alice.client.sections.listSections({ params: { formId } })).body).toEqual([]);
});
