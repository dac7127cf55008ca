/** The cap on the responses to a form: what follows when it is set. */
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Write } from '#core/db/table.ts';
import { beginCount } from '#core/jobs/places.ts';
import { parseAnswered } from '#core/structure/store.ts';
import { parseVersions } from '#core/structure/versions.ts';
import { nameFormCounter } from './gate.ts';
import type { Form } from './model.ts';

/**
 * Returns the form after its settings changed, with the version since which it has a cap, and the writes by which the responses to it
 * are counted if there may be any.
 */
export async function limitResponses(
  { table, now }: Pick<ChangePorts, 'table' | 'now'>,
  before: Form,
  next: Form,
): Promise<{ next: Form; writes: Write[] }> {
  if (next.maxResponses === null || before.maxResponses !== null) return { next, writes: [] };
  const limited = { ...next, limitedSince: before.version + 1 };
  if (await wasNeverOpen(table, before)) return { next: limited, writes: [] };
  return { next: limited, writes: beginCount(next.id, [nameFormCounter(limited)], now()) };
}

/** Whether a form has never taken responses: each publication keeps a version. */
async function wasNeverOpen(table: ChangePorts['table'], { id, status }: Form): Promise<boolean> {
  if (status !== 'DRAFT') return false;
  const [versions, answered] = await table.read([keys.formVersions(id), keys.formAnswered(id)]);
  return parseVersions(versions).entries.length === 0 && parseAnswered(answered).ids.size === 0;
}
