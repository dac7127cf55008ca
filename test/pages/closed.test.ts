/** A form that closes, or is submitted in another tab, while somebody answers: the pages say why and what is kept. */
import { describe, expect, test } from 'vitest';
import { newForm } from '#test/support/fixtures.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { branchedForm, castAt, sent } from '#test/support/responses.ts';

const cast = await castAt();
const { alice, dave } = cast;
const pages = pagesOf(dave);
const DEADLINE = '2026-01-02T03:04:00Z';
const WHY = 'This form is closed';
const SINCE = 'It closed on 2 Jan 2026, 03:04 UTC';

/** A response to a form with one required question, and what closes the form. */
async function start({
  type = 'SHORT_TEXT',
  isSubmitted = false,
}: {
  type?: 'SHORT_TEXT' | 'HYPERLINK';
  isSubmitted?: boolean;
} = {}) {
  const form = await newForm(alice, cast.slug, [[{ type, title: 'Name', required: true }]], {
    allowEditResponse: false,
  });
  const { formId } = form;
  const [questionId = '', sectionId = ''] = [form.questionIds[0], form.sectionIds[0]];
  const body = isSubmitted ? { answers: [sent(questionId, type, 'Dave')], submit: true } : {};
  const { id } = (await dave.client.responses.startResponse({ params: { formId }, body })).body;
  const close = () => alice.client.forms.updateForm({ params: { formId }, body: { deadline: DEADLINE } });
  return { formId, questionId, id, path: `/r/${id}`, section: `/r/${id}/s/${sectionId}`, close };
}

/** The stamps of the form of a section, as its page shows them. */
const stampsOf = (html: string): [string, string][] =>
  [...html.matchAll(/name="(s\.[^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]);

describe('a form that closes', () => {
  test('after the answers were checked: the submit says so, since when, and where the draft is kept', async () => {
    const { path, formId, close } = await start();
    await close();
    const { status, headers } = await pages.post(`${path}/submit`);
    expect([status, headers.get('location')]).toEqual([303, `${path}/check?late`]);
    const html = await pages.show(`${path}/check?late`);
    const text = textOf(html);
    for (const part of ['Your response was not submitted', WHY, SINCE, 'kept as a draft']) expect(text).toContain(part);
    expect(html).toContain(`<a href="/f/${formId}">Your responses to this form</a>`);
    expect(textOf(await pages.show(`${path}/check`))).toContain(`${WHY} ${SINCE}`);
  });

  test.for([
    ['an answer', {}],
    ['one that does not fit', { type: 'HYPERLINK' as const }],
  ] as const)('while a section is open: nothing is demanded of %s that could not be saved', async ([, options]) => {
    const { formId, questionId, section, close } = await start(options);
    const stamps = stampsOf(await pages.show(section));
    await close();
    const response = await pages.post(section, [...stamps, [`q.${questionId}`, 'Typed'], ['do', 'next']]);
    const html = await response.text();
    expect([response.status, html.includes('value="Typed"')]).toEqual([400, true]);
    expect(textOf(html)).not.toMatch(/There is a problem|Enter a/);
    expect(textOf(html)).toContain(`${WHY} ${SINCE}`);
    expect(html).toContain(`<a href="/f/${formId}">Your responses to this form</a>`);
  });

  test('before a response is started or withdrawn: the page of the form or of the response says so', async () => {
    const { formId, path, close } = await start({ isSubmitted: true });
    await close();
    expect((await pages.post(`/f/${formId}/start`)).headers.get('location')).toBe(`/f/${formId}`);
    expect((await pages.post(`${path}/cancel`)).headers.get('location')).toBe(path);
    expect(textOf(await pages.show(`/f/${formId}`))).toContain(`${WHY} ${SINCE}`);
  });
});

test('a response that was submitted in another tab is not called one that is being edited', async () => {
  const { questionId, section, id, formId } = await start();
  const stamps = stampsOf(await pages.show(section));
  const answers = [sent(questionId, 'SHORT_TEXT', 'Dave')];
  await dave.client.responses.submitResponse({ params: { responseId: id }, body: { answers } });
  const html = await (await pages.post(section, [...stamps, [`q.${questionId}`, 'Late'], ['do', 'next']])).text();
  expect(textOf(html)).toContain('Already submitted');
  expect(textOf(html)).not.toContain('You are editing a submitted response');
  expect(html).toContain(`<a href="/f/${formId}">Your responses to this form</a>`);
});

test('a fault of the form is not called a question that needs attention', async () => {
  const text = { type: 'SHORT_TEXT' as const };
  const parts = {
    first: [
      { ...text, title: 'Asked' },
      { ...text, required: true, title: 'Name' },
    ],
    yes: [text],
    no: [text],
  };
  const { formId, asked, sectionIds } = await branchedForm({ person: alice, slug: cast.slug }, parts);
  const { id } = (await dave.client.responses.startResponse({ params: { formId } })).body;
  await alice.client.questions.deleteQuestion({ params: { sectionId: sectionIds[0] ?? '', questionId: asked } });
  const shown = textOf(await pages.show(`/r/${id}/check`));
  expect(shown).toContain('1 question needs your attention');
  expect(shown).toContain('This form cannot be submitted at the moment There is a fault in the form itself.');
});
