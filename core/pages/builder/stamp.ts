/** Stamps: a short hash of what a form was made from, by which a post notices that it has changed since. */
import { sha256 } from '#core/schema/hash.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { SectionRules } from '#core/structure/rules.ts';
import type { Section } from '#core/structure/structure.ts';

/**
 * The stamp of a page that is shown again: that of what its author has seen. A page that says what was stored meanwhile has
 * shown that too.
 */
export const stampSeen = (
  current: string,
  { seen, overwritten = [] }: { seen?: string | null | undefined; overwritten?: readonly unknown[] | undefined },
): string => (overwritten.length > 0 ? current : (seen ?? current));

const hashContent = (value: unknown): string => sha256(JSON.stringify(value), 'base64url').slice(0, 16);

/** The stamp of a question: its content, without its place, moves and times. */
export const questionStamp = ({ moves: _moves, createdAt: _created, updatedAt: _updated, ...content }: Question) =>
  hashContent(content);

/** The stamp of the rules of a section. */
export const rulesStamp = (rules: SectionRules): string => hashContent(rules);

/** The stamp of a section: its title and description. */
export const sectionStamp = (title: string, { description }: Pick<Section, 'description'>): string =>
  hashContent([title, description]);
