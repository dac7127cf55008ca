/** Reads and changes what the other version has written, while that one still works on the same table. */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { operations } from '#core/api/index.ts';
import { loadAssets, open, post } from '#test/emulator/respondent.ts';
import { named, perform, validSending } from '#test/support/requests.ts';
import { read, type Written, withoutChanging } from './written.ts';

let written: Written;

beforeAll(() => {
  written = read();
});

/** How long the stream and the schedules may take. */
const WAIT = { timeout: 100_000, interval: 500 };

test('every read returns what it returned before', async () => {
  const declarations = new Map(named(operations));
  for (const { operation, sending, ...before } of written.reads) {
    const declaration = declarations.get(operation);
    if (!declaration) continue;
    const { status, body } = await perform({ declaration, ...sending });
    expect({ operation, status, body: withoutChanging(body) }).toMatchObject({ operation, ...before });
  }
});

describe('every operation responds to its valid request', () => {
  test.for(named(operations))('%s', async ([, declaration]) => {
    const { status, body } = await perform(await validSending(declaration, written.scene));
    expect([status, body]).toEqual([declaration.success.status, body]);
  });
});

test('somebody continues a response on the page that is open', async () => {
  const { dave } = written.scene.cast;
  const { page, questionId } = written.open;
  const check = await post(dave, page.path, { [`q.${questionId}`]: 'Herons', do: 'next' }, page);
  expect([check.path.endsWith('/check'), check.html]).toEqual([true, expect.stringContaining('Herons')]);
  expect((await post(dave, check.path.replace('/check', '/submit'))).path).toContain('/done');
  const assets = await loadAssets(page.html);
  expect([...assets].filter((path) => /\.(?:css|js)$/.test(path))).not.toEqual([]);
});

test('changes of a published form are published', async () => {
  const { alice } = written.scene.cast;
  const { changedFormId: formId } = written;
  expect((await open(alice, `/build/${formId}/questions`)).html).toContain('How wide?');
  const changes = `/build/${formId}/changes`;
  await post(alice, changes, { do: 'publish' }, await open(alice, changes));
  const { body } = await alice.client.sections.listSections({ params: { formId } });
  expect(JSON.stringify(body)).toContain('How wide?');
});

test('the mail, the row and the export that were due are delivered', async () => {
  const { alice } = written.scene.cast;
  const { formId, responseId, exportId } = written.submission;
  await vi.waitFor(async () => {
    const { deliveries } = (await alice.client.responses.getResponse({ params: { formId, responseId } })).body;
    expect(deliveries).toMatchObject({ email: { state: 'SENT' }, spreadsheet: { state: 'SENT' } });
    expect((await alice.client.exports.getExport({ params: { exportId } })).body).toMatchObject({ state: 'DONE' });
  }, WAIT);
});
