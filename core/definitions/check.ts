/**
 * Checks a definition beyond its schema, with the same rules as edits: a graph may be incomplete, like that of a form
 * that is being built, but links, rules, views and the highlight refer to existing nodes and questions.
 */

import { catchProblem } from '#core/access/access.ts';
import { type Fault, problems } from '#core/problems/problems.ts';
import { structureFault } from '#core/problems/structure-faults.ts';
import { MAX_QUESTIONS } from '#core/schema/limits.ts';
import { buildQuestion } from '#core/structure/question-rules.ts';
import { findQuestion, type Section, type Structure, sourceChain } from '#core/structure/structure.ts';
import { isChoiceType, listHighlightable, mayBeHighlighted } from '#core/structure/types/traits.ts';
import { replaceWorkflow } from '#core/structure/workflow-edits.ts';
import { MAX_CONDITIONS } from '#core/structure/workflow-model.ts';
import type { Content } from './content.ts';
import { type DefinitionForm, type DefinitionQuestion, NEUTRAL_KEY } from './model.ts';

const FORM_POINTER = '/body/form';
const EPOCH = new Date(0).toISOString();
const NEUTRAL_FORM = `${NEUTRAL_KEY}-0000-000000000000`;
/** Questions are built one by one; their sources are checked once all of them are built. */
const NO_STRUCTURE: Structure = { formId: NEUTRAL_FORM, version: 1, nodes: [], sections: [], removed: [] };

/** Checks a definition and returns its content. Throws 400 with a pointer for each fault. */
export function checkDefinition(form: DefinitionForm): Content {
  const { faults, content } = findDefinitionFaults(form);
  if (faults.length > 0) throw problems.invalid(faults);
  return content;
}

/** Finds the faults of a definition; without any, its content is complete. */
export function findDefinitionFaults(form: DefinitionForm): { faults: Fault[]; content: Content } {
  const faults: Fault[] = [...idFaults(form), ...nodeFaults(form), ...countFaults(form)];
  /** Runs a step that may report faults; undefined if it did. */
  function attempt<T>(step: () => T): T | undefined {
    const result: { value?: T } = {};
    const problem = catchProblem(() => {
      result.value = step();
    });
    if (problem) faults.push(...problem.errors);
    return result.value;
  }
  const sections = form.sections.map(({ id, description, questions }, index) => ({
    id,
    description,
    createdAt: EPOCH,
    updatedAt: EPOCH,
    questions: questions.flatMap((question, position) => {
      const pointer = `${FORM_POINTER}/sections/${index}/questions/${position}`;
      return attempt(() => buildDefinitionQuestion(question, pointer)) ?? [];
    }),
  }));
  const unlinked: Structure = { ...NO_STRUCTURE, sections };
  const bare: Structure = {
    ...unlinked,
    nodes: form.nodes.map(({ id, type, conditionRule }) => {
      const { source, question } = conditionRule ?? {};
      const isKnown = question && findQuestion(unlinked, question);
      // The type of a question may be another one than its rules were made for: `info` reports it.
      return { id, type, label: '', payload: {}, ...(isKnown && { conditionRule: { source, question } }) };
    }),
  };
  const structure = attempt(() => replaceWorkflow(bare, form.nodes, EPOCH, `${FORM_POINTER}/nodes`)) ?? bare;
  faults.push(
    ...nameFaults(form),
    ...sourceFaults(structure),
    ...highlightFaults(form, structure),
    ...viewFaults(form, structure),
  );
  const content = {
    nodes: structure.nodes,
    sections: structure.sections,
    highlight: form.highlight ?? null,
    views: form.views ?? [],
  };
  return { faults, content };
}

/** Builds a question with the options of its type; its choices keep their ids. */
function buildDefinitionQuestion(question: DefinitionQuestion, pointer: string): Section['questions'][number] {
  const { id, type, choices, sourceId } = question;
  const times = { createdAt: EPOCH, updatedAt: EPOCH };
  const previousQuestion = {
    ...times,
    id,
    type,
    required: false,
    title: '',
    description: null,
    ...(choices && { choices: choices.map((choice) => ({ id: choice.id, name: choice.name })) }),
    ...(sourceId && { sourceId }),
  };
  const draft = buildQuestion(question, {
    structure: NO_STRUCTURE,
    previous: previousQuestion,
    pointer,
    // Every choice of a definition has an id.
    newId: () => NEUTRAL_FORM,
  });
  return { ...draft, id, ...times };
}

/** Finds ids that are used more than once. */
function idFaults(form: DefinitionForm): Fault[] {
  const places = [
    ...form.nodes.map(({ id }, index) => [id, `nodes/${index}/id`] as const),
    ...form.sections.flatMap(({ questions }, section) =>
      questions.flatMap(({ id, choices }, index) => {
        const at = `sections/${section}/questions/${index}`;
        const choicePlaces = (choices ?? []).map(
          (choice, position) => [choice.id, `${at}/choices/${position}/id`] as const,
        );
        return [[id, `${at}/id`] as const, ...choicePlaces];
      }),
    ),
    ...(form.views ?? []).map(({ id }, index) => [id, `views/${index}/id`] as const),
  ];
  const seen = new Set<string>();
  return places.flatMap(([id, place]) => {
    const isDuplicate = seen.has(id);
    seen.add(id);
    return isDuplicate ? [structureFault(`${FORM_POINTER}/${place}`, 'id_repeated')] : [];
  });
}

/** Finds missing or surplus START, END and section nodes: one START, one END, and a section for each SECTION node. */
function nodeFaults({ nodes, sections }: DefinitionForm): Fault[] {
  const idsOfType = (type: string) => nodes.filter((node) => node.type === type).map(({ id }) => id);
  const endFaults = ['START', 'END'].flatMap((type) =>
    idsOfType(type).length === 1 ? [] : [structureFault(`${FORM_POINTER}/nodes`, 'other_ends', type)],
  );
  const sectionNodes = new Set(idsOfType('SECTION'));
  const sectionIds = sections.map(({ id }) => id);
  return [
    ...endFaults,
    ...sectionIds.flatMap((id, index) => {
      const pointer = `${FORM_POINTER}/sections/${index}/id`;
      if (sectionIds.indexOf(id) < index) return [structureFault(pointer, 'section_repeated')];
      return sectionNodes.has(id) ? [] : [structureFault(pointer, 'no_section_node')];
    }),
    ...nodes.flatMap(({ id, type }, index) =>
      type === 'SECTION' && !sectionIds.includes(id)
        ? [structureFault(`${FORM_POINTER}/nodes/${index}/id`, 'no_section')]
        : [],
    ),
  ];
}

function countFaults({ nodes, sections }: DefinitionForm): Fault[] {
  const questions = sections.reduce((sum, section) => sum + section.questions.length, 0);
  const conditions = nodes.filter(({ type }) => type === 'CONDITION').length;
  return [
    ...(questions > MAX_QUESTIONS
      ? [structureFault(`${FORM_POINTER}/sections`, 'too_many_questions', MAX_QUESTIONS)]
      : []),
    ...(conditions > MAX_CONDITIONS
      ? [structureFault(`${FORM_POINTER}/nodes`, 'too_many_conditions', MAX_CONDITIONS)]
      : []),
  ];
}

/** A question must not have the name of an earlier one. */
function nameFaults({ sections }: DefinitionForm): Fault[] {
  const titles = new Map<string, string>();
  return sections.flatMap(({ questions }, section) =>
    questions.flatMap(({ name, title }, index) => {
      if (!name) return [];
      const earlier = titles.get(name.toLowerCase());
      if (earlier === undefined) titles.set(name.toLowerCase(), title);
      const pointer = `${FORM_POINTER}/sections/${section}/questions/${index}/name`;
      return earlier === undefined ? [] : [structureFault(pointer, 'name_taken', earlier)];
    }),
  );
}

/** A source must have choices and not lead back; a missing one is reported in `info`, as after its deletion. */
function sourceFaults(structure: Structure): Fault[] {
  return structure.sections.flatMap(({ questions }, section) =>
    questions.flatMap((question, index) => {
      const source = question.sourceId === undefined ? undefined : findQuestion(structure, question.sourceId)?.question;
      if (!source) return [];
      const pointer = `${FORM_POINTER}/sections/${section}/questions/${index}/sourceId`;
      if (!isChoiceType(source.type)) return [structureFault(pointer, 'no_choices')];
      return sourceChain(structure, source.id).includes(question) ? [structureFault(pointer, 'source_loop')] : [];
    }),
  );
}

function highlightFaults({ highlight }: DefinitionForm, structure: Structure): Fault[] {
  if (!highlight) return [];
  const question = findQuestion(structure, highlight.questionId)?.question;
  if (question && mayBeHighlighted(question.type)) return [];
  return [structureFault(`${FORM_POINTER}/highlight/questionId`, 'not_highlightable', listHighlightable())];
}

function viewFaults({ views }: DefinitionForm, structure: Structure): Fault[] {
  const titles = new Set<string>();
  return (views ?? []).flatMap(({ title, columns }, index) => {
    const isTaken = titles.has(title);
    titles.add(title);
    const at = `${FORM_POINTER}/views/${index}`;
    return [
      ...(isTaken ? [structureFault(`${at}/title`, 'view_title_repeated')] : []),
      ...columns.flatMap((questionId, column) => {
        const pointer = `${at}/columns/${column}`;
        if (columns.indexOf(questionId) < column) return [structureFault(pointer, 'column_repeated')];
        return findQuestion(structure, questionId) ? [] : [structureFault(pointer, 'no_column_question')];
      }),
    ];
  });
}
