/**
 * The functions of a deployment, derived from the plan: one for each operation, for the pages of each audience, and for
 * each worker.
 */
import type { Need } from '#core/api/declare.ts';
import type { WorkerSource } from '#core/api/workers.ts';
import { ASSETS_DIRECTORY } from '#core/pages/shell/assets.ts';
import { type PageFunction, type PlanRow, pagePlan, plan, type WorkerRow, workerPlan } from './plan.ts';

/** A function that is deployed. */
export type DeployedFunction = {
  /** `FormsCreateForm`; unique. */
  name: string;
  /** Relative to the project: `functions/forms/create-form.ts`. */
  file: string;
  needs: readonly Need[];
  memoryMb: number;
  timeoutSeconds: number;
  /** A directory that is deployed beside the code, under the same path. */
  directory?: string;
};

/** A function of the API with its route keys, such as `GET /api/forms/{formId}`. */
export type ApiFunction = DeployedFunction & { routes: readonly string[] };

/** A worker with what invokes it. */
export type WorkerFunction = DeployedFunction & { source: WorkerSource };

/** The function of requests that match no other route: a page for browsers, a problem for clients of the API. */
export const FALLBACK: ApiFunction = {
  name: 'Fallback',
  file: 'functions/fallback/not-found.ts',
  needs: [],
  memoryMb: 512,
  timeoutSeconds: 5,
  directory: ASSETS_DIRECTORY,
  routes: ['$default'],
};

/** The directory of a bundle below that of all bundles, from the handler file: `forms/create-form`. */
export const bundlePath = (file: string): string => file.replace(/^functions\//, '').replace(/\.ts$/, '');

/** `forms.createForm` as `FormsCreateForm`. */
const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[^a-zA-Z0-9])([a-zA-Z0-9])/g, (_match, first: string) => first.toUpperCase());

type Sizes = Omit<DeployedFunction, 'name' | 'directory'>;
const pickSizes = ({ file, needs, memoryMb, timeoutSeconds }: Sizes): Sizes => ({
  file,
  needs,
  memoryMb,
  timeoutSeconds,
});

/** The function of an operation with all of its routes. */
function operationFunction([operation, rows]: [string, PlanRow[]]): ApiFunction {
  const [row] = rows;
  if (!row) throw new Error(`${operation} has no row`);
  return {
    name: pascalCase(operation),
    ...pickSizes(row),
    routes: rows.map(({ method, path }) => `${method} ${path}`),
  };
}

const pageFunction = (row: PageFunction): ApiFunction => ({
  name: `Pages${pascalCase(row.audience)}`,
  ...pickSizes(row),
  directory: ASSETS_DIRECTORY,
  routes: row.paths.map((path) => `ANY ${path}`),
});

const workerFunction = (row: WorkerRow): WorkerFunction => ({
  name: `Worker${pascalCase(row.worker)}`,
  ...pickSizes(row),
  source: row.source,
});

/** The functions behind the API: operations, pages, and what responds to everything else. */
export const apiFunctions: readonly ApiFunction[] = [
  ...[...Map.groupBy(plan, ({ operation }) => operation)].map(operationFunction),
  ...pagePlan.map(pageFunction),
  FALLBACK,
];

/** The functions that run after writes and on schedules. */
export const workerFunctions: readonly WorkerFunction[] = workerPlan.map(workerFunction);

export const allFunctions: readonly (ApiFunction | WorkerFunction)[] = [...apiFunctions, ...workerFunctions];
