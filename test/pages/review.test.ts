/** The pages of reviewers, by their handlers: who sees them, what they show, and what their forms do. */
import { describe, expect, test } from 'vitest';
import { idWithin } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { measureCost } from '#test/support/cost.ts';
import { buildExports } from '#test/support/exports.ts';
import { readSample } from '#test/support/file-samples.ts';
import { PICTURES } from '#test/support/files.ts';
import { type Built, newCast, newForm, newOrganization, type Person, send } from '#test/support/fixtures.ts';
import { storeMail } from '#test/support/mail.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import {
  branchedForm,
  choice,
  readQuestion,
  respond,
  save,
  sent,
  start,
  store,
  submissionOf,
  submit,
  text,
} from '#test/support/responses.ts';
import { newSession } from '#test/support/sessions.ts';

const cast = await newCast();

const ORIGIN = 'http://127.0.0.1:3000';
const cookieOf = ({ token }: Person): Record<string, string> => ({ cookie: `access_token=${token}` });
const get = (person: Person, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  send('GET', path, { headers: { ...cookieOf(person), ...headers } });
const show = async (person: Person, path: string): Promise<string> => {
  const response = await get(person, path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};
const post = (person: Person, path: string, fields: [string, string][] = []): Promise<Response> =>
  send('POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN, ...cookieOf(person) },
    body: new URLSearchParams(fields).toString(),
  });
const locationOf = (response: Response): string => {
  expect(response.status).toBe(303);
  return response.headers.get('location') ?? '';
};
/** The addresses of the links with a text. */
const linksTo = (html: string, name: string): string[] =>
  [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)]
    .filter(([, , content = '']) => content.replaceAll(/(?:<[^>]+>|\s)+/g, ' ').includes(name))
    .map(([, href = '']) => href.replaceAll('&amp;', '&'));
const linkTo = (html: string, name: string): string => linksTo(html, name)[0] ?? `no link: ${name}`;
/** The texts of the first column of the table. */
const rowsOf = (html: string): string[] =>
  [...html.matchAll(/<tr><th scope="row">(?:<label.*?<\/label>)?<a href="[^"]*" dir="auto">(.*?)<\/a>/g)].map(
    ([, name = '']) => name,
  );

/** A form about a colour, with a response of dave (Red) and one of erin (Blue). */
async function colours(): Promise<Built & { red: string; blue: string; daves: string; erins: string }> {
  const form = await newForm(
    cast.alice,
    cast.slug,
    [
      [
        { type: 'SHORT_TEXT', title: 'Name' },
        { type: 'SINGLE_CHOICE', title: 'Colour', choices: [{ name: 'Red' }, { name: 'Blue' }] },
      ],
    ],
    { title: 'Colours & "more"' },
  );
  const [name = '', colour = ''] = form.questionIds;
  const sections = (await cast.alice.client.sections.listSections({ params: form })).body;
  const choices = sections.flatMap(({ questions }) => questions ?? []).flatMap((question) => question.choices ?? []);
  const [red = '', blue = ''] = choices.map(({ id }) => id);
  const daves = await respond(cast.dave, form.formId, [text(name, 'Dave'), sent(colour, 'SINGLE_CHOICE', [red])]);
  const erins = await respond(cast.erin, form.formId, [text(name, 'Erin'), sent(colour, 'SINGLE_CHOICE', [blue])]);
  return { ...form, red, blue, daves, erins };
}

describe('the table', () => {
  test('is for members only', async () => {
    const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const draft = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
    for (const path of ['', '/export', '/views']) {
      expect((await get(cast.bob, `/review/${formId}${path}`)).status).toBe(200);
      expect((await get(cast.chelsea, `/review/${formId}${path}`)).status).toBe(403);
      expect((await get(cast.chelsea, `/review/${draft.formId}${path}`)).status).toBe(404);
      const away = await send('GET', `/review/${formId}${path}`);
      expect(away.headers.get('location')).toBe(`/sign-in?to=${encodeURIComponent(`/review/${formId}${path}`)}`);
    }
    expect((await get(cast.bob, '/review/nothing')).status).toBe(404);
  });

  test('shows counts, answers and the highlighted question', async () => {
    const form = await colours();
    const { formId } = form;
    await cast.dave.client.responses.startResponse({ params: { formId } });
    await cast.alice.client.forms.setHighlight({ params: { formId }, body: { questionId: form.questionIds[1] ?? '' } });
    const html = await show(cast.bob, `/review/${formId}`);
    expect(html).toContain('2 responses, 1 draft');
    expect(rowsOf(html)).toEqual(['erin_1', 'dave_1']);
    expect(html).toContain('Colours &amp; &quot;more&quot;');
    expect(html).toMatch(/<td class="when" data-label="Submitted"><time [^>]+>\d+ \w+ \d{4}, \d\d:\d\d UTC<\/time>/);
    expect(html.match(/<rect class="bar-fill" width="50"/g)).toHaveLength(2);
  });

  test('tells people without a name apart', async () => {
    const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const ids = ['0a1b2c3d', '4e5f6a7b'].map((start) => start + app().uuid().slice(8));
    const at = new Date().toISOString();
    const responses = ids.map((id) => submissionOf(form, id, at));
    await store(responses);
    expect(rowsOf(await show(cast.bob, `/review/${form.formId}`)).toSorted()).toEqual([
      'No name yet (0a1b2c3d)',
      'No name yet (4e5f6a7b)',
    ]);
    const one = textOf(await show(cast.bob, `/review/${form.formId}/r/${responses[0]?.id}`));
    expect(one).toContain('Response by No name yet (0a1b2c3d)');
  });

  test('lets members choose how often they get mails, and admins what these contain', async () => {
    const { formId, questionIds } = await colours();
    const [name = ''] = questionIds;
    const path = `/review/${formId}`;
    const list = `${path}?f-${name}=Dave`;
    const before = await show(cast.bob, list);
    expect(before).toContain(`action="${path}/notices?f-${name}=Dave"`);
    expect(before).toContain('<option value="OFF" selected>off</option>');
    expect(before).not.toContain('name="answers"');
    const choose = (who: typeof cast.bob, fields: [string, string][]) =>
      post(who, `${path}/notices?f-${name}=Dave`, fields);
    for (let press = 0; press < 2; press += 1)
      expect(locationOf(await choose(cast.bob, [['frequency', 'DAILY']]))).toBe(`${list}&done=noticesChosen`);
    expect(await show(cast.bob, list)).toContain('Mail me about new responses: once a day, in the morning');
    expect(await show(cast.alice, path)).toContain('<option value="OFF" selected>off</option>');
    expect((await choose(cast.bob, [])).status).toBe(400);
    const withAnswers: [string, string][] = [
      ['frequency', 'OFF'],
      ['answers', 'on'],
      ['answersBefore', 'off'],
    ];
    expect((await choose(cast.bob, withAnswers)).status).toBe(403);
    locationOf(await choose(cast.alice, withAnswers));
    expect(await show(cast.alice, path)).toContain('name="answers" value="on" checked');
    // Another window, in which it was not allowed yet, does not change it back.
    locationOf(
      await choose(cast.alice, [
        ['frequency', 'SOON'],
        ['answersBefore', 'off'],
      ]),
    );
    expect(await show(cast.alice, path)).toContain('name="answers" value="on" checked');
    locationOf(
      await choose(cast.alice, [
        ['frequency', 'OFF'],
        ['answersBefore', 'on'],
      ]),
    );
    expect(await show(cast.alice, path)).not.toContain('name="answers" value="on" checked');
    // Nobody has answered yet: the choice is there before.
    const empty = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    expect(await show(cast.bob, `/review/${empty.formId}`)).toContain(`action="/review/${empty.formId}/notices"`);
  });

  test('lets members choose the highlighted question', async () => {
    const { formId, questionIds } = await colours();
    const [name = '', colour = ''] = questionIds;
    const path = `/review/${formId}`;
    const before = await show(cast.bob, `${path}?f-${name}=Dave`);
    expect(before).toContain(`action="${path}/highlight?f-${name}=Dave"`);
    expect(before).not.toContain('bar-fill');
    const choose = (question: string) => post(cast.bob, `${path}/highlight?f-${name}=Dave`, [['question', question]]);
    const after = locationOf(await choose(colour));
    expect(after).toBe(`${path}?f-${name}=Dave&done=highlighted`);
    const html = await show(cast.bob, after);
    expect(html.match(/<rect class="bar-fill" width="50"/g)).toHaveLength(2);
    expect(html).toContain(`<option dir="auto" value="${colour}" selected>Colour</option>`);
    expect(html).not.toContain(`<option dir="auto" value="${name}"`);
    // Chosen once more, it keeps the title that was given through the API.
    await cast.alice.client.forms.updateHighlight({ params: { formId }, body: { displayTitle: 'Favourites' } });
    locationOf(await choose(colour));
    expect(await show(cast.bob, path)).toContain('>Favourites</h2>');
    expect((await choose(name)).status).toBe(400);
    locationOf(await choose(''));
    locationOf(await choose(''));
    expect(await show(cast.bob, path)).not.toContain('bar-fill');
    expect((await post(cast.chelsea, `${path}/highlight`, [['question', colour]])).status).toBe(403);
  });

  test('says that the choices are still being counted', async () => {
    const form = await newForm(cast.alice, cast.slug, [
      [{ type: 'SINGLE_CHOICE', title: 'Colour', choices: [{ name: 'Red' }] }],
    ]);
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
    await store(Array.from({ length: 201 }, (_, index) => submissionOf(form, cast.dave.id, at(index))));
    const chosen = await post(cast.bob, `/review/${form.formId}/highlight`, [['question', form.questionIds[0] ?? '']]);
    expect(await show(cast.bob, locationOf(chosen))).toContain('Still counting');
  });

  test('says how many responses match the filter', async () => {
    const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const [question = ''] = form.questionIds;
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
    const answer = (value: string) => ({ [question]: { type: 'SHORT_TEXT' as const, value } });
    const named = ['Ada', ...Array.from({ length: 51 }, () => 'Bea')];
    await store(named.map((name, index) => submissionOf(form, cast.dave.id, at(index), answer(name))));
    const readMatches = async (query: string) =>
      /match-count" role="status">([^<]*)</.exec(await show(cast.bob, `/review/${form.formId}?${query}`))?.[1];
    expect(await readMatches('')).toBeUndefined();
    expect(await readMatches(`f-${question}=Ada`)).toBe('1 response matches.');
    expect(await readMatches(`f-${question}=Bea`)).toBe('51 responses match.');
    expect(await readMatches(`f-${question}=Bea&rows=25`)).toBe('51 responses match.');
    expect(await readMatches(`f-${question}=Eve`)).toBeUndefined();
  });

  test('names no number of responses that may include the one that was just deleted', async () => {
    const { formId, daves } = await colours();
    const deleted = locationOf(await post(cast.alice, `/review/${formId}/r/${daves}/delete`));
    const html = await show(cast.alice, deleted);
    expect(html).toContain('The response was deleted.');
    expect(html).not.toMatch(/\d+ responses?,/);
    expect(await show(cast.alice, `/review/${formId}`)).toContain('1 response, 0 drafts');
  });

  test('calls the other choice without a name by the word for it, in cells, filters and the chart', async () => {
    const choices = [{ name: 'Red' }, { name: '', isOther: true }];
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SINGLE_CHOICE', choices }]]);
    const [colour = ''] = questionIds;
    const sections = (await cast.alice.client.sections.listSections({ params: { formId } })).body;
    const other = sections[0]?.questions?.[0]?.choices?.[1]?.id ?? '';
    await cast.alice.client.forms.setHighlight({ params: { formId }, body: { questionId: colour } });
    const draft = await start(cast.dave, formId, [sent(colour, 'SINGLE_CHOICE', [other], 'Green')]);
    await submit(cast.dave, draft);
    const html = await show(cast.bob, `/review/${formId}?f-${colour}=${other}&filter=open`);
    expect(html).toContain('<div class="cell" dir="auto">Green</div>');
    expect(html).toContain('<b dir="auto">Other</b>');
    expect(html).toContain('<span dir="auto">Other <span');
    expect(html).toContain('<th scope="row" dir="auto">Other</th>');
    const chinese = pagesOf(cast.bob, { 'accept-language': 'zh-TW' });
    expect(await chinese.show(`/review/${formId}`)).toContain('<th scope="row" dir="auto">其他</th>');
  });

  test('is one of the pages of its form, which have the same links and the organization above them', async () => {
    const { formId } = await colours();
    const [build, review] = [`/build/${formId}`, `/review/${formId}`];
    const bar = ['', '/rules', '/settings', '/look', '/share'].map((path) => build + path).concat(review);
    const second = ['', '/statistics', '/export', '/views', '/drafts'].map((path) => review + path);
    for (const path of [...bar, ...second]) {
      const html = await show(cast.bob, path);
      const [[nav = ''] = [], [row = ''] = []] = [...html.matchAll(/<nav class="tabs".*?<\/nav>/gs)];
      const hrefs = (links: string) => [...links.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
      const current = (links: string) => /href="([^"]+)" aria-current/.exec(links)?.[1];
      expect(hrefs(nav)).toEqual(bar);
      expect(current(nav)).toBe(path.startsWith(review) ? review : path);
      if (path.startsWith(review)) expect([hrefs(row), current(row)]).toEqual([second, path]);
      expect(html).toContain(`<li><a href="/o/${cast.slug}" dir="auto">`);
      expect(html).toContain('href="/account"');
    }
  });

  test('leads to the other organizations of the reader from every page of a form, with as few round trips', async () => {
    const { formId, daves } = await colours();
    const other = await newOrganization(cast.alice);
    const pages = [
      `/build/${formId}`,
      `/build/${formId}/questions`,
      `/review/${formId}`,
      `/review/${formId}/r/${daves}`,
    ];
    const menuOf = (html: string) => /<details class="menu">.*?<\/details>/s.exec(html)?.[0] ?? '';
    for (const path of pages) {
      expect([path, menuOf(await show(cast.alice, path)).includes(`href="/o/${other.slug}"`)]).toEqual([path, true]);
      expect([path, (await show(cast.bob, path)).includes(other.slug)]).toEqual([path, false]);
    }
    expect(menuOf(await show(cast.alice, `/review/${formId}`))).not.toContain(`/o/${cast.slug}"`);
    await show(cast.alice, `/review/${formId}/views`);
    const { cost } = await measureCost(() => show(cast.alice, `/review/${formId}/views`));
    expect(cost.roundTrips).toBeLessThanOrEqual(2);
  });

  test('says what to do while nobody has answered', async () => {
    const open = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    expect(await show(cast.bob, `/review/${open.formId}`)).toContain(`/f/${open.formId}</a>`);
    const draft = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish: false });
    expect(await show(cast.bob, `/review/${draft.formId}`)).toContain('The form is a draft');
  });

  test('is filtered by the answers that were given', async () => {
    const { formId, questionIds, red, blue } = await colours();
    const [, colour = ''] = questionIds;
    const open = await show(cast.bob, linkTo(await show(cast.bob, `/review/${formId}`), 'Filter').split('#')[0] ?? '');
    expect(open).toContain(`name="f-${colour}" value="${red}"`);
    const filtered = await show(cast.bob, `/review/${formId}?f-${colour}=${red}`);
    expect(rowsOf(filtered)).toEqual(['dave_1']);
    expect(rowsOf(await show(cast.bob, linkTo(filtered, 'Remove the filter Colour: Red')))).toHaveLength(2);
    expect(rowsOf(await show(cast.bob, `/review/${formId}?f-${colour}=${red}&f-${colour}=${blue}`))).toHaveLength(2);
    const none = await show(cast.bob, `/review/${formId}?f-${colour}=${red}&f-${questionIds[0]}=Erin`);
    expect(none).toContain('No responses match');
    expect(none).not.toContain('wrong digit');
    // The last digit of this reference would be 8.
    expect(await show(cast.bob, `/review/${formId}?q=8Y093-8NKRK-AYD57`)).toContain('a reference with a wrong digit');
    // A question that is gone filters nothing.
    expect(rowsOf(await show(cast.bob, `/review/${formId}?f-${idWithin(formId, app().uuid())}=x`))).toHaveLength(2);
  });

  test('is filtered by texts, by what was answered and by days, and each condition is named with a link that removes it', async () => {
    const { formId, questionIds } = await colours();
    const [name = '', colour = ''] = questionIds;
    const base = `/review/${formId}`;
    const rows = async (query: string) => rowsOf(await show(cast.bob, `${base}?${query}`));
    const [dave, erin] = ['dave_1', 'erin_1'];
    const DAY_MS = 24 * 3_600_000;
    // The clock of the service may pass midnight meanwhile.
    const dayAt = (days: number) => new Date(app().now().getTime() + days * DAY_MS).toISOString().slice(0, 10);
    const [yesterday, tomorrow] = [dayAt(-1), dayAt(1)];
    expect(await rows(`has-${name}=DAV`)).toEqual([dave]);
    expect(await rows(`has-${name}=DAV&not-${name}=1`)).toEqual([erin]);
    expect(await rows(`empty-${colour}=1`)).toEqual([]);
    expect(await rows(`empty-${colour}=0`)).toHaveLength(2);
    expect(await rows(`from=${yesterday}&to=${tomorrow}`)).toHaveLength(2);
    expect(await rows(`to=${yesterday}`)).toEqual([]);
    expect(await rows(`from=${dayAt(2)}`)).toEqual([]);
    // What is no condition is none.
    expect(await rows(`from=yesterday&to=2026-13-01&has-${name}=&min-${name}=x&empty-${colour}=2`)).toHaveLength(2);

    const both = await show(cast.bob, `${base}?from=${yesterday}&has-${name}=dav&not-${name}=1`);
    expect(linkTo(both, 'Remove the filter Name: not: contains “dav”')).toBe(`${base}?from=${yesterday}`);
    expect(linkTo(both, `Remove the filter Submitted: from ${yesterday}`)).toBe(
      `${base}?has-${name}=dav&not-${name}=1`,
    );
    expect(linkTo(both, 'Remove all filters')).toBe(base);

    const open = await show(
      cast.bob,
      `${base}?from=${yesterday}&has-${name}=dav&not-${name}=1&empty-${colour}=0&filter=open`,
    );
    expect(open).toContain(`type="date" value="${yesterday}"`);
    expect(open).toContain(`name="has-${name}" value="dav"`);
    expect(open).toMatch(new RegExp(`name="not-${name}" value="1" checked`));
    expect(open).toMatch(/<option value="0" selected>Answered<\/option>/);
    // The statistics have the same filter, and so has the way to them.
    const statistics = await show(cast.bob, linksTo(both, 'Statistics').at(-1) ?? '');
    expect(statistics).toContain('not: contains “dav”');
  });

  test('is filtered by dates, of which a year alone is one, and by numbers', async () => {
    const date = { hasYear: true, hasMonth: true, hasDay: true };
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [
      [
        { type: 'DATE', title: 'Day', date },
        { type: 'SHORT_TEXT', title: 'Born in', text: { format: 'NUMBER' } },
      ],
    ]);
    const [day = '', born = ''] = questionIds;
    await respond(cast.dave, formId, [sent(day, 'DATE', '2025-12-31T00:00:00Z'), text(born, '1999')]);
    await respond(cast.erin, formId, [sent(day, 'DATE', '2026-01-01T00:00:00Z'), text(born, '2001.5')]);
    const rows = async (query: string) => rowsOf(await show(cast.bob, `/review/${formId}?${query}`));
    expect(await rows(`min-${day}=2026`)).toEqual(['erin_1']);
    expect(await rows(`max-${day}=2025-12`)).toEqual(['dave_1']);
    expect(await rows(`min-${born}=2000`)).toEqual(['erin_1']);
    expect(await rows(`max-${born}=1999.5`)).toEqual(['dave_1']);
  });

  test('has no neighbours of a response outside of the days that are shown', async () => {
    const { formId, daves, erins } = await colours();
    const later = new Date(app().now().getTime() + 2 * 24 * 3_600_000).toISOString().slice(0, 10);
    expect(await show(cast.bob, `/review/${formId}/r/${daves}`)).toContain(erins);
    expect(await show(cast.bob, `/review/${formId}/r/${daves}?from=${later}`)).not.toContain(erins);
  });

  test('each question is filtered by the answers in the responses that match the other filters', async () => {
    const { formId, questionIds, red, blue } = await colours();
    const html = await show(cast.bob, `/review/${formId}?filter=open&f-${questionIds[1]}=${red}`);
    expect(html).toContain('value="Dave"');
    expect(html).not.toContain('value="Erin"');
    expect(html).toContain(`value="${red}" checked`);
    expect(html).toContain(`value="${blue}"><span dir="auto">Blue <span class="muted">1<`);
  });

  test('lists at most 100 answers of a question to filter by, the chosen ones always', async () => {
    const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const [questionId = ''] = form.questionIds;
    const named = (value: string, index: number) =>
      submissionOf(form, cast.dave.id, new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(), {
        [questionId]: { type: 'SHORT_TEXT', value },
      });
    await store([...Array.from({ length: 101 }, (_, index) => `Name ${index}`), 'x'.repeat(201)].map(named));
    const html = await show(cast.bob, `/review/${form.formId}?filter=open&f-${questionId}=Name+100`);
    expect(html).toContain('value="Name 100" checked><span dir="auto">Name 100 <span class="muted">1<');
    expect(html.match(/type="checkbox" name="f-/g)).toHaveLength(100);
    expect(html).not.toContain('xxx');
    expect(html).toContain('Not all answers are listed here.');
  });

  test('says so while the responses of a large form are counted', async () => {
    const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
    await store(Array.from({ length: 201 }, (_, index) => submissionOf(form, cast.dave.id, at(index))));
    expect(await show(cast.bob, `/review/${form.formId}`)).toContain('At least 201 responses');
  });

  test('continues on the next page and goes back to the first', async () => {
    const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const times = Array.from({ length: 60 }, (_, index) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString());
    await store(times.map((at) => submissionOf(form, cast.dave.id, at)));
    const first = await show(cast.bob, `/review/${form.formId}`);
    expect(rowsOf(first)).toHaveLength(50);
    const second = await show(cast.bob, linkTo(first, 'Next page'));
    expect(rowsOf(second)).toHaveLength(10);
    expect(linkTo(second, 'Back to the first page')).toBe(`/review/${form.formId}`);
    expect((await get(cast.bob, `/review/${form.formId}?cursor=broken`)).status).toBe(400);
  });

  test('goes forwards and back over the same pages, newest first, while responses arrive', async () => {
    const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const [question = ''] = form.questionIds;
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
    const answer = (index: number) => ({ [question]: { type: 'SHORT_TEXT' as const, value: `n${index}` } });
    const submitted = (index: number) => submissionOf(form, cast.dave.id, at(index), answer(index));
    await store(Array.from({ length: 60 }, (_, index) => submitted(index)));
    const path = `/review/${form.formId}?rows=25`;
    const numbers = (html: string) => [...html.matchAll(/>n(\d+)</g)].map(([, text]) => Number(text));
    const down = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);
    const first = await show(cast.bob, path);
    expect(numbers(first)).toEqual(down(59, 25));
    expect(linksTo(first, 'Previous page')).toEqual([]);
    const secondPath = linkTo(first, 'Next page');
    const second = await show(cast.bob, secondPath);
    expect(numbers(second)).toEqual(down(34, 25));
    await store([submitted(60), submitted(61)]);
    expect(numbers(await show(cast.bob, secondPath))).toEqual(down(34, 25));
    const third = await show(cast.bob, linkTo(second, 'Next page'));
    expect(numbers(third)).toEqual(down(9, 10));
    expect(linksTo(third, 'Next page')).toEqual([]);
    const back = await show(cast.bob, linkTo(third, 'Previous page'));
    expect(numbers(back)).toEqual(down(34, 25));
    const start = await show(cast.bob, linkTo(back, 'Previous page'));
    expect(numbers(start)).toEqual(down(59, 25));
    // Two have arrived before it, which do not fill a page: the first page is shown.
    expect(numbers(await show(cast.bob, linkTo(start, 'Previous page')))).toEqual(down(61, 25));
    expect(numbers(await show(cast.bob, `${path}&sort=oldest`))[0]).toBe(0);
    expect((await get(cast.bob, `${path}&before=broken`)).status).toBe(400);
  });

  test('long answers are cut after 160 characters, whatever they take', async () => {
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'LONG_TEXT' }]]);
    const story = (count: number) => '𠮷'.repeat(count);
    for (const count of [160, 161, 5_000]) {
      await respond(cast.dave, formId, [sent(questionIds[0] ?? '', 'LONG_TEXT', story(count))]);
    }
    const html = await show(cast.alice, `/review/${formId}`);
    const cells = [...html.matchAll(/<div class="cell" dir="auto">(𠮷+…?)/gu)].map(([, text]) => text);
    expect(cells.toSorted()).toEqual([story(160), `${story(160)}…`, `${story(160)}…`]);
  });

  test('is sorted by answers, on several pages, with the neighbours of a response in the same order', async () => {
    const scale = { minVal: 1, maxVal: 100 };
    const form = await newForm(cast.alice, cast.slug, [[{ type: 'LINEAR_SCALE', title: 'Score', scale }]]);
    const [question = ''] = form.questionIds;
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
    const scores = Array.from({ length: 30 }, (_, index) => ((index * 7) % 30) + 1);
    const answer = (value: number) => ({ [question]: { type: 'LINEAR_SCALE' as const, value } });
    const responses = scores.map((score, index) => submissionOf(form, cast.dave.id, at(index), answer(score)));
    await store(responses);
    const shown = (html: string) =>
      [...html.matchAll(/<td class="number"[^>]*>(\d+)</g)].map(([, text]) => Number(text));
    const up = await show(cast.bob, `${linkTo(await show(cast.bob, `/review/${form.formId}?rows=25`), 'Score')}`);
    expect(up).toContain('aria-sort="ascending"');
    expect(shown(up)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
    const rest = await show(cast.bob, linkTo(up, 'Next page'));
    expect(shown(rest)).toEqual([26, 27, 28, 29, 30]);
    expect(shown(await show(cast.bob, linkTo(rest, 'Previous page')))[0]).toBe(1);
    expect(shown(await show(cast.bob, linkTo(up, 'Score')))[0]).toBe(30);
    const idOf = (score: number) => responses[scores.indexOf(score)]?.id ?? '';
    const tenth = await show(cast.bob, `/review/${form.formId}/r/${idOf(10)}?sort=${question}`);
    expect(linkTo(tenth, 'Previous')).toContain(idOf(9));
    expect(linkTo(tenth, 'Next')).toContain(idOf(11));
  });

  test('of a form with more than 1,000 responses is sorted by submission only, and says so', async () => {
    const scale = { minVal: 1, maxVal: 10 };
    const form = await newForm(cast.alice, cast.slug, [[{ type: 'LINEAR_SCALE', title: 'Score', scale }]]);
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
    await store(Array.from({ length: 1_001 }, (_, index) => submissionOf(form, cast.dave.id, at(index))));
    const html = await show(cast.bob, `/review/${form.formId}?sort=${form.questionIds[0]}`);
    expect(html).toContain(
      'A form with more than 1,000 responses, or 50 MB of answers, is sorted by the time of submission only.',
    );
    expect(linksTo(html, 'Score')).toEqual([]);
    expect(rowsOf(html)).toHaveLength(50);
  });

  test('finds respondents by a part of their name or address, also within a filter', async () => {
    const { formId, questionIds, red, blue } = await colours();
    const [name = ''] = cast.dave.email.split('@');
    const found = await show(cast.bob, `/review/${formId}?q=${name.toUpperCase()}`);
    expect(found).toContain('1 response matches.');
    expect(rowsOf(found)).toHaveLength(1);
    const within = (choice: string) => show(cast.bob, `/review/${formId}?q=${name}&f-${questionIds[1]}=${choice}`);
    expect(rowsOf(await within(red))).toHaveLength(1);
    expect(await within(blue)).toContain('No responses match');
  });

  test('shows titles, answers and names as text', async () => {
    const hostile = '<script>alert(1)</script>';
    const { formId, questionIds } = await newForm(
      cast.alice,
      cast.slug,
      [
        [
          { type: 'SHORT_TEXT', title: `<b>${hostile}` },
          { type: 'SINGLE_CHOICE', choices: [{ name: hostile }] },
        ],
      ],
      { title: hostile },
    );
    const responseId = await respond(cast.dave, formId, [text(questionIds[0] ?? '', `"><img src=x>${hostile}`)]);
    const highlight = { questionId: questionIds[1] ?? '', displayTitle: hostile };
    await cast.alice.client.forms.setHighlight({ params: { formId }, body: highlight });
    await cast.alice.client.views.createView({ params: { formId }, body: { title: hostile } });
    for (const path of ['', '?filter=open', `/r/${responseId}`, `/r/${responseId}/delete`, '/export', '/views']) {
      const html = await show(cast.alice, `/review/${formId}${path}`);
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<img|<b><script|\sstyle=|\son\w+=/);
    }
  });

  test('is in the language of the reader', async () => {
    const { formId } = await colours();
    const response = await get(cast.bob, `/review/${formId}`, { 'accept-language': 'zh-TW' });
    expect(await response.text()).toContain('2 份回覆，0 份草稿');
  });
});

test('drafts are listed on a page of their own, newest first', async () => {
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  const path = `/review/${formId}/drafts`;
  expect(await show(cast.bob, path)).toContain('There are no drafts.');
  const daves = await start(cast.dave, formId);
  await save(cast.dave, daves, [text(questionIds[0] ?? '', 'Not finished')]);
  await respond(cast.erin, formId, []);
  expect(linkTo(await show(cast.bob, `/review/${formId}`), 'Drafts')).toBe(path);
  const draft = linkTo(await show(cast.bob, path), 'dave_1');
  expect(draft).toBe(`/review/${formId}/r/${daves}`);
  expect(linksTo(await show(cast.bob, path), 'erin_1')).toEqual([]);
  const shown = await show(cast.bob, draft);
  expect(shown).toContain('Not finished');
  expect(shown).toContain('>Draft</span>');
  expect(linksTo(shown, 'Next')).toEqual([]);

  for (let count = 0; count < 50; count += 1) await start(cast.dave, formId);
  const first = await show(cast.bob, path);
  expect(first.match(/class="row-link"/g)).toHaveLength(50);
  const second = await show(cast.bob, linkTo(first, 'Next page'));
  expect(linkTo(second, 'dave_1')).toBe(`/review/${formId}/r/${daves}`);
  expect(linkTo(second, 'Back to the first page')).toBe(path);
  expect((await get(cast.bob, `${path}?cursor=broken`)).status).toBe(400);
  expect((await get(cast.chelsea, path)).status).toBe(403);
});

describe('a response', () => {
  test('shows the path, what is off the path, and removed questions', async () => {
    const form = await branchedForm(
      { person: cast.alice, slug: cast.slug },
      {
        first: [{ type: 'SHORT_TEXT', title: 'Which way?' }],
        yes: [{ type: 'SHORT_TEXT', title: 'Taken' }],
        no: [{ type: 'SHORT_TEXT', title: 'Not taken' }],
      },
    );
    const [taken = '', notTaken = ''] = [form.yes[0], form.no[0]];
    const responseId = await start(cast.dave, form.formId);
    await save(cast.dave, responseId, [text(form.asked, 'no'), text(notTaken, 'Off the path')]);
    await save(cast.dave, responseId, [text(form.asked, 'yes'), text(taken, 'On the path')]);
    await submit(cast.dave, responseId);
    const path = `/review/${form.formId}/r/${responseId}`;
    const html = await show(cast.bob, path);
    expect(html.indexOf('On the path')).toBeGreaterThan(0);
    expect(html.indexOf('Off the path')).toBeGreaterThan(html.indexOf('Not on the path'));
    expect(html).toContain(cast.dave.email);
    await cast.alice.client.questions.deleteQuestion({
      params: { sectionId: form.sectionIds[1] ?? '', questionId: taken },
    });
    expect(await show(cast.bob, path)).toContain('Taken <span class="tag">Removed from the form</span>');
  });

  test('leads to its neighbours in the order of the table, also within a filter', async () => {
    const { formId, questionIds, red, daves, erins } = await colours();
    const again = await respond(cast.erin, formId, [sent(questionIds[1] ?? '', 'SINGLE_CHOICE', [red])]);
    const all = await show(cast.bob, `/review/${formId}/r/${erins}`);
    expect(linkTo(all, 'Previous')).toBe(`/review/${formId}/r/${again}`);
    expect(linkTo(all, 'Next')).toBe(`/review/${formId}/r/${daves}`);
    const query = `?f-${questionIds[1]}=${red}`;
    const filtered = await show(cast.bob, `/review/${formId}/r/${daves}${query}`);
    expect(linkTo(filtered, 'Previous')).toBe(`/review/${formId}/r/${again}${query}`);
    expect(linksTo(filtered, 'Next')).toEqual([]);
    expect(linkTo(filtered, 'All responses')).toBe(`/review/${formId}${query}`);
  });

  test('leads on in the table if none of the nearest 100 responses matches', async () => {
    const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const [questionId = ''] = form.questionIds;
    const names = ['Ada', ...Array.from({ length: 101 }, () => 'Bea'), 'Ada'];
    const responses = names.map((value, index) =>
      submissionOf(form, cast.dave.id, new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(), {
        [questionId]: { type: 'SHORT_TEXT', value },
      }),
    );
    await store(responses);
    const path = `/review/${form.formId}/r`;
    const query = `?f-${questionId}=Ada`;
    const newest = await show(cast.bob, `${path}/${responses.at(-1)?.id}${query}`);
    expect(linksTo(newest, 'Search further back')).toEqual([]);
    expect(await show(cast.bob, linkTo(newest, 'Search further ahead'))).toContain(`${path}/${responses[0]?.id}`);
    const oldest = await show(cast.bob, `${path}/${responses[0]?.id}${query}`);
    expect(await show(cast.bob, linkTo(oldest, 'Search further back'))).toContain(`${path}/${responses.at(-1)?.id}`);
  });

  test('lists its files with links', async () => {
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [
      [{ type: 'UPLOAD_FILE', uploadFile: PICTURES }],
    ]);
    const [questionId = ''] = questionIds;
    const { body } = await cast.dave.client.responses.startResponse({ params: { formId } });
    const form = new FormData();
    form.append('files', new File(['Clear water'], 'a <b> river.txt', { type: 'text/plain' }));
    const params = { responseId: body.id, questionId };
    const fileId = (await cast.dave.client.files.uploadFiles({ params, form })).body.files[0]?.fileId;
    const html = await show(cast.bob, `/review/${formId}/r/${body.id}`);
    expect(linkTo(html, 'river.txt')).toBe(`/files/${fileId}`);
    const { refresh } = await newSession(cast.bob);
    const file = await send('GET', `/files/${fileId}`, { headers: { cookie: `refresh_token=${refresh}` } });
    expect(await (await fetch(locationOf(file))).text()).toBe('Clear water');
    expect((await get(cast.chelsea, `/files/${fileId}`)).status).toBe(404);
    expect(html).toContain('a &lt;b&gt; river.txt');
    expect(html).not.toContain('<img');
    await submit(cast.dave, body.id);
    const table = await show(cast.bob, `/review/${formId}`);
    expect(linkTo(table, 'a &lt;b&gt; river.txt')).toBe(`/files/${fileId}`);
    expect(table).not.toContain('<img');
  });

  test('shows web addresses in the table as links that give them no credit, and nothing else as a link', async () => {
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [
      [{ type: 'HYPERLINK' }, { type: 'SHORT_TEXT' }],
    ]);
    const [address = '', text = ''] = questionIds;
    const link = 'https://example.org/a?b=1';
    await respond(cast.dave, formId, [sent(address, 'HYPERLINK', link), sent(text, 'SHORT_TEXT', link)]);
    const html = await show(cast.bob, `/review/${formId}`);
    expect(html.match(/<a href="https:[^>]*>/g)).toEqual([`<a href="${link}" rel="nofollow noopener ugc">`]);
  });

  test('shows pictures in place, from storage alone, and offers its link and a print', async () => {
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [
      [{ type: 'UPLOAD_FILE', uploadFile: PICTURES }],
    ]);
    const { body } = await cast.dave.client.responses.startResponse({ params: { formId } });
    const form = new FormData();
    form.append('files', new File([Buffer.from(await readSample('PNG'))], 'a "heron".png', { type: 'image/png' }));
    const params = { responseId: body.id, questionId: questionIds[0] ?? '' };
    const fileId = (await cast.dave.client.files.uploadFiles({ params, form })).body.files[0]?.fileId;
    const { refresh } = await newSession(cast.bob);
    const file = await send('GET', `/files/${fileId}`, { headers: { cookie: `refresh_token=${refresh}` } });
    const alt = 'alt="a &quot;heron&quot;.png"';
    const pictureOn = async (path: string) => {
      const response = await get(cast.bob, path);
      const [sources = ''] = /img-src [^;]*/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
      expect(sources.split(' ').slice(1)).toEqual(["'self'", 'data:', new URL(locationOf(file)).origin]);
      const html = await response.text();
      return { html, picture: /<a href="\/files\/[^"]*"><img [^>]*>/.exec(html)?.[0] };
    };
    const { html, picture } = await pictureOn(`/review/${formId}/r/${body.id}`);
    const link = `<a href="/files/${fileId}"><img src="/files/${fileId}"`;
    const isLazy = 'loading="lazy" decoding="async">';
    expect(picture).toBe(`${link} ${alt} width="160" height="120" ${isLazy}`);
    await submit(cast.dave, body.id);
    expect((await pictureOn(`/review/${formId}`)).picture).toBe(`${link} ${alt} width="48" height="48" ${isLazy}`);
    expect(html).toContain(`data-copy="${ORIGIN}/review/${formId}/r/${body.id}"`);
    expect(html).toContain('data-print');
  });

  test('is deleted after a confirmation, by admins', async () => {
    const { formId, daves } = await colours();
    const path = `/review/${formId}/r/${daves}`;
    expect(linksTo(await show(cast.bob, path), 'Delete')).toEqual([]);
    expect((await post(cast.bob, `${path}/delete`)).status).toBe(403);
    const confirmation = linkTo(await show(cast.alice, path), 'Delete this response');
    expect(await show(cast.alice, confirmation)).toContain('Delete this response?');
    const after = locationOf(await post(cast.alice, confirmation));
    expect(after).toBe(`/review/${formId}?done=deleted`);
    expect(await show(cast.alice, after)).toContain('The response was deleted.');
    expect((await get(cast.alice, path)).status).toBe(404);
  });

  test('shows the status of its mail, which can be sent again', async () => {
    const { formId, daves } = await colours();
    const path = `/review/${formId}/r/${daves}`;
    expect(await show(cast.bob, path)).toContain('Nothing was sent');
    await storeMail(daves, 'bounced');
    const failed = await show(cast.bob, path);
    expect(failed).toContain('The e-mail bounced');
    expect(failed).toContain('Send again');
    expect(locationOf(await post(cast.bob, `${path}/deliveries/email`))).toBe(`${path}#deliveries`);
    const waiting = await show(cast.bob, path);
    expect(waiting).toContain('Waiting');
    expect(waiting).not.toContain('Send again');
    expect(locationOf(await post(cast.bob, `${path}/deliveries/email`))).toBe(`${path}#deliveries`);
    expect((await post(cast.bob, `${path}/deliveries/pigeon`)).status).toBe(404);
  });
});

test('a mail of a submission that was withdrawn is not sent again, and the page says why', async () => {
  const { formId, daves } = await colours();
  const path = `/review/${formId}/r/${daves}`;
  await storeMail(daves, 'bounced', { submittedAt: '2026-01-01T00:00:00.000Z' });
  expect(await show(cast.bob, path)).toContain('Send again');
  const after = locationOf(await post(cast.bob, `${path}/deliveries/email?view=all`));
  expect(after).toBe(`${path}?view=all&done=notSent`);
  expect(await show(cast.bob, after)).toContain('Nothing was sent: this mail is a copy');
});

test('a mail that was sent again three times is not sent again, and the page says why', async () => {
  const { formId, daves } = await colours();
  const path = `/review/${formId}/r/${daves}`;
  await storeMail(daves, 'sent', { resent: { times: 3, lastAt: '2026-01-01T00:00:00.000Z' } });
  const after = locationOf(await post(cast.bob, `${path}/deliveries/email`));
  expect(after).toBe(`${path}?done=sentOften`);
  expect(await show(cast.bob, after)).toContain('once every 60 minutes, and 3 times in all');
});

describe('an export', () => {
  test.for([
    [12, 1],
    [13, 2],
  ] as const)('of %i questions has its button %i times: also above a long list', async ([count, buttons]) => {
    const many = await newForm(cast.alice, cast.slug, [Array.from({ length: count }, () => ({ type: 'SHORT_TEXT' }))]);
    const page = await show(cast.bob, `/review/${many.formId}/export`);
    const order = [...page.matchAll(/id="format"|<button class="large">Download<|id="columns"/g)].map(
      ([found]) => found,
    );
    const button = '<button class="large">Download<';
    expect(order).toEqual(['id="format"', ...(buttons > 1 ? [button] : []), 'id="columns"', button]);
  });

  test('of few responses is a file', async () => {
    const { formId, questionIds } = await colours();
    expect(await show(cast.bob, `/review/${formId}/export`)).toContain(`value="${questionIds[0]}" checked`);
    const columns = questionIds.map((id): [string, string] => ['column', id]);
    const response = await post(cast.bob, `/review/${formId}/export`, columns);
    expect(response.headers.get('content-disposition')).toContain('attachment; filename="Colours & more.xlsx"');
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    const none = await post(cast.bob, `/review/${formId}/export`);
    expect(none.status).toBe(400);
    expect(await none.text()).toContain('Choose at least one question');
  });

  test('has the responses of the filter, in the chosen format', async () => {
    const { formId, questionIds, red, daves } = await colours();
    const [, colour = ''] = questionIds;
    const filtered = await show(cast.bob, `/review/${formId}?f-${colour}=${red}`);
    const path = linkTo(filtered, 'Export these');
    expect(path).toBe(`/review/${formId}/export?f-${colour}=${red}`);
    const page = await show(cast.bob, path);
    expect(linkTo(page, 'Remove the filter Colour: Red')).toBe(`/review/${formId}/export`);
    expect(page).toContain(`action="${path}"`);
    const fields: [string, string][] = [
      ['column', colour],
      ['format', 'CSV'],
    ];
    const rowsOf = async (more: [string, string][]) =>
      (await (await post(cast.bob, path, [...fields, ...more])).text()).slice(1).trim().split('\r\n');
    const lines = await rowsOf([]);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(new RegExp(`^${daves},.*,Red,[0-9A-Z-]{17}$`));
    // A question that is gone filters nothing.
    const gone = await post(cast.bob, `/review/${formId}/export?f-${idWithin(formId, app().uuid())}=x`, fields);
    expect((await gone.text()).trim().split('\r\n')).toHaveLength(3);
  });

  test('has a column for each choice if that box is checked', async () => {
    const choices = ['Red', 'Blue'].map((name) => ({ name }));
    const kinds = [{ type: 'MULTIPLE_CHOICE' as const, title: 'Colours', choices }];
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [kinds]);
    const [colours = ''] = questionIds;
    const blue = choice(await readQuestion(cast.bob, formId, colours), 'Blue');
    await respond(cast.dave, formId, [sent(colours, 'MULTIPLE_CHOICE', [blue])]);
    const path = `/review/${formId}/export`;
    expect(await show(cast.bob, path)).toContain('<input type="checkbox" name="columnPerChoice"');
    const cellsWith = async (more: [string, string][]) => {
      const file = await post(cast.bob, path, [['column', colours], ['format', 'CSV'], ...more]);
      return (
        (await file.text())
          .trim()
          .split('\r\n')
          // Between the columns of the response and its reference.
          .map((line) => line.split(',').slice(3, -1))
      );
    };
    expect(await cellsWith([])).toEqual([['Colours'], ['Blue']]);
    expect(await cellsWith([['columnPerChoice', 'on']])).toEqual([
      ['Colours: Red', 'Colours: Blue', 'Colours: other text'],
      ['0', '1', ''],
    ]);
  });

  test('of many responses is a job, whose page updates itself until the file is there', async () => {
    const form = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
    await store(Array.from({ length: 1_001 }, (_, index) => submissionOf(form, cast.dave.id, at(index))));
    const asked = await post(cast.bob, `/review/${form.formId}/export`, [['column', form.questionIds[0] ?? '']]);
    const path = locationOf(asked);
    const waiting = await show(cast.bob, path);
    expect(waiting).toContain('<noscript><p><a');
    expect(waiting).not.toContain('http-equiv="refresh"');
    expect(waiting).toContain('data-pending');
    expect(locationOf(await get(cast.bob, `${path}/file`))).toBe(path);
    await buildExports();
    const done = await show(cast.bob, path);
    expect(done).not.toContain('<noscript>');
    expect(done).toContain('1,001 responses');
    const file = await get(cast.bob, linkTo(done, 'Download'));
    expect(locationOf(file)).toContain(new URL(process.env.S3_PUBLIC_ENDPOINT ?? '').origin);
    const earlier = await show(cast.bob, `/review/${form.formId}/export`);
    expect(earlier).toContain('Ready');
    // Its time is written once, where scripts put it into the zone of the reader.
    const [, id = ''] = /\/export\/([^/]+)$/.exec(path) ?? [];
    expect(earlier).toMatch(new RegExp(`<a [^>]*aria-labelledby="get-${id} export-${id}">Download</a>`));
    expect(earlier).toMatch(new RegExp(`<span id="export-${id}"><time [^>]*data-local-time`));
    expect((await get(cast.chelsea, path)).status).toBe(404);
    const other = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    expect((await get(cast.bob, path.replace(form.formId, other.formId))).status).toBe(404);
  });
});

test('views are created, changed, moved, copied, locked and deleted', async () => {
  const { formId, questionIds } = await colours();
  const [name = '', colour = ''] = questionIds;
  const views = `/review/${formId}/views`;
  const titles = async () =>
    (await cast.bob.client.views.listViews({ params: { formId } })).body.map(({ title }) => title);
  expect(await show(cast.bob, views)).toContain('There are no views yet');

  const created = locationOf(
    await post(cast.bob, views, [
      ['title', 'Board'],
      ['column', colour],
    ]),
  );
  const table = await show(cast.bob, created);
  expect(table).toContain('aria-current="page">Board</a>');
  expect(table).not.toContain('<div class="cell" dir="auto">Name</div>');
  locationOf(
    await post(cast.bob, views, [
      ['title', 'Team'],
      ['column', name],
    ]),
  );
  const taken = await post(cast.bob, views, [
    ['title', 'Team'],
    ['column', colour],
  ]);
  expect(taken.status).toBe(400);
  const html = await taken.text();
  expect(html).toContain('Another view has this name');
  expect(html).toContain('value="Team"');
  expect(html).toMatch(new RegExp(`value="${colour}" checked`));
  expect(html).not.toMatch(new RegExp(`value="${name}" checked`));

  locationOf(await post(cast.bob, views, [['column', name]]));

  const team = linkTo(await show(cast.bob, views), 'Edit Team');
  const change = async (action: string, fields: [string, string][] = []) =>
    post(cast.bob, team, [['do', action], ['hash', hashIn(await (await get(cast.bob, team)).text())], ...fields]);
  expect(await show(cast.bob, team)).toContain(`value="${name}" checked`);
  locationOf(await change('up'));
  expect(await titles()).toEqual(['Team', 'Board', 'Untitled view']);
  locationOf(
    await change('save', [
      ['title', 'Everybody'],
      ['column', name],
      ['column', colour],
    ]),
  );
  expect(await titles()).toEqual(['Everybody', 'Board', 'Untitled view']);
  expect((await change('save', [['title', ' ']])).status).toBe(400);
  locationOf(await change('duplicate'));
  locationOf(await change('lock'));
  expect(linksTo(await show(cast.bob, team), 'Delete')).toEqual([]);
  const locked = await change('delete');
  expect(locked.status).toBe(409);
  expect(await locked.text()).toContain('This view is locked');
  locationOf(await change('unlock'));
  expect(await show(cast.bob, linkTo(await show(cast.bob, team), 'Delete'))).toContain('Delete the view “Everybody”?');
  expect(await show(cast.bob, locationOf(await change('delete')))).toContain('The view was deleted.');
  expect(await titles()).toEqual(['Copy of Everybody', 'Board', 'Untitled view']);
  expect((await change('explode')).status).toBe(404);
});

/** The hash of the view that a page shows. */
const hashIn = (html: string): string => /name="hash" value="([^"]+)"/.exec(html)?.[1] ?? 'no hash';

test('two members who change a view at the same time see both changes, and neither is lost', async () => {
  const { formId, questionIds } = await colours();
  const [name = '', colour = ''] = questionIds;
  const { body } = await cast.bob.client.views.createView({
    params: { formId },
    body: { title: 'Board', columns: [colour, name] },
  });
  const path = `/review/${formId}/views/${body.id}`;
  const stored = async () => {
    const { title, columns } = (await cast.bob.client.views.getView({ params: { formId, viewId: body.id } })).body;
    return [title, ...columns.map(({ questionId }) => questionId)];
  };
  const shown = hashIn(await show(cast.bob, path));
  const save = (hash: string, title: string, columns: string[]) =>
    post(cast.bob, path, [
      ['do', 'save'],
      ['hash', hash],
      ['title', title],
      ...columns.map((id): [string, string] => ['column', id]),
    ]);
  // Alice moves and locks the view, which is no conflict, and renames it.
  locationOf(await post(cast.alice, path, [['do', 'lock']]));
  locationOf(await save(shown, 'For <b>Alice</b>', [name, colour]));
  expect(await stored()).toEqual(['For <b>Alice</b>', colour, name]);

  const refused = await save(shown, 'For Bob', [name]);
  expect(refused.status).toBe(409);
  const html = await refused.text();
  expect(html).toContain('Somebody else has changed this meanwhile');
  expect(html).toContain('<dd class="pre-line" dir="auto">For &lt;b&gt;Alice&lt;/b&gt;</dd>');
  expect(html).toContain('<dd class="pre-line" dir="auto">Colour and Name</dd>');
  expect(html).toContain('value="For Bob"');
  expect(html).not.toMatch(new RegExp(`value="${colour}" checked`));
  expect(linkTo(html, 'Use theirs')).toBe(path);
  expect(await stored()).toEqual(['For <b>Alice</b>', colour, name]);

  locationOf(await save(hashIn(html), 'For Bob', [name]));
  // Sent twice, by a double click.
  locationOf(await save(hashIn(html), 'For Bob', [name]));
  expect(await stored()).toEqual(['For Bob', name]);
});
