/**
 * The pages of respondents, tried by an author: what was answered travels in a hidden field, and nothing is stored. Files and
 * connected accounts are shown, but cannot be given.
 */

import * as z from 'zod';
import { answerLookup } from '#core/responses/answers.ts';
import { AnswerInput, type Response } from '#core/responses/model.ts';
import { MAX_QUESTIONS } from '#core/schema/limits.ts';
import type { Structure } from '#core/structure/structure.ts';
import { toAnswerInput, toFieldState } from '../fields/state.ts';

/** The most bytes of the answers that a page carries. */
const MAX_KEPT_BYTES = 65_536;

/** Reads the answers that a page carries; none when they were changed on the way. */
export function readKept(fields: URLSearchParams): AnswerInput[] {
  const text = fields.get('answers') ?? '[]';
  if (Buffer.byteLength(text) > MAX_KEPT_BYTES) return [];
  try {
    return z.array(AnswerInput()).max(MAX_QUESTIONS).parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Writes the answers that the next page carries, as they are typed; the longest are left out beyond 64 KB. */
export function writeKept(structure: Structure, response: Response): string {
  const answerTo = answerLookup(response.answers);
  const inputs = structure.sections
    .flatMap(({ questions }) => questions)
    .flatMap((question) => {
      const answer = answerTo(question.id);
      return answer ? [JSON.stringify(toAnswerInput(question, toFieldState(question, answer)))] : [];
    })
    .sort((a, b) => a.length - b.length);
  let bytes = 1;
  const kept = inputs.filter((input) => {
    bytes += Buffer.byteLength(input) + 1;
    return bytes <= MAX_KEPT_BYTES;
  });
  return `[${kept.join(',')}]`;
}
