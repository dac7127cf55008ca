/**
 * Seven faults of a deployment, each in another function: what `faults.test.ts` expects to be named. `apply.ts` loads this
 * file and calls `inject` for each resource.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { unzipSync, zipSync } from 'fflate';
import * as z from 'zod';

type Inputs = Record<string, unknown>;

const Archive = z.object({ path: z.string() });
const Environment = z.object({ variables: z.record(z.string(), z.string()) });

/** The policies of a role without an action. */
const without = (action: string, policies: unknown) =>
  z
    .array(z.object({ policy: z.string() }))
    .parse(policies)
    .map(({ policy }) => ({ policy: policy.replaceAll(`"${action}",`, '') }));

/** Writes an archive with changed files beside it; without those that `change` drops. Returns its path. */
export function repack(path: string, change: (name: string, bytes: Uint8Array) => Uint8Array | undefined): string {
  const files = Object.entries(unzipSync(readFileSync(path))).flatMap(([name, bytes]) => {
    const changed = change(name, bytes);
    return changed ? [[name, changed] as const] : [];
  });
  writeFileSync(`${path}.faulty.zip`, zipSync(Object.fromEntries(files), { level: 0 }));
  return `${path}.faulty.zip`;
}

/** The changes of inputs by the name of the resource; a route is named by its key. */
const FAULTS: Readonly<Record<string, (inputs: Inputs) => Inputs>> = {
  // A handler path that does not exist.
  FormsListFontsFunction: () => ({ handler: 'main.handler' }),
  // A missing action.
  UnitsListUnitsRole: ({ inlinePolicies }) => ({ inlinePolicies: without('dynamodb:GetItem', inlinePolicies) }),
  // An environment variable too few.
  FormsGetCoverFunction: ({ environment }) => {
    const { BUCKET_NAME: _, ...variables } = Environment.parse(environment).variables;
    return { environment: { variables } };
  },
  // A route without integration.
  'GET /api/forms/{formId}/exports': () => ({ target: 'integrations/none' }),
  // Assets that are not packed.
  PagesReviewersCode: ({ source }) => ({
    source: {
      path: repack(Archive.parse(source).path, (name, bytes) => (/^dist\/assets/.test(name) ? undefined : bytes)),
    },
  }),
  // A stream filter that selects nothing.
  WorkerDeliverStream: () => ({ filterCriteria: { filters: [{ pattern: '{"eventName":["NONE"]}' }] } }),
  // A schedule without permission.
  WorkerBuildExportsScheduleRole: () => ({ inlinePolicies: [] }),
};

/** Changes the inputs of a resource in place if a fault is in it. */
export function inject(_type: string, name: string, inputs: Inputs): void {
  Object.assign(inputs, FAULTS[String(inputs.routeKey ?? name)]?.(inputs));
}
