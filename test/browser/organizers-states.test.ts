/** What the pages of organizations and of a form's settings show only at times: long lists, refusals, what is over or not yet. */
import { beforeAll, expect, test } from 'vitest';
import { newForm } from '#test/support/fixtures.ts';
import { respond, text } from '#test/support/responses.ts';
import { answersIn, ownSheets, sheetForm } from '#test/support/sheets.ts';
import { runSweep } from '#test/support/sweeps.ts';
import { expectAccessible, LOOKS, type Look, servePages, signInAs } from './page-server.ts';

const server = servePages();
const sheets = ownSheets();

let alice: Awaited<ReturnType<typeof signInAs>>;
/** An organization that took over its slug, with 102 forms, of which one is archived and another is not yet open. */
let slug: string;
let archivedId: string;
let laterId: string;
let unitId: string;
beforeAll(async () => {
  alice = await signInAs('alice');
  const { client } = alice;
  slug = `lakes-${crypto.randomUUID().slice(0, 8)}`;
  const params = { slug };
  const details = { name: 'Lakes', description: '', metadata: {} };
  await client.orgs.createOrganization({ body: { ...details, slug } });
  await client.orgs.deleteOrganization({ params });
  await client.orgs.createOrganization({ body: { ...details, name: 'Rivers', slug } });
  unitId = (await client.units.createUnit({ params, body: { ...details, name: 'North' } })).body.id;
  const make = (index: number) => newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { title: `Form ${index}` });
  const made: string[] = [];
  for (let from = 0; from < 102; from += 17) {
    const forms = await Promise.all(Array.from({ length: 17 }, (_, index) => make(from + index)));
    made.push(...forms.map(({ formId }) => formId));
  }
  [archivedId = '', laterId = ''] = made;
  await client.forms.archiveForm({ params: { formId: archivedId } });
  const body = { publishTime: '2099-01-01T00:00:00.000Z' };
  await client.forms.updateForm({ params: { formId: laterId }, body });
});

async function visit(look: Look) {
  const page = await server().open('alice', look);
  const see = async (selector: string) => {
    await page.locator(selector).first().waitFor();
    await expectAccessible(page, !('javaScriptEnabled' in look));
  };
  return { page, see, go: (path: string) => page.goto(`${server().url}${path}`) };
}

const REFUSED = '[data-error-summary]';

test.for(LOOKS)('an organization with many forms, a unit that goes, a slug with a past: %j', async (look) => {
  const { page, see, go } = await visit(look);
  const organization = `/o/${slug}`;
  await go(organization);
  await see('.rows');
  expect(
    await page.locator('.tabs [aria-current] .muted, .tabs a[href*="PUBLISHED"] .muted').allTextContents(),
  ).toEqual(['100+', '100+']);
  await page.locator('.paging a').click();
  await page.waitForURL('**cursor=*');
  await see('.paging a >> nth=1');
  await page.locator('#search').fill('form 10');
  await page.locator('#search').press('Enter');
  await page.waitForURL('**search=form+10*');
  await see('.rows');
  expect(await page.locator('.rows h2').count()).toBe(3);
  await go(`${organization}?search=ocean`);
  await see('.empty');
  await go(`${organization}?status=ARCHIVED`);
  await see('.rows');
  expect(await page.locator('.rows h2').allTextContents()).toEqual(['Form 0']);

  await go(`${organization}/units/${unitId}/delete`);
  await see('[data-confirmation]');
  await go(`${organization}/settings`);
  await see('.rows li >> nth=1');
  await page.locator('#slug').fill('demo');
  await page.locator('main form.card .actions button').click();
  await page.locator(REFUSED).waitFor();
  await see('#slug-error');
  await page.context().close();
});

test.for(LOOKS)('a form that is archived, not yet open, of no colour or not made: %j', async (look) => {
  const { page, see, go } = await visit(look);
  for (const formId of [archivedId, laterId]) {
    await go(`/build/${formId}`);
    await page.locator('.overview > details > summary').click();
    await see('.tasks');
  }
  await page.locator('time[datetime="2099-01-01T00:00:00.000Z"]').waitFor();
  await go(`/build/${laterId}/look`);
  await page.locator('#color').fill('blue');
  await page.locator('button[value="save"]').click();
  await page.locator(REFUSED).waitFor();
  await see('#color-error');

  await go(`/o/${slug}/new`);
  const buffer = Buffer.from('no JSON');
  await page.locator('#file').setInputFiles({ name: 'form.json', mimeType: 'application/json', buffer });
  await page.locator('button[value="file"]').click();
  await see('#file-error');
  const { formId } = await newForm(alice, slug, [], { title: 'Gone', publish: false });
  await go(`/o/${slug}/new`);
  await page.locator('#form').selectOption(formId);
  await alice.client.forms.deleteForm({ params: { formId } });
  await page.locator('button[value="copy"]').click();
  await see('#form-error');
  await page.context().close();
});

test.for(LOOKS)('rows that could not be written are written again: %j', async (look) => {
  const { page, see, go } = await visit(look);
  const form = await sheetForm(alice, slug);
  sheets().interfere(() => ({ status: 403 }));
  await respond(await signInAs('dave'), form.formId, [text(form.questionId, 'Loch Ness')]);
  await runSweep();
  await go(`/build/${form.formId}/settings`);
  await see('.notice.warning button[value="repeat"]');
  sheets().interfere(() => undefined);
  await page.locator('button[value="repeat"]').click();
  await page.waitForURL('**/settings?done=rowsRepeated');
  await see('[data-flash]');
  await runSweep();
  expect(answersIn(sheets(), form)).toEqual(['Loch Ness']);
  await page.context().close();
});
