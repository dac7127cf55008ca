/** Whether a form may be published: its workflow has no fault (contract section 4, "Status"). */
import { problems } from '#core/problems/problems.ts';
import type { Structure } from '#core/structure/structure.ts';
import { workflowInfo } from './workflow-check.ts';

/** Throws 400 with the `info` items of the workflow as `errors` unless the form may be published. */
export function requirePublishable(structure: Structure): void {
  const info = workflowInfo(structure);
  if (info.length === 0) return;
  const errors = info.map(({ nodeId, message }) => ({
    pointer: nodeId ? `/workflow/${nodeId}` : '/workflow',
    detail: message,
  }));
  throw problems.wrongState(
    'workflow_invalid',
    'The form cannot be published: its workflow has the faults in `errors`',
    errors,
  );
}
