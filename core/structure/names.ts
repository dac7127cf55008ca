/** The names of questions in texts: `{{name}}` stands for the answer to the question. Pure. */
import type { RichText } from '#core/rich-text/model.ts';
import type { Question } from './question-model.ts';
import type { Section, Structure } from './structure.ts';

const WRITTEN_NAME = /\{\{\s*([A-Za-z][A-Za-z0-9_]{0,31})\s*\}\}/g;

/** A part of a text: as it is, or a name as it was written. */
export type TextPart = { text: string } | { name: string; written: string };

/** Splits a text at the names that are written in it. */
export function splitAtNames(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: written, 1: name = '', index } of text.matchAll(WRITTEN_NAME)) {
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ name, written });
    end = index + written.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

const known = new WeakMap<Structure, ReadonlyMap<string, Question>>();

/** Returns the questions of a form that have a name, by their name in lower case. */
export function questionsByName(structure: Structure): ReadonlyMap<string, Question> {
  const found =
    known.get(structure) ??
    new Map(
      structure.sections.flatMap(({ questions }) =>
        questions.flatMap((question) => (question.name === undefined ? [] : [[question.name.toLowerCase(), question]])),
      ),
    );
  known.set(structure, found);
  return found;
}

/** The new names of questions by their old ones in lower case. */
export type Renames = ReadonlyMap<string, string>;

/** Lists which questions have another name in the structure after an edit. */
export function listRenames(before: Structure, after: Structure): Renames {
  const names = new Map([...questionsByName(after).values()].map(({ id, name }) => [id, name]));
  return new Map(
    [...questionsByName(before)].flatMap(([old, { id, name }]) => {
      const next = names.get(id);
      return next === undefined || next === name ? [] : [[old, next] as const];
    }),
  );
}

/** Writes the new names of questions in place of the old ones in a text. */
export const renameInText = (text: string, renames: Renames): string =>
  splitAtNames(text)
    .map((part) => {
      if ('text' in part) return part.text;
      const name = renames.get(part.name.toLowerCase());
      return name === undefined ? part.written : `{{${name}}}`;
    })
    .join('');

type Node = { [member: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

function renameInNode(node: Node, renames: Renames): Node {
  if (node.type === 'text' && typeof node.text === 'string') return { ...node, text: renameInText(node.text, renames) };
  if (node.type === 'variable' && isNode(node.attrs)) {
    const name = renames.get(String(node.attrs.name).toLowerCase());
    return name === undefined ? node : { ...node, attrs: { ...node.attrs, name } };
  }
  if (!Array.isArray(node.content)) return node;
  return { ...node, content: node.content.map((child) => (isNode(child) ? renameInNode(child, renames) : child)) };
}

const renameInDocument = (document: RichText | null, renames: Renames): RichText | null =>
  document && (renameInNode(document, renames) as RichText);

/** Writes the new names of questions in place of the old ones, in the titles and descriptions of a form. */
export function renameInTexts(structure: Structure, renames: Renames): Structure {
  if (renames.size === 0) return structure;
  const inQuestion = (question: Question): Question => ({
    ...question,
    title: renameInText(question.title, renames),
    description: renameInDocument(question.description, renames),
  });
  const inSection = (section: Section): Section => ({
    ...section,
    description: renameInDocument(section.description, renames),
    questions: section.questions.map(inQuestion),
  });
  return {
    ...structure,
    nodes: structure.nodes.map((node) =>
      node.type === 'SECTION' ? { ...node, label: renameInText(node.label, renames) } : node,
    ),
    sections: structure.sections.map(inSection),
  };
}
