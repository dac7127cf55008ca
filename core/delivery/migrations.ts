/**
 * Migrations: rewrite items of an older schema version in bounded steps. A migration is a delivery, so a worker that dies
 * is followed by another one that continues after the last step. Items are readable before, during and after it.
 */
import { keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { wasWritten } from '#core/db/retry.ts';
import { migrateGate } from '#core/forms/gate.ts';
import { FormStatus } from '#core/forms/model.ts';
import { formOf } from '#core/forms/store.ts';
import { type Delivery, queueDelivery } from '#core/outbox/delivery.ts';
import { attemptEach, DONE, type Outcome } from './attempt.ts';

/** The migrations by name: each rewrites what belongs to some forms and returns how many items it changed. */
const MIGRATIONS = { gates: migrateGates } as const satisfies Record<
  string,
  (app: Ports, formIds: readonly string[]) => Promise<number>
>;
type MigrationName = keyof typeof MIGRATIONS;
export const MIGRATION_NAMES = Object.keys(MIGRATIONS) as MigrationName[];

/** A place in the list of all forms: an organization, a status, and a position in the list of its forms. */
type Place = { org: string; status: number; after?: string | undefined };
/** `place`: where the next step begins; undefined at the beginning. */
type Migration = { name: MigrationName; place?: Place; forms: number; changed: number };

/** The number of forms of a step. */
const STEP = 100;
/** The number of steps of an attempt. */
const STEPS = 10;

/** Queues a migration from the beginning; a migration of this name that is under way begins again. */
export const startMigration = (app: Pick<Ports, 'table' | 'now'>, name: MigrationName): Promise<void> => {
  const data: Migration = { name, forms: 0, changed: 0 };
  return app.table.write([queueDelivery({ key: keys.migration(name), kind: 'migration', data }, app.now())]);
};

export const migrations = attemptEach({ claimSeconds: 120, parallel: 1, minMs: 20_000, attempt });

async function attempt(app: Ports, { data: migration }: Delivery<Migration>): Promise<Outcome> {
  let { place, forms, changed } = migration;
  for (let step = 1; step <= STEPS; step += 1) {
    // Each step begins where the one before ended.
    const { formIds, next } = await formsAt(app, place);
    changed += await MIGRATIONS[migration.name](app, formIds);
    forms += formIds.length;
    if (!next) {
      app.log({ level: 'info', receipt: 'migration', name: migration.name, forms, changed });
      return DONE;
    }
    place = next;
  }
  return { result: 'continue', data: { ...migration, place, forms, changed }, seconds: 0 };
}

/** The forms at a place in the list of all forms, and the next place; undefined at the end. */
async function formsAt(app: Ports, place: Place | undefined): Promise<{ formIds: string[]; next: Place | undefined }> {
  const current = place ?? (await firstPlaceAfter(app, undefined));
  if (!current) return { formIds: [], next: undefined };
  const statuses = FormStatus().options;
  const status = statuses[current.status];
  if (!status) return { formIds: [], next: await firstPlaceAfter(app, current.org) };
  const partition = partitions.formsOf(lastPart(current.org), status);
  const page = await app.table.page({ ...partition, after: current.after, limit: STEP });
  const next = page.last === null ? { org: current.org, status: current.status + 1 } : { ...current, after: page.last };
  return { formIds: page.items.map(({ gsi1sk = '' }) => lastPart(gsi1sk)), next };
}

/** The place of the first form of the organization after another one in the list of all organizations. */
async function firstPlaceAfter(app: Ports, org: string | undefined): Promise<Place | undefined> {
  const page = await app.table.page({ ...partitions.allOrganizations(), after: org, limit: 1 });
  const [item] = page.items;
  return item?.gsi1sk === undefined ? undefined : { org: item.gsi1sk, status: 0 };
}

/** Adds to gates of schema version 1 what follows a submission. */
async function migrateGates(app: Ports, formIds: readonly string[]): Promise<number> {
  const items = await app.table.read([...formIds.map(keys.formGate), ...formIds.map(keys.formHead)]);
  const writes = formIds.flatMap((formId, index) => {
    const gate = items[index];
    const form = formOf(items[formIds.length + index], formId);
    return (gate && form && migrateGate(gate, form)) ?? [];
  });
  // Refused when the form was changed meanwhile, which wrote its gate anew.
  const results = await Promise.all(writes.map((write) => wasWritten(app.table.write([write]))));
  return results.filter(Boolean).length;
}
