/** The identity of the requested list; its cursors are valid for this list only. */
import type { Declaration } from '#core/api/declare.ts';
import type { State } from './state.ts';

/** Everything that selects the list: operation, caller, path, query without paging, and body. */
export function listOf(declaration: Declaration, { user, input }: Pick<State, 'user' | 'input'>): unknown {
  const { limit: _limit, cursor: _cursor, ...query } = (input.query ?? {}) as Record<string, unknown>;
  return [declaration.noun, declaration.name, user?.id ?? '', input.params, query, input.body ?? null];
}
