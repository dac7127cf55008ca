/** The service as it is deployed: the real program, components and bundles in an emulator of AWS. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient, PutItemCommand, QueryCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, TestEventPatternCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { operations } from '#core/api/index.ts';
import { keys, TABLE_DEFINITION } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { parseJob } from '#core/jobs/job.ts';
import { buildMailId } from '#core/mail/sender.ts';
import { allFunctions } from '#stacks/functions.ts';
import { ensureTable } from '#stacks/local/dynamo/table.ts';
import { PEOPLE } from '#stacks/local/seed.ts';
import { signInByUserId } from '#stacks/operate/smoke.ts';
import { ACCOUNT, REGION } from '#test/deployment/synthesis/account.ts';
import { shellEnvironment } from '#test/support/child-service.ts';
import { clientWith, newForm, send } from '#test/support/fixtures.ts';
import { named } from '#test/support/requests.ts';
import { respond, text } from '#test/support/responses.ts';
import { addressOf } from '#test/support/sheets.ts';
import { ROOT } from '#test/support/sources.ts';
import { runTour } from '#test/support/tour.ts';
import { listDenied, listLateDeliveries, PAGES, tryOperation, tryPage } from './checks.ts';
import { inputOf, readSecrets } from './deploy.ts';
import { clientSettings, commandEnvironment } from './ministack.ts';
import { listUnusedGrants, rolesOf } from './policies.ts';
import { loadAssets, open, post } from './respondent.ts';
import { ownDeployment } from './service.ts';

const service = ownDeployment('emulator');

/** How long the stream and the schedules may take. */
const WAIT = { timeout: 90_000, interval: 500 };

const [alice] = PEOPLE;

/** What stands for names of the documentation: its text, and the name of this deployment. */
type Names = Readonly<Record<string, string>>;

/**
 * Runs the first command of a file of `docs/operate` that contains a text, which is a block of code, a line of one or code
 * in a sentence. Returns what it prints. Throws when there is no such command, and with its output when it fails.
 */
async function runDocumented(endpoint: string, file: string, text: string, names: Names): Promise<string> {
  const page = readFileSync(join(ROOT, 'docs/operate', file), 'utf8');
  const blocks = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  // A loop is one command.
  const commands = blocks.flatMap((block) => block.match(/^( *)for [\s\S]*?^\1done|^.+(?:\\\n.+)*$/gm) ?? []);
  const inline = [...page.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
    code.replaceAll(/\s+/g, ' '),
  );
  const command = [...commands, ...inline].find((each) => each.includes(text));
  if (!command) throw new Error(`docs/operate/${file} has no command with ${text}`);
  const named = Object.entries(names).reduce((script, [name, actual]) => script.replaceAll(name, actual), command);
  // Step 1 sets the region.
  const region = { AWS_REGION: REGION, AWS_DEFAULT_REGION: REGION };
  const env = { ...shellEnvironment(), ...commandEnvironment(endpoint), ...region };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', named], { cwd: ROOT, env });
  return stdout;
}

test('the commands of a first deployment work as they are printed', async () => {
  const { url, table, endpoint } = service().deployment;
  const home = mkdtempSync(join(tmpdir(), 'keys-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const run = (file: string, text: string, names: Record<string, string>) =>
    runDocumented(endpoint, file, text, { ' keys': ` ${home}/keys`, '//keys': `//${home}/keys`, ...names });
  const settings = await run('deploy.md', 'npm run new-keys', {});
  expect(settings).toMatch(/^TOKEN_PUBLIC_KEYS='\{"keys":\[/m);
  const secrets = ['TOKEN_KEY', 'STATE_SECRET'].map((name) => readFileSync(join(home, 'keys', name), 'utf8'));
  await run('deploy.md', 'ssm put-parameter', { production: 'trial' });
  expect(await readSecrets(endpoint, 'trial', ['TOKEN_KEY', 'STATE_SECRET'])).toEqual(secrets);

  // The demo has an alice.
  const names = { 'form-service-alice-TableTable-…': table, 'alice@example.org alice': 'wanda@example.org wanda' };
  const created = await run('deploy.md', 'npm run create-person', names);
  const [, id = ''] = /has the user id ([0-9a-f-]{36})\./.exec(created) ?? [];
  const address = { 'https://….execute-api.eu-central-1.amazonaws.com': url, '<the printed id>': id };
  expect(await run('deploy.md', 'npm run smoke -- https://…', address)).toContain(`${url} works`);

  const person = { '--table-name T': `--table-name ${table}`, 'person@example.org': 'wanda@example.org' };
  expect(await run('privacy.md', 'EMAIL#', person)).toContain(id);
  const remove = () => run('privacy.md', 'npm run delete-person', { '=T ': `=${table} `, USER_ID: id });
  expect(await remove()).toContain(`${id} is deleted`);
  expect(await remove()).toContain(`There is no account ${id}`);
});

test('the tour of the README passes', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tour-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { orgs } = clientWith(await signInByUserId(service().deployment.url, alice.id));
  await orgs.createOrganization({ body: { name: 'Demo', description: '', metadata: {}, slug: 'demo' } });
  await runTour(service().deployment.url, home, 'deployed');
});

describe('every operation responds to its valid request', () => {
  test.for(named(operations))('%s', async ([, declaration]) => {
    await tryOperation(service(), declaration);
  });
});

test.for(PAGES)('%s opens with its style sheet', async (page) => {
  await tryPage(service(), page);
});

test('somebody answers a form on its pages, which have their styles, scripts and fonts', async () => {
  const { alice: editor, dave, slug } = service().scene.cast;
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
  const { alice: editor } = service().scene.cast;
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
  const changesPath = `${formPath}/changes`;
  const changes = await post(editor, changesPath, { do: 'publish' }, await open(editor, changesPath));
  expect(changes.path).toBe(`${formPath}/questions?done=changesPublished`);
});

describe('workers', () => {
  test('new mails and small exports are delivered from the stream, before any schedule', async () => {
    expect(await listLateDeliveries(service())).toEqual([]);
  });

  test('the stream leads to the mail, the row and the counters of a submission', async () => {
    const { deployment, sheets } = service();
    const { endpoint, resources } = deployment;
    const { alice: editor, dave, slug } = service().scene.cast;
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
    const set = inputOf(resources, 'aws:sesv2/configurationSet:ConfigurationSet', 'configurationSetName');
    const tags = { 'ses:configuration-set': [set], delivery: [delivery && buildMailId(delivery)] };
    const bounce = { bounceType: 'Permanent', bounceSubType: 'General' };
    const event = { source: 'aws.ses', detail: { eventType: 'Bounce', mail: { tags }, bounce } };
    const matchesRule = async (tried: object): Promise<boolean | undefined> => {
      const envelope = { id: '1', 'detail-type': 'Email Event', account: ACCOUNT, region: REGION, resources: [] };
      const Event = JSON.stringify({ ...envelope, time: new Date().toISOString(), ...tried });
      const EventPattern = inputOf(resources, 'aws:cloudwatch/eventRule:EventRule', 'eventPattern');
      const command = new TestEventPatternCommand({ EventPattern, Event });
      return (await new EventBridgeClient(clientSettings(endpoint)).send(command)).Result;
    };
    expect(await matchesRule(event)).toBe(true);
    expect(await matchesRule({ ...event, source: 'aws.other' })).toBe(false);
    const others = { ...tags, 'ses:configuration-set': [`${set}-other`] };
    expect(await matchesRule({ ...event, detail: { ...event.detail, mail: { tags: others } } })).toBe(false);
    const FunctionName = inputOf(resources, 'aws:lambda/function:Function', 'name', 'WorkerMailEventsFunction');
    const invoke = new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) });
    const { FunctionError, Payload } = await new LambdaClient(clientSettings(endpoint)).send(invoke);
    expect(FunctionError, Payload?.transformToString()).toBeUndefined();
    expect((await editor.client.responses.getResponse(of)).body.deliveries?.email).toMatchObject({ reason: 'bounced' });
  });

  test('the schedules invoke the workers of every minute', async () => {
    await vi.waitFor(() => {
      for (const name of ['WorkerSweep', 'WorkerBuildExports']) {
        expect(service().deployment.calls.get(name)?.size, name).toBeGreaterThan(0);
      }
    }, WAIT);
  });
});

test('an index that is added to a deployed table has the items that are there', async () => {
  const { endpoint, resources } = service().deployment;
  const [TableName, type] = ['shared', 'aws:dynamodb/table:Table'];
  const client = new DynamoDBClient(clientSettings(endpoint));
  await ensureTable(client, TableName);
  const [, { name: IndexName }] = TABLE_DEFINITION.indexes;
  const GlobalSecondaryIndexUpdates = [{ Delete: { IndexName } }];
  await client.send(new UpdateTableCommand({ TableName, GlobalSecondaryIndexUpdates }));
  const Item = { pk: { S: 'a' }, sk: { S: 'b' }, gsi2pk: { S: 'c' }, gsi2sk: { S: 'd' } };
  await client.send(new PutItemCommand({ TableName, Item }));
  // Another version of the deployment finds the table of this one.
  vi.stubEnv('EMULATOR', JSON.stringify({ endpoint, shared: { table: TableName, bucket: '' }, faults: {} }));
  const { apply } = await import('./apply.ts');
  await apply(type, 'TableTable', resources.find((each) => each.type === type)?.inputs ?? {});
  const query = { KeyConditionExpression: 'gsi2pk = :pk', ExpressionAttributeValues: { ':pk': { S: 'c' } } };
  expect((await client.send(new QueryCommand({ TableName, IndexName, ...query }))).Items).toMatchObject([Item]);
  client.destroy();
});

describe('permissions', () => {
  test('no function, schedule or service does what it may not', () => {
    expect(listDenied(service())).toEqual([]);
    const { resources, calls } = service().deployment;
    console.log(`Grants that were not used:\n${listUnusedGrants(rolesOf(resources), calls).join('\n')}`);
  });

  test('every function made calls, apart from those that need none', () => {
    const { calls } = service().deployment;
    const silent = allFunctions.filter(({ name }) => calls.get(name)?.size === 0);
    expect(silent).toEqual(allFunctions.filter(({ needs }) => needs.length === 0));
  });
});
