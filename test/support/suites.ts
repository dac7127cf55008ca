/** Which tests belong to `npm test`, and which `.ci/run` leaves to the whole run, `.ci/run whole`. */

/**
 * The pages and the operations of each area. They have a suite of their own (`npm run test:areas`), so that `npm test` ends in
 * about a minute; what tests every operation alike is in that.
 */
export const AREAS = ['test/pages/**/*.test.ts', 'test/operations/!(http)/**/*.test.ts'];

/** What `.ci/run` leaves out, with `SHORT=true`, to end within twelve minutes: the longest files, beside `test/endurance`. */
export const LONG = [
  'operations/deliveries/due-deliveries',
  'operations/deliveries/spreadsheet',
  'operations/deliveries/spreadsheet-set-meanwhile',
  'operations/forms/list-my-forms',
  'operations/forms/notices',
  'operations/guests/addresses',
  'operations/guests/drafts',
  'operations/guests/invitations',
  'operations/guests/limits',
  'operations/guests/sending',
  'operations/responses/asked-counts',
  'operations/responses/places',
  'operations/responses/retention',
  'operations/responses/statistics-count',
  'pages/addresses',
  'pages/created-again',
  'pages/home',
  'slow/client-package',
  'slow/counted-answers',
  'slow/counts-of-many',
  'slow/delete-form',
  'slow/delete-form-files',
  'slow/delete-response-files',
  'slow/dirty-responses',
  'slow/domain-files',
  'slow/export-again',
  'slow/feature-costs',
  'slow/forms-by-pages',
  'slow/large-organization',
  'slow/measured',
  'slow/moved-questions',
  'slow/page-needs',
  'slow/second-run',
  'slow/spreadsheet-outages',
  'slow/spreadsheet-quota',
  'slow/start',
  'slow/statistics',
  'slow/stored-shapes',
  'slow/tour',
  'browser/addresses',
  'browser/builder',
  'browser/building-cost',
  'browser/changes',
  'browser/docs',
  'browser/editor',
  'browser/editor-finds',
  'browser/enter',
  'browser/every-member',
  'browser/frame',
  'browser/gates',
  'browser/in-place',
  'browser/invitations',
  'browser/long-words',
  'browser/nothing-lost',
  'browser/one-question',
  'browser/organizers',
  'browser/organizers-keyboard',
  'browser/organizers-states',
  'browser/questions',
  'browser/rebuilt-forms',
  'browser/refusals',
  'browser/respondent-feedback',
  'browser/respondent-saving',
  'browser/respondent-states',
  'browser/reviewer',
  'browser/reviewers-morning',
  'browser/rules',
  'browser/second-minute',
  'browser/server-pages',
  'browser/statistics-count',
  'browser/styles',
  'browser/unsaved',
  'browser/versions',
  'emulator/other-dynamodb',
].map((name) => `test/${name}.test.ts`);

/** Whether the command names a file or a folder of the areas, which then runs without the name of its suite. */
const namesArea = process.argv.some((arg) => /^(?:\.\/)?test\/(?:pages|operations)\b/.test(arg));

/** What `npm test` leaves to the suite of the areas. */
export const leftToAreas = (): string[] => (namesArea ? [] : AREAS);

/** What suites leave to the whole run. */
export const leftToWholeRun = (): string[] => (process.env.SHORT === 'true' ? LONG : []);
