/** The mail to a person whose export is finished. */
import { expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { deletePerson } from '#core/deletion/person.ts';
import { app } from '#core/http/app.ts';
import { SesError } from '#stacks/local/mail/ses-query.ts';
import { muteErrors } from '#test/support/console.ts';
import { askForExport, buildExports } from '#test/support/exports.ts';
import { newForm, newOrganization, person, send, writingApp } from '#test/support/fixtures.ts';
import { mailsTo, ownSes, receiveEvents } from '#test/support/mail.ts';
import { pagesOf } from '#test/support/pages.ts';
import { castAt, pass, respond, text } from '#test/support/responses.ts';
import { runSweep, sweepIn } from '#test/support/sweeps.ts';

const cast = await castAt();
const ownMail = ownSes();
muteErrors();

/** A form with two responses, and a member of its organization who has asked for nothing yet. */
async function exportable(title: string) {
  const { alice, dave } = cast;
  const member = await person('member');
  const { slug } = await newOrganization(alice, member);
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { title });
  for (const answer of ['frogs', 'herons']) await respond(dave, formId, [text(questionIds[0] ?? '', answer)]);
  return { formId, questionIds, member, slug };
}

const stored = async (exportId: string) => (await app().table.read([keys.exportMail(exportId)]))[0];

test('goes to the one who asked, once, with the lasting link to its page, and leaves nothing behind', async () => {
  const { formId, questionIds, member } = await exportable('Lakes');
  const { id } = await askForExport(member, formId, questionIds);
  await sweepIn(0);
  expect(mailsTo(ownMail(), member)).toEqual([]);
  await buildExports();
  await runSweep();
  await receiveEvents(ownMail());
  pass(60);
  await runSweep();
  const [mail, ...others] = mailsTo(ownMail(), member);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Your export is ready: Lakes');
  expect(mail?.text).toContain('2 responses');
  const path = `/review/${formId}/export/${id}`;
  expect(mail?.text).toContain(`Open the export: http://127.0.0.1:3000${path}\n`);
  expect(mail?.html).toContain(`href="http://127.0.0.1:3000${path}"`);
  expect(mail?.html).not.toContain('/api/');
  expect(await pagesOf(member).show(path)).toContain('The file is ready');
  const signedOut = await send('GET', path, {});
  expect(signedOut.headers.get('location')).toBe(`/sign-in?${new URLSearchParams({ to: path })}`);
  expect(await stored(id)).toBeUndefined();
});

test('is in the language of the request', async () => {
  const { formId, questionIds, member } = await exportable('湖泊');
  const headers = { prefer: 'respond-async', 'accept-language': 'zh-TW' };
  await member.client.exports.downloadTable({ params: { formId }, body: { questionIds }, headers });
  await buildExports();
  await runSweep();
  expect(mailsTo(ownMail(), member)[0]?.subject).toBe('匯出檔案已備妥：湖泊');
});

test('is not sent twice when the response of SES is lost, because its Send event tells', async () => {
  const { formId, questionIds, member } = await exportable('Lakes');
  const { id } = await askForExport(member, formId, questionIds);
  await buildExports();
  ownMail().ses.behave({ loseResponse: true });
  await runSweep();
  ownMail().ses.behave({ loseResponse: false });
  await receiveEvents(ownMail());
  expect(await stored(id)).toBeUndefined();
  pass(20 * 60);
  await runSweep();
  expect(mailsTo(ownMail(), member)).toHaveLength(1);
});

test.for(['built', 'mailed'] as const)('is dropped when its person is removed before it is %s', async (step) => {
  const { formId, questionIds, member, slug } = await exportable('Lakes');
  const { id } = await askForExport(member, formId, questionIds);
  if (step === 'mailed') await buildExports();
  await cast.alice.client.orgs.removeMember({ params: { slug, memberId: member.id } });
  if (step === 'built') await buildExports();
  await runSweep();
  expect(mailsTo(ownMail(), member)).toEqual([]);
  expect(await stored(id)).toBeUndefined();
});

test('is dropped when the person has no address any more', async () => {
  const { formId, questionIds, member } = await exportable('Lakes');
  const { id } = await askForExport(member, formId, questionIds);
  await buildExports();
  await deletePerson(writingApp(), member.id);
  await runSweep();
  expect(await stored(id)).toBeUndefined();
});

test('is dropped with the form', async () => {
  const { formId, questionIds, member } = await exportable('Lakes');
  await askForExport(member, formId, questionIds);
  await buildExports();
  ownMail().ses.behave({ failWith: new SesError('ServiceUnavailable', 'try later', 503) });
  await runSweep();
  ownMail().ses.behave({ failWith: null });
  await cast.alice.client.forms.deleteForm({ params: { formId } });
  pass(120);
  await runSweep();
  expect(mailsTo(ownMail(), member)).toEqual([]);
});

test('that is refused for good is removed with its export', async () => {
  const { formId, questionIds, member } = await exportable('Lakes');
  const { id } = await askForExport(member, formId, questionIds);
  await buildExports();
  ownMail().ses.behave({ failWith: new SesError('MessageRejected', 'Address blacklisted.') });
  await runSweep();
  for (const hours of [1, 71, 74]) await sweepIn(hours * 3_600);
  ownMail().ses.behave({ failWith: null });
  const [exportItem] = await app().table.read([keys.export(id)]);
  expect(exportItem?.expiresAt).toEqual(expect.any(Number));
  expect(await stored(id)).toMatchObject({ state: 'FAILED', expiresAt: exportItem?.expiresAt });
});
