/** The texts of what prevents publishing a form, and of what is odd about its rules, apart from those of other pages. */
import type { Language } from '#core/schema/format.ts';
import { describeFault, type PlacedFault } from '#core/structure/workflow-faults.ts';
import type { CheckListText } from './check-list-en.ts';
import { declareTexts } from './texts.ts';

/** Returns the texts of the check list in the language of a reader. */
export const getCheckListTexts = declareTexts<CheckListText>({
  en: async () => (await import('./check-list-en.ts')).checkListEn,
  'zh-TW': async () => (await import('./check-list-zh-tw.ts')).checkListZhTw,
});

/** Says what a fault is, and where; `condition` is the name of its condition. */
export function faultText(reader: { language: Language }, { node, fault }: PlacedFault, condition = ''): string {
  const texts = getCheckListTexts(reader);
  const text = describeFault(texts.faults, fault);
  if (!node) return text;
  const section = node.label === '' ? texts.untitled : texts.quote(node.label);
  const names = { START: texts.start, END: texts.end, CONDITION: condition, SECTION: section };
  return texts.of(names[node.type], text);
}
