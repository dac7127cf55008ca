/** How reviewers see invited guests: by the label, the address, or the code, everywhere alike. */
import { expect, test } from 'vitest';
import { loadRespondents } from '#core/accounts/accounts.ts';
import { respondentName } from '#core/accounts/model.ts';
import { app } from '#core/http/app.ts';
import { newForm } from '#test/support/fixtures.ts';
import { newInvited } from '#test/support/invitations.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { castAt, pass, preview, respond, text } from '#test/support/responses.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const { alice, bob, slug } = await castAt();

/** A form with responses of a guest with a label and an address, one with an address, and one with neither. */
async function withGuests() {
  const settings = { audience: 'INVITED', visibility: 'PRIVATE' } as const;
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], settings);
  const [questionId = ''] = questionIds;
  const invite = async (guest: { email?: string; label?: string }) => {
    const invited = (await newInvited({ formId, member: bob }, guest)).guest;
    const responseId = await respond(invited, formId, [text(questionId, 'Clear water')]);
    pass(1);
    return { guest: invited, responseId };
  };
  const labelled = await invite({ email: 'lin@example.org', label: 'Ms Lin, row 3' });
  const addressed = await invite({ email: 'wu@example.org' });
  const numbered = await invite({});
  return { formId, questionIds, params: { formId }, labelled, addressed, numbered };
}

test('lists, previews, exports and sheets name them by label, address or code', async () => {
  const { formId, questionIds, params, labelled, addressed, numbered } = await withGuests();
  const code = expect.stringMatching(/^Guest [0-9A-HJKMNP-TV-Z]{4}$/);
  const { body: list } = await bob.client.responses.listResponses({ params });
  expect(list.responses.map(({ respondent }) => respondent.name)).toEqual([code, 'wu@example.org', 'Ms Lin, row 3']);
  expect((await preview(bob, formId, labelled.responseId)).respondent).toEqual({
    id: labelled.guest.id,
    name: 'Ms Lin, row 3',
    username: '',
    emails: ['lin@example.org'],
  });
  expect((await preview(numbered.guest, formId, numbered.responseId)).respondent).toMatchObject({
    name: code,
    emails: [],
  });
  const file = await bob.client.exports.downloadTable({ params, body: { questionIds } });
  const names = valuesOf(sheetOf(await open(fileOf(file))), 3).map((row) => row[2]);
  expect(names).toEqual(['Ms Lin, row 3', 'wu@example.org', code]);
  // As the rows of spreadsheets name them.
  const ids = [labelled, addressed, numbered].map(({ guest }) => guest.id);
  const respondents = await loadRespondents(app().table, ids);
  expect(ids.map((id) => respondentName(id, respondents.get(id)))).toEqual(['Ms Lin, row 3', 'wu@example.org', code]);
});

test('reviewers search for a label or an address, and see it on pages in their language', async () => {
  const { formId, params, labelled, addressed, numbered } = await withGuests();
  const find = async (respondent: string) => {
    const { body } = await bob.client.responses.filterResponses({ params, body: { filters: [], respondent } });
    return body.responses.map(({ id }) => id);
  };
  expect(await find('ms lin')).toEqual([labelled.responseId]);
  expect(await find('WU@example')).toEqual([addressed.responseId]);
  const pages = pagesOf(bob, { 'accept-language': 'zh-TW' });
  const list = textOf(await pages.show(`/review/${formId}`));
  for (const name of ['Ms Lin, row 3', 'wu@example.org', '訪客 ']) expect(list).toContain(name);
  expect(textOf(await pages.show(`/review/${formId}/r/${labelled.responseId}`))).toContain('Ms Lin, row 3');
  const deletion = `/review/${formId}/r/${numbered.responseId}/delete`;
  expect(textOf(await pagesOf(alice, { 'accept-language': 'zh-TW' }).show(deletion))).toContain('訪客 ');
});

test('a guest whose invitation was deleted is named by the code of the id', async () => {
  const { labelled } = await withGuests();
  const respondents = await loadRespondents(app().table, [labelled.guest.id.replace(/.$/, '0'), labelled.guest.id]);
  expect([...respondents.keys()]).toContain(labelled.guest.id);
  expect(respondentName(labelled.guest.id, undefined)).toMatch(/^Guest [0-9A-HJKMNP-TV-Z]{4}$/);
});
