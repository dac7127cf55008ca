/** What the valid requests of operations need beside the resources of a scene. */
import { formKey, keys } from '#core/db/keys.ts';
import { isWithinLimit } from '#core/db/rate-limit.ts';
import { untilWritten } from '#core/db/retry.ts';
import { app } from '#core/http/app.ts';
import { requireNewGuest } from '#core/identity/guest-limits.ts';
import { queueJob } from '#core/jobs/job.ts';
import type { Sending } from '#core/mail/invitation-job.ts';
import { countMails, parseGuestMails, pauseForComplaint } from '#core/organizations/guest-mails.ts';
import { findSlugOwner } from '#core/organizations/store.ts';
import { Problem } from '#core/problems/problems.ts';
import { sha256 } from '#core/schema/hash.ts';
import { buildEditWrites, reloadEditedForm } from '#core/structure/changes.ts';
import { updateSection } from '#core/structure/questions.ts';
import { keepVersions, readVersions } from '#core/structure/versions.ts';
import { uploadImage } from './covers.ts';
import { buildExports } from './exports.ts';
import { type Local, sentDirectly } from './files.ts';
import { type Person, person, send } from './fixtures.ts';
import { newInvitation } from './invitations.ts';
import { pick } from './provider.ts';
import type { Place, Resources } from './scene.ts';
import { cookiesOf, newSession } from './sessions.ts';
import { webp } from './webp.ts';

export const cover = webp(16, 9);

/** A new cover of a form; its path. */
export const newCover = async ({ admin, formId }: Resources): Promise<string> =>
  String((await uploadImage(admin, formId, cover)).body.path);

/** A new member of a place. */
export async function newMember({ slug, admin }: Place) {
  const { id: memberId, email } = await person('guest');
  await admin.client.orgs.addMember({ params: { slug }, body: { email } });
  return { params: { memberId } };
}

/** A form with changes; also one of a status in which edits no longer make any, but were made before. */
export async function withChanges({ member, formId, sectionId }: Resources) {
  await untilWritten(async () => {
    const edited = await reloadEditedForm(app().table, formId);
    const { structure } = edited.changes ?? edited.live;
    const change = { title: `Section ${edited.changes?.revision ?? 0}` };
    const next = updateSection(structure, sectionId, change, app().now().toISOString());
    await app().table.write(buildEditWrites(app(), { edited, formId, editorId: member.id }, next).writes);
  });
  return {};
}

/** A version of a form: the oldest one that is kept, or the live one. */
export async function keptVersion({ member, formId }: Resources) {
  const { body } = await member.client.forms.listVersions({ params: { formId } });
  const { live } = await reloadEditedForm(app().table, formId);
  return { params: { version: String(body.at(-1)?.version ?? live.structure.version) } };
}

/** A version of a form that was edited since. */
export async function earlierVersion({ member, formId, sectionId }: Resources) {
  const { table, uuid, now } = app();
  const keeping = { as: 'REPLACED', by: member.id, at: now().toISOString() } as const;
  const { live } = await untilWritten(async () => {
    const edited = await reloadEditedForm(table, formId);
    await table.write(await keepVersions(table, await readVersions(table, formId), edited.live.structure, keeping));
    return edited;
  });
  await member.client.sections.updateSection({ params: { formId, sectionId }, body: { title: uuid() } });
  return { params: { version: String(live.structure.version) } };
}

/** A form of which a member had all responses counted. */
export async function withCount({ member, formId }: Resources) {
  await member.client.responses.countStatistics({ params: { formId }, body: { filters: [] } });
  await buildExports();
  return {};
}

/** A file that is in storage and waits to be attached. */
export async function sentFile({ respondent, draftId, fileQuestionId }: Resources, file: Local) {
  const params = { responseId: draftId, questionId: fileQuestionId };
  return { params, body: { fileIds: await sentDirectly(respondent, params, file) } };
}

/** The header in which a browser that has just signed in sends its refresh token. */
export const refreshCookie = async (by: Person) => ({
  headers: { cookie: `refresh_token=${(await newSession(by)).refresh}` },
});

/** What a browser brings to a callback after a path has sent it to the provider: query and cookies. */
export async function broughtBack(path: string, by?: Person) {
  const started = await send('GET', path, { headers: by ? { authorization: `Bearer ${by.token}` } : {} });
  const cookies = Object.entries(cookiesOf(started)).map(([name, { value }]) => `${name}=${value}`);
  const callback = new URL(await pick(started.headers.get('location') ?? '', 'dave'));
  const query = { state: '', ...Object.fromEntries(callback.searchParams) };
  return { query, headers: { cookie: cookies.join('; ') } };
}

/** Lets as many people begin a form without an account in this minute as may without a proof. */
export async function manyNewGuests(formId: string): Promise<void> {
  for (let count = 0; count < 60; count += 1) {
    await isWithinLimit(app(), { name: 'guests', max: 60, seconds: 60 }, formKey(formId));
  }
}

/** Finds the number whose hash begins with 16 zero bits, which are four zeros. */
export function solve(challenge: string): string {
  for (let number = 0; ; number += 1) {
    if (sha256(`${challenge}.${number}`, 'hex').startsWith('0000')) return String(number);
  }
}

/** A proof with which somebody begins a form without an account, once. */
export async function newProof(formId: string): Promise<{ challenge: string; solution: string }> {
  const asked = await requireNewGuest(app(), formId, { proof: undefined, needsProof: true }).catch((error) => error);
  const challenge = asked instanceof Problem ? (asked.headers['guest-challenge'] ?? '') : '';
  return { challenge, solution: solve(challenge) };
}

/** A form for invited guests, of whom one has an address. */
export async function withInvitation({ admin, formId }: Resources): Promise<void> {
  const body = { audience: 'INVITED', visibility: 'PRIVATE' } as const;
  await admin.client.forms.updateForm({ params: { formId }, body });
  await newInvitation({ formId, member: admin }, { email: 'lin@example.org' });
}

/** A form whose invitations are being sent. */
export async function withSending({ formId }: Resources) {
  const data: Sending = {
    ...{ id: null, to: 'ALL', subject: 'Your rivers', text: 'Please answer.', language: null },
    ...{ startedAt: app().now().toISOString(), queued: 0, pass: 1 },
  };
  await app().table.write([queueJob({ key: keys.sending(formId), kind: 'invitation-sending', data }, app().now())]);
  return {};
}

/** Pauses the mails of an organization. */
export async function pauseMails(slug: string): Promise<void> {
  const { table, now } = app();
  const orgId = (await findSlugOwner(table, slug)) ?? '';
  const [before] = await table.read([keys.guestMails(orgId)]);
  if (!before) await table.write([countMails(orgId, undefined, 1, now())]);
  const [item] = await table.read([keys.guestMails(orgId)]);
  await table.write(pauseForComplaint(orgId, parseGuestMails(item), now()));
}
