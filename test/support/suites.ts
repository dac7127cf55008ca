/** Which files `npm test` leaves to another suite, and which `.ci/run` skips. */

/**
 * The tests of the pages and of the operations of each area. They are a suite of their own (`npm run test:areas`), so that
 * `npm test` takes about a minute; the tables over all operations stay in `npm test`.
 */
export const AREAS = ['test/pages/**/*.test.ts', 'test/operations/!(http)/**/*.test.ts'];

/** What `.ci/run` skips besides `test/endurance` (it sets `SHORT=true`), to end within twelve minutes: the longest files. */
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

/** Whether the command names files or folders of the areas: `npx vitest run test/operations/users` runs them. */
const namesArea = process.argv.some((arg) => /^(?:\.\/)?test\/(?:pages|operations)\b/.test(arg));

/** What `npm test` leaves to the suite of the areas. */
export const leftToAreas = (): string[] => (namesArea ? [] : AREAS);

/** What a suite leaves to `.ci/run whole`. */
export const leftToWholeRun = (): string[] => (process.env.SHORT === 'true' ? LONG : []);
