/** The texts of what prevents publishing a form, and of what is odd about its rules, apart from those of other pages. */
import type { Language } from '#core/schema/format.ts';
import type { ClosingLink, UnreachedChain } from '#core/structure/path.ts';
import { describeFault, type PlacedFault } from '#core/structure/workflow-faults.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';
import type { CheckListText } from './check-list-en.ts';
import { declareTexts } from './texts.ts';

/** Returns the texts of the check list in the language of a reader. */
export const getCheckListTexts = declareTexts<CheckListText>({
  en: async () => (await import('./check-list-en.ts')).checkListEn,
  'zh-TW': async () => (await import('./check-list-zh-tw.ts')).checkListZhTw,
});

/** Says what a fault is, and where; `condition` is the name of its condition. */
export function faultText(reader: { language: Language }, { node, fault }: PlacedFault, condition = ''): string {
  const text = describeFault(getCheckListTexts(reader).faults, fault);
  return node ? textOfNode(reader, node, condition, text) : text;
}

/** Says which link closes a circle; `name` returns the names of conditions. */
export function leadsBackText(
  reader: { language: Language },
  { from, member, to }: ClosingLink,
  name: (nodeId: string) => string | undefined,
): string {
  const texts = getCheckListTexts(reader);
  const target = name(to.id) ?? (to.label || texts.untitled);
  return textOfNode(reader, from, name(from.id) ?? '', texts.leadsBack[member](target));
}

/** Says that nothing leads to a chain of nodes, and what leads past it; `condition` is the name of its first node. */
export function passedByText(
  reader: { language: Language },
  { first, ids, passing }: UnreachedChain & { passing: WorkflowNode },
  condition = '',
): string {
  const texts = getCheckListTexts(reader);
  const after = passing.type === 'START' ? texts.start : texts.quote(passing.label || texts.untitled);
  return textOfNode(reader, first, condition, texts.passedBy(after, ids.size - 1));
}

function textOfNode(
  reader: { language: Language },
  node: Pick<WorkflowNode, 'type' | 'label'>,
  condition: string,
  text: string,
): string {
  const texts = getCheckListTexts(reader);
  const section = node.label === '' ? texts.untitled : texts.quote(node.label);
  const names = { START: texts.start, END: texts.end, CONDITION: condition, SECTION: section };
  return texts.of(names[node.type], text);
}
