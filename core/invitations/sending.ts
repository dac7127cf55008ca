/**
 * Sends the invitations to a form: one job walks its invitations and queues a mail for each guest whom it reaches, in bounded steps.
 * A step is one transaction, which notes at each guest that their mail is queued and counts it for the organization; so a step that
 * is repeated queues nothing again, and the limit of a day is exact.
 */
import {
  type Invitation,
  isRecipient,
  noteQueued,
  parseInvitation,
  parseNumbering,
  type Recipients,
  wasQueued,
} from '#core/accounts/invitation.ts';
import { change } from '#core/db/change.ts';
import { keys, lastPart, partitions } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import type { ItemBatch, Table, Write } from '#core/db/table.ts';
import { closedReason, type Gate, parseGate } from '#core/forms/gate.ts';
import { attemptEach, type JobOutcome } from '#core/jobs/attempt.ts';
import {
  checkJob,
  completeJob,
  isPending,
  isSameJob,
  type Job,
  newJob,
  parseJob,
  queueJob,
  replaceJob,
} from '#core/jobs/job.ts';
import { type InvitationMail, PAUSED_SECONDS, type Sending, takesInvited } from '#core/mail/invitation-job.ts';
import {
  countMails,
  hashAddress,
  loadNoMails,
  type MailLimit,
  mailsPerDay,
  mailsToday,
  type NoMailReason,
  type PauseReason,
  parseGuestMails,
  presentGuestMails,
  type StoredGuestMails,
  secondsOfDay,
} from '#core/organizations/guest-mails.ts';
import type { GuestMails } from '#core/organizations/guest-mails-model.ts';
import { checkOrganization, loadOrganization, type StoredOrganization } from '#core/organizations/store.ts';
import { type Problem, problems, requireFound } from '#core/problems/problems.ts';
import { timeAfter } from '#core/schema/format.ts';
import type { SendingDocument, SendingInput } from './sending-model.ts';

/** Invitations are sent once in this time. */
const SENDING_SECONDS = 24 * 60 * 60;

/** Presents a sending. */
function presentSending({ state, dueAt, data }: Job<Sending>, now: Date): SendingDocument {
  const { to, subject, text, startedAt, queued, stoppedAt = null } = data;
  const isWaiting = state === 'QUEUED' && dueAt > now.toISOString();
  return {
    ...{ to, subject, text, startedAt, queued, stoppedAt },
    state: stoppedAt !== null ? 'STOPPED' : state === 'DONE' ? 'DONE' : 'SENDING',
    continuesAt: isWaiting ? dueAt : null,
    nextAt: timeAfter(new Date(startedAt), SENDING_SECONDS),
  };
}

/** Shows the last sending of the invitations to a form. Throws 404 when there was none. */
export async function showSending(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  formId: string,
): Promise<{ body: SendingDocument }> {
  const [item] = await table.read([keys.sending(formId)]);
  return { body: presentSending(requireFound(parseJob<Sending>(item)), now()) };
}

type SendingPorts = ChangePorts & { config: { readonly guests: boolean } };

/** Why invitations cannot be sent now; `form`: nobody could use one, `nobody`: nobody is invited. */
export type Obstacle = 'form' | 'nobody' | 'paused' | 'too-soon' | 'under-way';

type SendingFacts = {
  gate: Gate;
  before: Job<Sending> | undefined;
  pausedReason: PauseReason | null;
  /** How many are invited. */
  invited: number;
};

/** Reads what decides whether the invitations to a form can be sent. Throws 404 when it was deleted. */
async function loadFacts(table: Table, { formId, orgId }: Pick<Gate, 'formId' | 'orgId'>) {
  const [item, gateItem, mailsItem, numberingItem] = await table.read([
    keys.sending(formId),
    keys.formGate(formId),
    keys.guestMails(orgId),
    keys.invitations(formId),
  ]);
  const mails = parseGuestMails(mailsItem);
  const facts: SendingFacts = {
    before: parseJob<Sending>(item),
    gate: requireFound(parseGate(gateItem)),
    pausedReason: mails?.pausedReason ?? null,
    invited: parseNumbering(numberingItem)?.count ?? 0,
  };
  return { ...facts, mails };
}

/** Returns why invitations cannot be sent now; undefined when they can. */
function findObstacle(
  { config }: Pick<SendingPorts, 'config'>,
  { gate, before, pausedReason, invited }: SendingFacts,
  now: Date,
): Obstacle | undefined {
  if (!takesInvited(gate, now) || !config.guests) return 'form';
  if (invited === 0) return 'nobody';
  if (pausedReason !== null) return 'paused';
  if (before && secondsUntilNext(before, now) > 0) return 'too-soon';
  return before && isPending(before) ? 'under-way' : undefined;
}

const secondsUntilNext = ({ data }: Job<Sending>, now: Date): number =>
  Math.ceil((Date.parse(data.startedAt) - now.getTime()) / 1_000) + SENDING_SECONDS;

/**
 * Begins to send the invitations to a form. `pressId`: of a request that can come twice without a key; the second one returns what the
 * first has begun. Throws 400 when nobody could use an invitation now, or nobody is invited; 409 while the mails of the organization are
 * paused, or the last sending is under way; 429 within a day after it has begun.
 */
export async function sendInvitations(
  app: SendingPorts,
  opened: Pick<Gate, 'formId' | 'orgId'>,
  { to, subject, text }: SendingInput,
  pressId: string | null = null,
): Promise<{ body: SendingDocument }> {
  const { formId } = opened;
  return change(app, {
    reload: () => loadFacts(app.table, opened),
    decide: (facts) => {
      const now = app.now();
      const { before } = facts;
      if (before && pressId !== null && before.data.id === pressId)
        return { writes: [], result: { body: presentSending(before, now) } };
      const obstacle = findObstacle(app, facts, now);
      if (obstacle) throw toProblem(obstacle, facts, now);
      const data: Sending = {
        ...{ id: pressId, to, subject, text, language: app.language ?? null },
        ...{ startedAt: now.toISOString(), queued: 0, pass: 1 },
      };
      const job = newJob<Sending>({ key: keys.sending(formId), kind: 'invitation-sending', data }, now);
      const writes: Write[] = [{ check: keys.formGate(formId), when: { absent: false } }, replaceJob(job, before)];
      return { writes, result: { body: presentSending(job, now) } };
    },
  });
}

function toProblem(obstacle: Obstacle, { gate, before, pausedReason }: SendingFacts, now: Date): Problem {
  switch (obstacle) {
    case 'form': {
      const reason = gate.audience === 'INVITED' ? closedReason(gate, now) : null;
      return problems.formNotOpen(reason ?? 'The form takes no responses from invited guests.');
    }
    case 'nobody':
      return problems.invalid([{ pointer: '/body/to', detail: 'must be somebody: nobody is invited' }]);
    case 'paused':
      return problems.mailsPaused(pausedReason ?? 'BOUNCES');
    case 'too-soon':
      return problems.tooManyRequests(
        before ? secondsUntilNext(before, now) : SENDING_SECONDS,
        'The invitations to a form can be sent once a day.',
      );
    case 'under-way':
      return problems.deliveryUnderWay();
  }
}

/** What a page shows of the sending of invitations. */
export type SendingState = {
  organization: StoredOrganization;
  sending: SendingDocument | null;
  mails: GuestMails;
  /** How many are invited. */
  invited: number;
  obstacle: Obstacle | null;
};

/** Loads what a page shows of the sending of the invitations to a form. Throws 404 when it was deleted. */
export async function loadSendingState(
  app: Pick<Ports, 'table' | 'now'> & MailLimit & Pick<SendingPorts, 'config'>,
  opened: Pick<Gate, 'formId' | 'orgId'>,
): Promise<SendingState> {
  const [facts, found] = await Promise.all([loadFacts(app.table, opened), loadOrganization(app.table, opened.orgId)]);
  const organization = requireFound(found);
  const now = app.now();
  return {
    organization,
    sending: facts.before ? presentSending(facts.before, now) : null,
    mails: presentGuestMails(organization, facts.mails, app, now),
    invited: facts.invited,
    obstacle: findObstacle(app, facts, now) ?? null,
  };
}

/** Up to this number of invitations those are counted whom a sending reaches. */
const MAX_COUNTED = 500;
const BATCH = 100;

/** Counts the guests whom a sending reaches now; null where more than 500 are invited. */
export async function countRecipients(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  { formId, orgId }: Pick<Gate, 'formId' | 'orgId'>,
  to: Recipients,
): Promise<number | null> {
  const startedAt = now().toISOString();
  let [count, after]: [number, string | undefined] = [0, undefined];
  for (let counted = 0; counted < MAX_COUNTED; counted += BATCH) {
    // Each batch begins where the one before ended.
    const batch: ItemBatch = await table.list({ ...partitions.guestsOf(formId), limit: BATCH, after });
    const items = await table.read(batch.items.map(({ gsi2sk = '' }) => keys.guest(lastPart(gsi2sk))));
    const reached = items
      .map(parseInvitation)
      .filter((each) => each !== undefined && isRecipient(each, { to, startedAt }));
    const hashes = reached.map((each) => hashAddress(orgId, each?.email ?? ''));
    const noMails = await loadNoMails(table, orgId, hashes);
    count += hashes.filter((hash) => !noMails.has(hash)).length;
    if (batch.last === null) return count;
    after = batch.last;
  }
  return null;
}

/** Stops the sending of the invitations to a form: mails that are queued are not sent. Throws 404 when none is under way. */
export const stopSending = (app: ChangePorts, formId: string): Promise<void> =>
  change(app, {
    reload: async () => parseJob<Sending>((await app.table.read([keys.sending(formId)]))[0]),
    decide: (before) => {
      const now = app.now();
      // The mails of one that has queued all of them may still be under way.
      if (!before || before.data.stoppedAt !== undefined) throw problems.notFound();
      const data: Sending = { ...before.data, stoppedAt: now.toISOString() };
      return { writes: [replaceJob(completeJob({ ...before, data }, now), before)], result: undefined };
    },
  });

// The job.

/** The invitations of one step, of which each takes two writes of its transaction. */
const STEP = 45;
/** The steps of one attempt, and the time that must be left to begin one. */
const STEPS = 10;
const STEP_MS = 10_000;
/** When the second pass begins: longer than a request takes and an index lags. */
const SETTLED_SECONDS = 60;

export const invitationSendings = attemptEach({ claimSeconds: 120, parallel: 5, minMs: STEP_MS, attempt });

type WorkerPorts = Ports & MailLimit;

async function attempt(app: WorkerPorts, job: Job<Sending>): Promise<JobOutcome> {
  let data = job.data;
  for (let count = 1; count <= STEPS && remainingMs() >= STEP_MS; count += 1) {
    // Each step begins where the one before ended.
    const step = await queueStep(app, job, data.after);
    data = { ...data, queued: data.queued + step.queued, after: step.after };
    if (step.ends) return { result: 'done', record: data };
    if (step.waitSeconds !== undefined) return { result: 'continue', data, seconds: step.waitSeconds };
    if (step.after !== undefined) continue;
    if (data.pass === 2) return { result: 'done', record: data };
    return { result: 'continue', data: { ...data, pass: 2 }, seconds: SETTLED_SECONDS };
  }
  return { result: 'continue', data, seconds: 0 };
}

/** What a step has done. `after`: where the next one continues; `waitSeconds`: when it can; `ends`: there is none. */
type Step = { queued: number; after?: string | undefined; waitSeconds?: number; ends?: true };

/** Queues the mails to the next guests of a form. */
async function queueStep(app: WorkerPorts, job: Job<Sending>, after: string | undefined): Promise<Step> {
  const formId = lastPart(job.key.pk);
  const batch = await app.table.list({ ...partitions.guestsOf(formId), limit: STEP, after });
  const guestIds = batch.items.map(({ gsi2sk = '' }) => lastPart(gsi2sk));
  const end: Step = { queued: 0, after: batch.last ?? undefined };
  return change(
    { table: app.table },
    {
      reload: async () => {
        const [gateItem, jobItem, ...guestItems] = await app.table.read([
          keys.formGate(formId),
          job.key,
          ...guestIds.map(keys.guest),
        ]);
        const gate = parseGate(gateItem);
        const isMine = isSameJob(parseJob(jobItem), job);
        if (!gate || !isMine || !takesInvited(gate, app.now())) return undefined;
        const sendingMs = Date.parse(job.data.startedAt);
        const reached = guestItems
          .filter((item) => !wasQueued(item, sendingMs))
          .map(parseInvitation)
          .filter((each) => each !== undefined)
          .filter((each) => isRecipient(each, job.data));
        const hashes = new Map(reached.map(({ id, email }) => [id, hashAddress(gate.orgId, email ?? '')]));
        const [[mailsItem], organization, noMails] = await Promise.all([
          app.table.read([keys.guestMails(gate.orgId)]),
          loadOrganization(app.table, gate.orgId),
          loadNoMails(app.table, gate.orgId, [...hashes.values()]),
        ]);
        return organization && { gate, organization, mails: parseGuestMails(mailsItem), reached, hashes, noMails };
      },
      decide: (current) => {
        if (!current) return { writes: [], result: { ...end, ends: true } };
        return decideStep(app, job, current, end, after);
      },
    },
  );
}

type StepState = {
  gate: Gate;
  organization: StoredOrganization;
  mails: StoredGuestMails | undefined;
  /** The guests of the step whom the sending reaches and has not reached before, with the hashes of their addresses by id. */
  reached: readonly Invitation[];
  hashes: ReadonlyMap<string, string>;
  noMails: ReadonlyMap<string, NoMailReason>;
};

/** Decides what a step queues: as many mails as the organization may still send on this day. `end`: of a step that queues all. */
function decideStep(app: WorkerPorts, job: Job<Sending>, current: StepState, end: Step, after: string | undefined) {
  const { gate, organization, mails, reached, hashes, noMails } = current;
  const now = app.now();
  const sendingMs = Date.parse(job.data.startedAt);
  const findReason = ({ id }: Invitation) => noMails.get(hashes.get(id) ?? '');
  const leftOut = reached.filter((guest) => findReason(guest) !== undefined);
  const all = reached.filter((guest) => findReason(guest) === undefined);
  if (all.length > 0 && mails?.pausedAt)
    return { writes: [], result: { queued: 0, after, waitSeconds: PAUSED_SECONDS } };
  const left = Math.max(0, mailsPerDay(organization, app, now) - mailsToday(mails, now));
  const taken = all.slice(0, left);
  const writes: Write[] = [
    ...leftOut.map((guest) => noteQueued(guest.id, sendingMs, findReason(guest))),
    ...taken.flatMap((guest) => [
      noteQueued(guest.id, sendingMs),
      queueMail(
        guest,
        { sending: sendingMs, orgId: gate.orgId, addressHash: hashes.get(guest.id) ?? '' },
        job.data,
        now,
      ),
    ]),
    ...(taken.length > 0 ? [countMails(gate.orgId, mails, taken.length, now), checkOrganization(gate.orgId)] : []),
  ];
  const checks: Write[] = [{ check: keys.formGate(gate.formId), when: { absent: false } }, checkJob(job)];
  return {
    writes: writes.length === 0 ? [] : [...writes, ...checks],
    result:
      taken.length < all.length
        ? { queued: taken.length, after, waitSeconds: secondsOfDay(now) }
        : { ...end, queued: taken.length },
  };
}

/** Builds the write that queues the mail to a guest; one who has been sent the invitation before is reminded. */
const queueMail = (
  { id, sentAt }: Invitation,
  mail: Omit<InvitationMail, 'isReminder'>,
  { to }: Pick<Sending, 'to'>,
  now: Date,
): Write =>
  queueJob<InvitationMail>(
    {
      key: keys.guestMail(id),
      kind: 'invitation-mail',
      data: { ...mail, isReminder: to === 'NOT_ANSWERED' && sentAt !== null },
    },
    now,
  );
