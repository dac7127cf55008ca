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

/** Writes a name in place of another one in a text. */
const renameInText = (text: string, from: string, to: string): string =>
  splitAtNames(text)
    .map((part) => ('text' in part ? part.text : part.name.toLowerCase() === from ? `{{${to}}}` : part.written))
    .join('');

type Node = { [member: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

function renameInNode(node: Node, from: string, to: string): Node {
  if (node.type === 'text' && typeof node.text === 'string')
    return { ...node, text: renameInText(node.text, from, to) };
  if (node.type === 'variable' && isNode(node.attrs) && String(node.attrs.name).toLowerCase() === from) {
    return { ...node, attrs: { ...node.attrs, name: to } };
  }
  if (!Array.isArray(node.content)) return node;
  return { ...node, content: node.content.map((child) => (isNode(child) ? renameInNode(child, from, to) : child)) };
}

const renameInDocument = (document: RichText | null, from: string, to: string): RichText | null =>
  document && (renameInNode(document, from, to) as RichText);

/** Writes the new name of a question in place of its old one, in the titles and descriptions of a form. */
export function renameInTexts(structure: Structure, from: string, to: string): Structure {
  const old = from.toLowerCase();
  const inQuestion = (question: Question): Question => ({
    ...question,
    title: renameInText(question.title, old, to),
    description: renameInDocument(question.description, old, to),
  });
  const inSection = (section: Section): Section => ({
    ...section,
    description: renameInDocument(section.description, old, to),
    questions: section.questions.map(inQuestion),
  });
  return {
    ...structure,
    nodes: structure.nodes.map((node) =>
      node.type === 'SECTION' ? { ...node, label: renameInText(node.label, old, to) } : node,
    ),
    sections: structure.sections.map(inSection),
  };
}
