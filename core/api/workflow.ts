/** Operations of a form's workflow (contract section 6). */
import * as z from 'zod';
import { jsonObject, schema } from '#core/schema/schema.ts';
import { WorkflowInfo, WorkflowNode, WorkflowNodeInput } from '#core/structure/workflow-model.ts';
import { declare } from './declare.ts';

const Nodes = schema(() => z.array(WorkflowNode()));
const NodeInputs = schema(() => z.array(WorkflowNodeInput()).max(500));
const Workflow = schema(() =>
  z.object({ workflow: z.array(WorkflowNode()), info: z.array(WorkflowInfo()) }).meta({ id: 'Workflow' }),
);
const NewNode = schema(() =>
  z.object({ type: z.enum(['SECTION', 'CONDITION']), payload: jsonObject(4_096) }).meta({ id: 'NewWorkflowNode' }),
);
const CreatedNode = schema(() =>
  WorkflowNode().pick({ id: true, type: true, label: true }).meta({ id: 'CreatedWorkflowNode' }),
);

const editors = { credential: 'user', target: 'form', roles: ['member'] } as const;

export const workflow = declare('workflow', {
  getWorkflow: {
    method: 'GET',
    path: '/forms/{formId}/workflow',
    summary: 'Get the workflow of a form, and what keeps it from being published',
    access: { credential: 'user', target: 'form' },
    needs: ['table:read', 'table:list'],
    success: { status: 200, description: 'The nodes, and an item for each fault.', body: Workflow, etag: true },
  },
  updateWorkflow: {
    method: 'PUT',
    path: '/forms/{formId}/workflow',
    summary: 'Replace the links, labels, payloads and rules of exactly the existing nodes',
    access: editors,
    needs: ['table:read', 'table:write'],
    body: NodeInputs,
    ifMatch: true,
    success: { status: 200, description: 'The nodes as they are now.', body: Nodes, etag: true },
    example: {
      body: [
        {
          id: '7c9e6679-7425-8a1b-9c3d-0242ac120001',
          label: 'Start',
          payload: { x: 0, y: 0 },
          next: '7c9e6679-7425-8a1b-9c3d-0242ac120002',
        },
        { id: '7c9e6679-7425-8a1b-9c3d-0242ac120002', label: 'End', payload: { x: 0, y: 1 } },
      ],
    },
  },
  createNode: {
    method: 'POST',
    path: '/forms/{formId}/workflow/nodes',
    summary: 'Create a workflow node, unlinked; a SECTION node makes its section',
    access: editors,
    needs: ['table:read', 'table:write'],
    body: NewNode,
    idempotent: true,
    ifMatch: true,
    success: { status: 201, description: 'The node.', body: CreatedNode, etag: true },
    example: { body: { type: 'SECTION', payload: { x: 0, y: 2 } } },
  },
  deleteNode: {
    method: 'DELETE',
    path: '/forms/{formId}/workflow/nodes/{nodeId}',
    summary: 'Delete a workflow node, and with a SECTION node its section and questions',
    access: editors,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    success: { status: 204, description: 'The node is gone, and the links to it.' },
    problems: { 400: 'START and END cannot be deleted.' },
  },
});
