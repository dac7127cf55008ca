/** Edits whose form gets another status meanwhile: what is published is never changed without being published again. */
import { describe, expect, test } from 'vitest';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { type Built, newCast, newForm } from '#test/support/fixtures.ts';
import { fillIn, pagesOf } from '#test/support/pages.ts';

const cast = await newCast();

const titlesOf = (sections: readonly { questions: readonly { title: string }[] | null }[]) =>
  sections.flatMap(({ questions }) => (questions ?? []).map(({ title }) => title));
const liveTitles = async ({ formId }: Built) =>
  titlesOf((await cast.alice.client.sections.listSections({ params: { formId } })).body.map(({ section }) => section));
const rename = ({ formId, questionIds }: Built, title: string) =>
  fillIn(cast.bob, `/build/${formId}/q/${questionIds[0]}`, [['title', title]]);
const remove = ({ formId, questionIds }: Built) =>
  pagesOf(cast.bob).post(`/build/${formId}/q/${questionIds[1]}/delete`, []);
const change = (form: Built, status: 'publishForm' | 'archiveForm' | 'unarchiveForm') =>
  cast.alice.client.forms[status]({ params: { formId: form.formId } });

/** A form that was published and is a DRAFT again. */
async function unarchived(): Promise<Built> {
  const questions = ['Which lake?', 'Why?', 'How?'].map((title) => ({ type: 'SHORT_TEXT' as const, title }));
  const form = await newForm(cast.alice, cast.slug, [questions], { publish: false });
  for (const status of ['publishForm', 'archiveForm', 'unarchiveForm'] as const) await change(form, status);
  await rename(form, 'Which pond?');
  return form;
}

/** The edits; each after what it needs. */
const EDITS: Record<string, (form: Built) => Promise<() => Promise<unknown>>> = {
  'saving a question': async (form) => () => rename(form, 'Which sea?'),
  'deleting a question': async (form) => () => remove(form),
  undoing: async (form) => {
    await remove(form);
    const shown = await pagesOf(cast.bob).show(`/build/${form.formId}/questions`);
    const undo = /name="undo" value="([^"]+)"/.exec(shown)?.[1] ?? '';
    return () => pagesOf(cast.bob).post(`/build/${form.formId}/undo`, [['undo', undo]]);
  },
  'restoring on a page': async (form) => () => fillIn(cast.bob, `/build/${form.formId}/versions/1`, [], 'restore'),
  'restoring through the API':
    async ({ formId }) =>
    async () => {
      const [oldest] = (await cast.bob.client.forms.listVersions({ params: { formId } })).body.slice(-1);
      return cast.bob.client.forms.restoreVersion({ params: { formId, version: String(oldest?.version) } });
    },
};

describe.each(Object.entries(EDITS))('%s', (_name, prepare) => {
  test('of a draft that is published meanwhile becomes changes of it', async () => {
    const form = await unarchived();
    const edit = await prepare(form);
    const before = await liveTitles(form);
    await beforeFirstWrite(edit, () => change(form, 'publishForm'));
    expect(await liveTitles(form)).toEqual(before);
    const { body } = await cast.bob.client.forms.getChanges({ params: form });
    expect(titlesOf(body.sections)).not.toEqual(before);
  });

  test('of a published form that becomes a draft meanwhile is done in it', async () => {
    const form = await unarchived();
    const edit = await prepare(form);
    await change(form, 'publishForm');
    const before = await liveTitles(form);
    await beforeFirstWrite(edit, async () => {
      await change(form, 'archiveForm');
      await change(form, 'unarchiveForm');
    });
    expect(await liveTitles(form)).not.toEqual(before);
    await expect(cast.bob.client.forms.getChanges({ params: form })).rejects.toMatchObject({ status: 404 });
  });
});
