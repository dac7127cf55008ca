/** Writes what the other version will read and change: resources of every kind, and work that is not done yet. */
import { test } from 'vitest';
import { operations } from '#core/api/index.ts';
import { open, post } from '#test/emulator/respondent.ts';
import { newForm } from '#test/support/fixtures.ts';
import { nameOf, perform, type Sending, validSending } from '#test/support/requests.ts';
import { respond, text } from '#test/support/responses.ts';
import { newScene, type Scene } from '#test/support/scene.ts';
import { addressOf } from '#test/support/sheets.ts';
import { type Read, type Written, withoutAdded, withoutChanging, write } from './written.ts';

test('writes a scene', async () => {
  const scene = await newScene();
  const unfinished = {
    changedFormId: await changeForm(scene),
    submission: await submit(scene),
    open: await openSection(scene),
  };
  const sendings: Sending[] = [];
  for (const declaration of operations) {
    if (isRead(declaration)) sendings.push(await validSending(declaration, scene));
  }
  // After all else, because lists contain what the others have created.
  const reads: Read[] = [];
  for (const { declaration, ...sending } of sendings) {
    const { status, body } = await perform({ declaration, ...sending });
    const operation = nameOf(declaration);
    reads.push({ operation, sending, status, body: withoutAdded(operation, withoutChanging(body)) });
  }
  write({ scene, reads, ...unfinished });
});

/** A callback is no read: it uses up the sign-in or the connection that it finishes. */
const isRead = ({ method, path }: (typeof operations)[number]): boolean =>
  method === 'GET' && !path.includes('/callback');

/** Submits a response of which a mail and a row are due, and queues an export. */
async function submit({ cast: { alice, dave, slug } }: Scene): Promise<Written['submission']> {
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const [questionId = ''] = questionIds;
  const params = { formId };
  const body = { sendResponseEmail: true, spreadsheetUrl: addressOf(`sheet-${formId}`) };
  await alice.client.forms.updateForm({ params, body });
  const responseId = await respond(dave, formId, [text(questionId, 'Kingfishers')]);
  const job = await alice.client.exports.downloadTable({
    params,
    body: { questionIds: [questionId] },
    headers: { prefer: 'respond-async' },
  });
  if (job.body instanceof Uint8Array) throw new Error('the export is no job');
  return { formId, responseId, exportId: job.body.id };
}

/** Opens a section of a new response on its page. */
async function openSection({ cast: { alice, dave, slug } }: Scene): Promise<Written['open']> {
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT', required: true }]]);
  return { page: await post(dave, `/f/${formId}/start`), questionId: questionIds[0] ?? '' };
}

/** Changes a published form on its pages, which edit a copy. */
async function changeForm({ cast: { alice, slug } }: Scene): Promise<string> {
  const { formId, sectionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  await open(alice, `/build/${formId}`);
  await post(alice, `/build/${formId}/s/${sectionIds[0]}/new`, { type: 'SHORT_TEXT', title: 'How wide?' });
  return formId;
}
