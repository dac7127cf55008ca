/** Workflows through the service: read one, and send it back with some nodes changed. */
import type { Client } from '#core/api/client.ts';
import { requestAs } from './building.ts';
import type { Person } from './fixtures.ts';

type NodeInput = Parameters<Client['workflow']['updateWorkflow']>[0]['body'][number];
export type Change = Partial<NodeInput>;

/** The workflow of a form as a member reads it. */
export const readWorkflow = async (person: Person, formId: string) =>
  (await person.client.workflow.getWorkflow({ params: { formId } })).body;

/** The ids of START and END. */
export async function endsOf(person: Person, formId: string): Promise<{ start: string; end: string }> {
  const { workflow: nodes } = await readWorkflow(person, formId);
  const idOf = (type: string): string => nodes.find((node) => node.type === type)?.id ?? '';
  return { start: idOf('START'), end: idOf('END') };
}

/** Sends a form's nodes back with some of them changed, by id; a member that is undefined is removed. */
export async function rewire(person: Person, formId: string, changes: Record<string, Change>) {
  const { workflow: nodes } = await readWorkflow(person, formId);
  const body = nodes.map((node) => ({ ...node, ...changes[node.id] }));
  return requestAs(person, 'PUT', `/api/forms/${formId}/workflow`, body);
}
