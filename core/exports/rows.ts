/**
 * Reads the rows of an export: the submitted responses of a form that it asks for, oldest submission first, with the answers
 * in the order of its columns and the name of the respondent.
 */

import { loadRespondents } from '#core/accounts/accounts.ts';
import { presentShortUser, respondentName } from '#core/accounts/model.ts';
import { readAhead } from '#core/db/batches.ts';
import { keys } from '#core/db/keys.ts';
import type { Item, Table } from '#core/db/table.ts';
import { countedAnswers } from '#core/responses/answers.ts';
import type { Answer, Response } from '#core/responses/model.ts';
import { parseResponse } from '#core/responses/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { keepFailed } from '#core/table/failed-copies.ts';
import { buildFilter } from '#core/table/filter.ts';
import { buildSearch } from '#core/table/matches.ts';
import { readSubmittedItems } from '#core/table/submitted.ts';
import type { TableColumn } from '#core/table/table.ts';
import type { ExportOptions } from './options.ts';

/** The respondents that are remembered while the rows are read; one has about 200 bytes. */
const MAX_REMEMBERED = 50_000;

/** A response with the answers to the columns, in their order. */
export type ExportRow = { response: Response; respondent: string; answers: readonly (Answer | undefined)[] };
/** Rows among some responses that were read. */
export type RowBatch = { readCount: number; rows: ExportRow[] };

/** What is read of a form. `isNamed`: whether rows name their respondents, who are read too, unless it is false. */
export type RowSource = {
  structure: Structure;
  columns: readonly TableColumn[];
  options: ExportOptions;
  isNamed?: boolean;
};

/** Reads the rows of an export in batches. */
export async function* readRows(
  table: Table,
  { structure, columns, options, isNamed = true }: RowSource,
): AsyncGenerator<RowBatch, void, undefined> {
  const { formId } = structure;
  const filter = buildFilter(structure, options.filters ?? []);
  for await (const { items, respondents } of readAhead(withRespondents(table, structure, options, isNamed))) {
    const responses = items.flatMap((item) => parseResponse(item) ?? []);
    const wanted = options.copies === undefined ? responses : await keepFailed(table, responses);
    const rows = wanted.flatMap((response): ExportRow[] => {
      if (response.formId !== formId) return [];
      const answerTo = countedAnswers({ response, structure });
      const respondent = respondents?.get(response.userId) ?? (respondents ? undefined : NOBODY);
      if (!respondent?.isFound(response) || !filter.matches(answerTo)) return [];
      return [{ response, respondent: respondent.name, answers: columns.map(({ id }) => answerTo(id)) }];
    });
    yield { readCount: items.length, rows };
  }
}

/** How a respondent is named, and which of their responses the search finds. */
type Named = { name: string; isFound: (response: Response) => boolean };
const NOBODY: Named = { name: '', isFound: () => true };

/** The items of responses in batches, with their respondents if somebody asks for them, of whom the most recent are remembered. */
async function* withRespondents(table: Table, structure: Structure, options: ExportOptions, isNamed: boolean) {
  const { respondent = '' } = options;
  if (!isNamed && respondent === '') {
    for await (const items of readItems(table, structure.formId, options)) yield { items };
    return;
  }
  const search = buildSearch(structure, respondent);
  let remembered = new Map<string, Named>();
  for await (const items of readItems(table, structure.formId, options)) {
    const userIds = items.map(({ userId }) => String(userId));
    const unknown = userIds.filter((userId) => !remembered.has(userId));
    if (remembered.size + unknown.length > MAX_REMEMBERED) remembered = pickRespondents(remembered, userIds);
    const loaded = await loadRespondents(table, unknown);
    for (const userId of unknown) {
      const known = loaded.get(userId);
      const user = presentShortUser(userId, known);
      remembered.set(userId, { name: respondentName(userId, known), isFound: (response) => search(response, user) });
    }
    yield { items, respondents: remembered as ReadonlyMap<string, Named> };
  }
}

const pickRespondents = (respondents: ReadonlyMap<string, Named>, userIds: readonly string[]): Map<string, Named> =>
  new Map(
    userIds.flatMap((userId): [string, Named][] => {
      const respondent = respondents.get(userId);
      return respondent === undefined ? [] : [[userId, respondent]];
    }),
  );

async function* readItems(
  table: Table,
  formId: string,
  { from, to, responseIds }: ExportOptions,
): AsyncGenerator<Item[], void, undefined> {
  if (responseIds === undefined) {
    yield* readSubmittedItems(table, formId, { from, to });
    return;
  }
  const items = await table.read(responseIds.map(keys.response));
  yield items
    .filter((item) => item?.progress === 'SUBMITTED')
    .filter((item) => item !== undefined)
    .filter(({ gsi2sk }) => isWithin(String(gsi2sk), { from, to }))
    .sort((a, b) => (String(a.gsi2sk) < String(b.gsi2sk) ? -1 : 1));
}

/** Whether a place in the order of submission, which begins with its time, is within a range. */
const isWithin = (position: string, { from, to }: Pick<ExportOptions, 'from' | 'to'>): boolean =>
  (from === undefined || position >= from) && (to === undefined || position < to);
