/** The status transitions of forms, faults between their settings, and the publication of a form. */

import type { Role } from '#core/access/access.ts';
import { change } from '#core/db/change.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { type Fault, problems } from '#core/problems/problems.ts';
import { parseStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { keepVersions, readVersions } from '#core/structure/versions.ts';
import { requirePublishable } from '#core/structure/workflow-check.ts';
import { getFormState, requireOpen } from './gate.ts';
import type { Form, FormStatus } from './model.ts';
import { changeForm, parseForm, replaceForm } from './store.ts';

/** The transitions of a form's status: the allowed current statuses, and the resulting one. */
const TRANSITIONS = {
  publish: { from: ['DRAFT'], to: 'PUBLISHED' },
  archive: { from: ['DRAFT', 'PUBLISHED', 'ARCHIVED'], to: 'ARCHIVED' },
  unarchive: { from: ['ARCHIVED'], to: 'DRAFT' },
} as const satisfies Record<string, { from: readonly FormStatus[]; to: FormStatus }>;
type Transition = keyof typeof TRANSITIONS;

/** Returns the form after a transition. Throws 400 when its status does not allow the transition. */
function applyTransition(form: Form, transition: Transition): Form {
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

/** Throws 403 for the setting that sends answers by mail, of somebody who is no admin. */
export function requireNoticesAllowed(
  roles: readonly Role[],
  { noticesWithAnswers }: { noticesWithAnswers?: boolean | null | undefined },
): void {
  if (noticesWithAnswers && !roles.includes('admin'))
    throw problems.forbidden('`noticesWithAnswers` is allowed only by: admins of the organization.');
}

/**
 * Finds faults between settings of a form: the deadline must be after the publish time, a form for named guests is in nobody's list,
 * and of strangers nobody can know whether they have responded before.
 */
export function settingFaults({
  deadline,
  publishTime,
  audience,
  visibility,
  oncePerPerson,
}: Pick<Form, 'deadline' | 'publishTime' | 'audience' | 'visibility' | 'oncePerPerson'>): Fault[] {
  const faults: Fault[] = [];
  if (deadline !== null && publishTime !== null && deadline <= publishTime)
    faults.push({ pointer: '/body/deadline', detail: `must be after publishTime, which is ${publishTime}` });
  if ((audience === 'INVITED' || audience === 'EMAIL') && visibility === 'PUBLIC')
    faults.push({ pointer: '/body/audience', detail: `must not be ${audience} for a form whose visibility is PUBLIC` });
  if (audience === 'ANYONE' && oncePerPerson)
    faults.push({ pointer: '/body/oncePerPerson', detail: 'must be false for a form whose audience is ANYONE' });
  return faults;
}

const transition = (app: ChangePorts, form: Form, name: 'archive' | 'unarchive', userId: string): Promise<Form> =>
  changeForm(app, form, (current) => ({
    next: withEditor(applyTransition(current, name), userId, app.now().toISOString()),
  }));

/** Archives a form: it is hidden from default lists and takes no responses. Throws 409 for a stale `If-Match`. */
export const archiveForm = (app: ChangePorts, form: Form, userId: string): Promise<Form> =>
  transition(app, form, 'archive', userId);

/** Restores an archived form as a DRAFT. Throws 400 when it is not archived, 409 for a stale `If-Match`. */
export const unarchiveForm = (app: ChangePorts, form: Form, userId: string): Promise<Form> =>
  transition(app, form, 'unarchive', userId);

/** Closes an open form now; one that is closed stays as it is. Throws 400 when it takes no responses for another reason. */
export async function closeForm(app: ChangePorts, form: Form, userId: string): Promise<Form> {
  const isClosed = (current: Form): boolean => getFormState(current, app.now()) === 'closed';
  if (isClosed(form)) return form;
  return changeForm(app, form, (current) => {
    if (isClosed(current)) return { next: current };
    const now = app.now();
    requireOpen(current, now);
    return { next: withEditor({ ...current, deadline: now.toISOString() }, userId, now.toISOString()) };
  });
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
