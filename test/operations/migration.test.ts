/** Items of an older schema version: they are readable, and a migration brings them up to date. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { decode, encode, SCHEMA_VERSION, schemaVersionOf } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { LogEntry } from '#core/db/ports.ts';
import type { Item } from '#core/db/table.ts';
import { sweepDeliveries } from '#core/delivery/handlers.ts';
import { startMigration } from '#core/delivery/migrations.ts';
import { app } from '#core/http/app.ts';
import { muteErrors } from '#test/support/console.ts';
import { dyingAfter, withApp, withTable } from '#test/support/faults.ts';
import { type Cast, newCast, newForm } from '#test/support/fixtures.ts';
import { respond } from '#test/support/responses.ts';

let cast: Cast;
let formIds: string[];
muteErrors();

beforeAll(async () => {
  cast = await newCast();
});

/** Three forms in two statuses with gates as schema version 1 wrote them. */
beforeEach(async () => {
  formIds = [];
  for (const publish of [true, true, false]) {
    const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]], { publish });
    await cast.alice.client.forms.updateForm({ params: { formId }, body: { sendResponseEmail: true } });
    await downgrade(formId);
    formIds.push(formId);
  }
});

const gateItem = async (formId: string): Promise<Item> => {
  const [item] = await app().table.read([keys.formGate(formId)]);
  if (!item) throw new Error('there is no gate');
  return item;
};

async function downgrade(formId: string): Promise<void> {
  const { schema: _schema, ...item } = await gateItem(formId);
  const { sendResponseEmail: _mail, spreadsheetId: _sheet, ...gate } = decode<Record<string, unknown>>(item);
  await app().table.write([{ put: { ...item, data: encode(gate).data } }]);
}

/** The schema versions of the gates, and whether they send mails. */
const gates = async () =>
  Promise.all(
    formIds.map(async (formId) => {
      const item = await gateItem(formId);
      return [schemaVersionOf(item), decode<{ sendResponseEmail?: boolean }>(item).sendResponseEmail];
    }),
  );

const CURRENT = [SCHEMA_VERSION, true];
const OLD = [1, undefined];
const hoursLater = (hours: number) => () => new Date(Date.now() + hours * 3_600_000);

async function migrate(): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  await withApp(
    () => ({ now: hoursLater(1), log: (entry) => void entries.push(entry) }),
    () => sweepDeliveries(app(), () => true),
  );
  return entries.filter(({ receipt }) => receipt === 'migration');
}

test('a migration rewrites the old gates of all forms, and logs how many', async () => {
  await startMigration(app(), 'gates');
  expect(await migrate()).toEqual([expect.objectContaining({ name: 'gates', changed: 3 })]);
  expect(await gates()).toEqual([CURRENT, CURRENT, CURRENT]);
  await startMigration(app(), 'gates');
  expect(await migrate()).toEqual([expect.objectContaining({ changed: 0 })]);
});

test('a migration whose worker dies at any write is continued by the next one', async () => {
  for (let nth = 1; nth <= 4; nth += 1) {
    for (const formId of formIds) await downgrade(formId);
    await startMigration(app(), 'gates');
    const dying = withTable(dyingAfter(nth - 1), () => sweepDeliveries(app(), () => true));
    await dying.catch(() => undefined);
    expect(await migrate()).toHaveLength(1);
    expect(await gates()).toEqual([CURRENT, CURRENT, CURRENT]);
  }
});

test('reading, answering and changing a form with an old gate works, and a change brings it up to date', async () => {
  const [formId = '', other = ''] = formIds;
  expect((await cast.dave.client.forms.getForm({ params: { formId } })).status).toBe(200);
  await respond(cast.dave, formId);
  await cast.alice.client.forms.updateForm({ params: { formId: other }, body: { title: 'New' } });
  expect(await gates()).toEqual([OLD, CURRENT, OLD]);
});
