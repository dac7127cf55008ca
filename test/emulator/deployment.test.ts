/** The service as it is deployed: the real program, components and bundles in an emulator of AWS. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { operations } from '#core/api/index.ts';
import { parseConfig } from '#core/aws/config.ts';
import { keys } from '#core/db/keys.ts';
import { app, createApp, replaceApp } from '#core/http/app.ts';
import { parseJob } from '#core/jobs/job.ts';
import { buildMailId } from '#core/mail/sender.ts';
import { buildAssets } from '#stacks/build/assets.ts';
import { bundle } from '#stacks/build/bundle.ts';
import { allFunctions } from '#stacks/functions.ts';
import { type LocalProvider, startProvider } from '#stacks/local/identity/provider.ts';
import { createDemoPerson, PEOPLE } from '#stacks/local/seed.ts';
import { type RunningSheets, startSheets } from '#stacks/local/sheets/sheets.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { signInByUserId, smoke } from '#stacks/operate/smoke.ts';
import { clientWith, newForm, send } from '#test/support/fixtures.ts';
import { named, perform, validSending } from '#test/support/requests.ts';
import { respond, text } from '#test/support/responses.ts';
import { newScene, type Scene } from '#test/support/scene.ts';
import { addressOf } from '#test/support/sheets.ts';
import { ROOT } from '#test/support/sources.ts';
import { runTour } from '#test/support/tour.ts';
import { type Deployment, deploy } from './deploy.ts';
import { deniedCalls, deniedServices, unusedGrants } from './policies.ts';
import { loadAssets, open, post } from './respondent.ts';

let deployment: Deployment;
let sheets: RunningSheets;
let provider: LocalProvider;
let scene: Scene;

/** How long the stream and the schedules may take. */
const WAIT = { timeout: 90_000, interval: 500 };

beforeAll(async () => {
  const bundles = join(ROOT, '.sst/bundles');
  await Promise.all([bundle(allFunctions, bundles), buildAssets()]);
  [sheets, provider] = await Promise.all([startSheets({ file: null, isShared: () => true }), startProvider()]);
  const settings = {
    ...newSecrets(),
    ...provider.settings,
    ...sheets.settings,
    OPTIONAL_SECRETS: 'LOGIN_PROVIDER_1,LOGIN_PROVIDER_2,PROVIDER_ONE,PROVIDER_TWO,SHEETS_KEY',
    MAIL_FROM: 'Forms <forms@example.org>',
    INTERNAL_LOGIN: 'true',
    OPERATOR_EMAILS: 'oscar@example.org',
  };
  deployment = await deploy('emulator', bundles, settings);
  const { url, endpoint, table, bucket } = deployment;
  // Tests look into the table and the bucket, and send their requests to the address.
  Object.assign(process.env, settings, {
    ...{ SERVICE_URL: url, PUBLIC_URL: url, TABLE_NAME: table, BUCKET_NAME: bucket, LOG: 'off' },
    ...{ DYNAMODB_ENDPOINT: endpoint, S3_ENDPOINT: endpoint, SES_ENDPOINT: endpoint },
  });
  replaceApp(createApp(parseConfig(process.env)));
  for (const each of PEOPLE.filter(({ name }) => name !== 'oscar')) await createDemoPerson(each);
  scene = await newScene();
});

afterAll(async () => {
  await Promise.all([deployment?.remove(), sheets?.stop(), provider?.stop()]);
});

const [alice] = PEOPLE;

test('the smoke test passes', async () => {
  const { url } = deployment;
  await smoke({ url, token: await signInByUserId(url, alice.id), log: () => {} });
});

test('the tour of the README passes', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tour-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { orgs } = clientWith(await signInByUserId(deployment.url, alice.id));
  await orgs.createOrganization({ body: { name: 'Demo', description: '', metadata: {}, slug: 'demo' } });
  await runTour(deployment.url, home, 'deployed');
});

describe('every operation responds to its valid request', () => {
  test.for(named(operations))('%s', async ([, declaration]) => {
    const { status, body } = await perform(await validSending(declaration, scene));
    expect([status, body]).toEqual([declaration.success.status, body]);
  });
});

test('somebody answers a form on its pages, which have their styles, scripts and fonts', async () => {
  const { alice: editor, dave, slug } = scene.cast;
  const { formId, sectionIds, questionIds } = await newForm(editor, slug, [[{ type: 'SHORT_TEXT', required: true }]]);
  await editor.client.forms.updateForm({ params: { formId }, body: { dressing: { textFont: 'lora' } } });
  const landing = await open(dave, `/f/${formId}`);
  const section = await post(dave, `/f/${formId}/start`);
  const responsePath = section.path.replace(`/s/${sectionIds[0]}`, '');
  const check = await post(dave, section.path, { [`q.${questionIds[0]}`]: 'Herons', do: 'next' }, section);
  expect([check.path, check.html]).toEqual([`${responsePath}/check`, expect.stringContaining('Herons')]);
  const done = await post(dave, `${responsePath}/submit`);
  expect(done.path).toBe(`${responsePath}/done`);
  expect((await open(editor, `/review/${formId}`)).html).toContain('Spring survey');
  const assets = await loadAssets([landing, section, check, done].map(({ html }) => html).join());
  // Those of an earlier deployment are still there for pages that were opened before.
  await app().bucket.put('assets/style.0123456789.css', Buffer.from('body{}'), 'text/css');
  expect(await (await send('GET', '/assets/style.0123456789.css')).text()).toBe('body{}');
  for (const kind of [/\.css$/, /\.js$/, /\.woff2$/, /\.svg$/]) {
    expect([...assets].filter((path) => kind.test(path))).not.toEqual([]);
  }
});

test('a member runs an organization and builds a form on their pages', async () => {
  const { alice: editor } = scene.cast;
  const slug = `lakes-${crypto.randomUUID().slice(0, 8)}`;
  const created = await post(editor, '/orgs/new', { name: 'Lakes', slug });
  expect([created.path, created.html]).toEqual([`/o/${slug}?done=created`, expect.stringContaining('Lakes')]);
  for (const page of ['members', 'units', 'settings']) await open(editor, `/o/${slug}/${page}`);
  const form = await post(editor, `/o/${slug}/new`, { title: 'Depths', do: 'empty' });
  expect(form.html).toContain('Depths');
  const [formPath = ''] = form.path.split('?');
  for (const page of ['settings', 'look', 'share']) {
    expect((await open(editor, `${formPath}/${page}`)).html).toContain('Depths');
  }
  const list = await open(editor, `${formPath}/questions`);
  const [, startId = ''] = /value="section:([^"]+)"/.exec(list.html) ?? [];
  const section = await post(editor, `${formPath}/questions`, { do: `section:${startId}` });
  const [sectionPath = ''] = section.path.split('?');
  const question = { type: 'SHORT_TEXT', title: 'How deep?' };
  expect((await post(editor, `${sectionPath}/new`, question)).html).toContain('How deep?');
  expect((await open(editor, `${formPath}/rules`)).html).toContain('Then go to the end');
  expect((await post(editor, `${formPath}/preview`, {})).html).toContain('How deep?');
  const published = await post(editor, formPath, { do: 'publish' });
  expect(published.html).toContain('Published');
  // From now on a copy is changed, until its changes are published.
  expect((await post(editor, `${sectionPath}/new`, { ...question, title: 'How wide?' })).html).toContain('How wide?');
  expect((await post(editor, `${formPath}/preview`, {})).html).toContain('How wide?');
  const changes = await post(editor, `${formPath}/changes`, { do: 'publish', revision: '1' });
  expect(changes.path).toBe(`${formPath}/questions?done=changesPublished`);
});

describe('workers', () => {
  test('the stream leads to the mail, the row and the counters of a submission', async () => {
    const { alice: editor, dave, slug } = scene.cast;
    const { formId, questionIds } = await newForm(editor, slug, [[{ type: 'SHORT_TEXT' }]]);
    const params = { formId };
    await editor.client.forms.updateForm({
      params,
      body: { sendResponseEmail: true, spreadsheetUrl: addressOf('emulated') },
    });
    const responseId = await respond(dave, formId, [text(questionIds[0] ?? '', 'Kingfishers')]);
    const of = { params: { formId, responseId } };
    await vi.waitFor(async () => {
      const { deliveries } = (await editor.client.responses.getResponse(of)).body;
      expect(deliveries).toMatchObject({ email: { state: 'SENT' }, spreadsheet: { state: 'SENT' } });
      expect(await app().table.read([keys.tally(responseId)])).not.toEqual([undefined]);
    }, WAIT);
    expect(JSON.stringify(sheets.spreadsheet('emulated'))).toContain('Kingfishers');

    // SES reports that the mail bounced. The emulator emits no events, so the pattern and the worker are tried by hand.
    const [item] = await app().table.read([keys.delivery(responseId, 'email')]);
    const delivery = parseJob(item);
    const tags = {
      'ses:configuration-set': [deployment.configurationSet],
      delivery: [delivery && buildMailId(delivery)],
    };
    const bounce = { bounceType: 'Permanent', bounceSubType: 'General' };
    const event = { source: 'aws.ses', detail: { eventType: 'Bounce', mail: { tags }, bounce } };
    expect(await deployment.matchesRule(event)).toBe(true);
    expect(await deployment.matchesRule({ ...event, source: 'aws.other' })).toBe(false);
    await deployment.invoke('WorkerMailEventsFunction', event);
    expect((await editor.client.responses.getResponse(of)).body.deliveries?.email).toMatchObject({ reason: 'bounced' });
  });

  test('the schedules invoke the workers of every minute', async () => {
    await vi.waitFor(() => {
      for (const name of ['WorkerSweepFunction', 'WorkerBuildExportsFunction']) {
        expect(deployment.calls.get(name)?.size, name).toBeGreaterThan(0);
      }
    }, WAIT);
  });
});

describe('permissions', () => {
  test('no function called what its role does not allow', () => {
    expect(deniedCalls(deployment.resources, deployment.calls)).toEqual([]);
  });

  test('API Gateway, the scheduler and EventBridge may invoke what they invoke, and Lambda may read the stream', () => {
    expect(deniedServices(deployment.resources)).toEqual([]);
  });

  test('every function made calls, apart from those that need none', () => {
    const silent = [...deployment.calls].filter(([, calls]) => calls.size === 0).map(([name]) => name);
    const withoutNeeds = allFunctions.filter(({ needs }) => needs.length === 0).map(({ name }) => `${name}Function`);
    expect(silent.sort()).toEqual(withoutNeeds.sort());
    // For information: this run does not show everything that a function may need.
    const unused = unusedGrants(deployment.resources, deployment.calls);
    writeFileSync(join(ROOT, '.sst/unused-grants.txt'), unused.join('\n'));
    console.log(`${unused.length} grants were not used in this run: .sst/unused-grants.txt`);
  });
});
