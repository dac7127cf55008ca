/** Every fault that is injected into a deployment is named with its function, and nothing else is. */
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { find } from '#test/support/requests.ts';
import { faultsOfDelivery, faultsOfOperation, faultsOfPages, faultsOfPermissions } from './checks.ts';
import { ownDeployment } from './service.ts';

const service = ownDeployment('faulty', { faults: join(import.meta.dirname, 'inject.ts') });
/** Operations with faults, and others beside them; `deployment.test.ts` sends a request to every one. */
const OPERATIONS = ['listFonts', 'listForms', 'listUnits', 'createUnit', 'getCover', 'listExports', 'downloadFile'];

let faults: string[];
beforeAll(async () => {
  // Deliveries are waited for, while the others are requested.
  const [late, ...found] = await Promise.all([
    faultsOfDelivery(service()),
    ...OPERATIONS.map((name) => faultsOfOperation(service(), find(name))),
    faultsOfPages(service()),
  ]);
  faults = [...late, ...found.flat(), ...faultsOfPermissions(service())];
});

/** The faults of `inject.ts`. */
const EXPECTED: readonly [fault: string, says: RegExp][] = [
  ['a handler path that does not exist', /^FormsListFontsFunction: GET .*\/fonts: 502 .*Cannot find module .*main/],
  ['a missing action', /^UnitsListUnitsFunction may not dynamodb:GetItem on arn:aws:dynamodb:.*:table\//],
  ['an environment variable too few', /^FormsGetCoverFunction: GET .*\/cover: 500 .*BUCKET_NAME/s],
  ['a route without integration', /^ExportsListExportsFunction: GET .*\/exports: 500 .*No integration/],
  ['assets that are not packed', /^PagesReviewersFunction: GET \/review\/\{formId\}: 50\d .*dist\/assets/s],
  ['a stream filter that selects nothing', /^WorkerDeliverFunction did not ses:SendEmail nora\..* within 12 seconds$/],
  ['a schedule without permission', /^WorkerBuildExportsScheduleSchedule may not invoke .*WorkerBuildExports/],
];

test.for(EXPECTED)('%s is named', ([, says]) => {
  expect(faults).toContainEqual(expect.stringMatching(says));
});

test('what has no fault is not named', () => {
  const expected = EXPECTED.map(([, says]) => /^\^(\w+)/.exec(says.source)?.[1]);
  expect(new Set(faults.map((fault) => /^\w+/.exec(fault)?.[0]))).toEqual(new Set(expected));
});
