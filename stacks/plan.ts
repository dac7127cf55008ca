/**
 * The plan derives the functions of the API from the declarations: one row per route. The local service, the
 * deployment and the tests read these rows; nothing else knows where the handler files are.
 */
import { type Declaration, handlerFile, type Method, type Need } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { impliedNeeds } from '#core/http/needs.ts';

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
export function rowsOf(declaration: Declaration): PlanRow[] {
  const row = {
    operation: `${declaration.noun}.${declaration.name}`,
    method: declaration.method,
    path: `/api${declaration.path}`,
    file: handlerFile(declaration),
    needs: impliedNeeds(declaration),
    memoryMb: declaration.memoryMb ?? 512,
    timeoutSeconds: declaration.timeoutSeconds ?? 15,
  };
  return declaration.head ? [row, { ...row, method: 'HEAD' }] : [row];
}

/** All rows. */
export const plan: readonly PlanRow[] = operations.flatMap(rowsOf);
