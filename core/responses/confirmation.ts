/** The address to which a respondent without an account asks for a confirmation. Pure. */
import { findSection } from '#core/structure/structure.ts';
import { isEmail } from '#core/structure/types/formats.ts';
import { answerLookup, type Current, findPath } from './answers.ts';

/**
 * Finds the address for the confirmation of a response: the answer to the first question on its path that asks for one.
 * Undefined without a valid answer.
 */
export function findConfirmationAddress(current: Current): string | undefined {
  const { response, structure } = current;
  const answerTo = answerLookup(response.answers);
  for (const sectionId of findPath(current)) {
    for (const { id, text } of findSection(structure, sectionId)?.questions ?? []) {
      const value = text?.format === 'EMAIL' && text.sendCopy ? answerTo(id)?.value : undefined;
      if (typeof value === 'string' && isEmail(value.trim())) return value.trim();
    }
  }
  return undefined;
}
