/**
 * How many files of the domain a reader opens to follow one request: those with a function that runs in it, on a form
 * with a question of every type. Not counted are
 * - the files of the question types and their fields;
 * - the request shell: core/http, core/api, core/access and core/identity, of which every request runs the same three to
 *   authenticate (access, tokens, redirects), and its counterpart for pages: core/pages/shell and texts, of which the page
 *   of a section runs 12 files, as every page does;
 * - values and adapters: core/schema, core/problems, core/rich-text (two files where a text is rendered), core/db, core/aws.
 */
import { Session } from 'node:inspector/promises';
import { expect, test } from 'vitest';
import { buildExports } from '#test/support/exports.ts';
import { about, announce, announced, attached, complete, download, pdf, sendTo } from '#test/support/files.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { ownSes } from '#test/support/mail.ts';
import { pagesOf } from '#test/support/pages.ts';
import { choice, type EveryType, everyTypeForm, type Sent, sent, start, submit } from '#test/support/responses.ts';
import { doc, p, text } from '#test/support/rich-text.ts';
import { runSweep } from '#test/support/sweeps.ts';

const cast = await newCast();
ownSes();

const DOMAIN =
  /\/(core\/(?:accounts|organizations|structure|forms|responses|counts|files|table|views|exports|definitions|mail|sheets|jobs|deletion|workers|pages)\/.+\.ts)$/;
const NOT_COUNTED = /^core\/(?:structure\/types|pages\/(?:fields|text|shell|browser))\//;

/** The scripts of the process with how often their functions ran in `work`. */
async function measureCoverage(work: () => Promise<unknown>) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  return result;
}

/** The files of the domain of which functions run in `work`. */
async function listFiles(work: () => Promise<unknown>): Promise<string[]> {
  const files = (await measureCoverage(work)).flatMap(({ url, functions }) => {
    const file = DOMAIN.exec(url.split('?')[0] ?? '')?.[1];
    return file && !NOT_COUNTED.test(file) && functions.some(({ ranges: [whole] }) => whole?.count) ? [file] : [];
  });
  return [...new Set(files)].sort();
}

/** Answers of several types. */
const answers = ({ byType }: EveryType): Sent[] => [
  sent(byType.SHORT_TEXT.id, 'SHORT_TEXT', 'Loch Ness'),
  sent(byType.SINGLE_CHOICE.id, 'SINGLE_CHOICE', [choice(byType.SINGLE_CHOICE, 'Red')]),
  sent(
    byType.RANKING.id,
    'RANKING',
    ['Red', 'Blue', 'Other'].map((name) => choice(byType.RANKING, name)),
  ),
  sent(byType.DATE.id, 'DATE', '2026-05-01'),
  sent(byType.RATING.id, 'RATING', 4),
];

/** A text that is typed into the page of a section, with the stamp that the page shows. */
async function typeText(form: EveryType) {
  const path = `/r/${await start(cast.dave, form.formId, answers(form))}/s/${form.sectionIds[0]}`;
  const { id } = form.byType.SHORT_TEXT;
  const stamp = new RegExp(`name="s\\.${id}" value="([^"]*)"`).exec(await pagesOf(cast.dave).show(path));
  const typed: [string, string][] = [
    [`s.${id}`, stamp?.[1] ?? ''],
    [`q.${id}`, 'Windermere'],
  ];
  return { path, typed, id };
}

type Flow = (form: EveryType) => Promise<() => Promise<unknown>>;

/** Prepares a flow and returns the part of it that is measured. */
const FLOWS: Record<string, [most: number, flow: Flow]> = {
  submit: [
    // With the table of settings, whose values a gate has.
    13,
    async (form) => {
      const responseId = await start(cast.dave, form.formId);
      return () => submit(cast.dave, responseId, answers(form));
    },
  ],
  'download of a file': [
    10,
    async (form) => {
      const at = { responseId: await start(cast.dave, form.formId), questionId: form.byType.UPLOAD_FILE.id };
      const [fileId = ''] = await attached(cast.dave, at, pdf('lake.pdf'));
      return () => download(cast.dave, fileId);
    },
  ],
  'announcement of an upload': [
    14,
    async (form) => {
      const at = { responseId: await start(cast.dave, form.formId), questionId: form.byType.UPLOAD_FILE.id };
      return () => announce(cast.dave, at, [about(pdf('lake.pdf'))]);
    },
  ],
  'completion of an upload': [
    17,
    async (form) => {
      const at = { responseId: await start(cast.dave, form.formId), questionId: form.byType.UPLOAD_FILE.id };
      const file = pdf('lake.pdf');
      const entry = await announced(cast.dave, at, file);
      await sendTo(entry, file.bytes);
      return () => complete(cast.dave, at, [entry.fileId]);
    },
  ],
  'creation of a question': [
    14,
    async (form) => {
      const [sectionId = ''] = form.sectionIds;
      const body = { type: 'SHORT_TEXT' as const, title: 'Which lake?', required: false, description: null, order: 1 };
      return () => cast.alice.client.questions.createQuestion({ params: { sectionId }, body });
    },
  ],
  'mail with a copy': [
    // With the earlier answers in texts.
    21,
    async (form) => {
      const { alice, dave } = cast;
      await alice.client.forms.updateForm({ params: { formId: form.formId }, body: { sendResponseEmail: true } });
      await submit(dave, await start(dave, form.formId), answers(form));
      return runSweep;
    },
  ],
  'request for an export': [
    20,
    async (form) => {
      const params = { formId: form.formId };
      const body = { questionIds: form.questionIds };
      return () => cast.bob.client.exports.downloadTable({ params, body, headers: { prefer: 'respond-async' } });
    },
  ],
  export: [
    28,
    async (form) => {
      await submit(cast.dave, await start(cast.dave, form.formId), answers(form));
      const params = { formId: form.formId };
      const body = { questionIds: form.questionIds };
      await cast.bob.client.exports.downloadTable({ params, body, headers: { prefer: 'respond-async' } });
      return () => buildExports();
    },
  ],
  'page of a section': [
    22,
    async (form) => {
      const responseId = await start(cast.dave, form.formId, answers(form));
      return () => pagesOf(cast.dave).show(`/r/${responseId}/s/${form.sectionIds[0]}`);
    },
  ],
  'saving the page of a section': [
    23,
    async (form) => {
      const { path, typed } = await typeText(form);
      return () => pagesOf(cast.dave).post(path, [...typed, ['do', 'save']]);
    },
  ],
  autosave: [
    23,
    async (form) => {
      const { path, typed, id } = await typeText(form);
      return async () => {
        const saved = await pagesOf(cast.dave, { accept: 'application/json' }).post(path, typed);
        expect([saved.status, await saved.json()]).toMatchObject([200, { questions: { [id]: {} } }]);
      };
    },
  ],
};

test.for(Object.entries(FLOWS))('%s', async ([, [most, flow]]) => {
  const form = await everyTypeForm(cast.alice, cast.slug);
  // Files are loaded and caches filled in a first run.
  await (await flow(form))();
  const work = await flow(form);
  const files = await listFiles(work);
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(most);
});

/** How often `work` renders a rich text, and finds the path of answers. */
async function countCalls(work: () => Promise<unknown>): Promise<{ renders: number; walks: number }> {
  const scripts = await measureCoverage(work);
  const count = (file: string, name: string): number =>
    scripts
      .filter(({ url }) => url.split('?')[0]?.endsWith(file))
      .flatMap(({ functions }) => functions)
      .filter(({ functionName }) => functionName === name)
      .reduce((sum, { ranges: [whole] }) => sum + (whole?.count ?? 0), 0);
  return { renders: count('core/rich-text/html.ts', 'renderHtml'), walks: count('core/structure/path.ts', 'walk') };
}

test('the page of a section renders its own texts and finds the path twice, and a save that succeeds renders none', async () => {
  const described = { type: 'SHORT_TEXT', description: doc(p(text('Where the sun sets.'))) } as const;
  const sections = Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => described));
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, sections);
  const path = `/r/${await start(cast.dave, formId)}/s/${sectionIds[0]}`;
  const { show, post } = pagesOf(cast.dave);
  let html = '';
  // The section itself has no description.
  const showing = async () => {
    html = await show(path);
  };
  await showing();
  // The path, and how many sections it may have.
  expect(await countCalls(showing)).toEqual({ renders: 5, walks: 2 });
  const stamps = [...html.matchAll(/name="(s\.[^"]+)" value="([^"]*)"/g)];
  const fields = [...stamps.map(([, name = '', value = '']) => [name, value] as const), ['do', 'save'] as const];
  const saved = await countCalls(() => post(path, [...fields, [`q.${questionIds[0]}`, 'Windermere']]));
  expect(saved.renders).toBe(0);
  // The path before, with the input to judge, and after; before and after, also how many sections it may have.
  expect(saved.walks).toBeLessThanOrEqual(5);
});
