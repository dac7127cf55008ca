/**
 * Pages that respondents look at, and the frame of those of reviewers, are read eventually consistent: what they show may be a
 * second old, but nobody is turned away by what is old, and nothing is accepted by it.
 */
import { describe, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import { withApp } from '#test/support/faults.ts';
import { newForm, newOrganization } from '#test/support/fixtures.ts';
import { withLaggingIndex } from '#test/support/lagging-index.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { castAt, save, sent } from '#test/support/responses.ts';

const cast = await castAt();
const { alice, dave } = cast;
const pages = pagesOf(dave);
const CLOSED = 'This form is closed';

async function newDraft() {
  const form = await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT', title: 'Name' }]]);
  const { formId } = form;
  const [questionId = '', sectionId = ''] = [form.questionIds[0], form.sectionIds[0]];
  const { id } = (await dave.client.responses.startResponse({ params: { formId } })).body;
  const update = (body: object) => alice.client.forms.updateForm({ params: { formId }, body });
  const section = `/r/${id}/s/${sectionId}`;
  return { formId, sectionId, questionId, id, section, update };
}
type Draft = Awaited<ReturnType<typeof newDraft>>;

/** The pages that respondents look at while a form is open, and what tells that they show it. */
const SHOWN: Record<string, { path: (draft: Draft) => string; shows: string }> = {
  'the landing page': { path: ({ formId }) => `/f/${formId}`, shows: 'Your answers are saved with each section' },
  'a section': { path: ({ section }) => section, shows: 'Name' },
  'the check page': { path: ({ id }) => `/r/${id}/check`, shows: 'Submit' },
};
const PASSED = { deadline: '2026-01-02T03:04:00Z' };
const shown = Object.entries(SHOWN);

describe('a form that opens again', () => {
  test.for(shown)('shows %s although the last second is not seen yet', async ([, { path, shows }]) => {
    const draft = await newDraft();
    await draft.update(PASSED);
    await withLaggingIndex('stale', async () => {
      await draft.update({ deadline: null });
      const text = textOf(await pages.show(path(draft)));
      expect(text).toContain(shows);
      expect(text).not.toContain(CLOSED);
    });
  });

  test('leads to its section, not to the list of answers of a closed form', async () => {
    const draft = await newDraft();
    await draft.update(PASSED);
    await withLaggingIndex('stale', async () => {
      await draft.update({ deadline: null });
      const { headers } = await pages.get(`/r/${draft.id}`);
      expect(headers.get('location')).toBe(draft.section);
    });
  });

  test('is seen by those who were not allowed to know it a second ago', async () => {
    const { formId } = await newForm(alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
    expect((await pages.get(`/f/${formId}`)).status).toBe(404);
    await withLaggingIndex('stale', async () => {
      await alice.client.forms.publishForm({ params: { formId } });
      expect((await pages.get(`/f/${formId}`)).status).toBe(200);
    });
  });
});

describe('a form that closes', () => {
  test.for(shown)('still shows %s for a second, and refuses what is sent from it', async ([, { path, shows }]) => {
    const draft = await newDraft();
    await withLaggingIndex('stale', async () => {
      await draft.update(PASSED);
      expect(textOf(await pages.show(path(draft)))).toContain(shows);
      const stamps = fieldsOf(await pages.show(draft.section)).filter(([name]) => name.startsWith('s.'));
      expect((await pages.post(`/r/${draft.id}/submit`)).headers.get('location')).toBe(`/r/${draft.id}/check?late`);
      const typed = await pages.post(draft.section, [...stamps, [`q.${draft.questionId}`, 'Typed'], ['do', 'next']]);
      expect(typed.status).toBe(400);
      expect(textOf(await typed.text())).toContain(CLOSED);
      expect((await pages.post(`/f/${draft.formId}/start`)).headers.get('location')).toBe(`/f/${draft.formId}`);
    });
    expect(textOf(await pages.show(`/f/${draft.formId}`))).toContain(CLOSED);
  });
});

test('the answers of the last second are always shown', async () => {
  const { section, questionId, id } = await newDraft();
  await withLaggingIndex('stale', async () => {
    await save(dave, id, [sent(questionId, 'SHORT_TEXT', 'Dave the first')]);
    expect(await pages.show(section)).toContain('Dave the first');
    expect(await pages.show(`/r/${id}/check`)).toContain('Dave the first');
    await dave.client.responses.submitResponse({ params: { responseId: id }, body: { answers: [] } });
    expect(await pages.show(`/r/${id}/done`)).toContain('Dave the first');
  });
});

test('reviewers are shown the responses of an organization of the last second', async () => {
  await withLaggingIndex('stale', async () => {
    const { slug } = await newOrganization(alice);
    const { formId } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    for (const path of ['', '/statistics', '/drafts']) {
      expect((await pagesOf(alice).get(`/review/${formId}${path}`)).status).toBe(200);
    }
  });
});

test('pages of an open form read what all respondents share eventually consistent, and nothing else is', async () => {
  const draft = await newDraft();
  const read = async (path: string) => {
    const late: string[] = [];
    const strong: string[] = [];
    const { table } = app();
    const counting = {
      ...table,
      read: (keys: Parameters<typeof table.read>[0], consistency?: 'strong' | 'eventual') => {
        (consistency === 'eventual' ? late : strong).push(...keys.map(({ sk }) => sk));
        return table.read(keys, consistency);
      },
    };
    await withApp(
      () => ({ table: counting }),
      () => pages.get(path),
    );
    return { late: late.sort(), strong: strong.sort() };
  };
  const { id, formId, section } = draft;
  // The questions are read once.
  await pages.show(section);
  expect(await read(`/f/${formId}`)).toEqual({ late: ['ACCOUNT', 'GATE', 'HEAD', 'ORG'], strong: [] });
  const ofResponse = { late: ['GATE'], strong: ['RESPONSE'] };
  expect(await read(`/r/${id}`)).toEqual(ofResponse);
  expect(await read(section)).toEqual(ofResponse);
  expect(await read(`/r/${id}/check`)).toEqual(ofResponse);
  await dave.client.responses.submitResponse({ params: { responseId: id }, body: { answers: [] } });
  expect(await read(`/r/${id}/done`)).toEqual({ late: ['ACCOUNT', 'GATE', 'HEAD'], strong: ['RESPONSE'] });
  expect((await read(`/r/${id}/withdraw`)).late).toEqual([]);
});
