/**
 * The gate of a form: the fields that decide whether it is visible and open and what follows a submission, in one small
 * item. Requests of respondents read it instead of the settings (up to 350 KB) and the structure.
 */
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import type { NoticeMarks } from '#core/jobs/notices.ts';
import { problems } from '#core/problems/problems.ts';
import type { Form } from './model.ts';
import { type BlankInGate, type GateSettings, pickForGate } from './settings.ts';
import { getSpreadsheetId } from './spreadsheet-model.ts';

type GateFields = GateSettings &
  Pick<Form, 'orgId' | 'creatorId' | 'status' | 'limitedSince' | 'shortening'> & {
    formId: string;
    /** The Google spreadsheet that receives the submissions; null without one. */
    spreadsheetId: string | null;
  };

/**
 * `structureVersion`: the current version of the form's structure. `notices`: since when there are members who get mails about new
 * responses, by how often; absent without any. `hasEdits`: an edit was kept beside a submission, so there may be others.
 */
export type Gate = GateFields & { structureVersion: number; notices?: NoticeMarks; hasEdits?: true };

const toGateFields = (form: Form): GateFields => ({
  formId: form.id,
  orgId: form.orgId,
  creatorId: form.creatorId,
  status: form.status,
  ...pickForGate(form),
  ...(form.limitedSince !== undefined && { limitedSince: form.limitedSince }),
  ...(form.shortening && { shortening: form.shortening }),
  spreadsheetId: getSpreadsheetId(form),
});

/**
 * What a gate has that was stored before a setting existed: the `blank` of each setting of the table that requests of respondents read.
 * Not taken from the table, which has the schemas and texts of all settings, so that those requests load little.
 */
const BLANK_IN_GATE: BlankInGate = {
  audience: 'ACCOUNT',
  oncePerPerson: false,
  publishTime: null,
  deadline: null,
  sendResponseEmail: false,
  noticesWithAnswers: false,
  maxResponses: null,
  retentionDays: null,
  draftDays: null,
  dressing: {},
  layout: 'SECTIONS',
};

/** Parses the gate of an item; undefined when there is none. */
export const parseGate = (item: Item | undefined): Gate | undefined =>
  item
    ? {
        ...BLANK_IN_GATE,
        ...decode<Omit<Gate, 'structureVersion'>>(item),
        structureVersion: Number(item.structureVersion),
        ...(item.notices !== undefined && { notices: item.notices as NoticeMarks }),
        ...(item.hasEdits === true && { hasEdits: true }),
      }
    : undefined;

/** Returns the gate that a form with these settings has. */
export const toGate = (form: Form, structureVersion: number): Gate => ({ ...toGateFields(form), structureVersion });

/** Builds the write that creates the gate of a form. */
export const createGate = (form: Form, structureVersion: number): Write => ({
  put: { ...keys.formGate(form.id), ...encode(toGateFields(form)), structureVersion },
  when: { absent: true },
});

/**
 * Builds the writes that follow a change of a form's settings: none when no field of the gate changes. With
 * `structureVersion`, only if the structure still has that version.
 */
export function updateGate(next: Form, before: Form, structureVersion?: number): Write[] {
  const set = encode(toGateFields(next));
  if (structureVersion === undefined && set.data === encode(toGateFields(before)).data) return [];
  const when = structureVersion === undefined ? { absent: false } : { equals: { structureVersion } };
  return [{ update: keys.formGate(next.id), set, when }];
}

/** Builds the write that marks that an edit was kept beside a submission; with the first one of the form. */
export const markEdits = ({ formId, hasEdits }: Pick<Gate, 'formId' | 'hasEdits'>): Write[] =>
  hasEdits ? [] : [{ update: keys.formGate(formId), set: { hasEdits: true }, when: { absent: false } }];

/** Builds the write that removes the gate: from then on the form is visible to nobody and takes no responses. */
export const removeGate = (formId: string): Write => ({ remove: keys.formGate(formId) });

/** Names the attribute that counts the submitted responses; no earlier cap of the form has had that name. */
export const nameFormCounter = ({ limitedSince }: Pick<Form, 'limitedSince'>): string =>
  limitedSince === undefined ? 'taken' : `taken_${limitedSince}`;

/** The fields that decide whether a form is open. */
export type Opening = Pick<Form, 'status' | 'publishTime' | 'deadline'>;

/** Whether a form takes responses, or why not. */
export type FormState = 'open' | 'draft' | 'archived' | 'not-yet' | 'closed';

/** Returns whether a form takes responses now, or why not. */
export function getFormState({ status, publishTime, deadline }: Opening, now: Date): FormState {
  if (status !== 'PUBLISHED') return status === 'DRAFT' ? 'draft' : 'archived';
  const time = now.toISOString();
  if (publishTime !== null && time < publishTime) return 'not-yet';
  return deadline !== null && time > deadline ? 'closed' : 'open';
}

/** Returns why a form takes no responses now, or null when it is open. */
export function closedReason(form: Opening, now: Date): string | null {
  const reasons: Record<FormState, string | null> = {
    open: null,
    draft: 'The form is a draft: it has not been published yet.',
    archived: 'The form is archived.',
    'not-yet': `The form is not yet open: it opens at ${form.publishTime}.`,
    closed: `The form is closed: its deadline was ${form.deadline}.`,
  };
  return reasons[getFormState(form, now)];
}

/** Whether a form takes responses now. */
export const isOpen = (form: Opening, now: Date): boolean => getFormState(form, now) === 'open';

/** Throws 400 with the reason when a form takes no responses now. */
export function requireOpen(form: Opening, now: Date): void {
  const reason = closedReason(form, now);
  if (reason !== null) throw problems.formNotOpen(reason);
}
