/**
 * The routes of the local service: every row of the plans of operations and pages with its handler, loaded from its file
 * at the first request, and the function of requests that match no other route.
 */
import { FALLBACK } from '../../functions.ts';
import { pagePlan, plan } from '../../plan.ts';
import { loadHandler } from './lambda.ts';
import { DEFAULT_ROUTE, type Route } from './router.ts';

/** All routes of the plans. */
export const routes = (): Route[] => [
  ...plan.map((row) => ({ method: row.method, path: row.path, ...toFunction(row) })),
  ...pagePlan.flatMap((row) => {
    const lambda = toFunction(row);
    return row.paths.map((path) => ({ method: 'ANY', path, ...lambda }));
  }),
  { method: 'ANY', path: DEFAULT_ROUTE, ...toFunction(FALLBACK) },
];

type Row = { file: string; timeoutSeconds: number; memoryMb: number };

const toFunction = ({ file, timeoutSeconds, memoryMb }: Row): Omit<Route, 'method' | 'path'> => ({
  handler: loadHandler(file),
  timeoutMs: timeoutSeconds * 1_000,
  memoryMb,
});
