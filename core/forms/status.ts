/** The status transitions of forms, faults between their settings, and the publication of a form. */

import { change } from '#core/db/change.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { type Fault, problems } from '#core/problems/problems.ts';
import { parseStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { keepVersions, readVersions } from '#core/structure/versions.ts';
import { requirePublishable } from '#core/structure/workflow-check.ts';
import type { Form, FormStatus } from './model.ts';
import { parseForm, replaceForm } from './store.ts';

/** The transitions of a form's status: the allowed current statuses, and the resulting one. */
const TRANSITIONS = {
  publish: { from: ['DRAFT'], to: 'PUBLISHED' },
  archive: { from: ['DRAFT', 'PUBLISHED', 'ARCHIVED'], to: 'ARCHIVED' },
  unarchive: { from: ['ARCHIVED'], to: 'DRAFT' },
} as const satisfies Record<string, { from: readonly FormStatus[]; to: FormStatus }>;
type Transition = keyof typeof TRANSITIONS;

/** Returns the form after a transition. Throws 400 when its status does not allow the transition. */
export function applyTransition(form: Form, transition: Transition): Form {
  const { from, to } = TRANSITIONS[transition];
  const allowed: readonly FormStatus[] = from;
  if (allowed.includes(form.status)) return { ...form, status: to };
  throw problems.wrongFormStatus(transition, form.status, from);
}

/** Sets the last editor of a form and the time of the edit. */
export const withEditor = (form: Form, userId: string, now: string): Form => ({
  ...form,
  lastEditorId: userId,
  updatedAt: now,
});

/**
 * Throws 400 for settings that admit guests, where the installation admits none. A form that has them already, also a copy or an
 * imported one, then takes responses from accounts only.
 */
export function requireAudience(
  { config }: { config: { readonly guests: boolean } },
  { audience }: { audience?: Form['audience'] | null | undefined },
): void {
  if (config.guests || audience === undefined || audience === null || audience === 'ACCOUNT') return;
  const detail = 'must be ACCOUNT: this installation takes no responses without an account';
  throw problems.invalid([{ pointer: '/body/audience', detail }]);
}

/** Finds faults between settings of a form: the deadline must be after the publish time. */
export function settingFaults(form: Pick<Form, 'deadline' | 'publishTime'>): Fault[] {
  if (form.deadline === null || form.publishTime === null || form.deadline > form.publishTime) return [];
  return [{ pointer: '/body/deadline', detail: `must be after publishTime, which is ${form.publishTime}` }];
}

// Publishes a form, on the condition that its structure is still the one that was validated, and keeps that as a version.

/**
 * Publishes a DRAFT. Throws 400 for another status or an invalid workflow, 404 when the form was deleted, 409 for a stale
 * `If-Match`.
 */
export async function publishForm(
  app: ChangePorts,
  opened: { form: Form; structure: Structure },
  userId: string,
): Promise<Form> {
  return change(app, {
    loaded: opened,
    reload: () => reload(app, opened.form.id),
    decide: async ({ form, structure }) => {
      app.ifMatch(form.version);
      const published = applyTransition(form, 'publish');
      requirePublishable(structure);
      const now = app.now().toISOString();
      const next = { ...withEditor(published, userId, now), version: form.version + 1 };
      const versions = await readVersions(app.table, form.id);
      const kept = await keepVersions(app.table, versions, structure, { as: 'PUBLISHED', by: userId, at: now });
      return { writes: [...replaceForm(next, form, structure.version), ...kept], result: next };
    },
  });
}

async function reload({ table }: ChangePorts, formId: string): Promise<{ form: Form; structure: Structure }> {
  const [headItem, structureItem] = await table.read([keys.formHead(formId), keys.formStructure(formId)]);
  const form = parseForm(headItem, formId);
  const structure = parseStructure(structureItem);
  if (!form || !structure) throw problems.notFound();
  return { form, structure };
}
