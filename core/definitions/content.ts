/**
 * The content of a form without its settings: what a duplicate and an exported definition have in common. Every id in a
 * form begins with its form key, so a copy keeps the rest of each id and replaces the key.
 */
import { formKey } from '#core/db/keys.ts';
import { isId } from '#core/schema/schema.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Highlight, Section, Structure } from '#core/structure/structure.ts';
import { findQuestion } from '#core/structure/structure.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';
import type { Views } from '#core/views/model.ts';

type ContentQuestion = Omit<Question, 'createdAt' | 'updatedAt'>;
type ContentSection = Pick<Section, 'id' | 'description'> & { questions: readonly ContentQuestion[] };
type ContentView = { id: string; title: string; locked: boolean; columns: readonly string[] };

export type Content = {
  nodes: readonly WorkflowNode[];
  sections: readonly ContentSection[];
  highlight: Highlight | null;
  views: readonly ContentView[];
};

/** The content of a form. Removed questions and times are left out. */
export function contentOf(structure: Structure, { views }: Views): Content {
  return {
    nodes: structure.nodes,
    sections: structure.sections.map(({ id, description, questions }) => ({
      id,
      description,
      questions: questions.map(({ createdAt: _created, updatedAt: _updated, ...question }) => question),
    })),
    highlight: structure.highlight ?? null,
    views: views.map(({ id, title, locked, columns }) => ({
      id,
      title,
      locked,
      columns: columns.filter((questionId) => findQuestion(structure, questionId)),
    })),
  };
}

/** The structure and the views of a new form with some content. */
export function formOfContent(content: Content, formId: string, now: string): { structure: Structure; views: Views } {
  const times = { createdAt: now, updatedAt: now };
  return {
    structure: {
      formId,
      version: 1,
      nodes: [...content.nodes],
      sections: content.sections.map(({ questions, ...section }) => ({
        ...section,
        questions: questions.map((question) => ({ ...question, ...times })),
        ...times,
      })),
      removed: [],
      ...(content.highlight && { highlight: content.highlight }),
    },
    views: {
      formId,
      version: 1,
      views: content.views.map((view) => ({ ...view, columns: [...view.columns], ...times })),
    },
  };
}

/**
 * Content with another form key: in ids, in the patterns of choices, and where a member that a front end added is an id.
 * Texts that people typed stay as they are.
 */
export function rekeyed(content: Content, fromKey: string, toKey: string): Content {
  const id = (text: string): string => (formKey(text) === fromKey ? toKey + text.slice(fromKey.length) : text);
  const ids = (value: unknown): unknown => {
    if (typeof value === 'string') return isId(value) ? id(value) : value;
    if (Array.isArray(value)) return value.map(ids);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, ids(member)]));
  };
  const idsIn = <T extends object>(value: T): T => ids(value) as T;
  return {
    nodes: content.nodes.map(({ label, conditionRule, ...node }) => ({
      ...idsIn(node),
      label,
      ...(conditionRule && { conditionRule: rekeyedRule(conditionRule) }),
    })),
    sections: content.sections.map(({ questions, ...section }) => ({
      ...section,
      id: id(section.id),
      questions: questions.map((question) => ({
        ...question,
        id: id(question.id),
        ...(question.choices && { choices: question.choices.map((choice) => ({ ...choice, id: id(choice.id) })) }),
        ...(question.sourceId !== undefined && { sourceId: id(question.sourceId) }),
      })),
    })),
    highlight: content.highlight && { ...content.highlight, questionId: id(content.highlight.questionId) },
    views: content.views.map((view) => ({ ...view, id: id(view.id), columns: view.columns.map(id) })),
  };

  function rekeyedRule({ pattern, ...rule }: NonNullable<WorkflowNode['conditionRule']>) {
    const isOfChoices = rule.source !== 'NON_CHOICE';
    return {
      ...idsIn(rule),
      ...(pattern !== undefined && {
        pattern: isOfChoices && pattern ? pattern.replaceAll(fromKey, toKey) : pattern,
      }),
    };
  }
}
