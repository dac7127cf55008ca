/** The routes of the local API: every row of the plan with its handler, loaded from its file at the first request. */
import { pathToFileURL } from 'node:url';
import type { LambdaHandler } from '#core/http/operation.ts';
import { type PlanRow, plan } from '#stacks/plan.ts';
import type { Route } from './router.ts';

/** All routes of the plan. */
export const routes = (): Route[] => plan.map(routeOf);

function routeOf(row: PlanRow): Route {
  let loaded: Promise<LambdaHandler> | undefined;
  const handler: Route['handler'] = async (event, context) => {
    loaded ??= load(row);
    return (await loaded)(event, context);
  };
  return { method: row.method, path: row.path, handler, timeoutMs: row.timeoutSeconds * 1_000 };
}

async function load(row: PlanRow): Promise<LambdaHandler> {
  const file = new URL(`../../${row.file}`, pathToFileURL(import.meta.filename));
  const module: { handler?: LambdaHandler } = await import(file.href);
  if (!module.handler) throw new Error(`${row.file} exports no handler`);
  return module.handler;
}
