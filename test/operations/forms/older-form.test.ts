/** A form that was stored before a setting existed reads as one whose authors have not chosen. */
import { expect, test } from 'vitest';
import { decode, encode } from '#core/db/codec.ts';
import { type Key, keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { start, submit } from '#test/support/responses.ts';

const cast = await newCast();

/** The settings of which every form is stored with a value. */
const ALWAYS = ['title', 'visibility', 'allowEditResponse'];
/** The members of a stored form and of its gate that are no settings. */
const OTHERS = [
  'id',
  'formId',
  'orgId',
  'status',
  'creatorId',
  'lastEditorId',
  'createdAt',
  'updatedAt',
  'spreadsheetId',
];

/** Stores an item without all settings that were added after the first release. */
async function forget(key: Key): Promise<string[]> {
  const [item] = await app().table.read([key]);
  if (!item) throw new Error('there is no such item');
  const members = Object.entries(decode<object>(item));
  const kept = members.filter(([name]) => [...ALWAYS, ...OTHERS].includes(name));
  await app().table.write([{ put: { ...item, ...encode(Object.fromEntries(kept)) } }]);
  return members.filter((member) => !kept.includes(member)).map(([name]) => name);
}

test('and it is answered, changed and copied', async () => {
  const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { title: 'Lakes' });
  expect((await forget(keys.formHead(formId))).length).toBeGreaterThanOrEqual(9);
  expect(await forget(keys.formGate(formId))).toEqual(
    expect.arrayContaining(['deadline', 'publishTime', 'sendResponseEmail', 'dressing', 'layout']),
  );
  const { forms } = cast.alice.client;
  const blank = {
    title: 'Lakes',
    description: null,
    previewMessage: '',
    publishTime: null,
    deadline: null,
    sendResponseEmail: false,
    messageAfterSubmission: '',
    dressing: {},
    layout: 'SECTIONS',
    coverImage: null,
    spreadsheetUrl: null,
  };
  expect((await forms.getForm({ params: { formId } })).body).toMatchObject(blank);
  await submit(cast.dave, await start(cast.dave, formId));
  expect((await forms.duplicateForm({ params: { formId }, body: {} })).body).toMatchObject({
    ...blank,
    title: 'Lakes的副本',
  });
  const changed = await forms.updateForm({ params: { formId }, body: { dressing: { color: '#123456' } } });
  expect(changed.body).toMatchObject({ ...blank, dressing: { color: '#123456' } });
});
