/**
 * The plan derives the functions from the declarations: one row per route, one per worker. The local service, the
 * deployment and the tests read these rows; nothing else knows where the handler files are.
 */
import { type Declaration, handlerFile, type Method, type Need } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { allWorkers, type WorkerDeclaration, type WorkerSource, workerFile } from '#core/api/workers.ts';
import { operationNeeds } from '#core/http/needs.ts';
import type { Audience } from '#core/pages/shell/declare-page.ts';
import { PAGE_ROUTES } from './page-routes.ts';

export type PlanRow = {
  /** `forms.createForm` */
  operation: string;
  method: Method | 'HEAD';
  /** With the base path: `/api/orgs/{slug}/forms`. */
  path: string;
  /** Relative to the project: `functions/forms/create-form.ts`. */
  file: string;
  needs: readonly Need[];
  memoryMb: number;
  timeoutSeconds: number;
};

/** The rows of an operation: one for its method, and one for HEAD, which HTTP APIs do not route to GET. */
export function listRows(declaration: Declaration): PlanRow[] {
  const row = {
    operation: `${declaration.noun}.${declaration.name}`,
    method: declaration.method,
    path: `/api${declaration.path}`,
    file: handlerFile(declaration),
    needs: operationNeeds(declaration),
    memoryMb: declaration.memoryMb ?? 512,
    timeoutSeconds: declaration.timeoutSeconds ?? 15,
  };
  return declaration.head ? [row, { ...row, method: 'HEAD' }] : [row];
}

/** One function for all pages of an audience, with one route for each path, which takes every method. */
export type PageFunction = {
  audience: Audience;
  /** Relative to the project: `functions/pages/respondents.ts`. */
  file: string;
  paths: readonly string[];
  needs: readonly Need[];
  memoryMb: number;
  timeoutSeconds: number;
};

/** The functions of the pages. They read the built assets in `dist/assets`, which are deployed beside the code. */
export const pagePlan: readonly PageFunction[] = Object.entries(PAGE_ROUTES).map(([audience, { needs, files }]) => ({
  audience: audience as Audience,
  file: `functions/pages/${audience}.ts`,
  paths: Object.keys(files),
  needs,
  memoryMb: audience === 'assets' ? 256 : 1_024,
  // Reviewers also download workbooks, which are built in the request.
  timeoutSeconds: audience === 'reviewers' ? 29 : 15,
}));

export const plan: readonly PlanRow[] = operations.flatMap(listRows);

export type WorkerRow = {
  /** `deliver` */
  worker: string;
  source: WorkerSource;
  /** `functions/workers/deliver.ts` */
  file: string;
  needs: readonly Need[];
  memoryMb: number;
  timeoutSeconds: number;
};

const workerRow = (declaration: WorkerDeclaration): WorkerRow => ({
  worker: declaration.name,
  source: declaration.source,
  file: workerFile(declaration),
  needs: declaration.needs,
  memoryMb: declaration.memoryMb ?? 512,
  timeoutSeconds: declaration.timeoutSeconds ?? 60,
});

/** The rows of all workers. */
export const workerPlan: readonly WorkerRow[] = allWorkers.map(workerRow);
