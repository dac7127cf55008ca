/** Names of questions in the closing message of a form: they follow a rename of the question, when respondents get it. */
import { expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { requestAs } from '#test/support/building.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { type Built, newCast, newForm, question } from '#test/support/fixtures.ts';
import { fillIn } from '#test/support/pages.ts';

const cast = await newCast();

/** A form with a question `who`, one `where`, and both names in its closing message. */
async function named(publish: boolean): Promise<Built> {
  const form = await newForm(
    cast.alice,
    cast.slug,
    [
      [
        { type: 'SHORT_TEXT', title: 'Name', name: 'who' },
        { type: 'SHORT_TEXT', title: 'Place', name: 'where' },
      ],
      [{ type: 'SHORT_TEXT', title: 'How are you, {{who}}?' }],
    ],
    { publish },
  );
  await setMessage(form, 'Thank you, {{ Who }}, see you at {{where}}. {{nobody}}');
  return form;
}
const setMessage = ({ formId }: Built, messageAfterSubmission: string) =>
  cast.alice.client.forms.updateForm({ params: { formId }, body: { messageAfterSubmission } });
const readForm = async ({ formId }: Built) => (await cast.alice.client.forms.getForm({ params: { formId } })).body;
const readMessage = async (form: Built) => (await readForm(form)).messageAfterSubmission;
const rename = ({ sectionIds, questionIds }: Built, index: 0 | 1, title: string, name: string | null) =>
  requestAs(cast.bob, 'PUT', `/api/sections/${sectionIds[0]}/questions/${questionIds[index]}`, {
    ...question({ type: 'SHORT_TEXT', title, name }),
    order: index + 1,
  });

test('the API renames in the same edit: whatever the case, other names stay, and so does everything else', async () => {
  const form = await named(true);
  const before = await readForm(form);
  expect((await rename(form, 0, 'Name', 'person')).status).toBe(200);
  const message = 'Thank you, {{person}}, see you at {{where}}. {{nobody}}';
  expect(await readForm(form)).toEqual({ ...before, messageAfterSubmission: message });
  const [item] = await app().table.read([keys.formHead(form.formId)]);
  expect(Number(item?.version)).toBe(4);
});

test('another title, and a name that is taken away, leave the message', async () => {
  const form = await named(false);
  const before = await readMessage(form);
  await rename(form, 0, 'Full name', 'who');
  await rename(form, 0, 'Full name', null);
  expect(await readMessage(form)).toBe(before);
});

test('a page renames in a draft at once, and in a published form when its changes are published', async () => {
  for (const publish of [false, true]) {
    const form = await named(publish);
    await fillIn(cast.bob, `/build/${form.formId}/q/${form.questionIds[0]}`, [['name', 'person']]);
    const renamed = 'Thank you, {{person}}, see you at {{where}}. {{nobody}}';
    const asWritten = 'Thank you, {{ Who }}, see you at {{where}}. {{nobody}}';
    expect(await readMessage(form)).toBe(publish ? asWritten : renamed);
    if (publish) await cast.alice.client.forms.publishChanges({ params: { formId: form.formId } });
    expect(await readMessage(form)).toBe(renamed);
  }
});

test('changes that are discarded rename nothing', async () => {
  const form = await named(true);
  await fillIn(cast.bob, `/build/${form.formId}/q/${form.questionIds[0]}`, [['name', 'person']]);
  await cast.alice.client.forms.discardChanges({ params: { formId: form.formId } });
  expect(await readMessage(form)).toBe('Thank you, {{ Who }}, see you at {{where}}. {{nobody}}');
});

test('names that are exchanged in changes are exchanged in the message', async () => {
  const form = await named(true);
  const steps = [
    [0, 'third'],
    [1, 'who'],
    [0, 'where'],
  ] as const;
  for (const [index, name] of steps) {
    await fillIn(cast.bob, `/build/${form.formId}/q/${form.questionIds[index]}`, [['name', name]]);
  }
  await cast.alice.client.forms.publishChanges({ params: { formId: form.formId } });
  expect(await readMessage(form)).toBe('Thank you, {{where}}, see you at {{who}}. {{nobody}}');
});

test('an earlier version brings its names back', async () => {
  const form = await named(true);
  const { formId } = form;
  await fillIn(cast.bob, `/build/${formId}/q/${form.questionIds[0]}`, [['name', 'person']]);
  await cast.alice.client.forms.publishChanges({ params: { formId } });
  const versions = (await cast.alice.client.forms.listVersions({ params: { formId } })).body;
  const version = String(versions.at(-1)?.version);
  await cast.alice.client.forms.restoreVersion({ params: { formId, version }, body: {} });
  await cast.alice.client.forms.publishChanges({ params: { formId } });
  expect(await readMessage(form)).toBe('Thank you, {{who}}, see you at {{where}}. {{nobody}}');
});

test('a message that is written between the read and the write of a rename is renamed, too', async () => {
  const form = await named(true);
  await setMessage(form, 'Nothing');
  await beforeFirstWrite(
    () => rename(form, 0, 'Name', 'person'),
    () => setMessage(form, 'Bye, {{who}}'),
  );
  expect(await readMessage(form)).toBe('Bye, {{person}}');
});
