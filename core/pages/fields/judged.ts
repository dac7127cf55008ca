/** Messages for answers that are stored but not what their question asks for: of *Continue*, the check and edits. */
import type { AnswerFault } from '#core/problems/answer-faults.ts';
import type { PageContext } from '../shell/context.ts';

/** Returns what a question expects, of the faults that `judgeAnswer` finds; undefined for other faults. */
export function judgedText({ t }: PageContext, fault: AnswerFault | undefined): string | undefined {
  const { invalid } = t.section;
  switch (fault?.code) {
    case 'not_email':
    case 'not_phone':
    case 'not_time':
      return invalid.formats[fault.code];
    case 'not_number':
      return invalid.number(...fault.params);
    case 'number_range':
      return invalid.numberRange(...fault.params);
    case 'decimals':
      return invalid.decimals(...fault.params);
    case 'length':
      return invalid.length(...fault.params);
    case 'pattern':
      // What the author wrote for it.
      return fault.params[0];
    case 'selections':
      return invalid.selections(...fault.params);
    default:
      return undefined;
  }
}
