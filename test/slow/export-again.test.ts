/** The same export again: the file serves until something changes. And the mail about an export. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import type { ExportDocument } from '#core/exports/model.ts';
import { MAX_EXPORT_ROWS } from '#core/exports/service.ts';
import { app } from '#core/http/app.ts';
import { insertMember } from '#core/organizations/store.ts';
import { muteErrors } from '#test/support/console.ts';
import { askForExport, buildExports, readExport } from '#test/support/exports.ts';
import { withApp, withTable } from '#test/support/faults.ts';
import { type Built, type Cast, expectProblem, newCast, newForm, type Person, person } from '#test/support/fixtures.ts';
import { mailsTo, ownSes } from '#test/support/mail.ts';
import { cancel, respond, save, text } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

muteErrors();
const ownMail = ownSes();
let cast: Cast;
let form: Built;
let questionId: string;
let responseId: string;
beforeAll(async () => {
  cast = await newCast();
});
beforeEach(async () => {
  form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  [questionId = ''] = form.questionIds;
  responseId = await respond(cast.dave, form.formId, [text(questionId, 'frogs')]);
  await deliverStream();
});

/** An export that is done; its id. */
async function exported(by: Person = cast.bob): Promise<string> {
  const { id } = await askForExport(by, form.formId, form.questionIds);
  await buildExports();
  await deliverStream();
  return id;
}

/** Runs a request and, before it stores the response, something else. */
const beforeLastWrite = (request: () => Promise<unknown>, meanwhile: () => Promise<unknown>) =>
  withTable(
    ({ write }) => ({
      write: async (writes) => {
        const storesResponse = writes.some(
          (each) => ('put' in each ? each.put.sk : 'remove' in each && each.remove.sk) === 'RESPONSE',
        );
        if (storesResponse) await meanwhile();
        return write(writes);
      },
    }),
    request,
  );

const in31Seconds = <T>(run: () => Promise<T>): Promise<T> =>
  withApp(() => ({ now: () => new Date(Date.now() + 31_000) }), run);

describe('the same export again', () => {
  test('is the one that there is while nothing has changed', async () => {
    const first = await exported();
    expect(await askForExport(cast.bob, form.formId, form.questionIds)).toMatchObject({ id: first, state: 'DONE' });
    expect(await exported(cast.alice)).not.toBe(first);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a response was submitted', () => respond(cast.erin, form.formId, [])],
    ['a submitted response was edited', () => save(cast.dave, responseId, [text(questionId, 'newts')])],
    ['a response was cancelled', () => cancel(cast.dave, responseId)],
    [
      'a response was deleted',
      () => cast.alice.client.responses.deleteResponse({ params: { formId: form.formId, responseId } }),
    ],
    [
      'a question was added',
      () =>
        cast.alice.client.questions.createQuestion({
          params: { sectionId: form.sectionIds[0] ?? '' },
          body: { type: 'RATING', title: 'How many?', required: false, description: null, order: 2, scale: STARS },
        }),
    ],
    [
      'the form was renamed',
      () => cast.alice.client.forms.updateForm({ params: { formId: form.formId }, body: { title: 'Ponds' } }),
    ],
  ])('is a new one after %s', async (_, change) => {
    const first = await exported();
    await change();
    await deliverStream();
    expect(await exported()).not.toBe(first);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['an edit', () => save(cast.dave, responseId, [text(questionId, 'newts')])],
    ['a cancellation', () => cancel(cast.dave, responseId)],
    ['a deletion', () => cast.alice.client.responses.deleteResponse({ params: { formId: form.formId, responseId } })],
  ])('is a new one after %s that is not counted yet, and of one that it overtook', async (_, change) => {
    const first = await exported();
    let overtaken = '';
    await beforeLastWrite(change, async () => {
      overtaken = await exported();
    });
    const { id } = await askForExport(cast.bob, form.formId, form.questionIds);
    expect([first, overtaken]).not.toContain(id);
  });

  test('is the same again half a minute after an edit', async () => {
    await save(cast.dave, responseId, [text(questionId, 'newts')]);
    await deliverStream();
    const id = await in31Seconds(() => exported());
    expect(await askForExport(cast.bob, form.formId, form.questionIds)).toMatchObject({ id });
  });

  test('is a new one after a submission that is not counted yet', async () => {
    const first = await exported();
    await respond(cast.erin, form.formId, []);
    expect((await askForExport(cast.bob, form.formId, form.questionIds)).id).not.toBe(first);
  });

  test('is the same after a draft was saved, which no export shows', async () => {
    const first = await exported();
    const { body } = await cast.erin.client.responses.startResponse({ params: { formId: form.formId } });
    await save(cast.erin, body.id, [text(questionId, 'newts')]);
    await deliverStream();
    expect(await exported()).toBe(first);
  });

  test('is a new one after 24 hours', async () => {
    const at = (hours: number) => ({ now: () => new Date(Date.now() + hours * 3_600_000) });
    const first = await withApp(() => at(-23), exported);
    expect(await exported()).toBe(first);
    const second = await withApp(
      () => at(-48),
      () => exported(cast.alice),
    );
    expect(await exported(cast.alice)).not.toBe(second);
  });
});

const STARS = { minVal: 1, maxVal: 5, icon: 'star' as const };

test('an export of more responses than one run can write is 413', async () => {
  const key = keys.counters(form.formId, 0);
  await app().table.write([{ update: key, set: { base: 1, '1#SUBMITTED': MAX_EXPORT_ROWS + 1 } }]);
  const problem = await expectProblem(askForExport(cast.bob, form.formId, form.questionIds));
  expect(problem).toMatchObject({ status: 413, code: 'content_too_large' });
  expect(problem.detail).toContain(String(MAX_EXPORT_ROWS));
});

describe('the person who asked gets a mail', () => {
  /** A member who asks for an export in a language. */
  async function requester(language: string) {
    const gina = await person('gina');
    await app().table.write(insertMember(cast.orgId, gina.id, app().now().toISOString(), 1));
    const { body } = await gina.client.exports.downloadTable({
      params: { formId: form.formId },
      body: { questionIds: form.questionIds },
      headers: { prefer: 'respond-async', 'accept-language': language },
    });
    return { gina, job: body as ExportDocument };
  }

  test('with the lasting link, in the language of the request, once', async () => {
    const { gina, job } = await requester('zh-TW');
    await buildExports();
    await deliverStream({ twice: true });
    await deliverStream();
    const [mail, ...others] = mailsTo(ownMail(), gina);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('匯出檔案已備妥：Spring survey');
    for (const part of [mail?.html, mail?.text]) expect(part).toContain(`/review/${job.formId}/export/${job.id}`);
  });

  test('when it has failed for good, not before', async () => {
    const { gina, job } = await requester('en');
    for (const minutes of [0, 2, 4]) {
      expect(mailsTo(ownMail(), gina)).toEqual([]);
      await withApp(
        ({ bucket }) => ({
          now: () => new Date(Date.now() + minutes * 60_000),
          bucket: { ...bucket, upload: () => Promise.reject(new Error('a defect')) },
        }),
        buildExports,
      );
    }
    expect(await readExport(gina, job)).toMatchObject({ state: 'FAILED' });
    await withApp(() => ({ now: () => new Date(Date.now() + 300_000) }), deliverStream);
    const [mail, ...others] = mailsTo(ownMail(), gina);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Your export failed: Spring survey');
    expect(mail?.text).toContain(`/review/${job.formId}/export/${job.id}`);
  });
});
