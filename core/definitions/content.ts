/**
 * The content of a form without its settings: what a duplicate and an exported definition have in common. Every id in a
 * form begins with its form key, so a copy keeps the rest of each id and replaces the key.
 */
import { formKey } from '#core/db/keys.ts';
import { isId } from '#core/schema/schema.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findQuestion, type Section, type Structure } from '#core/structure/structure.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';
import { copyHighlight, type Highlight, type Highlighted } from '#core/table/highlight.ts';
import type { Views } from '#core/views/model.ts';

type ContentQuestion = Omit<Question, 'moves' | 'createdAt' | 'updatedAt'>;
type ContentSection = Pick<Section, 'id' | 'description'> & { questions: readonly ContentQuestion[] };
type ContentView = { id: string; title: string; locked: boolean; columns: readonly string[] };

export type Content = {
  nodes: readonly WorkflowNode[];
  sections: readonly ContentSection[];
  highlight: Highlight | null;
  views: readonly ContentView[];
};

/** Extracts the content of a form, without removed questions, moves and times. */
export function extractContent({ structure, highlight, views: { views } }: Highlighted & { views: Views }): Content {
  return {
    nodes: structure.nodes,
    sections: structure.sections.map(({ id, description, questions }) => ({
      id,
      description,
      questions: questions.map(({ moves: _moves, createdAt: _created, updatedAt: _updated, ...question }) => question),
    })),
    highlight: copyHighlight({ structure, highlight }),
    views: views.map(({ id, title, locked, columns }) => ({
      id,
      title,
      locked,
      columns: columns.filter((questionId) => findQuestion(structure, questionId)),
    })),
  };
}

/** Builds the structure and the views of a new form from content. */
export function buildFormContent(
  content: Content,
  formId: string,
  now: string,
): { structure: Structure; views: Views } {
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
    },
    views: {
      formId,
      version: 1,
      views: content.views.map((view) => ({ ...view, columns: [...view.columns], ...times })),
    },
  };
}

/**
 * Replaces the form key of content: in ids, in the patterns of choices, and in front-end members that are ids. Texts that
 * people typed stay as they are.
 */
export function rekeyContent(content: Content, fromKey: string, toKey: string): Content {
  const rekeyId = (text: string): string => (formKey(text) === fromKey ? toKey + text.slice(fromKey.length) : text);
  const rekeyValue = (value: unknown): unknown => {
    if (typeof value === 'string') return isId(value) ? rekeyId(value) : value;
    if (Array.isArray(value)) return value.map(rekeyValue);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rekeyValue(member)]));
  };
  const rekeyMembers = <T extends object>(value: T): T => rekeyValue(value) as T;
  return {
    nodes: content.nodes.map(({ label, conditionRule, ...node }) => ({
      ...rekeyMembers(node),
      label,
      ...(conditionRule && { conditionRule: rekeyRule(conditionRule) }),
    })),
    sections: content.sections.map(({ questions, ...section }) => ({
      ...section,
      id: rekeyId(section.id),
      questions: questions.map((question) => ({
        ...question,
        id: rekeyId(question.id),
        ...(question.choices && { choices: question.choices.map((choice) => ({ ...choice, id: rekeyId(choice.id) })) }),
        ...(question.sourceId !== undefined && { sourceId: rekeyId(question.sourceId) }),
      })),
    })),
    highlight: content.highlight && { ...content.highlight, questionId: rekeyId(content.highlight.questionId) },
    views: content.views.map((view) => ({ ...view, id: rekeyId(view.id), columns: view.columns.map(rekeyId) })),
  };

  function rekeyRule({ pattern, ...rule }: NonNullable<WorkflowNode['conditionRule']>) {
    const namesChoices = rule.source !== 'NON_CHOICE';
    return {
      ...rekeyMembers(rule),
      ...(pattern !== undefined && {
        pattern: namesChoices && pattern ? pattern.replaceAll(fromKey, toKey) : pattern,
      }),
    };
  }
}
