/** The identity of the requested list; its cursors are valid for this list only. */
import type { Caller } from '#core/access/access.ts';
import type { Declaration } from '#core/api/declare.ts';
import type { Input } from './state.ts';

/** Everything that selects the list: operation, caller, path, query without paging, and body. */
export function listOf(
  declaration: Declaration,
  { user, input }: { user?: Caller | undefined; input: Input },
): unknown {
  const { limit: _limit, cursor: _cursor, ...query } = (input.query ?? {}) as Record<string, unknown>;
  return [declaration.noun, declaration.name, user?.id ?? '', input.params, query, input.body ?? null];
}
