/** Export jobs: who gets one, the file that it builds, and who may see it. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '#core/exports/options.ts';
import { askForExport, buildExports, downloaded, readExport, readLocation } from '#test/support/exports.ts';
import { expectProblem, newCast, newForm, newOrganization, type Person, person } from '#test/support/fixtures.ts';
import { respond, store, submissionOf, text } from '#test/support/responses.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = await newCast();

const shortForm = (title = 'Spring survey') =>
  newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }, { type: 'SHORT_TEXT' }]], { title });

const direct = ({ client }: Pick<Person, 'client'>, formId: string, questionIds: string[], headers = {}) =>
  client.exports.downloadTable({ params: { formId }, body: { questionIds }, headers });

const readRows = async (file: Buffer) => {
  const sheet = sheetOf(await open(file));
  return valuesOf(sheet, sheet.columnCount);
};

describe('a form is exported as a job', () => {
  test('when the request prefers it, and not otherwise', async () => {
    const { formId, questionIds } = await shortForm();
    const preferring = (prefer: string) => direct(cast.bob, formId, questionIds, { prefer });
    const queued = await preferring('handling=lenient, Respond-Async');
    expect(queued.status).toBe(202);
    expect(queued.body).toMatchObject({ formId, state: 'QUEUED', processed: 0, finishedAt: null });
    const { id } = queued.body as { id: string };
    expect(queued.headers.get('location')).toBe(`/api/exports/${id}`);
    expect((await preferring('return=minimal')).status).toBe(200);
  });

  test('when it has more than 1,000 submitted responses; all of them are in the file, oldest first', async () => {
    const form = await shortForm();
    const people = [cast.dave, cast.erin, await person('frank')];
    const responses = Array.from({ length: 1_001 }, (_, n) =>
      submissionOf(form, people[n % 3]?.id ?? '', new Date(Date.UTC(2026, 0, 1) + n).toISOString()),
    );
    await store(responses);
    const { status, body } = await direct(cast.bob, form.formId, form.questionIds);
    expect(status).toBe(202);
    await buildExports();
    const job = await readExport(cast.bob, body as { id: string });
    expect(job).toMatchObject({ state: 'DONE', processed: 1_001, total: 1_001 });
    const rows = await readRows(await downloaded(cast.bob, job));
    expect(rows.map(([id, , email]) => [id, email])).toEqual(responses.map(({ id }, n) => [id, people[n % 3]?.email]));
  });

  test('when its file is too large for one HTTP response', async () => {
    const form = await newForm(cast.alice, cast.slug, [
      Array.from({ length: 20 }, () => ({ type: 'LONG_TEXT' as const })),
    ]);
    const noise = () => randomBytes(7_500).toString('base64').slice(0, 10_000);
    const responses = Array.from({ length: 32 }, () => {
      const contents = form.questionIds.map((id) => [id, { type: 'LONG_TEXT' as const, value: noise() }]);
      return submissionOf(form, cast.dave.id, '2026-01-01T00:00:00.000Z', Object.fromEntries(contents));
    });
    for (const response of responses) await store([response]);
    const { status, body } = await direct(cast.bob, form.formId, form.questionIds);
    expect(status).toBe(202);
    await buildExports();
    const rows = await readRows(await downloaded(cast.bob, body as { id: string }));
    expect(rows).toHaveLength(32);
    const first = responses.find(({ id }) => id === rows[0]?.[0]);
    expect(rows[0]?.[3]).toBe(first?.answers[form.questionIds[0] ?? '']?.value);
  });

  test('and the file is what a direct export returns', async () => {
    const { formId, questionIds } = await shortForm('He said "hi"; 表單');
    const [first = '', second = ''] = questionIds;
    await respond(cast.dave, formId, [text(first, '=1+1'), text(second, 'two\r\nlines')]);
    await respond(cast.erin, formId, [text(second, '表單 😀')]);
    const job = await askForExport(cast.bob, formId, questionIds);
    await buildExports();
    const rows = await readRows(await downloaded(cast.bob, job));
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(await readRows(fileOf(await direct(cast.bob, formId, questionIds))));
    const { headers } = await fetch(await readLocation(cast.bob, job));
    expect(headers.get('content-type')).toBe(FORMATS.XLSX.contentType);
    expect(headers.get('content-disposition')).toContain(`UTF-8''He%20said%20hi%20%3B%20`);
  });

  test('once: the same request returns the same job until it is started', async () => {
    const { formId, questionIds } = await shortForm();
    const first = await askForExport(cast.bob, formId, questionIds);
    expect((await askForExport(cast.bob, formId, questionIds.toReversed())).id).toBe(first.id);
    const others = [
      await askForExport(cast.bob, formId, questionIds.slice(1)),
      await askForExport(cast.alice, formId, questionIds),
    ];
    await respond(cast.dave, formId, []);
    await buildExports();
    others.push(await askForExport(cast.bob, formId, questionIds));
    expect(new Set([first.id, ...others.map(({ id }) => id)]).size).toBe(4);
    expect(await readRows(await downloaded(cast.bob, first))).toHaveLength(1);
  });
});

describe('the download', () => {
  test('is a lasting link, and its URL in storage as JSON for pages of other origins', async () => {
    const { formId, questionIds } = await shortForm();
    const job = await askForExport(cast.bob, formId, questionIds);
    await buildExports();
    const path = `/api/exports/${job.id}/download`;
    expect((await readExport(cast.bob, job)).downloadUrl).toBe(`http://127.0.0.1:3000${path}`);
    const params = { exportId: job.id };
    const { status, body } = await cast.bob.client.exports.downloadExport({
      params,
      headers: { accept: 'application/json' },
    });
    expect(status).toBe(200);
    const { url } = body as unknown as { url: string };
    expect((await fetch(url)).status).toBe(200);
  });

  test('of a job that is not done is 400', async () => {
    const { formId, questionIds } = await shortForm();
    const job = await askForExport(cast.bob, formId, questionIds);
    const problem = await expectProblem(cast.bob.client.exports.downloadExport({ params: { exportId: job.id } }));
    expect(problem).toMatchObject({ status: 400, code: 'export_not_available' });
    expect((await readExport(cast.bob, job)).downloadUrl).toBeUndefined();
  });
});

describe('an export is visible', () => {
  test('to the member who asked for it and to admins', async () => {
    const { formId, questionIds } = await shortForm();
    const mine = await askForExport(cast.bob, formId, questionIds);
    const theirs = await askForExport(cast.alice, formId, questionIds);
    const statusOf = (who: Pick<Person, 'client'>, { id }: { id: string }) =>
      who.client.exports.getExport({ params: { exportId: id } }).then(
        ({ status }) => status,
        ({ status }: { status: number }) => status,
      );
    expect(await Promise.all([cast.bob, cast.alice].map((who) => statusOf(who, mine)))).toEqual([200, 200]);
    expect(await statusOf(cast.bob, theirs)).toBe(404);
    expect(await Promise.all([cast.chelsea, cast.dave, cast.oscar].map((who) => statusOf(who, mine)))).toEqual([
      404, 404, 404,
    ]);
    expect(await statusOf({ client: cast.nobody }, mine)).toBe(401);
  });

  test('to nobody who has left the organization', async () => {
    const gina = await person('gina');
    const { slug } = await newOrganization(cast.alice, gina);
    const { formId, questionIds } = await newForm(cast.alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    const job = await askForExport(gina, formId, questionIds);
    await cast.alice.client.orgs.removeMember({ params: { slug, memberId: gina.id } });
    expect((await expectProblem(readExport(gina, job))).status).toBe(404);
  });

  test('in the list of its form, newest first: all to admins, their own to other members', async () => {
    const { formId, questionIds } = await shortForm();
    const jobs: string[] = [];
    for (const [index, who] of [cast.bob, cast.alice, cast.bob, cast.alice, cast.bob].entries()) {
      jobs.push((await askForExport(who, formId, questionIds.slice(index % 2))).id);
      await buildExports();
    }
    const listed = async (who: Person, limit: number): Promise<string[]> => {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit, ...(cursor ? { cursor } : {}) };
        const { body } = await who.client.exports.listExports({ params: { formId }, query });
        ids.push(...body.exports.map(({ id }) => id));
        cursor = body.nextCursor ?? undefined;
      } while (cursor);
      return ids;
    };
    for (const limit of [1, 2, 100]) {
      expect(await listed(cast.alice, limit)).toEqual(jobs.toReversed());
      expect(await listed(cast.bob, limit)).toEqual(jobs.filter((_, index) => index % 2 === 0).toReversed());
    }
  });
});
