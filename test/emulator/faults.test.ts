/** Every fault that is injected into a deployment is named with its function, and nothing else is. */
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { faultsOfDelivery, faultsOfOperations, faultsOfPages, faultsOfPermissions } from './checks.ts';
import { ownDeployment } from './service.ts';

const service = ownDeployment('faulty', { faults: join(import.meta.dirname, 'inject.ts') });
let faults: string[];
beforeAll(async () => {
  faults = [
    ...(await faultsOfOperations(service())),
    ...(await faultsOfPages(service())),
    ...(await faultsOfDelivery(service())),
    ...faultsOfPermissions(service()),
  ];
});

/** The faults of `inject.ts`. */
const EXPECTED: readonly [fault: string, says: RegExp][] = [
  ['a handler path that does not exist', /^FormsListFontsFunction: GET .*\/fonts: 502 .*Cannot find module .*main/],
  ['a missing action', /^UnitsListUnitsFunction may not dynamodb:GetItem on arn:aws:dynamodb:.*:table\//],
  ['an environment variable too few', /^FormsGetCoverFunction: GET .*\/cover: 500 .*BUCKET_NAME/s],
  ['a route without integration', /^ExportsListExportsFunction: GET .*\/exports: 500 .*No integration/],
  ['assets that are not packed', /^PagesReviewersFunction: GET \/review\/\{formId\}: 50\d .*dist\/assets/s],
  ['a stream filter that selects nothing', /^WorkerDeliverFunction did not ses:SendEmail nora\..* within 45 seconds$/],
  ['a schedule without permission', /^WorkerBuildExportsScheduleSchedule may not invoke .*WorkerBuildExports/],
];

test.for(EXPECTED)('%s is named', ([, says]) => {
  expect(faults).toContainEqual(expect.stringMatching(says));
});

test('what has no fault is not named', () => {
  const expected = EXPECTED.map(([, says]) => /^\^(\w+)/.exec(says.source)?.[1]);
  expect(new Set(faults.map((fault) => /^\w+/.exec(fault)?.[0]))).toEqual(new Set(expected));
});
