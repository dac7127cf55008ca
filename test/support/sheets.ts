/** Spreadsheets in tests: a local API for a test file, forms that send their submissions to one, and its rows. */
import { beforeEach } from 'vitest';
import { parseConfig } from '#core/aws/config.ts';
import type { SpreadsheetStatus } from '#core/forms/spreadsheet-model.ts';
import { lazySheets } from '#core/google/lazy.ts';
import { type App, app } from '#core/http/app.ts';
import { attemptJobs } from '#core/jobs/attempt.ts';
import { spreadsheetRows } from '#core/sheets/sync.ts';
import { type Interference, type RunningSheets, startSheets } from '#stacks/local/sheets/sheets.ts';
import { filledRows } from '#stacks/local/sheets/spreadsheet.ts';
import { ownService } from './faults.ts';
import { newForm, type Person } from './fixtures.ts';
import { allDue } from './sweeps.ts';

type Interfere = (call: string, id: string, body: string) => Interference | undefined;

export type TestSheets = {
  api: RunningSheets;
  /** Decides what happens to each call from now on, until the test ends. */
  interfere(decide: Interfere): void;
};

/** Gives the test file its own spreadsheet API, which has every spreadsheet; by default without a quota. */
export function ownSheets(quota = Number.POSITIVE_INFINITY): () => TestSheets {
  let decide: Interfere = () => undefined;
  beforeEach(() => {
    decide = () => undefined;
  });
  const api = ownService(
    () => startSheets({ file: null, isShared: () => true, interfere: (...args) => decide(...args), quota }),
    ({ settings }) => {
      const { sheets } = parseConfig({ ...process.env, ...settings });
      return { sheets: lazySheets(() => sheets) };
    },
  );
  return () => ({
    api: api(),
    interfere: (next) => {
      decide = next;
    },
  });
}

/** Attempts the rows that are due some seconds from now, and nothing else. */
export async function attemptRowsIn(seconds: number): Promise<void> {
  const later: App = { ...app(), now: () => new Date(Date.now() + seconds * 1_000) };
  await attemptJobs(later, await allDue(later), { 'spreadsheet-row': spreadsheetRows });
}

export type SheetForm = { formId: string; questionId: string; spreadsheetId: string };

/** The address of a spreadsheet. */
export const addressOf = (spreadsheetId: string): string =>
  `https://docs.google.com/spreadsheets/d/${spreadsheetId}/edit`;

/** A form with one question that sends its submissions to a spreadsheet of its own. */
export async function sheetForm(editor: Person, slug: string): Promise<SheetForm> {
  const { formId, questionIds } = await newForm(editor, slug, [[{ type: 'SHORT_TEXT', title: 'Which lake?' }]]);
  const spreadsheetId = `sheet-${formId}`;
  await setSpreadsheet(editor, formId, addressOf(spreadsheetId));
  return { formId, questionId: questionIds[0] ?? '', spreadsheetId };
}

/** Sets the spreadsheet of a form. */
export const setSpreadsheet = (editor: Person, formId: string, spreadsheetUrl: string | null) =>
  editor.client.forms.updateForm({ params: { formId }, body: { spreadsheetUrl } });

/** The rows of a spreadsheet below its header, as the answers that they show; without cleared rows. */
export const answersIn = ({ api }: TestSheets, { spreadsheetId }: SheetForm): unknown[] =>
  filledRows(api.spreadsheet(spreadsheetId))
    .slice(1)
    .map((row) => row[3]);

/** Whether the submissions of a form reach its spreadsheet, as a member sees it. */
export const readStatus = async ({ client }: Person, formId: string): Promise<SpreadsheetStatus | null> =>
  (await client.forms.getForm({ params: { formId } })).body.spreadsheet;
