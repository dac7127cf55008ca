/** Texts with markup, quotes, other directions of writing and very long words, on every page of organizers and builders. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newForm, newOrganization, type Person, person } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';

/** At most 200 characters, as the shortest of the texts. */
const HOSTILE = `"><script>alert(1)</script>' onload=x &amp; <!-- \${x} שָׁלוֹם مرحبا ${'w'.repeat(100)}`;
const ESCAPED = HOSTILE.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

let alice: Person;
let ids: Record<string, string>;
beforeAll(async () => {
  alice = await person('alice');
  const { client } = alice;
  const { slug } = await newOrganization(alice);
  const details = { name: HOSTILE, description: HOSTILE, metadata: { [HOSTILE]: HOSTILE, json: [HOSTILE] } };
  const { id: unitId } = (await client.units.createUnit({ params: { slug }, body: details })).body;
  const choices = [{ name: HOSTILE, description: HOSTILE }];
  const settings = { title: HOSTILE, previewMessage: HOSTILE, messageAfterSubmission: HOSTILE };
  const question = { type: 'SINGLE_CHOICE', title: HOSTILE, choices } as const;
  const { formId, sectionIds, questionIds } = await newForm(alice, slug, [[question]], settings);
  const sectionId = sectionIds[0] ?? '';
  await client.sections.updateSection({ params: { formId, sectionId }, body: { title: HOSTILE, description: null } });
  await client.orgs.updateOrganization({ params: { slug }, body: { ...details, slug } });
  ids = { slug, unitId, formId, sectionId, questionId: questionIds[0] ?? '', memberId: alice.id };
});

const fill = (path: string): string => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);

/** Expects that a page shows the text as text: no value ends an attribute, and no element comes from it. */
function expectShown(path: string, html: string): void {
  expect([path, /<script>alert|[^t]"><script|<!-- /.exec(html)?.[0]]).toEqual([path, undefined]);
  const decoded = html.replaceAll('&quot;', '"').replaceAll('&#39;', "'");
  expect([path, decoded.includes(ESCAPED)]).toEqual([path, true]);
}

test.for([
  '/',
  '/account',
  '/o/{slug}',
  '/o/{slug}/settings',
  '/o/{slug}/members',
  '/o/{slug}/units',
  '/o/{slug}/units/{unitId}',
  '/o/{slug}/units/{unitId}/delete',
  '/o/{slug}/delete',
  '/o/{slug}/new',
  '/build/{formId}',
  '/build/{formId}/settings',
  '/build/{formId}/look',
  '/build/{formId}/share',
  '/build/{formId}/delete',
  '/build/{formId}/versions',
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
])('%s shows what others typed as text', async (path) => {
  expectShown(path, await pagesOf(alice).show(fill(path)));
});

describe('what is typed and refused is shown as text', () => {
  const DETAILS = { name: '', description: HOSTILE, 'key.0': HOSTILE, 'value.0': HOSTILE, 'json.0': 'on' };
  const SETTINGS = { title: '', description: HOSTILE, previewMessage: HOSTILE, spreadsheetUrl: HOSTILE };
  test.for([
    ['/orgs/new', { ...DETAILS, slug: HOSTILE }],
    ['/o/{slug}/settings', { ...DETAILS, slug: HOSTILE }],
    ['/o/{slug}/settings', { ...DETAILS, metadata: HOSTILE }],
    ['/o/{slug}/members', { email: HOSTILE, do: 'add' }],
    ['/o/{slug}/units', { ...DETAILS, parent: HOSTILE }],
    ['/o/{slug}/units/{unitId}', { ...DETAILS, do: 'save' }],
    ['/o/{slug}/delete', { name: 'Something else' }],
    ['/build/{formId}/settings', { ...SETTINGS, visibility: HOSTILE, publishTime: HOSTILE }],
    ['/build/{formId}/look', { color: HOSTILE, headerFont: HOSTILE }],
    ['/build/{formId}/delete', { title: 'Something else' }],
  ] as const)('%s', async ([path, fields]) => {
    const refused = await pagesOf(alice).post(fill(path), Object.entries(fields));
    expect([400, 409]).toContain(refused.status);
    expectShown(path, await refused.text());
  });

  test('the places and faults of an imported file', async () => {
    const upload = new FormData();
    const file = { format: HOSTILE, version: 1, form: { title: `${HOSTILE}\n`, sections: [{ [HOSTILE]: HOSTILE }] } };
    upload.append('do', 'file');
    upload.append('file', new File([JSON.stringify(file)], `${HOSTILE}.json`));
    upload.append('title', HOSTILE);
    const refused = await pagesOf(alice).upload(fill('/o/{slug}/new'), upload);
    expect(refused.status).toBe(400);
    expectShown('import', await refused.text());
  });
});

test('a search for it, and a copy of the form with it, show it as text', async () => {
  const pages = pagesOf(alice);
  const address = `/o/${ids.slug}?${new URLSearchParams({ search: HOSTILE })}`;
  expectShown(address, await pages.show(address));
  const copied = await pages.post(`/build/${ids.formId}`, [['do', 'duplicate']]);
  expectShown('copy', await pages.show(copied.headers.get('location') ?? ''));
  const file = await pages.get(`/build/${ids.formId}/definition`);
  expect(file.headers.get('content-disposition')).not.toMatch(/[<\n]|" ?onload/);
});
