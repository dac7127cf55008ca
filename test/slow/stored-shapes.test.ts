/**
 * The shapes of stored items are those of the last release (`test/upgrade/released-shapes.txt`): for each kind of item,
 * its attributes and the members of its data with their types. They are read from the stream after requests to every
 * operation, a form with everything and the workers. A change needs a plan: `docs/operate/upgrade.md`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { beforeAll, expect, test } from 'vitest';
import { operations } from '#core/api/index.ts';
import { type Key, keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { createInvitations } from '#core/invitations/invitations.ts';
import { restartExpiry } from '#core/jobs/expiry.ts';
import { unsubscribe } from '#core/organizations/guest-mails.ts';
import { remindOfDrafts } from '#core/responses/drafts.ts';
import { openStream } from '#stacks/local/dynamo/stream-reader.ts';
import { askForLink, newAddress, newAddressed } from '#test/support/addresses.ts';
import { local, uploaded } from '#test/support/files.ts';
import { expectProblem, newForm, newGuest, person, writingApp } from '#test/support/fixtures.ts';
import { newInvited } from '#test/support/invitations.ts';
import { pagesOf } from '#test/support/pages.ts';
import { otherSendings, perform, rowOf, validSending } from '#test/support/requests.ts';
import {
  branchedForm,
  choice,
  everyTypeForm,
  respond,
  type Sent,
  save,
  sent,
  start,
  store,
  submissionOf,
  submit,
  text,
} from '#test/support/responses.ts';
import { newResources, newScene, type Scene } from '#test/support/scene.ts';
import { addressOf, attemptRowsIn, ownSheets, sheetForm } from '#test/support/sheets.ts';
import { ROOT } from '#test/support/sources.ts';
import { allItems, putItems, type RawItem } from '#test/support/stored.ts';
import { finishDeletions, runSweep, sweepIn } from '#test/support/sweeps.ts';
import { deliverStream, runWorker } from '#test/support/workers.ts';

const FILE = join(ROOT, 'test/upgrade/released-shapes.txt');
const sheets = ownSheets();

let scene: Scene;
let images: readonly RawItem[];
beforeAll(async () => {
  scene = await newScene();
  await useEveryOperation();
  await useEveryQuestionType();
  await respondAsGuest();
  await remind();
  await leave();
  await respondOnce();
  await respondToFull();
  await editHalf();
  await respondLongAgo();
  images = await allImages();
});

/** Names that are data: ids, form keys, times and versions. */
const isData = (name: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}|^\d/.test(name);

/** The path of a member; the cells of counters are named by short ids, months, days and values of scales. */
function memberOf(path: string, name: string): string {
  if (path.startsWith('cells')) return `${path}.${name.replace(/^[\w-]{8}|^\d[\d-]*$/, '<id>')}`;
  return `${path}.${isData(name) ? '<id>' : name}`;
}

/** The paths in a value of JSON with their types. */
function pathsOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return [`${path}: array`, ...value.flatMap((each) => pathsOf(each, `${path}[]`))];
  if (typeof value !== 'object' || value === null) return [`${path}: ${value === null ? 'null' : typeof value}`];
  return Object.entries(value).flatMap(([name, member]) => pathsOf(member, memberOf(path, name)));
}

/** The paths in an attribute with their types; `data` is JSON. */
function attributePaths(attribute: AttributeValue, path: string): string[] {
  if (path === 'data') return pathsOf(JSON.parse(attribute.S ?? ''), path);
  const members = Object.entries(attribute.M ?? {});
  const nested = members.flatMap(([name, member]) => attributePaths(member, memberOf(path, name)));
  return [...Object.keys(attribute).map((type) => `${path}: ${type}`), ...nested];
}

/** `FORM#… HEAD` as `FORM HEAD`. */
const kindOf = ({ pk, sk }: Key): string =>
  [pk, sk].map((key) => (isData(key) ? '<id>' : key.replace(/#.*/s, ''))).join(' ');

const shapesOf = (item: RawItem): string[] => {
  const kind = kindOf({ pk: item.pk?.S ?? '', sk: item.sk?.S ?? '' });
  return Object.keys(item).flatMap((name) =>
    item[name] ? attributePaths(item[name], name).map((path) => `${kind} ${path}`) : [],
  );
};

/** The lines of the file about some items. */
const linesOf = (items: readonly RawItem[]): string[] => [...new Set(items.flatMap(shapesOf))].sort();

/** All items as they were stored at any time. */
async function allImages(): Promise<RawItem[]> {
  const stream = await openStream(app().config.dynamoEndpoint ?? '', app().config.tableName);
  const images: RawItem[] = [];
  for (let next = await stream.next(1_000); next.length > 0; next = await stream.next(1_000)) {
    for (const { dynamodb } of next) if (dynamodb?.NewImage) images.push(dynamodb.NewImage as RawItem);
  }
  return images;
}

async function useEveryOperation(): Promise<void> {
  for (const declaration of operations) {
    const valid = await validSending(declaration, scene);
    const key = declaration.idempotent ? { 'idempotency-key': crypto.randomUUID() } : {};
    await perform({ ...valid, headers: { ...valid.headers, ...key } });
    if (!rowOf(declaration).others) continue;
    const resources = await newResources(scene.places.own, 'PUBLISHED');
    for (const sending of await otherSendings(declaration, resources)) await perform(sending);
  }
  await deliverStream();
}

/** A form with every type of question, whose submissions are mailed and written to a spreadsheet, edited and deleted. */
async function useEveryQuestionType(): Promise<void> {
  const { alice, bob, dave, erin, slug } = scene.cast;
  const { formId, byType, questionIds } = await everyTypeForm(alice, slug);
  const params = { formId };
  await respond(erin, formId);
  await alice.client.forms.updateForm({
    params,
    body: { sendResponseEmail: true, spreadsheetUrl: addressOf('shapes') },
  });
  const of = (type: keyof typeof byType, value: Sent['value'], other?: string): Sent =>
    sent(byType[type].id, type, value, other);
  const [red, blue, other] = ['Red', 'Blue', 'Other'];
  const chosen = (type: keyof typeof byType, ...names: string[]) => names.map((name) => choice(byType[type], name));
  const responseId = await start(dave, formId);
  await save(dave, responseId, [
    of('SHORT_TEXT', 'Herons'),
    of('LONG_TEXT', 'Two herons'),
    of('SINGLE_CHOICE', chosen('SINGLE_CHOICE', other), 'Green'),
    of('MULTIPLE_CHOICE', chosen('MULTIPLE_CHOICE', red, blue)),
    of('DROPDOWN', chosen('DROPDOWN', red)),
    of('DETAILED_MULTIPLE_CHOICE', chosen('DETAILED_MULTIPLE_CHOICE', blue)),
    of('DATE', '2026-03-14'),
    of('LINEAR_SCALE', 7),
    of('RATING', 4),
    of('RANKING', chosen('RANKING', red, blue, other)),
    of('HYPERLINK', 'https://example.org/'),
  ]);
  await submit(dave, responseId);
  await deliverStream();
  await attemptRowsIn(60);
  await alice.client.responses.deleteResponse({ params: { formId, responseId } });
  await deliverStream();
  await finishDeletions();
  const { formId: clearedId, questionId } = await sheetForm(alice, slug);
  const cleared = await respond(dave, clearedId, [text(questionId, 'Herons')]);
  await runSweep();
  sheets().interfere(() => ({ status: 403 }));
  await alice.client.responses.deleteResponse({ params: { formId: clearedId, responseId: cleared } });
  await sweepIn(120);
  await respond(dave, formId);
  await deliverStream();
  await pagesOf(bob).post(`/build/${formId}/q/${questionIds[0]}/delete`);
  await runWorker('buildExports');
}

/** A draft of which its respondent is reminded. */
async function remind(): Promise<void> {
  const { dave } = scene.cast;
  const { formId } = scene.own.PUBLISHED;
  await remindOfDrafts(app(), { formId, orgId: scene.places.own.orgId }, [await start(dave, formId)]);
  await deliverStream();
}

/** A member who leaves while they get mails about new responses. */
async function leave(): Promise<void> {
  const { alice, slug } = scene.cast;
  const reader = await person('rita');
  await alice.client.orgs.addMember({ params: { slug }, body: { email: reader.email } });
  const { formId } = await newForm(alice, slug, [[]]);
  await reader.client.forms.setMyNotices({ params: { formId }, body: { frequency: 'SOON' } });
  await alice.client.orgs.removeMember({ params: { slug, memberId: reader.id } });
  await deliverStream();
}

/** A guest with a file, which counts for the guests of the form. */
async function respondAsGuest(): Promise<void> {
  const { formId, fileQuestionId: questionId } = scene.own.PUBLISHED;
  const guest = await newGuest(formId);
  await uploaded(guest, { responseId: await start(guest, formId), questionId }, local('frogs.txt'));
  await deliverStream();
  await unsubscribe(app(), { orgId: scene.places.own.orgId, addressHash: 'hash' });
}

/** An invited guest and somebody with an account, on forms that each person answers once. */
async function respondOnce(): Promise<void> {
  const { alice, dave, slug } = scene.cast;
  const kinds = [[{ type: 'SHORT_TEXT' as const }]];
  const { formId } = await newForm(alice, slug, kinds, {
    audience: 'INVITED',
    visibility: 'PRIVATE',
    oncePerPerson: true,
  });
  await createInvitations(
    { ...app(), ...writingApp() },
    formId,
    [{ prefill: { 'q.lake': 'Loch Ness' } }],
    app().uuid(),
  );
  const { guest } = await newInvited({ formId, member: alice });
  await respond(guest, formId);
  const { formId: forAddresses } = await newForm(alice, slug, kinds, { audience: 'EMAIL', visibility: 'PRIVATE' });
  await newAddressed(forAddresses);
  await askForLink(forAddresses, newAddress());
  await runSweep();
  const forAccounts = await newForm(alice, slug, kinds, { oncePerPerson: true });
  await respond(dave, forAccounts.formId);
}

/** A form whose only place is taken, so that somebody else finds none and the places are compared. */
async function respondToFull(): Promise<void> {
  const { alice, dave, slug } = scene.cast;
  const { formId } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { maxResponses: 1 });
  await respond(dave, formId);
  await expectProblem(respond(dave, formId));
}

/** An edit of a submission that leads to a question which has to be answered, and takes back another answer. */
async function editHalf(): Promise<void> {
  const { alice, dave, slug } = scene.cast;
  const name = { type: 'SHORT_TEXT' as const };
  const branches = { first: [name, name], yes: [], no: [{ ...name, required: true }] };
  const form = await branchedForm({ person: alice, slug }, branches, undefined, { allowEditResponse: true });
  const [asked = '', other = ''] = form.first;
  const responseId = await respond(dave, form.formId, [text(asked, 'yes'), text(other, 'Lakes')]);
  await pagesOf(dave).postSection(`/r/${responseId}/s/${form.sectionIds[0]}`, [
    [`q.${asked}`, 'no'],
    ['do', 'next'],
  ]);
}

/** A form that deletes a response for its age, which keeps its place, and is told to delete sooner. */
async function respondLongAgo(): Promise<void> {
  const { alice, dave, slug } = scene.cast;
  const form = await newForm(alice, slug, [[]], { maxResponses: 1, retentionDays: 10 });
  const { formId } = form;
  await store([{ ...submissionOf(form, dave.id, '2026-01-01T00:00:00.000Z'), places: ['taken'] }]);
  await app().table.write([restartExpiry(formId, undefined, app().now())]);
  await runSweep();
  await alice.client.forms.updateForm({ params: { formId }, body: { retentionDays: 5, draftDays: 5 } });
  await runSweep();
}

test('the stored shapes are those that were released', async () => {
  const note = '# What items of each kind hold. Before a line changes, read docs/operate/upgrade.md; then: vitest -u\n';
  await expect(`${note}${linesOf(images).join('\n')}\n`).toMatchFileSnapshot(FILE);
});

/** What the file has and items of a kind, each changed, do not; and the reverse. */
function differences(kind: string, change: (item: RawItem) => RawItem): [lost: string[], added: string[]] {
  const found = linesOf(images.map((item) => (item.pk?.S?.startsWith(`${kind}#`) ? change(item) : item)));
  const released = readFileSync(FILE, 'utf8').trimEnd().split('\n').slice(1);
  return [released.filter((line) => !found.includes(line)), found.filter((line) => !released.includes(line))];
}

test('an attribute less, one more and one of another type are differences', () => {
  const userId = 'EMAIL EMAIL userId: S';
  expect(differences('EMAIL', (item) => item)).toEqual([[], []]);
  expect(differences('EMAIL', ({ userId: _, ...item }) => item)).toEqual([[userId], []]);
  expect(differences('EMAIL', (item) => ({ ...item, verified: { BOOL: true } }))).toEqual([
    [],
    ['EMAIL EMAIL verified: BOOL'],
  ]);
  expect(differences('EMAIL', (item) => ({ ...item, userId: { N: '1' } }))).toEqual([
    [userId],
    ['EMAIL EMAIL userId: N'],
  ]);
  const renamed = (item: RawItem) => ({ ...item, data: { S: item.data?.S?.replace('rowId', 'row') ?? '' } });
  expect(differences('CLEAR', renamed)).toEqual([['CLEAR CLEAR data.rowId: number'], ['CLEAR CLEAR data.row: number']]);
});

test('every kind of item in the key design is among them', () => {
  const form = { pk: 'FORM#', sk: '' };
  const designed = Object.values<(...parts: never[]) => Key>({
    ...keys,
    cleanUp: () => keys.cleanUp(form, ''),
    deletion: () => keys.deletion(form),
  }).map((build) => kindOf(build(...(['', 0, 0, 0] as never[]))));
  const lines = linesOf(images);
  expect(designed.filter((kind) => !lines.some((line) => line.startsWith(`${kind} `)))).toEqual([]);
});

test('what a newer version adds to items of any kind does not disturb this one', async () => {
  const added = (item: RawItem): RawItem => ({
    ...item,
    addedLater: { S: 'added' },
    ...(item.data?.S ? { data: { S: JSON.stringify({ ...JSON.parse(item.data.S), addedLater: 'added' }) } } : {}),
  });
  const reads = operations.filter(({ method, path }) => method === 'GET' && !path.includes('callback'));
  const sendings = await Promise.all(reads.map((declaration) => validSending(declaration, scene)));
  const bodies = async () => {
    const results: unknown[] = [];
    for (const sending of sendings) {
      const { status, body } = await perform(sending);
      results.push([sending.declaration.name, status, withoutAddresses(body)]);
    }
    return results;
  };
  const before = await bodies();
  await putItems((await allItems()).map(added));
  expect(await bodies()).toEqual(before);
  await useEveryOperation();
});

/** A body without addresses, some of which are signed again for each request. */
const withoutAddresses = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null, (_, value) => (/^https?:/.test(String(value)) ? 'address' : value)));
