/** The page of a section, posted after the form has changed: removed questions and choices, files of two tabs. */
import { describe, expect, test } from 'vitest';
import type { SaveResult } from '#core/pages/respondent/section-script.ts';
import type { QuestionInput } from '#core/structure/question-model.ts';
import { local, sentDirectly } from '#test/support/files.ts';
import { type Built, newCast, newForm, send } from '#test/support/fixtures.ts';
import { start } from '#test/support/responses.ts';

const cast = await newCast();

type Fields = [name: string, value: string][];
type Shown = Built & { responseId: string; path: string; html: string };

/** A new response of dave's, and its page as he sees it before the form changes. */
async function open(...questions: ({ type: QuestionInput['type'] } & Partial<QuestionInput>)[]): Promise<Shown> {
  const built = await newForm(cast.alice, cast.slug, [questions]);
  const responseId = await start(cast.dave, built.formId);
  const path = `/r/${responseId}/s/${built.sectionIds[0]}`;
  return { ...built, responseId, path, html: await get(path) };
}

const get = async (path: string): Promise<string> =>
  (await send('GET', path, { headers: { cookie: `access_token=${cast.dave.token}` } })).text();

/** Posts what is typed into a page, with the stamps of that page. */
function post({ path, html }: Shown, typed: Fields, headers: Record<string, string> = {}): Promise<Response> {
  const stamps = [...html.matchAll(/name="(s\.[^"]+)" value="([^"]*)"/g)];
  const fields: Fields = [...stamps.map(([, name = '', value = '']): [string, string] => [name, value]), ...typed];
  return send('POST', path, {
    headers: {
      cookie: `access_token=${cast.dave.token}`,
      origin: 'http://127.0.0.1:3000',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  });
}

async function save(page: Shown, typed: Fields): Promise<SaveResult> {
  const response = await post(page, typed, { accept: 'application/json' });
  expect(response.status).toBe(200);
  return (await response.json()) as SaveResult;
}

const answers = async ({ formId, responseId }: Shown) =>
  (await cast.dave.client.responses.getResponse({ params: { formId, responseId } })).body.sections.flatMap(
    ({ answerDetails }) => answerDetails.map(({ payload }) => payload?.displayValue),
  );

const firstQuestion = async ({ formId }: Built) => {
  const [section] = (await cast.alice.client.sections.listSections({ params: { formId } })).body;
  const [question] = section?.questions ?? [];
  if (!question) throw new Error('the form has no question');
  return question;
};

const removeQuestion = ({ sectionIds, questionIds }: Built) =>
  cast.alice.client.questions.deleteQuestion({
    params: { sectionId: sectionIds[0] ?? '', questionId: questionIds[0] ?? '' },
  });

describe('a question that was removed', () => {
  test('is reported to the scripts, and the other answers are saved', async () => {
    const page = await open({ type: 'SHORT_TEXT' }, { type: 'SHORT_TEXT' });
    const [removed = '', other] = page.questionIds;
    await removeQuestion(page);
    const result = await save(page, [
      [`q.${removed}`, 'About frogs'],
      [`q.${other}`, 'Kept'],
    ]);
    expect(result.questions[removed]).toMatchObject({ removed: true, error: expect.stringContaining('was removed') });
    expect(await answers(page)).toEqual(['Kept']);
  });

  test('shows what was typed once more without scripts, and does not block the next press', async () => {
    const page = await open({ type: 'LONG_TEXT' }, { type: 'SHORT_TEXT' });
    await removeQuestion(page);
    const refused = await post(page, [
      [`q.${page.questionIds[0]}`, 'About <frogs>'],
      ['do', 'next'],
    ]);
    const html = await refused.text();
    expect(refused.status).toBe(400);
    expect(html).toContain('This question was removed');
    expect(html).toMatch(/<blockquote[^>]*>About &lt;frogs&gt;<\/blockquote>/);
    expect((await post({ ...page, html }, [['do', 'next']])).status).toBe(303);
  });

  test('without a typed answer needs no notice', async () => {
    const page = await open({ type: 'SHORT_TEXT' }, { type: 'SHORT_TEXT' });
    await removeQuestion(page);
    expect((await post(page, [['do', 'next']])).status).toBe(303);
  });
});

describe('a section that was removed', () => {
  /** A page of a section with a text, removed after the page was made. */
  async function openRemoved(): Promise<Shown> {
    const page = await open({ type: 'LONG_TEXT' });
    const { formId, sectionIds } = page;
    await cast.alice.client.workflow.deleteNode({ params: { formId, nodeId: sectionIds[0] ?? '' } });
    return page;
  }

  test('shows what was typed once more without scripts, with a link to continue', async () => {
    const page = await openRemoved();
    const response = await post(page, [[`q.${page.questionIds[0]}`, 'About <frogs>']]);
    const html = await response.text();
    expect(response.status).toBe(400);
    expect(html).toMatch(/<blockquote[^>]*>About &lt;frogs&gt;<\/blockquote>/);
    expect(html).toContain(`href="/r/${page.responseId}"`);
  });

  test('leads to the next step when nothing was typed', async () => {
    const page = await openRemoved();
    const response = await post(page, [['do', 'next']]);
    expect([response.status, response.headers.get('location')]).toEqual([303, `/r/${page.responseId}`]);
  });
});

describe('a choice that was removed', () => {
  const CHOICES = [{ name: 'Frogs' }, { name: 'Herons' }, { name: 'Newts' }];

  /** A page of a question with three choices, the second of which is removed after the page was made. */
  async function openWithRemoved(type: QuestionInput['type'], chosen: string[] = []) {
    const page = await open({ type, choices: CHOICES });
    const { id = '', title, choices = [] } = await firstQuestion(page);
    const idOf = (name: string): string => choices.find((each) => each.name === name)?.id ?? '';
    if (chosen.length > 0) await save(page, [...chosen.map((name): [string, string] => [`q.${id}`, idOf(name)])]);
    const html = await get(page.path);
    await cast.alice.client.questions.updateQuestion({
      params: { sectionId: page.sectionIds[0] ?? '', questionId: id },
      body: {
        type,
        title,
        required: false,
        description: null,
        order: 1,
        choices: choices.filter(({ name }) => name !== 'Herons'),
      },
    });
    return { page: { ...page, html }, id, idOf };
  }

  test('is said, and the question comes back with the choices of now and the stored answer', async () => {
    const { page, id, idOf } = await openWithRemoved('SINGLE_CHOICE', ['Frogs']);
    const { questions, replaced } = await save(page, [[`q.${id}`, idOf('Herons')]]);
    expect(questions[id]).toMatchObject({ error: expect.stringContaining('no longer offered'), reset: true });
    expect(replaced[id]).not.toContain('Herons');
    expect(replaced[id]).toMatch(new RegExp(`value="${idOf('Frogs')}" checked`));
    expect(await answers(page)).toEqual(['Frogs']);
  });

  test('leaves the other boxes checked', async () => {
    const { page, id, idOf } = await openWithRemoved('MULTIPLE_CHOICE');
    const { questions, replaced } = await save(page, [
      [`q.${id}`, idOf('Herons')],
      [`q.${id}`, idOf('Newts')],
    ]);
    expect(replaced[id]).toMatch(new RegExp(`value="${idOf('Newts')}" checked`));
    expect(questions[id]).not.toHaveProperty('reset');
    expect(await answers(page)).toEqual([undefined]);
  });

  test('can be replaced on a page that was made before', async () => {
    const page = await open({ type: 'SINGLE_CHOICE', choices: CHOICES });
    const { id = '', title, choices = [] } = await firstQuestion(page);
    const [frogs = '', herons = ''] = choices.map((each) => each.id);
    await save(page, [[`q.${id}`, herons]]);
    const html = await get(page.path);
    const rest = { type: 'SINGLE_CHOICE' as const, title, required: false, description: null, order: 1 };
    const params = { sectionId: page.sectionIds[0] ?? '', questionId: id };
    await cast.alice.client.questions.updateQuestion({
      params,
      body: { ...rest, choices: choices.filter((each) => each.id !== herons) },
    });
    const { questions } = await save({ ...page, html }, [[`q.${id}`, frogs]]);
    expect(questions[id]).not.toHaveProperty('conflict');
    expect(await answers(page)).toEqual(['Frogs']);
  });
});

describe('files that scripts attach', () => {
  const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 2, maxFileSizeLimit: 1_000 };

  test('join those of another tab, until there are too many', async () => {
    const page = await open({ type: 'UPLOAD_FILE', uploadFile });
    const [questionId = ''] = page.questionIds;
    const names = ['one.txt', 'two.txt', 'three.txt'];
    const fileIds = await sentDirectly(
      cast.dave,
      { responseId: page.responseId, questionId },
      ...names.slice(0, 2).map((name) => local(name)),
    );
    const attach = (fileId = '') => save(page, [['do', `attach:${questionId}:${fileId}`]]);
    const [first, second] = await Promise.all(fileIds.map(attach));
    expect([first, second].map((result) => result?.questions[questionId]?.error)).toEqual([undefined, undefined]);
    const again = await attach(fileIds[0]);
    expect(again.replaced[questionId]).toMatch(/one\.txt[\s\S]*11 bytes/);
    expect(again.replaced[questionId]).toContain('two.txt');
    const [third] = await sentDirectly(cast.dave, { responseId: page.responseId, questionId }, local('three.txt'));
    expect((await attach(third)).questions[questionId]?.error).toBe('At most 2 files can be attached');
    expect((await attach('no-id')).questions[questionId]?.error).toContain('does not match');
  });

  test('of a removed question are refused', async () => {
    const page = await open({ type: 'UPLOAD_FILE', uploadFile }, { type: 'SHORT_TEXT' });
    const [questionId = ''] = page.questionIds;
    const [fileId] = await sentDirectly(cast.dave, { responseId: page.responseId, questionId }, local('one.txt'));
    await removeQuestion(page);
    const result = await save(page, [['do', `attach:${questionId}:${fileId}`]]);
    expect(result.questions[questionId]).toMatchObject({ removed: true });
  });
});
