/** Creating and deleting workflow nodes, with the refusals of contract sections 5 and 6. */
import { problems } from '#core/problems/problems.ts';
import { findNode, MAX_SECTIONS, type Structure } from '#core/structure/structure.ts';
import { removeNode } from './node-removal.ts';
import { addNode, type NewNode } from './workflow-edits.ts';
import type { WorkflowNode } from './workflow-model.ts';

/** The most CONDITION nodes of a form. */
const MAX_CONDITIONS = 300;

/** The node of an id; 404 when it is gone. */
export function requireNode(structure: Structure, nodeId: string): WorkflowNode {
  const node = findNode(structure, nodeId);
  if (!node) throw problems.notFound();
  return node;
}

/** A structure with one more node; as it is when a run of the same request has made it. Throws 400 for one too many. */
export function createNode(structure: Structure, node: NewNode): Structure {
  if (findNode(structure, node.id)) return structure;
  const most = node.type === 'SECTION' ? MAX_SECTIONS : MAX_CONDITIONS;
  if (structure.nodes.filter(({ type }) => type === node.type).length >= most) {
    throw problems.wrongState('too_many_nodes', `A form may have ${most} nodes of type ${node.type}`);
  }
  return addNode(structure, node);
}

/** A structure without a node; START and END stay: 400. */
export function deleteNode(
  structure: Structure,
  answered: ReadonlySet<string>,
  nodeId: string,
  now: string,
): Structure {
  const { type } = requireNode(structure, nodeId);
  if (type === 'START' || type === 'END') {
    throw problems.wrongState('node_not_deletable', `The ${type} node of a form cannot be deleted`);
  }
  return removeNode(structure, nodeId, { keep: answered, now });
}
