/** Defects that `npm run test:fuzz` has found: bodies and results that were too large for one request. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { paginate } from '#core/api/client.ts';
import { readPages, settings } from '#test/support/building.ts';
import { newCast, newForm, send } from '#test/support/fixtures.ts';

const cast = await newCast();

/** A request whose JSON is written by hand. */
async function sendText(method: string, path: string, body: string) {
  const response = await send(method, path, { headers: { authorization: `Bearer ${cast.alice.token}` }, body });
  return { status: response.status, body: Problem.parse(await response.json()) };
}

const Problem = z.object({ detail: z.string(), errors: z.array(z.unknown()).optional() });

describe('a body of very many values', () => {
  const question = (choices: string) =>
    `{"title":"x","type":"SINGLE_CHOICE","order":1,"required":true,"description":null,"choices":[${choices}]}`;

  test.for([
    ['a million choices', () => question(`${'{},'.repeat(1_000_000)}{}`)],
    ['a million members', () => `{${'"a":1,'.repeat(700_000)}"title":"x"}`],
  ] as const)('is refused with 413 before it is validated: %s', async ([, body]) => {
    const { alice, slug } = cast;
    const { sectionIds } = await newForm(alice, slug, [[]], { publish: false });
    const refused = await sendText('POST', `/api/sections/${sectionIds[0]}/questions`, body());
    expect(refused).toMatchObject({ status: 413, body: { detail: expect.stringContaining('100000 values') } });
  });

  test('may have any number of commas and brackets in its strings', async () => {
    const { alice, slug } = cast;
    const name = ',[{'.repeat(85);
    const body = {
      name,
      description: ',[{'.repeat(600),
      metadata: { text: ',[{'.repeat(2_700) },
      slug: `${slug}-commas`,
    };
    expect((await alice.client.orgs.createOrganization({ body })).body.name).toBe(name);
  });

  test('reports its first thousand faults, because the result cannot hold them all', async () => {
    const { alice, slug } = cast;
    const { formId } = await newForm(alice, slug, [[]], { publish: false });
    const answers = Array.from({ length: 900 }, () => ({ option: 1 }));
    const filters = Array.from({ length: 50 }, () => ({ questionId: 'x', answers }));
    const refused = await sendText('POST', `/api/forms/${formId}/responses/query`, JSON.stringify({ filters }));
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toHaveLength(1_000);
  });
});

/** 64 KB in the request, 400 KB in the response. */
const wide = {
  type: 'doc' as const,
  content: [{ type: 'paragraph', content: [{ type: 'text', text: '&'.repeat(65_000) }] }],
};

/** The pages of a list that hold anything. */
const filledPages = async (path: string): Promise<string[][]> =>
  (await readPages(cast.alice, path)).filter((page) => page.length > 0);

describe('a page that would exceed the 6 MB of a response ends sooner, and the next one continues', () => {
  test('of forms with long descriptions', async () => {
    const { alice, slug } = cast;
    const made: string[] = [];
    for (let number = 0; number < 16; number += 1) {
      const body = settings({ description: wide });
      made.unshift((await alice.client.forms.createForm({ params: { slug }, body })).body.id);
    }
    const ofOrganization = await filledPages(`/api/orgs/${slug}/forms`);
    expect(ofOrganization.length).toBeGreaterThan(1);
    expect(ofOrganization.flat().filter((id) => made.includes(id))).toEqual(made);
    const visible = await filledPages('/api/forms');
    expect(visible.length).toBeGreaterThan(1);
    expect(visible.flat().filter((id) => made.includes(id))).toEqual(made);
  });

  test('of responses with long answers, in the table and in the filter', async () => {
    const { alice, dave, slug } = cast;
    const questions = Array.from({ length: 11 }, () => ({ type: 'LONG_TEXT' as const }));
    const { formId, questionIds } = await newForm(alice, slug, [questions]);
    const submitted: string[] = [];
    for (let number = 0; number < 12; number += 1) {
      const value = '水'.repeat(10_000);
      const answers = questionIds.map((questionId) => ({ questionId, questionType: 'LONG_TEXT' as const, value }));
      const body = { answers, submit: true };
      submitted.push((await dave.client.responses.startResponse({ params: { formId }, body })).body.id);
    }
    const params = { formId };
    const shown: string[] = [];
    for (let cursor: string | undefined, page = 0; page === 0 || cursor; page += 1) {
      const query = cursor === undefined ? {} : { cursor };
      const { body } = await alice.client.exports.previewTable({ params, query, body: { questionIds } });
      shown.push(...body.rows.map(({ id }) => id));
      cursor = body.nextCursor ?? undefined;
      expect(page).toBeLessThan(2);
    }
    expect(shown).toEqual(submitted);
    const first = (await alice.client.responses.filterResponses({ params, body: { filters: [] } })).body;
    const query = { cursor: first.nextCursor ?? '' };
    const second = (await alice.client.responses.filterResponses({ params, query, body: { filters: [] } })).body;
    expect([...first.responses, ...second.responses].map(({ id }) => id)).toEqual(submitted);
  });

  test('of distinct answers, which then continue on a next page', async () => {
    const { alice, dave, slug } = cast;
    const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'LONG_TEXT' }]]);
    const [questionId = ''] = questionIds;
    for (let number = 0; number < 48; number += 1) {
      const responseId = (await dave.client.responses.startResponse({ params: { formId } })).body.id;
      // A control character takes six bytes as JSON.
      const value = `${number}${'\u0001'.repeat(9_900)}`;
      const answers = [{ questionId, questionType: 'LONG_TEXT' as const, value }];
      await dave.client.responses.submitResponse({ params: { responseId }, body: { answers } });
    }
    const viewId = (await alice.client.views.createView({ params: { formId } })).body.id;
    const params = { formId, viewId, questionId };
    const counts: number[] = [];
    for await (const { body } of paginate(alice.client.views.listDistinctAnswers, { params, body: { filters: [] } })) {
      counts.push(body.answers.length);
    }
    expect(counts.length).toBeGreaterThan(1);
    expect(counts[0]).toBeGreaterThan(20);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(48);
  });
});

test('an operation that does not declare If-Match ignores it', async () => {
  const { alice, dave, slug } = cast;
  const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 1, maxFileSizeLimit: 100 };
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'UPLOAD_FILE', uploadFile }]]);
  const responseId = (await dave.client.responses.startResponse({ params: { formId } })).body.id;
  const form = new FormData();
  form.append('files', new File(['river'], 'river.txt'));
  const params = { responseId, questionId: questionIds[0] ?? '' };
  const fileId = (await dave.client.files.uploadFiles({ params, form })).body.files[0]?.fileId ?? '';
  const deleted = await dave.client.files.deleteFile({ params: { fileId }, headers: { 'if-match': '"99"' } });
  expect(deleted.status).toBe(204);
});
