/** Lists forms for `/forms/me`: those that a user has responded to, and the open public ones. */
import { formKey, keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { type Gate, isOpen, parseGate } from '#core/forms/gate.ts';
import type { FormSummary } from '#core/forms/model.ts';
import { deadlineOrder, isListed } from '#core/forms/store.ts';
import { listOwnEntries, type ResponseEntry } from './store.ts';

/** The number of a user's responses that are considered, newest forms first. */
const MAX_CONSIDERED = 1_000;
/** The number of Queries of listings that skip forms that are not yet open. */
const MAX_LISTING_QUERIES = 10;
/** The least and the most listings that a Query looks at: a capacity unit reads about 30. */
const [LEAST_EXAMINED, MOST_EXAMINED] = [100, 4_000];

/**
 * Counts the listings that the n-th Query looks at, from 1. Nearly all listed forms are open, so the first looks at a few more
 * than it needs; each of the next ones looks at four times as many.
 */
const countExamined = (query: number, limit: number): number =>
  Math.min(Math.max(LEAST_EXAMINED, limit + 1) * 4 ** (query - 1), MOST_EXAMINED);

/** A form with the responses of a user to it: the submitted ones, then the drafts, both newest first. */
export type OwnForm = {
  gate: Gate;
  status: 'NOT_STARTED' | 'IN_PROGRESS' | 'COMPLETED';
  responseIds: readonly string[];
  newestDraftId: string | undefined;
};

/**
 * Lists a batch of a user's forms: open before closed, then by deadline, none last, then by title. Two round trips: the
 * user's responses and the listings, then the gates of these forms.
 */
export async function listOwnForms(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  userId: string,
  { limit, after = '' }: { limit: number; after: string | undefined },
): Promise<{ forms: OwnForm[]; next: string | null }> {
  const time = now();
  const [entries, listed] = await Promise.all([
    listOwnEntries(table, userId, MAX_CONSIDERED),
    readOpenListings(table, limit, after, time),
  ]);
  const responses = Map.groupBy(entries, ({ id }) => formKey(id));
  const gates = await loadGates(table, [...responses.keys(), ...listed.formIds.map(formKey)]);
  const positioned = gates
    .filter((gate) => responses.has(formKey(gate.formId)) || (isListed(gate) && isOpen(gate, time)))
    .map((gate) => ({ gate, position: formPosition(gate, time) }))
    // Forms after the last listing that was read are left to the next batch: unread listings may precede them.
    .filter(
      ({ position }) => compare(position, after) > 0 && (listed.last === null || compare(position, listed.last) <= 0),
    )
    .sort((a, b) => compare(a.position, b.position));
  const selected = positioned.slice(0, limit);
  return {
    forms: selected.map(({ gate }) => toOwnForm(gate, responses.get(formKey(gate.formId)) ?? [])),
    next: positioned.length > limit ? (selected.at(-1)?.position ?? null) : listed.last,
  };
}

/** Reads the ids of open public forms after a position, and the position up to which the list is complete. */
async function readOpenListings(
  table: Table,
  limit: number,
  after: string,
  now: Date,
): Promise<{ formIds: string[]; last: string | null }> {
  if (after.startsWith(CLOSED)) return { formIds: [], last: null };
  const formIds: string[] = [];
  // Deadlines in the past sort before the current time.
  let position = after === '' ? now.toISOString() : after.slice(OPEN.length);
  for (let queries = 1; ; queries += 1) {
    const batch = await table.list({
      ...partitions.publicFormsByDeadline(),
      limit: limit - formIds.length,
      after: position,
      notAfter: { attribute: 'publishTime', text: now.toISOString(), examined: countExamined(queries, limit) },
    });
    formIds.push(...batch.items.map(({ gsi2sk = '' }) => lastPart(gsi2sk)));
    if (batch.last === null) return { formIds, last: null };
    if (formIds.length >= limit || queries === MAX_LISTING_QUERIES) return { formIds, last: `${OPEN}${batch.last}` };
    position = batch.last;
  }
}

async function loadGates(table: Table, formKeys: readonly string[]): Promise<Gate[]> {
  const items = await table.read([...new Set(formKeys)].map(keys.formGate));
  return items.map(parseGate).filter((gate) => gate !== undefined);
}

const OPEN = '0#';
const CLOSED = '1#';

/** Builds the position of a form in the list of a respondent, as a sortable text. */
const formPosition = (gate: Gate, now: Date): string => (isOpen(gate, now) ? OPEN : CLOSED) + deadlineOrder(gate);

/** Compares texts in UTF-8 order, like the index. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Sums up the responses of a user to a form. */
function toOwnForm(gate: Gate, responses: readonly ResponseEntry[]): OwnForm {
  const submitted = responses.filter((response) => response.progress === 'SUBMITTED');
  const drafts = sortDrafts(responses);
  return {
    gate,
    status: responses.length === 0 ? 'NOT_STARTED' : drafts.length > 0 ? 'IN_PROGRESS' : 'COMPLETED',
    responseIds: [...newestFirst(submitted, (response) => response.submittedAt ?? response.createdAt), ...drafts],
    newestDraftId: drafts[0],
  };
}

/** Presents a form to a respondent as the API returns it. */
export const presentFormSummary = ({ gate, status, responseIds }: OwnForm, now: Date): FormSummary => ({
  id: gate.formId,
  title: gate.title,
  deadline: gate.deadline,
  allowEditResponse: gate.allowEditResponse && isOpen(gate, now) && responseIds.length > 0,
  status,
  responseIds: [...responseIds],
});

/** Returns the ids of the drafts among responses, newest first. */
const sortDrafts = (responses: readonly ResponseEntry[]): string[] =>
  newestFirst(
    responses.filter((response) => response.progress === 'DRAFT'),
    (response) => response.createdAt,
  );

const newestFirst = (responses: readonly ResponseEntry[], readTime: (response: ResponseEntry) => string): string[] =>
  responses.toSorted((a, b) => compare(readTime(b), readTime(a)) || compare(a.id, b.id)).map((response) => response.id);
