/** Links that fill in answers: for new responses only, what is valid and on the path, and nothing of it in logs. */
import { describe, expect, test, vi } from 'vitest';
import { linkInOrder, newCast, newForm, send } from '#test/support/fixtures.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';

const cast = await newCast();

const KINDS = [
  [
    { type: 'SHORT_TEXT' as const, title: 'Name' },
    { type: 'SINGLE_CHOICE' as const, choices: [{ name: 'Loch Ness' }, { name: 'Lake & sea' }] },
    { type: 'MULTIPLE_CHOICE' as const, choices: [{ name: 'Fish' }, { name: 'Birds' }, { name: '', isOther: true }] },
    { type: 'DATE' as const, date: { hasYear: true, hasMonth: true, hasDay: false } },
    { type: 'LINEAR_SCALE' as const, scale: { minVal: 1, maxVal: 5 } },
    {
      type: 'UPLOAD_FILE' as const,
      uploadFile: { allowedFileTypes: ['TXT' as const], maxFileAmount: 1, maxFileSizeLimit: 9 },
    },
    { type: 'OAUTH_CONNECT' as const, oauthConnect: 'PROVIDER_ONE' as const },
    { type: 'RANKING' as const, choices: [{ name: 'A' }, { name: 'B' }] },
  ],
];

async function newLakes() {
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, KINDS);
  const [name, lake, animals, month, scale, file, account, order] = questionIds.map((id) => `q.${id}`);
  if (!name || !lake || !animals || !month || !scale || !file || !account || !order) throw new Error('no questions');
  return { formId, name, lake, animals, month, scale, file, account, order };
}

/** Opens a link, presses start, and returns the first page of the response with its stored answers. */
async function startFrom(path: string) {
  const pages = pagesOf(cast.dave);
  const landing = await pages.show(path);
  const fields = fieldsOf(landing);
  const formId = /\/f\/([^?]+)/.exec(path)?.[1] ?? '';
  const started = await pages.post(`/f/${formId}/start`, fields);
  const location = started.headers.get('location') ?? '';
  const responseId = /^\/r\/([^/?]+)/.exec(location)?.[1] ?? '';
  const { sections } = (await cast.dave.client.responses.getResponse({ params: { formId, responseId } })).body;
  const answers = sections
    .flatMap(({ answerDetails }) => answerDetails)
    .flatMap(({ payload }) => (payload?.displayValue ? [payload.displayValue] : []));
  return { landing, location, answers, page: await (await pages.get(location)).text() };
}

describe('a link with names', () => {
  test('fills in the questions that have them, also a hidden one, whatever the case', async () => {
    const { formId } = await newForm(cast.alice, cast.slug, [
      [
        { type: 'SHORT_TEXT', title: 'Who', name: 'who' },
        { type: 'SHORT_TEXT', title: 'From', name: 'source', hidden: true },
      ],
    ]);
    const { answers, page } = await startFrom(`/f/${formId}?q.WHO=Ann&q.source=poster&q.nobody=x`);
    expect(answers).toEqual(['Ann', 'poster']);
    expect(page).toContain('value="Ann"');
    expect(page).not.toContain('poster');
  });

  test('is what the share page makes', async () => {
    const kinds = [{ type: 'SHORT_TEXT' as const, name: 'who' }, { type: 'SHORT_TEXT' as const }];
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [kinds]);
    const [who, other] = questionIds;
    const made = await pagesOf(cast.alice).post(`/build/${formId}/share`, [
      [`q.${who}`, 'Ann'],
      [`q.${other}`, 'more'],
    ]);
    expect(await made.text()).toContain(`/f/${formId}?q.who=Ann&amp;q.${other}=more`);
  });
});

describe('a prefilled link', () => {
  test('fills in a new response, choices by id or by exact name', async () => {
    const lakes = await newLakes();
    const query = new URLSearchParams([
      [lakes.name, 'Ann & 安'],
      [lakes.lake, 'Lake & sea'],
      [lakes.animals, 'Fish'],
      [lakes.animals, 'Birds'],
      [lakes.month, '2026-05'],
      [lakes.scale, '4'],
      [lakes.order, 'B'],
      [lakes.order, 'A'],
    ]);
    const { landing, answers, page } = await startFrom(`/f/${lakes.formId}?${query}`);
    expect(textOf(landing)).toContain('The link fills in answers of a new response');
    expect(answers).toEqual(['Ann & 安', 'Lake & sea', 'Fish, Birds', '2026-05', '4 (1-5)', 'B > A']);
    expect(textOf(page)).toContain('The link has filled in answers. Check them');
  });

  test('leaves out what is no answer, and says so', async () => {
    const lakes = await newLakes();
    const query = new URLSearchParams([
      [lakes.name, 'Ann'],
      [lakes.lake, 'loch ness'],
      [lakes.month, 'May'],
      [lakes.scale, '9'],
      [lakes.file, crypto.randomUUID()],
      [lakes.account, 'me'],
      [`q.${crypto.randomUUID()}`, 'of a question that was deleted'],
      ['q.__proto__', 'x'],
    ]);
    const { answers, page } = await startFrom(`/f/${lakes.formId}?${query}`);
    expect(answers).toEqual(['Ann']);
    expect(textOf(page)).toContain('Some of its values do not fit');
    const none = await startFrom(`/f/${lakes.formId}?${new URLSearchParams([[lakes.scale, 'NaN']])}`);
    expect([none.answers, textOf(none.page)]).toEqual([[], expect.stringContaining('were left out')]);
  });

  test('ignores answers to questions off the path', async () => {
    const kinds = [[{ type: 'SHORT_TEXT' as const }], [{ type: 'SHORT_TEXT' as const }]];
    const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, kinds);
    await linkInOrder(cast.alice.client, formId, sectionIds.slice(0, 1));
    const query = new URLSearchParams(
      Object.fromEntries(questionIds.map((id, index) => [`q.${id}`, `Answer ${index}`])),
    );
    const { answers, location } = await startFrom(`/f/${formId}?${query}`);
    expect([answers, location]).toEqual([['Answer 0'], expect.stringMatching(/prefilled=all$/)]);
  });

  test('of more than 8 KB starts an empty response, and the landing page says so', async () => {
    const lakes = await newLakes();
    const { landing, answers } = await startFrom(`/f/${lakes.formId}?${lakes.name}=${'x'.repeat(8_200)}`);
    expect(textOf(landing)).toContain('The link is too long');
    expect(answers).toEqual([]);
    const pages = pagesOf(cast.dave);
    const posted = await pages.post(`/f/${lakes.formId}/start`, [[lakes.name, 'x'.repeat(8_200)]]);
    expect(posted.headers.get('location')).toMatch(/^\/r\/[^/]+$/);
  });

  test('does not change a response that was started before', async () => {
    const lakes = await newLakes();
    const path = `/f/${lakes.formId}`;
    const first = await startFrom(`${path}?${lakes.name}=Ann`);
    const landing = await pagesOf(cast.dave).show(`${path}?${lakes.name}=Bea`);
    expect(landing).toContain(first.location.split('/s/')[0]);
    const second = await startFrom(`${path}?${lakes.name}=Bea`);
    expect(second.answers).toEqual(['Bea']);
    expect(second.location.split('/s/')[0]).not.toBe(first.location.split('/s/')[0]);
  });

  test('keeps its values out of logs and of what is sent to the sign-in page', async () => {
    const lakes = await newLakes();
    const lines: unknown[] = [];
    const spy = vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line));
    const path = `/f/${lakes.formId}?from=mail&${lakes.name}=Secret`;
    const redirect = await send('GET', path);
    await startFrom(path);
    spy.mockRestore();
    const [sent, fragment] = (redirect.headers.get('location') ?? '').split('#');
    expect(sent).toBe(`/sign-in?to=${encodeURIComponent(`/f/${lakes.formId}?from=mail`)}`);
    expect(fragment).toBe(`${lakes.name}=Secret`);
    expect(JSON.stringify(lines)).not.toContain('Secret');
  });

  test('escapes its values, and stays when the language is switched', async () => {
    const lakes = await newLakes();
    const path = `/f/${lakes.formId}?${lakes.name}=%22%3E%3Cscript%3E`;
    const html = await pagesOf(cast.dave, { 'accept-language': 'zh-TW' }).show(path);
    expect(html).not.toContain('"><script>');
    expect(textOf(html)).toContain('這個連結會為新的回覆填入部分答案');
    const switched = await pagesOf(cast.dave).post('/language', [
      ['to', path],
      ['language', 'en'],
    ]);
    expect(switched.headers.get('location')).toBe(path);
  });
});

describe('the share page', () => {
  test('makes a prefilled link, which fills in the same answers', async () => {
    const lakes = await newLakes();
    const pages = pagesOf(cast.bob);
    const share = `/build/${lakes.formId}/share`;
    const html = await pages.show(share);
    const birds = /value="([^"]+)"[^>]*><span dir="auto">Birds/.exec(html)?.[1] ?? '';
    const made = await pages.post(share, [
      [lakes.name, 'Ann'],
      [lakes.lake, ''],
      [lakes.animals, birds],
      [lakes.scale, '2'],
    ]);
    expect(made.status).toBe(200);
    const link =
      /<a class="address" href="([^"]*\?[^"]*)"/.exec(await made.text())?.[1]?.replaceAll('&amp;', '&') ?? '';
    const { pathname, search } = new URL(link);
    expect((await startFrom(pathname + search)).answers).toEqual(['Ann', 'Birds', '2 (1-5)']);
  });

  test('says which values are no answers', async () => {
    const lakes = await newLakes();
    const share = `/build/${lakes.formId}/share`;
    const refused = await pagesOf(cast.bob).post(share, [[lakes.month, 'May']]);
    const html = await refused.text();
    expect([refused.status, html]).toEqual([400, expect.stringContaining(`href="#${lakes.month}"`)]);
    expect(html).not.toContain(`?${lakes.month}`);
    const long = await pagesOf(cast.bob).post(share, [[lakes.name, '字'.repeat(1_000)]]);
    expect([long.status, textOf(await long.text())]).toEqual([400, expect.stringContaining('too long for a link')]);
  });
});
