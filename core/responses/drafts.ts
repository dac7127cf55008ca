/** The drafts of a form: how far each is, and mails that remind their respondents of them. */
import { loadRespondents } from '#core/accounts/accounts.ts';
import { change } from '#core/db/change.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Table, Write } from '#core/db/table.ts';
import { type Gate, isOpen, parseGate } from '#core/forms/gate.ts';
import { isPending, type Job, newJob, parseJob, replaceJob } from '#core/jobs/job.ts';
import {
  countMails,
  hashAddress,
  loadNoMails,
  type MailLimit,
  mailsPerDay,
  mailsToday,
  parseGuestMails,
} from '#core/organizations/guest-mails.ts';
import { checkOrganization, loadOrganization } from '#core/organizations/store.ts';
import type { Language } from '#core/schema/format.ts';
import type { Structure } from '#core/structure/structure.ts';
import { answerLookup, followPath } from './answers.ts';
import type { Response } from './model.ts';
import { checkDraft, listEntries, parseResponse } from './store.ts';

/**
 * A draft in a list, without its answers. `answered`: how many of the `asked` questions have one: those on the path that its answers
 * decide, which continues after questions that are still to be answered unless it `isWhole`.
 */
export type ListedDraft = Pick<Response, 'id' | 'userId' | 'createdAt' | 'updatedAt'> & {
  answered: number;
  asked: number;
  isWhole: boolean;
  reminder: Job | undefined;
};

/** The size of the drafts that are read for a list, by their index entries. */
const LIST_KB = 10_240;

/**
 * Lists drafts of a form, begun last first. Indexes lag: one that was submitted meanwhile is left out. `last` is the position after
 * which the list continues, null at the end.
 */
export async function listDrafts(
  table: Table,
  structure: Structure,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ drafts: ListedDraft[]; last: string | null }> {
  const { formId } = structure;
  const { entries, last } = await listEntries(table, formId, ['DRAFT'], {
    ...{ limit, after, descending: true, maxKb: LIST_KB },
  });
  const items = await table.read(
    entries.flatMap(({ id }) => [keys.response(id), keys.reminder(id)]),
    'eventual',
  );
  const drafts = entries.flatMap((_, index): ListedDraft[] => {
    const response = parseResponse(items[2 * index]);
    if (response?.formId !== formId || response.progress !== 'DRAFT') return [];
    const { id, userId, createdAt, updatedAt, answers } = response;
    const path = followPath({ response, structure });
    const asked = [...path.questions.values()].filter(({ hidden }) => !hidden);
    const answered = asked.filter((question) => answerLookup(answers)(question.id)).length;
    const reminder = parseJob(items[2 * index + 1]);
    return [{ id, userId, createdAt, updatedAt, answered, asked: asked.length, isWhole: path.complete, reminder }];
  });
  return { drafts, last };
}

// Reminders. Nobody has asked for them, so they count as the mails of the organization to guests do, and end like these.

/** The data of a reminder. */
export type ReminderMail = { orgId: string; addressHash: string; language: Language | null };

/** How long after a reminder there is none of the same draft. */
const PAUSE_MS = 24 * 60 * 60 * 1_000;

/** The drafts that one transaction reminds of: each takes two of its writes. */
const GROUP = 40;

type ReminderPorts = Pick<ChangePorts, 'table' | 'now' | 'language'> & MailLimit;

/**
 * Queues a reminder of each of some drafts of a form, once in a day each: of those whose respondent has an address that takes such
 * mails, as many as the organization may still send on this day; none while its mails are paused, or the form is not open. Returns
 * how many were queued.
 */
export async function remindOfDrafts(
  app: ReminderPorts,
  form: Pick<Gate, 'formId' | 'orgId'>,
  responseIds: readonly string[],
): Promise<number> {
  const ids = [...new Set(responseIds)];
  let queued = 0;
  // One after the other: each counts its mails in the item of the organization.
  for (let start = 0; start < ids.length; start += GROUP)
    queued += await remindOfGroup(app, form, ids.slice(start, start + GROUP));
  return queued;
}

const remindOfGroup = (
  app: ReminderPorts,
  { formId, orgId }: Pick<Gate, 'formId' | 'orgId'>,
  ids: readonly string[],
): Promise<number> =>
  change(
    { table: app.table },
    {
      reload: async () => {
        const [gateItem, mailsItem, ...items] = await app.table.read([
          keys.formGate(formId),
          keys.guestMails(orgId),
          ...ids.flatMap((id) => [keys.response(id), keys.reminder(id)]),
        ]);
        const drafts = ids.flatMap((_, index) => {
          const response = parseResponse(items[2 * index]);
          const reminder = parseJob(items[2 * index + 1]);
          const isRemindable = response?.formId === formId && response.progress === 'DRAFT';
          return isRemindable && !wasReminded(reminder, app.now()) ? [{ response, reminder }] : [];
        });
        const [respondents, organization] = await Promise.all([
          loadRespondents(
            app.table,
            drafts.map(({ response }) => response.userId),
          ),
          loadOrganization(app.table, orgId),
        ]);
        const addressed = drafts.flatMap(({ response, reminder }) => {
          const [address] = respondents.get(response.userId)?.emails ?? [];
          return address ? [{ response, reminder, addressHash: hashAddress(orgId, address) }] : [];
        });
        const noMails = await loadNoMails(
          app.table,
          orgId,
          addressed.map(({ addressHash }) => addressHash),
        );
        return {
          ...{ gate: parseGate(gateItem), mails: parseGuestMails(mailsItem), organization },
          wanted: addressed.filter(({ addressHash }) => !noMails.has(addressHash)),
        };
      },
      decide: ({ gate, mails, organization, wanted }) => {
        const now = app.now();
        const left =
          organization && gate && isOpen(gate, now) && !mails?.pausedAt
            ? Math.max(0, mailsPerDay(organization, app, now) - mailsToday(mails, now))
            : 0;
        const taken = wanted.slice(0, left);
        if (taken.length === 0) return { writes: [], result: 0 };
        const writes: Write[] = [
          countMails(orgId, mails, taken.length, now),
          checkOrganization(orgId),
          ...taken.flatMap(({ response, reminder, addressHash }) => {
            const data: ReminderMail = { orgId, addressHash, language: app.language ?? null };
            const job = newJob({ key: keys.reminder(response.id), kind: 'draft-reminder', data }, now);
            return [checkDraft(response.id), replaceJob(job, reminder)];
          }),
        ];
        return { writes, result: taken.length };
      },
    },
  );

/** Whether a draft has a reminder that is under way, or is less than a day old. */
const wasReminded = (reminder: Job | undefined, now: Date): boolean =>
  reminder !== undefined && (isPending(reminder) || now.getTime() - Date.parse(reminder.queuedAt) < PAUSE_MS);
