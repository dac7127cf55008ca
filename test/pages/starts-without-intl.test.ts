/**
 * The first use of `Intl` takes a process 12 ms, a tenth of the start of a function of pages: in the zone that is configured by default,
 * no page that is requested often uses it for what it shows.
 */
import { afterEach, expect, test, vi } from 'vitest';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { start, text } from '#test/support/responses.ts';

const cast = await newCast();
const { formId, questionIds, sectionIds } = await newForm(cast.alice, cast.slug, [
  [
    { type: 'SHORT_TEXT', title: 'Where?' },
    { type: 'LINEAR_SCALE', title: 'How?', scale: { minVal: 1, maxVal: 5 } },
    {
      type: 'UPLOAD_FILE',
      title: 'Proof',
      uploadFile: { allowedFileTypes: ['PDF', 'PNG'], maxFileAmount: 2, maxFileSizeLimit: 1_048_576 },
    },
  ],
]);
const [asked = '', scaled = ''] = questionIds;
const [sectionId] = sectionIds;
const responseId = await start(cast.dave, formId);
await cast.dave.client.responses.submitResponse({
  params: { responseId },
  body: { answers: [text(asked, 'Here'), { questionId: scaled, questionType: 'LINEAR_SCALE', value: 4 }] },
});
const draftId = await start(cast.erin, formId);

afterEach(() => vi.restoreAllMocks());

test.each([
  ['home', 'bob', '/'],
  ['organization', 'bob', `/o/${cast.slug}`],
  ['questions', 'bob', `/build/${formId}/questions`],
  ['editor', 'bob', `/build/${formId}`],
  ['table', 'bob', `/review/${formId}`],
  ['statistics', 'bob', `/review/${formId}/statistics`],
  ['response', 'bob', `/review/${formId}/r/${responseId}`],
  ['landing', 'erin', `/f/${formId}`],
  ['section', 'erin', `/r/${draftId}/s/${sectionId}`],
] as const)('the page %s', async (_name, who, path) => {
  const used = (['DateTimeFormat', 'NumberFormat', 'ListFormat', 'RelativeTimeFormat', 'Segmenter'] as const).map(
    (name) => vi.spyOn(Intl, name),
  );
  const written = [
    vi.spyOn(Number.prototype, 'toLocaleString'),
    vi.spyOn(Date.prototype, 'toLocaleString'),
    vi.spyOn(String.prototype, 'localeCompare'),
  ];
  await pagesOf(cast[who]).show(path);
  expect([...used, ...written].map((each) => each.mock.calls)).toEqual([[], [], [], [], [], [], [], []]);
});
