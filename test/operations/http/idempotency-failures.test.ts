/** Idempotency-Key when the first request still runs, was refused, or failed half-way (contract section 1). */
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newNode, openForm, settings } from '#test/support/building.ts';
import { dyingAfter, gate, withTable } from '#test/support/faults.ts';
import { newKey, newSlug, organization, post, replayed } from '#test/support/keyed.ts';
import { type Cast, newCast, type Person, question } from '#test/support/world.ts';

let cast: Cast;
let openFormId: string;
beforeAll(async () => {
  cast = await newCast();
  openFormId = (await openForm(cast.alice, cast.slug)).id;
});
beforeEach(() => {
  // Runs that die on purpose are logged as the defects that they look like.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** How many responses to the open form somebody has. */
const responsesOf = async ({ client }: Person): Promise<number> =>
  (await client.responses.listMyResponses({ params: { formId: openFormId } })).body.totalCount;

describe('while the first request still runs', () => {
  test('the same one is 409 with Retry-After, and gets the answer afterwards', async () => {
    const [key, body] = [newKey(), organization()];
    const { reached, open, wait } = gate();
    let writes = 0;
    const slow = await withTable(
      (table) => ({
        write: async (items, writeId) => {
          writes += 1;
          if (writes === 2) await wait();
          await table.write(items, writeId);
        },
      }),
      async () => {
        const first = post(cast.alice, '/orgs', key, body);
        await reached;
        const meanwhile = await post(cast.alice, '/orgs', key, body);
        expect(meanwhile).toMatchObject({ status: 409, body: { code: 'idempotency_key_in_progress' } });
        expect(Number(meanwhile.headers.get('retry-after'))).toBeGreaterThan(0);
        const other = await post(cast.alice, '/orgs', key, organization());
        expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
        open();
        return first;
      },
    );
    expect(slow.status).toBe(201);
    const again = await post(cast.alice, '/orgs', key, body);
    expect([again.status, replayed(again), again.body]).toEqual([201, true, slow.body]);
  });
});

describe('a first request that was refused', () => {
  test('frees its key, for the same body once the cause is mended and for another one', async () => {
    const [key, body] = [newKey(), organization()];
    const { slug: taken } = body;
    await cast.bob.client.orgs.createOrganization({ body });
    expect(await post(cast.alice, '/orgs', key, body)).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
    const moved = { ...body, slug: newSlug() };
    await cast.bob.client.orgs.updateOrganization({ params: { slug: taken }, body: moved });
    expect((await post(cast.alice, '/orgs', key, body)).status).toBe(201);
    const second = newKey();
    expect((await post(cast.alice, '/orgs', second, body)).status).toBe(409);
    expect((await post(cast.alice, '/orgs', second, organization())).status).toBe(201);
  });

  test('for its body leaves no trace of its key', async () => {
    const key = newKey();
    expect((await post(cast.alice, '/orgs', key, {})).status).toBe(400);
    expect((await post(cast.alice, '/orgs', key, organization())).status).toBe(201);
  });
});

describe('a first request that failed after its write', () => {
  test('is taken over at once by the same request, and makes no second thing', async () => {
    const key = newKey();
    const dave = cast.dave;
    const earlier = await responsesOf(dave);
    let writes = 0;
    const failed = await withTable(
      (table) => ({
        write: async (items, writeId) => {
          writes += 1;
          if (writes === 3) throw new Error('the answer could not be kept');
          await table.write(items, writeId);
        },
      }),
      () => post(dave, `/forms/${openFormId}/responses`, key),
    );
    expect(failed.status).toBe(500);
    const again = await post(dave, `/forms/${openFormId}/responses`, key);
    expect(again.status).toBe(201);
    expect(await responsesOf(dave)).toBe(earlier + 1);
  });

  test('makes no second question and no second node either, although both are edits of one structure', async () => {
    const { id: formId } = (await cast.alice.client.forms.createForm({ params: { slug: cast.slug }, body: settings() }))
      .body;
    const sectionId = await newNode(cast.alice, formId);
    const [nodeKey, questionKey] = [newKey(), newKey()];
    const node = () => post(cast.alice, `/forms/${formId}/workflow/nodes`, nodeKey, { type: 'SECTION', payload: {} });
    const asked = () =>
      post(cast.alice, `/sections/${sectionId}/questions`, questionKey, question({ type: 'SHORT_TEXT' }));
    for (const run of [node, asked]) {
      expect((await withTable(dyingAfter(2), run)).status).toBe(500);
    }
    // Somebody else's edit comes in between.
    await newNode(cast.alice, formId, 'CONDITION');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    const [madeNode, madeQuestion] = [await node(), await asked()];
    expect([madeNode.status, madeQuestion.status]).toEqual([201, 201]);
    const sections = (await cast.alice.client.sections.listSections({ params: { formId } })).body;
    const { workflow } = (await cast.alice.client.workflow.getWorkflow({ params: { formId } })).body;
    expect(workflow.map(({ type }) => type).sort()).toEqual(['CONDITION', 'END', 'SECTION', 'SECTION', 'START']);
    expect(sections.map(({ section }) => section.id).sort()).toEqual([sectionId, madeNode.body.id].sort());
    expect(sections.flatMap(({ questions }) => questions ?? []).map(({ id }) => id)).toEqual([madeQuestion.body.id]);
  });
});

test('an answer too large to be kept is made again from the thing that the first run made', async () => {
  const { id: formId } = (await cast.alice.client.forms.createForm({ params: { slug: cast.slug }, body: settings() }))
    .body;
  const sectionId = await newNode(cast.alice, formId);
  const text = '&'.repeat(60_000);
  const description = { type: 'doc' as const, content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] };
  const choices = Array.from({ length: 100 }, (_, n) => ({ name: `choice ${n}`, description: '水'.repeat(500) }));
  const body = question({ type: 'DETAILED_MULTIPLE_CHOICE', description, choices });
  const key = newKey();
  const first = await post(cast.alice, `/sections/${sectionId}/questions`, key, body);
  const again = await post(cast.alice, `/sections/${sectionId}/questions`, key, body);
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body.id).toBe(first.body.id);
  const sections = (await cast.alice.client.sections.listSections({ params: { formId } })).body;
  expect(sections.flatMap(({ questions }) => questions ?? [])).toHaveLength(1);
});
