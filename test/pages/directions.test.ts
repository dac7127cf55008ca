/** Texts in scripts that are written from the right: each page and mail lays them out from the right, in its own frame. */
import { beforeAll, expect, test } from 'vitest';
import { loadForm } from '#core/forms/store.ts';
import { app } from '#core/http/app.ts';
import { renderResponseCopy } from '#core/mail/response-mail.ts';
import { readResponse } from '#core/responses/change.ts';
import { listMisdirected } from '#test/support/directions.ts';
import { answerWithFile } from '#test/support/files.ts';
import { newCast, newForm, newOrganization, type Person } from '#test/support/fixtures.ts';
import { fillIn, pagesOf } from '#test/support/pages.ts';
import { sent, start, submit, text } from '#test/support/responses.ts';
import { doc, p, text as words } from '#test/support/rich-text.ts';

const cast = await newCast();
const ARABIC = 'استبيان البحيرات';
const HEBREW = 'סקר האגמים';

let ids: Record<string, string>;
beforeAll(async () => {
  const { alice, dave } = cast;
  const { client } = alice;
  const { slug } = await newOrganization(alice, cast.bob);
  const details = { name: ARABIC, description: ARABIC, metadata: { [ARABIC]: HEBREW } };
  await client.orgs.updateOrganization({ params: { slug }, body: { ...details, slug } });
  const { id: unitId } = (await client.units.createUnit({ params: { slug }, body: details })).body;
  const choices = [{ name: HEBREW, description: ARABIC }, { name: `${ARABIC} ٢` }];
  const named = { title: ARABIC, description: doc(p(words(HEBREW))) as never };
  const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 2, maxFileSizeLimit: 100 };
  const { formId, sectionIds, questionIds } = await newForm(
    alice,
    slug,
    [
      [
        { ...named, type: 'SHORT_TEXT', text: { unit: HEBREW } },
        { ...named, type: 'LONG_TEXT' },
        { ...named, type: 'SINGLE_CHOICE', choices: [...choices, { name: ARABIC, isOther: true }] },
        { ...named, type: 'DROPDOWN', choices },
        { ...named, type: 'RANKING', choices },
        { ...named, type: 'DETAILED_MULTIPLE_CHOICE', choices },
        {
          ...named,
          type: 'LINEAR_SCALE',
          scale: { minVal: 1, maxVal: 2, minValueLabel: ARABIC, maxValueLabel: HEBREW },
        },
        { ...named, type: 'SINGLE_CHOICE', choices },
        { ...named, type: 'SINGLE_CHOICE', choices, grid: true },
        { ...named, type: 'UPLOAD_FILE', uploadFile },
        { ...named, type: 'HYPERLINK' },
      ],
      [{ ...named, type: 'SHORT_TEXT' }],
    ],
    { title: ARABIC, description: doc(p(words(HEBREW))) as never },
  );
  const messages = { previewMessage: ARABIC, messageAfterSubmission: ARABIC };
  await client.forms.updateForm({ params: { formId }, body: messages });
  const [sectionId = '', secondId = ''] = sectionIds;
  for (const each of [sectionId, secondId]) {
    const body = { title: ARABIC, description: doc(p(words(HEBREW))) as never };
    await client.sections.updateSection({ params: { formId, sectionId: each }, body });
  }
  const { id: viewId } = (await client.views.createView({ params: { formId }, body: { title: HEBREW } })).body;
  const sections = (await client.sections.listSections({ params: { formId } })).body;
  const questions = sections.flatMap((each) => each.questions ?? []);
  const chosen = (index: number): string => questions[index]?.choices?.[0]?.id ?? '';
  const [short = '', long = '', single = '', dropdown = '', ranking = ''] = questionIds;
  const answers = [
    text(short, ARABIC),
    sent(long, 'LONG_TEXT', `${HEBREW}\n${ARABIC}`),
    sent(single, 'SINGLE_CHOICE', [chosen(2)]),
    sent(dropdown, 'DROPDOWN', [chosen(3)]),
    sent(ranking, 'RANKING', [chosen(4)]),
  ];
  const draftId = await start(dave, formId, answers);
  await answerWithFile(dave, draftId, questionIds[9] ?? '', `${ARABIC}.txt`);
  const responseId = await start(dave, formId, answers);
  await answerWithFile(dave, responseId, questionIds[9] ?? '', `${ARABIC}.txt`);
  await submit(dave, responseId);
  // Published changes are a version, and the next edit is changes again.
  await fillIn(alice, `/build/${formId}/s/${sectionId}`, [['title', HEBREW]]);
  await client.forms.publishChanges({ params: { formId }, body: {} });
  await fillIn(alice, `/build/${formId}/s/${sectionId}`, [['title', ARABIC]]);
  const [latest] = (await client.forms.listVersions({ params: { formId } })).body;
  const version = String(latest?.version);
  ids = {
    version,
    slug,
    unitId,
    formId,
    sectionId,
    questionId: single,
    viewId,
    memberId: cast.bob.id,
    draftId,
    responseId,
  };
});

const fill = (path: string): string => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);

const ofMembers = [
  '/',
  '/o/{slug}',
  '/o/{slug}/settings',
  '/o/{slug}/members',
  '/o/{slug}/units',
  '/o/{slug}/units/{unitId}',
  '/o/{slug}/delete',
  '/o/{slug}/new',
  '/build/{formId}',
  '/build/{formId}/settings',
  '/build/{formId}/look',
  '/build/{formId}/share',
  '/build/{formId}/delete',
  '/build/{formId}/versions',
  '/build/{formId}/versions/{version}',
  '/build/{formId}/changes',
  '/build/{formId}/questions',
  '/build/{formId}/questions/order',
  '/build/{formId}/s/{sectionId}',
  '/build/{formId}/s/{sectionId}/new?type=LONG_TEXT',
  '/build/{formId}/s/{sectionId}/delete',
  '/build/{formId}/q/{questionId}',
  '/build/{formId}/q/{questionId}/choices',
  '/build/{formId}/q/{questionId}/delete',
  '/build/{formId}/rules',
  '/build/{formId}/s/{sectionId}/rules',
  '/build/{formId}/rules/try',
  '/build/{formId}/preview',
  '/review/{formId}',
  '/review/{formId}?view={viewId}',
  '/review/{formId}/drafts',
  '/review/{formId}/q/{questionId}',
  '/review/{formId}/failed',
  '/review/{formId}/delete-selected?r={responseId}',
  '/review/{formId}/statistics',
  '/review/{formId}/r/{responseId}',
  '/review/{formId}/export',
  '/review/{formId}/views',
  '/review/{formId}/views/{viewId}',
];

const ofRespondents = ['/', '/f/{formId}', '/r/{draftId}/s/{sectionId}', '/r/{draftId}/check', '/r/{responseId}/done'];

async function expectDirected(reader: Person, path: string): Promise<void> {
  expect([path, listMisdirected(await pagesOf(reader).show(fill(path)))]).toEqual([path, []]);
}

test.for(ofMembers)('%s lays out the texts of authors and respondents in their direction', (path) =>
  expectDirected(cast.alice, path));

test.for(ofRespondents)('%s lays out texts in their direction for respondents', (path) =>
  expectDirected(cast.dave, path));

test('the mail with a copy lays out titles, answers and the closing message in their direction', async () => {
  const [{ structure, response } = { structure: undefined, response: undefined }] = [
    await readResponse(app().table, ids.responseId ?? ''),
  ];
  const form = await loadForm(app().table, ids.formId ?? '');
  if (!structure || !response || !form) throw new Error('there is no response');
  const link = 'https://forms.example.org/r/1';
  const zone = { language: 'en', timeZone: 'UTC' } as const;
  const copy = renderResponseCopy({ form, organization: ARABIC, current: { structure, response }, link, ...zone });
  expect(listMisdirected(copy.html)).toEqual([]);
  expect(copy.html).toContain('<h1 class="ink" dir="auto"');
});

test('the check finds what has no direction of its own, and what a frame decides', () => {
  expect(listMisdirected(`<p>${ARABIC}</p><p dir="auto">a ${ARABIC}<b>${HEBREW}</b></p>`)).toEqual([
    `<p>${ARABIC}`,
    `<b>${HEBREW}`,
  ]);
  expect(listMisdirected(`<p dir="auto">${ARABIC}</p><p>a <bdi>${HEBREW}</bdi></p>`)).toEqual([]);
});
