/** Answering without a browser: which questions may be left out, how far one is, and what is said about answers. */
import { describe, expect, test } from 'vitest';
import { measureCost } from '#test/support/cost.ts';
import { beforeFirstWrite, withConfig } from '#test/support/faults.ts';
import { newCast, newForm } from '#test/support/fixtures.ts';
import { browserOf, connect } from '#test/support/oauth.ts';
import { fieldsOf, pagesOf, textOf } from '#test/support/pages.ts';
import { branchedForm, choice, readQuestion, respond, sent, start, submit, text } from '#test/support/responses.ts';

const cast = await newCast();

const CHINESE = { 'accept-language': 'zh-TW' };
/** A form with one section and a draft of dave, with the address of the section. */
async function draft(questions: Parameters<typeof newForm>[2][number], options = {}) {
  const form = await newForm(cast.alice, cast.slug, [questions], options);
  const responseId = await start(cast.dave, form.formId);
  return { ...form, responseId, path: `/r/${responseId}/s/${form.sectionIds[0]}` };
}

/** The part of a page that is about a question. */
const fieldOf = (html: string, questionId: string | undefined): string =>
  new RegExp(
    `<(fieldset|div) class="question[^>]*data-question="${questionId}".*?</\\1>\\s*(?=<(?:fieldset|div) class)`,
    's',
  ).exec(html)?.[0] ?? `no question ${questionId}`;

describe('a choice that may be left out', () => {
  const OPTIONS = { type: 'SINGLE_CHOICE' as const, choices: [{ name: 'Red' }, { name: 'Blue' }] };

  test('has nothing chosen beforehand, and can be cleared', async () => {
    const { formId, questionIds, responseId, path } = await draft([OPTIONS]);
    const [id = ''] = questionIds;
    const red = choice(await readQuestion(cast.dave, formId, id), 'Red');
    const { postSection, show } = pagesOf(cast.dave);
    const chosen = (html: string) =>
      [...html.matchAll(new RegExp(`name="q.${id}" value="([^"]*)" checked`, 'g'))].map(([, value]) => value);
    const shown = await show(path);
    expect([chosen(shown), textOf(shown).includes('Clear')]).toEqual([[], true]);
    await postSection(path, [
      [`q.${id}`, red],
      ['do', 'save'],
    ]);
    expect(chosen(await show(path))).toEqual([red]);
    const cleared = await postSection(path, [
      [`q.${id}`, ''],
      ['do', 'next'],
    ]);
    expect(cleared.headers.get('location')).toBe(`/r/${responseId}/check`);
    expect(textOf(await show(`/r/${responseId}/check`))).toContain('No answer');
    expect(chosen(await show(path))).toEqual([]);
  });

  test('has no "No answer" where it is required; a branch that depends on it can do without', async () => {
    const required = await draft([{ ...OPTIONS, required: true }]);
    expect(await pagesOf(cast.dave).show(required.path)).not.toContain('class="no-answer"');
    const form = await branchedForm(
      { person: cast.alice, slug: cast.slug },
      { first: [OPTIONS, { type: 'SHORT_TEXT' }], yes: [], no: [] },
      { pattern: '^x', source: 'CHOICE' },
    );
    const responseId = await start(cast.dave, form.formId);
    const path = `/r/${responseId}/s/${form.sectionIds[0]}`;
    const { postSection, show } = pagesOf(cast.dave);
    const optional = async () => (await show(path)).match(/class="optional"/g)?.length;
    expect(await show(path)).toContain('class="no-answer"');
    expect(await optional()).toBe(2);
    const next = await postSection(path, [['do', 'next']]);
    expect(next.headers.get('location')).toBe(`/r/${responseId}/s/${form.sectionIds[2]}`);
  });
});

describe('a path that depends on answers', () => {
  test('shows the position among the most sections that can follow, and the exact number once it is known', async () => {
    const form = await branchedForm(
      { person: cast.alice, slug: cast.slug },
      { first: [{ type: 'SHORT_TEXT' }], yes: [], no: [], last: [] },
    );
    const responseId = await start(cast.dave, form.formId);
    const path = `/r/${responseId}/s/${form.sectionIds[0]}`;
    const { postSection, show } = pagesOf(cast.dave);
    const before = await show(path);
    expect(textOf(before)).toContain('Section 1 of up to 3');
    expect(before).toContain('class="progress-bar" max="3" value="0"');
    expect(textOf(await pagesOf(cast.dave, CHINESE).show(path))).toContain('第 1 部分，最多 3 部分');
    await postSection(path, [
      [`q.${form.asked}`, 'yes'],
      ['do', 'next'],
    ]);
    expect(textOf(await show(path))).toContain('Section 1 of 3');
  });

  test('counts what was left empty as decided from the next section on', async () => {
    const form = await branchedForm(
      { person: cast.alice, slug: cast.slug },
      { first: [{ type: 'SHORT_TEXT' }], yes: [], no: [], last: [] },
    );
    const responseId = await start(cast.dave, form.formId);
    const { postSection, show } = pagesOf(cast.dave);
    await postSection(`/r/${responseId}/s/${form.sectionIds[0]}`, [['do', 'next']]);
    expect(textOf(await show(`/r/${responseId}/s/${form.sectionIds[0]}`))).toContain('Section 1 of up to 3');
    expect(textOf(await show(`/r/${responseId}/s/${form.sectionIds[2]}`))).toContain('Section 2 of 3');
  });
});

describe('the other choice without a name', () => {
  const OTHER = {
    type: 'MULTIPLE_CHOICE' as const,
    title: 'Which?',
    choices: [{ name: 'Red' }, { name: '', isOther: true }],
  };

  test('needs its text to continue, and is never an empty line', async () => {
    const { formId, questionIds, responseId, path } = await draft([OTHER]);
    const [id = ''] = questionIds;
    const other = choice(await readQuestion(cast.dave, formId, id), '');
    const { postSection, show } = pagesOf(cast.dave);
    const fields = (action: string, ofOther = ''): [string, string][] => [
      [`q.${id}`, other],
      [`o.${id}`, ofOther],
      ['do', action],
    ];
    const refused = await postSection(path, fields('next', '  '));
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toContain(`<a href="#q-${id}">Which? – Say what “Other” stands for</a>`);
    expect(html).toMatch(new RegExp(`name="o.${id}"[^>]*aria-invalid="true"`));
    expect(html).toMatch(new RegExp(`value="${other}" checked`));
    expect(textOf(await show(`/r/${responseId}/check`))).toMatch(/Which\? (?:Other|No answer) /);
    expect((await postSection(path, fields('next', 'Green'))).status).toBe(303);
    expect(textOf(await show(`/r/${responseId}/check`))).toContain('Which? Green');
  });

  test('with a name stands by it', async () => {
    const named = { ...OTHER, choices: [{ name: 'Red' }, { name: 'Another colour', isOther: true }] };
    const { formId, questionIds, path } = await draft([named]);
    const [id = ''] = questionIds;
    const other = choice(await readQuestion(cast.dave, formId, id), 'Another colour');
    const sentOn = await pagesOf(cast.dave).postSection(path, [
      [`q.${id}`, other],
      ['do', 'next'],
    ]);
    expect(sentOn.status).toBe(303);
  });
});

describe('dates are words', () => {
  const YEAR = { hasYear: true, hasMonth: true, hasDay: true, minDate: '2026-01-01', maxDate: '2026-12-31' };
  const WAYS: [headers: Record<string, string>, hint: string, error: string][] = [
    [{}, 'From 1 January 2026 to 31 December 2026', 'Enter a real date from 1 January 2026 to 31 December 2026'],
    [CHINESE, '2026年1月1日至2026年12月31日', '請輸入2026年1月1日至2026年12月31日之間的正確日期'],
  ];

  test.for(WAYS)('in the range that is shown before an error, and in the error', async ([headers, hint, error]) => {
    const { questionIds, path } = await draft([{ type: 'DATE', date: YEAR }]);
    const [id = ''] = questionIds;
    const { postSection, show } = pagesOf(cast.dave, headers);
    const html = await show(path);
    expect(html).toContain(`<p class="hint" dir="auto" id="q-${id}-hint">${hint}</p>`);
    expect(html).toContain(`aria-describedby="q-${id}-hint"`);
    const refused = await postSection(path, [
      [`q.${id}`, '2027-01-01'],
      ['do', 'next'],
    ]);
    expect(await refused.text()).toContain(error);
  });

  test.for([
    [{ hasYear: true, hasMonth: true, hasDay: true }, '2026-05-04', '4 May 2026'],
    [{ hasYear: true, hasMonth: true, hasDay: false }, '2026-05', 'May 2026'],
    [{ hasYear: false, hasMonth: true, hasDay: true }, '02-29', '29 February'],
    [{ hasYear: false, hasMonth: true, hasDay: false }, '05', 'May'],
    [{ hasYear: true, hasMonth: false, hasDay: false }, '2026', '2026'],
  ] as const)('in answers, in the table and in filters: %j', async ([date, value, shown]) => {
    const question = { type: 'DATE' as const, title: 'When?', date };
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[question]]);
    const [id = ''] = questionIds;
    const responseId = await respond(cast.dave, formId, [sent(id, 'DATE', value)]);
    expect(textOf(await pagesOf(cast.dave).show(`/r/${responseId}/done`))).toContain(`When? ${shown} `);
    const { show } = pagesOf(cast.bob);
    const filtered = await show(`/review/${formId}?f-${id}=${value}&filter=open`);
    expect(filtered).toContain(`<div class="cell" dir="auto">${shown}</div>`);
    expect(filtered).toContain(`<b dir="auto">${shown}</b>`);
    expect(filtered).toContain(`<span dir="auto">${shown} <span`);
    expect(await show(`/review/${formId}/r/${responseId}`)).toContain(
      `<dd><span class="pre-line" dir="auto">${shown}</span></dd>`,
    );
  });
});

describe('a date is stored as it was typed, or refused by naming the part that is wrong', () => {
  const asks = (parts: string) => ({
    hasYear: parts.includes('y'),
    hasMonth: parts.includes('m'),
    hasDay: parts.includes('d'),
  });
  test.for([
    ['ymd', '0026-05-04', 'The year must have four digits'],
    ['ymd', '2026-02-31', 'This day does not exist'],
    ['ymd', '2026-02-28', null],
    ['ym', '26-3', 'The year must have four digits'],
    ['ym', '0026-3', 'The year must have four digits'],
    ['ym', '2026-', 'Enter the month too'],
    ['ym', '-3', 'Enter the year too'],
    ['ym', '2026-3', null],
    ['y', '26', 'The year must have four digits'],
    ['y', '2026', null],
    ['md', '2-', 'Enter the day too'],
    ['md', '2-30', 'This day does not exist'],
    ['md', '2-32', 'The day must be a number from 1 to 31'],
    ['md', '2-29', null],
  ] as const)('%s: %s', async ([parts, typed, fault]) => {
    const { questionIds, path, responseId } = await draft([{ type: 'DATE', date: asks(parts) }]);
    const [id = ''] = questionIds;
    const texts = typed.split('-');
    const fields = parts === 'ymd' ? [[`q.${id}`, typed]] : [...parts].map((part, at) => [`${part}.${id}`, texts[at]]);
    const posted = fields.map(([name = '', value = '']) => [name, value] as const);
    const html = await (await pagesOf(cast.dave).postSection(path, [...posted, ['do', 'next']])).text();
    if (fault !== null) {
      expect(html).toContain(fault);
      for (const [, value] of posted.filter(([name]) => !name.startsWith('m.')))
        expect(html).toContain(`value="${value}"`);
    }
    const params = { responseId, questionId: id };
    const stored = await cast.dave.client.responses.getAnswer({ params }).catch(() => undefined);
    expect(stored === undefined).toBe(fault !== null);
  });

  test('a year before 1000 is taken where the question asks for such years', async () => {
    const date = { ...asks('ym'), minDate: '0500-01-01' };
    const { questionIds, path, responseId } = await draft([{ type: 'DATE', date }]);
    const [id = ''] = questionIds;
    const fields = [[`y.${id}`, '0800'] as const, [`m.${id}`, '12'] as const, ['do', 'next'] as const];
    await pagesOf(cast.dave).postSection(path, fields);
    const { body } = await cast.dave.client.responses.getAnswer({ params: { responseId, questionId: id } });
    expect(body.answer.displayValue).toBe('0800-12');
  });
});

test('a web address is a link for its respondent and for reviewers, for which the service does not vouch', async () => {
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'HYPERLINK', title: 'Where?' }]]);
  const address = 'https://example.org/?a=1&b="x"';
  const answers = [sent(questionIds[0] ?? '', 'HYPERLINK', address)];
  const responseId = await start(cast.dave, formId, answers);
  const submitted = await respond(cast.dave, formId, answers);
  const link =
    /<a href="https:\/\/example\.org\/\?a=1&amp;b=(?:&quot;|%22)x(?:&quot;|%22)" rel="nofollow noopener ugc">/;
  expect(await pagesOf(cast.dave).show(`/r/${responseId}/check`)).toMatch(link);
  for (const path of [`/review/${formId}`, `/review/${formId}/r/${submitted}`]) {
    expect(await pagesOf(cast.bob).show(path)).toMatch(link);
  }
});

describe('the texts', () => {
  test('a page with errors has them in its title, without a space after a Chinese colon', async () => {
    const { path } = await draft([{ type: 'SHORT_TEXT', required: true }]);
    const readTitle = async (headers: Record<string, string>) => {
      const refused = await pagesOf(cast.dave, headers).postSection(path, [['do', 'next']]);
      return /<title>([^<]*)</.exec(await refused.text())?.[1];
    };
    expect(await readTitle({})).toMatch(/^Error: New Section · /);
    expect(await readTitle(CHINESE)).toMatch(/^錯誤：New Section · /);
  });

  test('a size in bytes is in Chinese', async () => {
    const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 1, maxFileSizeLimit: 70 };
    const { path } = await draft([{ type: 'UPLOAD_FILE', uploadFile }]);
    expect(textOf(await pagesOf(cast.dave, CHINESE).show(path))).toContain('70 位元組');
    expect(textOf(await pagesOf(cast.dave).show(path))).toContain('70 bytes');
  });

  test('the landing page promises only what also holds without scripts', async () => {
    const { formId } = await draft([{ type: 'SHORT_TEXT' }]);
    const shown = textOf(await pagesOf(cast.dave).show(`/f/${formId}`));
    expect(shown).toContain('Your answers are saved with each section.');
    expect(shown).not.toContain('as you go');
  });

  test('before anything is typed, it is said who asks and who can read drafts', async () => {
    const { formId, path, questionIds, responseId } = await draft([{ type: 'SHORT_TEXT' }]);
    const org = (await cast.alice.client.orgs.getOrganization({ params: { slug: cast.slug } })).body.name;
    const pages = pagesOf(cast.dave);
    const { result: landing, cost } = await measureCost(() => pages.show(`/f/${formId}`));
    expect(landing.slice(0, landing.indexOf('class="actions"'))).toContain(
      `${org} asks these questions. Its members can read your answers as soon as they are saved`,
    );
    expect(cost.roundTrips).toBeLessThanOrEqual(2);
    const section = await pages.show(path);
    expect(section).toContain('The organization that asks can read');
    expect(landing).toMatch(/<li><svg.*?<span>One section<\/span><\/li>/);
    await cast.dave.client.responses.submitResponse({
      params: { responseId },
      body: { answers: [text(questionIds[0] ?? '', 'Frogs')] },
    });
    expect(await pages.show(`/r/${responseId}/withdraw`)).toContain('which the organization that asked can still read');
    const chinese = pagesOf(cast.dave, CHINESE);
    expect(await chinese.show(`/f/${formId}`)).toContain(`這份表單由「${org}」提問`);
  });
});

test('after an upload without scripts, the page is shown at the question of the files', async () => {
  const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 2, maxFileSizeLimit: 70 };
  const { questionIds, path } = await draft([{ type: 'SHORT_TEXT' }, { type: 'UPLOAD_FILE', uploadFile }]);
  const [, id = ''] = questionIds;
  const { show, post } = pagesOf(cast.dave);
  const action = /name="do" value="(upload[^"]*)"/.exec(await show(path))?.[1] ?? '';
  const location = (await post(path, [['do', action]])).headers.get('location');
  expect(location).toBe(`${path}#q-${id}`);
  expect(await show(path)).toContain(`id="q-${id}"`);
});

describe('files without scripts', () => {
  const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 3, maxFileSizeLimit: 10_485_760 };

  test('that do not fit are named, and the others are attached', async () => {
    const { questionIds, path } = await draft([{ type: 'UPLOAD_FILE', uploadFile }]);
    const body = new FormData();
    body.append('do', `upload:${questionIds[0]}`);
    for (const name of ['frogs.txt', 'herons.exe', 'newts.txt'])
      body.append(`q.${questionIds[0]}`, new File(['some words'], name));
    const pages = pagesOf(cast.dave);
    const html = await (await pages.upload(path, body)).text();
    expect(textOf(html)).toContain('Not attached: herons.exe. Choose at most 3 files of type TXT');
    const attached = [...(await pages.show(path)).matchAll(/href="\/files\/[^>]*>([^<]*)</g)].map(([, name]) => name);
    expect(attached).toEqual(['frogs.txt', 'newts.txt']);
  });

  test('sent twice at once are not more than the question takes', async () => {
    const { questionIds, path } = await draft([{ type: 'UPLOAD_FILE', uploadFile }]);
    const [questionId = ''] = questionIds;
    const pages = pagesOf(cast.dave);
    const upload = async (...names: string[]) => {
      const body = new FormData();
      body.append('do', `upload:${questionId}`);
      for (const name of names) body.append(`q.${questionId}`, new File(['some words'], name));
      return textOf(await (await pages.upload(path, body)).text());
    };
    const meanwhile = { shown: '' };
    const shown = await beforeFirstWrite(
      () => upload('frogs.txt', 'herons.txt'),
      async () => {
        meanwhile.shown = await upload('newts.txt', 'otters.txt');
      },
    );
    expect(meanwhile.shown).not.toContain('Not attached');
    expect(shown).toContain('Not attached: frogs.txt and herons.txt. Choose at most 3 files of type TXT');
    const attached = [...(await pages.show(path)).matchAll(/href="\/files\/[^>]*>([^<]*)</g)].map(([, name]) => name);
    expect(attached).toEqual(['newts.txt', 'otters.txt']);
  });

  test('have the same limit in the scripts of the page and in the service', async () => {
    const { path } = await draft([{ type: 'UPLOAD_FILE', uploadFile }]);
    expect(await pagesOf(cast.dave).show(path)).toContain('data-max-bytes="10485759"');
  });

  test.for([
    [10, 'each less than 10 MB: TXT', '每個小於 10 MB，'],
    [5, 'each at most 5 MB: TXT', '每個不超過 5 MB，'],
  ] as const)('of %s MB are named as the service judges them', async ([megabytes, english, chinese]) => {
    const limited = { ...uploadFile, maxFileSizeLimit: megabytes * 1_024 * 1_024 };
    const { path } = await draft([{ type: 'UPLOAD_FILE', uploadFile: limited }]);
    expect(textOf(await pagesOf(cast.dave).show(path))).toContain(english);
    expect(textOf(await pagesOf(cast.dave, CHINESE).show(path))).toContain(chinese);
  });
});

describe('a connected account', () => {
  const titles = { PROVIDER_ONE: 'Example ID' };
  const question = { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE', required: true } as const;
  const withTitles = <T>(run: () => Promise<T>) => withConfig({ connectTitles: titles }, run);

  test('names its service before and after it is connected, to respondents and reviewers', async () => {
    const { formId, responseId, questionIds, path } = await draft([question]);
    const [questionId = ''] = questionIds;
    const { show, postSection } = pagesOf(cast.dave);
    const shown = async (address = path) => textOf(await withTitles(() => show(address)));
    expect(await shown()).toContain('Connect an account at Example ID');
    expect(textOf(await withTitles(() => pagesOf(cast.dave, CHINESE).show(path)))).toContain('連結 Example ID 帳號');
    const leaving = await withTitles(() => postSection(path, [['do', `connect:${questionId}`]]));
    expect(textOf(await leaving.text())).toContain('Connect an account at Example ID');
    await connect(browserOf(cast.dave), { responseId, questionId }, 'dave');
    expect(await shown()).toContain('Connected at Example ID as dave');
    expect(await shown()).toContain('Connect another account at Example ID');
    expect(await shown(`/r/${responseId}/check`)).toContain('dave Example ID');
    await submit(cast.dave, responseId);
    const reviewed = await withTitles(() => pagesOf(cast.alice).show(`/review/${formId}/r/${responseId}`));
    expect(textOf(reviewed)).toContain('dave Example ID');
  });

  test('is chosen by the name of its service; one that is not set up says so', async () => {
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[question]]);
    const html = await withTitles(() => pagesOf(cast.alice).show(`/build/${formId}/q/${questionIds[0]}`));
    const names = [...html.matchAll(/<option dir="auto" value="(PROVIDER_\w+)"[^>]*>([^<]*)</g)].map(
      ([, ...option]) => option,
    );
    expect(names).toEqual([
      ['PROVIDER_ONE', 'Example ID'],
      ['PROVIDER_TWO', 'A second service, which is not set up here'],
    ]);
  });
});

test('answers that are too long together stay on the page, which says so', async () => {
  const questions = Array.from({ length: 12 }, (_, index) => ({ type: 'LONG_TEXT' as const, title: `Story ${index}` }));
  const { questionIds, path } = await draft(questions);
  const pages = pagesOf(cast.dave);
  const story = (character: string) => character.repeat(10_000);
  const fields = fieldsOf(await pages.show(path)).filter(([name]) => !name.startsWith('q.'));
  const typed = questionIds.map((id) => [`q.${id}`, story('水')] as const);
  const response = await pages.post(path, [...fields, ...typed, ['do', 'next']]);
  expect(response.status).toBe(413);
  const html = await response.text();
  expect(textOf(html)).toContain('Your answers are too long to be stored together');
  expect(html.split(story('水'))).toHaveLength(questionIds.length + 1);
  // Shorter ones are stored from the page that was shown.
  const shorter = questionIds.map((id) => [`q.${id}`, story('w')] as const);
  const again = fieldsOf(html).filter(([name]) => !name.startsWith('q.'));
  expect((await pages.post(path, [...again, ...shorter, ['do', 'next']])).status).toBe(303);
});

test('the way back is beside the way on, saves, and leads from a change to the list of all answers', async () => {
  const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }], [{ type: 'SHORT_TEXT' }]]);
  const responseId = await start(cast.dave, form.formId);
  const [first = '', second = ''] = form.sectionIds.map((id) => `/r/${responseId}/s/${id}`);
  const { show, postSection } = pagesOf(cast.dave);
  const html = await show(second);
  expect(html.indexOf('value="next">Continue</button>')).toBeLessThan(html.indexOf('value="back"'));
  expect(html.match(/value="back"/g)).toHaveLength(1);
  const back = async (path: string, fields: [string, string][]) =>
    (await postSection(path, [...fields, ['do', 'back']])).headers.get('location');
  expect(await back(second, [[`q.${form.questionIds[1]}`, 'Kept']])).toBe(first);
  expect(await back(first, [])).toBe(`/f/${form.formId}`);
  expect(
    await back(second, [
      [`q.${form.questionIds[1]}`, 'Kept'],
      ['from', 'check'],
    ]),
  ).toBe(`/r/${responseId}/check`);
  const check = await show(`/r/${responseId}/check`);
  expect(textOf(check)).toContain('Kept');
  expect(check).toContain(`<a class="back" href="${second}">`);
});

describe('a submitted response', () => {
  const NAME = { type: 'SHORT_TEXT' as const, title: 'Name', required: true };

  test('that was changed promises no second copy', async () => {
    const { formId, questionIds, sectionIds } = await newForm(cast.alice, cast.slug, [[NAME]]);
    await cast.alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true } });
    const [id = ''] = questionIds;
    const responseId = await respond(cast.dave, formId, [text(id, 'Dave')]);
    const { postSection, show } = pagesOf(cast.dave);
    expect(await show(`/r/${responseId}/done`)).toContain('We send a copy of your answers');
    await postSection(`/r/${responseId}/s/${sectionIds[0]}`, [
      [`q.${id}`, 'David'],
      ['do', 'next'],
    ]);
    const changed = await show(`/r/${responseId}/done`);
    expect(changed).not.toContain('We send a copy');
    expect(changed).toContain('no new copy is sent');
  });

  test('that was changed says so, with the time of the change', async () => {
    const { formId, questionIds, sectionIds } = await newForm(cast.alice, cast.slug, [[NAME]]);
    const [id = ''] = questionIds;
    const responseId = await respond(cast.dave, formId, [text(id, 'Dave')]);
    const { postSection, show } = pagesOf(cast.dave);
    const path = `/r/${responseId}/s/${sectionIds[0]}`;
    const save = async (name: string) => {
      const response = await postSection(path, [
        [`q.${id}`, name],
        ['do', 'next'],
      ]);
      return show(response.headers.get('location') ?? '');
    };
    const unchanged = await save('Dave');
    expect(unchanged).toContain('<h1>Thank you</h1>');
    const changed = await save('David');
    expect(changed).toContain('<h1>Your change was saved</h1>');
    expect(textOf(changed)).toContain('Last changed on');
    // Later, the page is about the submission again, and still names the change.
    const later = await show(`/r/${responseId}/done`);
    expect(later).toContain('<h1>Thank you</h1>');
    expect(textOf(later)).toContain('Last changed on');
  });

  test('whose required answer is cleared marks the question, in words for respondents', async () => {
    const { formId, questionIds, sectionIds } = await newForm(cast.alice, cast.slug, [[NAME, { type: 'SHORT_TEXT' }]]);
    const [id = ''] = questionIds;
    const responseId = await respond(cast.dave, formId, [text(id, 'Dave')]);
    const path = `/r/${responseId}/s/${sectionIds[0]}`;
    const refused = await pagesOf(cast.dave).postSection(path, [
      [`q.${id}`, ''],
      ['do', 'next'],
    ]);
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toContain(`<a href="#q-${id}">Name – Enter an answer</a>`);
    expect(html).toContain(`id="q-${id}-error"`);
    expect(html).toContain('Your change was not saved');
    expect(html).toContain(`href="/r/${responseId}/withdraw"`);
    expect(fieldOf(html, questionIds[1])).not.toContain('class="error"');
  });

  test('is withdrawn after a question, and the page says that it was', async () => {
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[NAME]]);
    const responseId = await respond(cast.dave, formId, [text(questionIds[0] ?? '', 'Dave')]);
    const { get, show, post } = pagesOf(cast.dave);
    const done = await show(`/r/${responseId}/done`);
    expect(done).not.toContain('/cancel"');
    const asked = await show(/href="([^"]*withdraw)"/.exec(done)?.[1] ?? '');
    expect(asked).toContain('<h1>Withdraw this response?</h1>');
    expect(asked).toContain(`href="/r/${responseId}/done"`);
    expect((await get(`/r/${responseId}`)).headers.get('location')).toBe(`/r/${responseId}/done`);
    const withdrawn = await post(/action="([^"]*cancel)"/.exec(asked)?.[1] ?? '');
    const shown = await show(withdrawn.headers.get('location') ?? '');
    expect(shown).toMatch(/role="status"><h2>Your response was withdrawn<\/h2>/);
    expect(await show(`/r/${responseId}/check`)).not.toContain('was withdrawn');
    // There is nothing left to withdraw.
    expect((await get(`/r/${responseId}/withdraw`)).headers.get('location')).toBe(`/r/${responseId}`);
  });

  test('says what happens next, and has the reference that its reviewers see', async () => {
    const form = await newForm(cast.alice, cast.slug, [[NAME]], { allowEditResponse: false });
    const responseId = await respond(cast.dave, form.formId, [text(form.questionIds[0] ?? '', 'Dave')]);
    const done = textOf(await pagesOf(cast.dave).show(`/r/${responseId}/done`));
    expect(done).toContain('What happens next');
    const [, reference = 'none'] = /Reference: ([0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}) /.exec(done) ?? [];
    expect(textOf(await pagesOf(cast.bob).show(`/review/${form.formId}/r/${responseId}`))).toContain(reference);
    await cast.alice.client.forms.archiveForm({ params: { formId: form.formId } });
    const closed = textOf(await pagesOf(cast.dave).show(`/r/${responseId}/done`));
    expect(closed).toContain('can no longer be changed');
    expect(closed).not.toContain('Withdraw');
  });
});
