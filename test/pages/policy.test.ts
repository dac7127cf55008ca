/** The policy of every page allows what the page itself loads: covers, pictures of answers, fonts, styles and scripts. */
import { beforeAll, expect, test } from 'vitest';
import { app } from '#core/http/app.ts';
import type { PageDeclaration } from '#core/pages/shell/declare-page.ts';
import { uploadImage } from '#test/support/covers.ts';
import { pages } from '#test/support/declared-pages.ts';
import { readSample } from '#test/support/file-samples.ts';
import { newCast, newForm, type Person, send } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { webp } from '#test/support/webp.ts';

const cast = await newCast();

const PICTURES = { allowedFileTypes: ['PNG' as const], maxFileAmount: 1, maxFileSizeLimit: 1_000_000 };

let ids: Record<string, string>;
beforeAll(async () => {
  const { alice, dave, slug } = cast;
  const { formId, sectionIds, questionIds } = await newForm(alice, slug, [
    [{ type: 'UPLOAD_FILE', uploadFile: PICTURES, required: false }],
  ]);
  await uploadImage(alice, formId, webp(1_200, 400));
  const params = { formId };
  await alice.client.forms.updateForm({ params, body: { dressing: { headerFont: 'lora', color: '#8a2be2' } } });
  const [sectionId = '', questionId = ''] = [sectionIds[0], questionIds[0]];
  const { id: responseId } = (await dave.client.responses.startResponse({ params, body: {} })).body;
  const form = new FormData();
  form.append('files', new File([Buffer.from(await readSample('PNG'))], 'heron.png', { type: 'image/png' }));
  const { files } = (await dave.client.files.uploadFiles({ params: { responseId, questionId }, form })).body;
  const { id: viewId } = (await alice.client.views.createView({ params, body: {} })).body;
  const { id: nodeId } = (await alice.client.workflow.createNode({ params, body: { type: 'CONDITION', payload: {} } }))
    .body;
  const unit = { name: 'North', description: '', metadata: {} };
  const { id: unitId } = (await alice.client.units.createUnit({ params: { slug }, body: unit })).body;
  ids = {
    slug,
    formId,
    sectionId,
    questionId,
    responseId,
    viewId,
    nodeId,
    unitId,
    fileId: files[0]?.fileId ?? '',
    memberId: cast.bob.id,
    version: '1',
  };
});

/** Requests of an HTML page that a browser loads by itself, by the directive that must allow them. */
const LOADED: readonly (readonly [directive: string, RegExp])[] = [
  ['img-src', /<img [^>]*?src="([^"]+)"/g],
  ['style-src', /<link rel="stylesheet" href="([^"]+)"/g],
  ['font-src', /url\((\/[^)]+)\)/g],
  ['script-src', /<script [^>]*?src="([^"]+)"/g],
];

/** The origins of what all pages load. */
const assetOrigins = new Map<string, Promise<string>>();

/** Follows what a page loads to the origin that serves it in the end. */
function originOf(reader: Person, address: string): Promise<string> {
  if (!address.startsWith('/assets/')) return followTo(reader, address);
  const origin = assetOrigins.get(address) ?? followTo(reader, address);
  assetOrigins.set(address, origin);
  return origin;
}

async function followTo(reader: Person, address: string): Promise<string> {
  if (address.startsWith('data:')) return 'data:';
  const response = await send('GET', address, { headers: { cookie: `access_token=${reader.token}` } });
  expect([address, response.status < 400]).toEqual([address, true]);
  const target = response.headers.get('location');
  return target === null ? "'self'" : new URL(target).origin;
}

/** Lists what a response loads and its own policy forbids; counts its pictures from storage. */
async function readLoads(reader: Person, response: Response): Promise<{ forbidden: string[]; pictures: number }> {
  const html = await response.text();
  const policy = response.headers.get('content-security-policy') ?? '';
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  const styles = [...html.matchAll(/<style( nonce="[^"]+")?/g)].filter(([, own]) => own !== ` nonce="${nonce}"`);
  const forbidden = styles.map(([style]) => style);
  let pictures = 0;
  for (const [directive, pattern] of LOADED) {
    const sources = (new RegExp(`${directive} ([^;]*)`).exec(policy)?.[1] ?? '').split(' ');
    for (const [, address = ''] of html.matchAll(pattern)) {
      const origin = await originOf(reader, address);
      if (directive === 'img-src' && origin.startsWith('http')) pictures += 1;
      if (!sources.includes(origin)) forbidden.push(`${directive} ${address}`);
    }
  }
  return { forbidden, pictures };
}

const addressOf = ({ path }: Pick<PageDeclaration, 'path'>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? `no-${name}`);

/** Posts that would remove what the next ones are about. */
const ENDS = /^post(?:Delete|Remove|Cancel|Sign|Overview|Submit)/;

test('no page loads what its own policy forbids', async () => {
  const forbidden: Record<string, string[]> = {};
  const withPictures: string[] = [];
  const visit = async (reader: Person, name: string, response: Response) => {
    if (!response.headers.get('content-type')?.startsWith('text/html')) return;
    const found = await readLoads(reader, response);
    if (found.forbidden.length > 0) forbidden[name] = found.forbidden;
    if (found.pictures > 0) withPictures.push(name);
  };
  const readerOf = ({ audience }: PageDeclaration) => (audience === 'respondents' ? cast.dave : cast.alice);
  const readable = pages.filter(({ method, audience }) => method === 'GET' && audience !== 'assets');
  for (const page of readable) {
    const reader = readerOf(page);
    await visit(reader, page.name, await pagesOf(reader).get(addressOf(page)));
  }
  for (const page of pages.filter(({ method, name }) => method === 'POST' && !ENDS.test(name))) {
    const reader = readerOf(page);
    await visit(reader, page.name, await pagesOf(reader).post(addressOf(page), [['do', 'preview']]));
  }
  for (const state of ['open', 'not-yet', 'closed', 'archived', 'done']) {
    const path = `/build/${ids.formId}/preview?as=${state}`;
    await visit(cast.alice, `showPreview ${state}`, await pagesOf(cast.alice).get(path));
  }
  expect(forbidden).toEqual({});
  // The cover, and the picture of an answer.
  expect(withPictures).toEqual(expect.arrayContaining(['showLanding', 'showResponse', 'showLook', 'showPreview']));
});

test('only the page that ends mails takes a form from another site, because it does nothing by cookies', async () => {
  const declared = pages.filter(({ fromOtherSites }) => fromOtherSites);
  expect(declared.map(({ name }) => name)).toEqual(['postUnsubscribe']);
  const mail = { orgId: crypto.randomUUID(), addressHash: 'hash' };
  const token = await app().tokens.signUnsubscribe(mail, app().now());
  const foreign = { origin: 'https://elsewhere.example', 'content-type': 'application/x-www-form-urlencoded' };
  const statusOf = async (path: string) => (await send('POST', path, { headers: foreign, body: '' })).status;
  expect(await statusOf(`/unsubscribe?mail=${token}`)).toBe(200);
  expect(await statusOf(`/f/${ids.formId}/forget`)).toBe(403);
});
