/** What reviewers do with several responses at once: export, delete, and send mails again that failed. */
import { describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { parseJob } from '#core/jobs/job.ts';
import { type Built, newCast, newForm, type Person } from '#test/support/fixtures.ts';
import { storeMail } from '#test/support/mail.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { respond, text } from '#test/support/responses.ts';

const cast = await newCast();
const pages = pagesOf(cast.bob);
const admin = pagesOf(cast.alice);

type Answered = Built & { ids: string[] };

/** A form that sends copies, with responses of dave, erin and dave. */
async function answered(settings = {}): Promise<Answered> {
  const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT', title: 'Name' }]], settings);
  const [name = ''] = form.questionIds;
  const ids: string[] = [];
  for (const [who, value] of [
    [cast.dave, 'One'],
    [cast.erin, 'Two'],
    [cast.dave, 'Three'],
  ] as [Person, string][])
    ids.push(await respond(who, form.formId, [text(name, value)]));
  return { ...form, ids };
}

const rows = (ids: readonly string[]): (readonly [string, string])[] => ids.map((id) => ['r', id] as const);
const query = (ids: readonly string[]): string => ids.map((id) => `r=${id}`).join('&');
const submitted = async ({ formId }: Built): Promise<string[]> => {
  const input = { params: { formId }, query: { limit: 10 }, body: { filters: [] } };
  return (await cast.bob.client.responses.filterResponses(input)).body.responses.map(({ id }) => id);
};
const mailState = async (id: string): Promise<string | undefined> =>
  parseJob((await app().table.read([keys.delivery(id, 'email')]))[0])?.state;

describe('the selected rows', () => {
  test('are chosen in the table, each by a box that names its respondent', async () => {
    const { formId, ids } = await answered();
    const html = await admin.show(`/review/${formId}`);
    for (const id of ids)
      expect(html).toContain(
        `form="selection" name="r" value="${id}" aria-label="Select dave_1"`.replace(
          'dave_1',
          id === ids[1] ? 'erin_1' : 'dave_1',
        ),
      );
    expect(html).toContain('Delete selected');
    // Nothing is mailed for this form, and bob may not delete.
    expect(html).not.toContain('Send mails again');
    expect(await pages.show(`/review/${formId}`)).not.toContain('Delete selected');
    expect(await pages.show(`/review/${(await answered({ sendResponseEmail: true })).formId}`)).toContain(
      'Send mails again',
    );
  });

  test('are exported without the others', async () => {
    const { formId, ids, questionIds } = await answered();
    const path = `/review/${formId}/export?${query([ids[0] ?? '', ids[2] ?? ''])}`;
    const page = await pages.show(path);
    expect(textOf(page)).toContain('Of 2 selected responses. Export all instead');
    const [, action = ''] = /<form method="post" action="([^"]*\/export[^"]*)"/.exec(page) ?? [];
    const file = await pages.post(action.replaceAll('&amp;', '&'), [
      ['column', questionIds[0] ?? ''],
      ['format', 'CSV'],
    ]);
    const csv = await file.text();
    expect([csv.includes('One'), csv.includes('Two'), csv.includes('Three')]).toEqual([true, false, true]);
  });

  test('are deleted after a page that names their respondents; a second press finds nothing more', async () => {
    const form = await answered();
    const [first = '', second = '', third = ''] = form.ids;
    const other = await answered();
    const asked = await admin.show(
      `/review/${form.formId}/delete-selected?sort=oldest&${query([first, second, ...other.ids])}`,
    );
    expect(textOf(asked)).toContain('Delete 2 responses? This deletes the responses by dave_1, erin_1 with all their');
    const action = `/review/${form.formId}/delete-selected?sort=oldest`;
    expect(asked).toContain(`action="${action}"`);
    for (const _press of [1, 2]) {
      const done = await admin.post(action, rows([first, second, ...other.ids]));
      expect(done.headers.get('location')).toBe(`/review/${form.formId}?sort=oldest&done=selectedDeleted`);
      expect(await submitted(form)).toEqual([third]);
    }
    expect(await submitted(other)).toHaveLength(3);
    const gone = await admin.get(`/review/${form.formId}/delete-selected?${query([first, second])}`);
    expect(gone.headers.get('location')).toBe(`/review/${form.formId}?done=noneSelected`);
  });

  test('are deleted by admins and the creator only', async () => {
    const form = await answered();
    expect((await pages.get(`/review/${form.formId}/delete-selected?${query(form.ids)}`)).status).toBe(403);
    expect((await pages.post(`/review/${form.formId}/delete-selected`, rows(form.ids))).status).toBe(403);
    expect(await submitted(form)).toEqual(form.ids);
  });
});

describe('mails that could not be sent', () => {
  test('are counted above the table and listed with their reasons, and those selected are sent again', async () => {
    const { formId, ids } = await answered({ sendResponseEmail: true });
    const [first = '', second = '', third = ''] = ids;
    expect(textOf(await pages.show(`/review/${formId}`))).not.toContain('could not be sent');
    expect(textOf(await pages.show(`/review/${formId}/failed`))).toContain(
      'There are no mails that could not be sent.',
    );
    await storeMail(first, 'bounced');
    await storeMail(second, 'bounced');
    await storeMail(third, 'sent');
    expect(textOf(await pages.show(`/review/${formId}`))).toContain('2 mails could not be sent');
    const list = await pages.show(`/review/${formId}/failed`);
    expect(textOf(list)).toContain('The e-mail bounced: the address does not accept it.');
    expect([first, second, third].map((id) => list.includes(`name="r" value="${id}" checked`))).toEqual([
      true,
      true,
      false,
    ]);
    const sent = await pages.post(`/review/${formId}/failed`, [...rows([first]), ['do', 'resend']]);
    expect(sent.headers.get('location')).toBe(`/review/${formId}/failed?done=resent`);
    expect([await mailState(first), await mailState(second)]).toEqual(['QUEUED', 'FAILED']);
    expect(textOf(await pages.show(`/review/${formId}`))).toContain('1 mail could not be sent');
  });

  test('are counted on the overview, and are a condition of the filter that a view keeps', async () => {
    const { formId, ids } = await answered({ sendResponseEmail: true });
    const [first = '', second = ''] = ids;
    expect(textOf(await pages.show(`/build/${formId}`))).not.toContain('could not be sent');
    await storeMail(first, 'bounced');
    await storeMail(second, 'sent');
    const overview = await pages.show(`/build/${formId}`);
    expect(overview).toContain(`<a href="/review/${formId}/failed">1 mail could not be sent</a>`);
    expect(await pages.show(`/review/${formId}/failed`)).toContain(`href="/review/${formId}?copies=failed"`);
    const table = await pages.show(`/review/${formId}?copies=failed`);
    expect(ids.map((id) => table.includes(`value="${id}"`))).toEqual([true, false, false]);
    expect(textOf(table)).toContain('1 response matches');
    expect(textOf(table)).toContain('Remove the filter Mails: could not be sent');
    const open = await pages.show(`/review/${formId}?filter=open`);
    expect(open).toContain('<input type="checkbox" name="copies" value="failed">');
    expect(await pages.show(`/review/${formId}?filter=open&copies=failed`)).toContain(
      '<input type="checkbox" name="copies" value="failed" checked>',
    );
    const created = await pages.post(`/review/${formId}/views`, [
      ['title', 'Failed'],
      ['list', 'copies=failed'],
      ['keep', 'on'],
    ]);
    expect(created.headers.get('location')).toMatch(/view=.+copies=failed/);
    // Forms that send no mails do not offer it.
    expect(await pages.show(`/review/${(await answered()).formId}?filter=open`)).not.toContain('name="copies"');
  });

  test('of a submission that was withdrawn since are not sent again, nor is one that is under way', async () => {
    const { formId, ids } = await answered({ sendResponseEmail: true });
    const [first = '', second = ''] = ids;
    await storeMail(first, 'bounced', { submittedAt: '2026-01-01T00:00:00.000Z' });
    const list = await pages.show(`/review/${formId}/failed`);
    expect(textOf(list)).toContain('The submission was withdrawn or replaced since.');
    expect(list).not.toContain('name="r"');
    for (const selected of [[first, second], []]) {
      const sent = await pages.post(`/review/${formId}/failed`, [...rows(selected), ['do', 'resend']]);
      expect(sent.headers.get('location')).toBe(`/review/${formId}/failed?done=noneResent`);
    }
    expect([await mailState(first), await mailState(second)]).toEqual(['FAILED', 'QUEUED']);
  });

  test('of another form are neither listed nor sent again', async () => {
    const [own, other] = [await answered({ sendResponseEmail: true }), await answered({ sendResponseEmail: true })];
    const [foreign = ''] = other.ids;
    await storeMail(foreign, 'bounced');
    expect(textOf(await pages.show(`/review/${own.formId}/failed`))).toContain('There are no mails');
    await pages.post(`/review/${own.formId}/failed`, [...rows([foreign]), ['do', 'resend']]);
    expect(await mailState(foreign)).toBe('FAILED');
  });
});
