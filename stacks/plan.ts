/**
 * The plan: what the declarations come to when they are run, one row for each operation. The local runtime, the
 * deployment and the tests read these rows; nothing else knows where a handler file is.
 */
import { type Declaration, handlerFile, type Method, type Need } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { impliedNeeds } from '#core/http/needs.ts';

export type PlanRow = {
  /** `forms.createForm` */
  operation: string;
  method: Method;
  /** With the base path: `/api/orgs/{slug}/forms`. */
  path: string;
  /** From the top of the project: `functions/forms/create-form.ts`. */
  file: string;
  needs: readonly Need[];
  memoryMb: number;
  timeoutSeconds: number;
};

/** The row of an operation. Files are built in memory, so what answers one gets more of it. */
export const planOf = (declaration: Declaration): PlanRow => ({
  operation: `${declaration.noun}.${declaration.name}`,
  method: declaration.method,
  path: `/api${declaration.path}`,
  file: handlerFile(declaration),
  needs: impliedNeeds(declaration),
  memoryMb: declaration.success.contentType ? 1_024 : 512,
  timeoutSeconds: declaration.success.contentType ? 29 : 15,
});

/** All rows. */
export const plan: readonly PlanRow[] = operations.map(planOf);
