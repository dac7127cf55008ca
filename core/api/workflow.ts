/** Operations of a form's workflow. */
import * as z from 'zod';
import { Id, jsonObject, schema } from '#core/schema/schema.ts';
import { MAX_NODES, WorkflowInfo, WorkflowNode, WorkflowNodeInput } from '#core/structure/workflow-model.ts';
import { declare } from './declare.ts';

const Nodes = schema(() => z.array(WorkflowNode()));
const NodeInputs = schema(() => z.array(WorkflowNodeInput()).max(MAX_NODES));
const Workflow = schema(() =>
  z.object({ workflow: z.array(WorkflowNode()), info: z.array(WorkflowInfo()) }).meta({ id: 'Workflow' }),
);
const NewNode = schema(() =>
  z
    .object({
      type: z.enum(['SECTION', 'CONDITION']),
      payload: jsonObject(4_096),
      after: Id()
        .nullish()
        .describe(
          'START or a section: the new section is linked between it and what followed it. Unlinked without it.',
        ),
    })
    .meta({ id: 'NewWorkflowNode' }),
);
const CreatedNode = schema(() =>
  WorkflowNode().pick({ id: true, type: true, label: true }).meta({ id: 'CreatedWorkflowNode' }),
);

const editors = { credential: 'user', target: 'form', roles: ['member'] } as const;

export const workflow = declare('workflow', {
  getWorkflow: {
    method: 'GET',
    path: '/forms/{formId}/workflow',
    summary: 'Get the workflow of a form and the faults that prevent publishing',
    access: { credential: 'user', guests: true, target: 'form' },
    needs: ['table:read', 'table:list'],
    success: { status: 200, description: 'The nodes, and one item for each faulty node.', body: Workflow, etag: true },
  },
  updateWorkflow: {
    method: 'PUT',
    path: '/forms/{formId}/workflow',
    summary: 'Replace the links, labels, payloads and rules of all nodes',
    description:
      'The body must contain exactly the existing nodes. Incomplete workflows are accepted; GET reports in `info` what prevents publishing. The result of a GET is always accepted.',
    access: editors,
    needs: ['table:read', 'table:write'],
    body: NodeInputs,
    ifMatch: true,
    success: { status: 200, description: 'The updated nodes.', body: Nodes, etag: true },
  },
  createNode: {
    method: 'POST',
    path: '/forms/{formId}/workflow/nodes',
    summary: 'Create a workflow node, unlinked or inserted; a SECTION node comes with its section',
    access: editors,
    needs: ['table:read', 'table:write'],
    body: NewNode,
    idempotent: true,
    ifMatch: true,
    success: { status: 201, description: 'The node.', body: CreatedNode, etag: true },
    problems: { 400: 'The body is invalid, nothing can be inserted after that node, or the form has too many nodes.' },
  },
  deleteNode: {
    method: 'DELETE',
    path: '/forms/{formId}/workflow/nodes/{nodeId}',
    summary: 'Delete a workflow node; with a SECTION node also its section and questions',
    access: editors,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    success: { status: 204, description: 'The node and all links to it are deleted.' },
    problems: { 400: 'START and END cannot be deleted.' },
  },
});
