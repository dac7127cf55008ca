/** Seven faults in one deployment, each in another function: what does not work is named, and nothing else. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { BUNDLES } from '#test/deployment/synthesis/bundles.ts';
import { find } from '#test/support/requests.ts';
import { ROOT } from '#test/support/sources.ts';
import { listDenied, listLateDeliveries, PAGES, tryOperation, tryPage } from './checks.ts';
import { ownDeployment } from './service.ts';

const REVIEWERS = join(BUNDLES, 'pages/reviewers');
const WITHOUT_ASSETS = join(ROOT, '.sst/without-assets.zip');
const code = readdirSync(REVIEWERS).map((file) => [file, readFileSync(join(REVIEWERS, file))] as const);
writeFileSync(WITHOUT_ASSETS, zipSync(Object.fromEntries(code), { level: 0 }));

const service = ownDeployment('faulty', {
  faults: {
    FormsListFontsFunction: ['index[.]handler', 'main.handler'],
    UnitsListUnitsRole: [String.raw`\\"dynamodb:GetItem\\",`, ''],
    FormsGetCoverFunction: ['"BUCKET_NAME":"[^"]*",', ''],
    'GET /api/forms/{formId}/exports': ['integrations/[^"]*', 'integrations/none'],
    PagesReviewersCode: ['"path":"[^"]*"', `"path":"${WITHOUT_ASSETS}"`],
    WorkerDeliverStream: ['NewImage', 'NoImage'],
    WorkerBuildExportsScheduleRole: ['"inlinePolicies":.*"}]', '"inlinePolicies":[]'],
  },
});

let late: Promise<string[]>;
beforeAll(() => {
  // Deliveries are waited for, while the others are requested.
  late = listLateDeliveries(service());
});

test.for([
  [
    'a handler path that does not exist',
    'listFonts',
    /^FormsListFonts: GET .*\/fonts: 502 .*Cannot find module .*main/,
  ],
  ['an environment variable too few', 'getCover', /^FormsGetCover: GET .*\/cover: 500 .*BUCKET_NAME/s],
  ['a route without integration', 'listExports', /^ExportsListExports: GET .*\/exports: 500 .*No integration/],
] as const)('%s is named', async ([, operation, says]) => {
  await expect(tryOperation(service(), find(operation))).rejects.toThrow(says);
});

test('assets that are not packed are named', async () => {
  const says = /^PagesReviewers: GET \/review\/\{formId\}: 50\d .*dist\/assets/s;
  await expect(tryPage(service(), '/review/{formId}')).rejects.toThrow(says);
});

// `deployment.test.ts` sends a request to every one.
test.for(['listForms', 'listUnits', 'createUnit', 'downloadFile'])('%s, beside them, works', async (operation) => {
  await tryOperation(service(), find(operation));
});

test.for(PAGES.filter((page) => !page.startsWith('/review')))('%s, beside them, works', async (page) => {
  await tryPage(service(), page);
});

test('a stream filter that selects nothing is named', async () => {
  expect(await late).toEqual([
    expect.stringMatching(/^WorkerDeliver did not ses:SendEmail nora\..* within 12 seconds$/),
    expect.stringMatching(/^WorkerDeliver did not s3:PutObject exports\/.* within 12 seconds$/),
  ]);
});

test('a missing action and a schedule without permission are named', () => {
  expect(listDenied(service())).toEqual([
    expect.stringMatching(/^UnitsListUnits may not dynamodb:GetItem on arn:aws:dynamodb:.*:table\//),
    expect.stringMatching(/^WorkerBuildExportsSchedule may not lambda:InvokeFunction on .*WorkerBuildExports/),
  ]);
});
