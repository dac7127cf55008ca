/** What tests of spreadsheet rows start from: a cast, an own spreadsheet API, forms with a spreadsheet, and their rows. */
import { filledRows } from '#stacks/local/sheets/spreadsheet.ts';
import { muteErrors } from '#test/support/console.ts';
import { castAt, preview, text } from '#test/support/responses.ts';
import { answersIn, ownSheets, type SheetForm, sheetForm } from '#test/support/sheets.ts';

/** Gives the test file a cast and a spreadsheet API of its own. */
export async function sheetScene() {
  const cast = await castAt();
  const sheets = ownSheets();
  muteErrors();
  return {
    cast,
    sheets,
    newSheetForm: (): Promise<SheetForm> => sheetForm(cast.alice, cast.slug),
    rowsOf: ({ spreadsheetId }: SheetForm) => filledRows(sheets().api.spreadsheet(spreadsheetId)),
    answers: (form: SheetForm) => answersIn(sheets(), form),
    answer: ({ questionId }: SheetForm, value: string) => [text(questionId, value)],
    /** The status of a row as a member sees it. */
    rowFate: async (formId: string, responseId: string) =>
      (await preview(cast.bob, formId, responseId)).deliveries?.spreadsheet,
  };
}
