/** Path parameters as openers read them, each when its turn comes in the order of checks. */

import { problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';

/** The identifier in a path parameter; 400 when it is malformed. */
export function pathId(params: Readonly<Record<string, string>>, name: string): string {
  const id = params[name] ?? '';
  if (isId(id)) return id;
  throw problems.invalid([{ pointer: `/path/${name}`, detail: 'must be a lower-case UUID' }]);
}
