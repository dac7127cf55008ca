/** Path parameters as openers read them, each when its turn comes in the order of checks. */
import { isId } from '#core/schema/model.ts';
import { problems } from './problems.ts';

/** The identifier in a path parameter; 400 when it is malformed. */
export function pathId(params: Readonly<Record<string, string>>, name: string): string {
  const id = params[name] ?? '';
  if (isId(id)) return id;
  throw problems.invalid([{ pointer: `/path/${name}`, detail: 'must be a lower-case UUID' }]);
}
