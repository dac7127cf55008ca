/**
 * What refers to what in a definition that is not valid everywhere: its faulty members are replaced by stand-ins, and the
 * rest is checked like a valid one. Faults that may come from a stand-in are left out.
 */
import { type Fault, toJsonPointer, type ValueFault } from '#core/problems/problems.ts';
import { findDefinitionFaults } from './check.ts';
import { FormDefinition, MARKS, NEUTRAL_KEY } from './model.ts';

type Json = Record<PropertyKey, unknown>;
type Path = readonly PropertyKey[];

/** Stands for the position in an array. */
const ANY = Symbol('any');

/** The parts of a form that are replaced member by member, with what a part needs. `count` makes ids unique. */
const PARTS: readonly { part: Path; standIn: (count: number) => Json }[] = [
  {
    part: ['form', 'sections', ANY, 'questions', ANY],
    standIn: (count) => ({ id: newId(count), type: 'SHORT_TEXT', title: '?', required: false, description: null }),
  },
  { part: ['form', 'sections', ANY], standIn: (count) => ({ id: newId(count), description: null, questions: [] }) },
  {
    part: ['form', 'nodes', ANY],
    standIn: (count) => ({ id: newId(count), type: 'CONDITION', label: '', payload: {} }),
  },
  {
    part: ['form', 'views', ANY],
    standIn: (count) => ({ id: newId(count), title: newId(count), locked: false, columns: [] }),
  },
  {
    part: ['form'],
    standIn: () => ({ title: '?', visibility: 'PRIVATE', allowEditResponse: true, nodes: [], sections: [] }),
  },
];

const newId = (count: number): string => `${NEUTRAL_KEY}-ffff-${count.toString(16).padStart(12, '0')}`;

const isSame = (key: PropertyKey | undefined, other: PropertyKey | undefined): boolean =>
  key === ANY || other === ANY || key === other;
/** Whether a path begins with another one. */
const isWithin = (path: Path, start: Path): boolean =>
  start.length <= path.length && start.every((key, index) => isSame(key, path[index]));

/** The members by which others find a node, a section or a question. */
const NAMES_OF_NODES: readonly Path[] = [
  ['form', 'nodes', ANY, 'id'],
  ['form', 'nodes', ANY, 'type'],
  ['form', 'sections', ANY, 'id'],
];
const NAMES_OF_QUESTIONS: readonly Path[] = [
  ['form', 'sections', ANY, 'questions', ANY, 'id'],
  ['form', 'sections', ANY, 'questions', ANY, 'type'],
];
/** Whether what is at a path is one of these members, or has one, and is not the form itself. */
const hasName = (path: Path, names: readonly Path[]): boolean =>
  path.length > 1 && names.some((name) => isWithin(name, path));

/** The faults that say that something is not there, or not of the right type. */
const ABOUT_NODES: readonly Fault['code'][] = [
  'no_node',
  'back_to_start',
  'other_ends',
  'no_section_node',
  'no_section',
];
const ABOUT_QUESTIONS: readonly Fault['code'][] = [
  'no_question',
  'no_choices',
  'source_loop',
  'not_highlightable',
  'no_column_question',
];

/**
 * Finds the faults of references in JSON whose values have `faults`; undefined if it is too far from a definition. A
 * reference is only checked where what it may refer to is valid.
 */
export function findReferenceFaults(json: unknown, faults: readonly ValueFault[]): Fault[] | undefined {
  const corrected = structuredClone(json);
  const replaced = faults.map(({ path }, count) => replace(corrected, path, count));
  const definition = FormDefinition().safeParse(corrected);
  if (!definition.success) return undefined;
  const unknown = [
    ...(replaced.some((path) => hasName(path, NAMES_OF_NODES)) ? ABOUT_NODES : []),
    ...(replaced.some((path) => hasName(path, NAMES_OF_QUESTIONS)) ? ABOUT_QUESTIONS : []),
  ];
  const places = new Set(replaced.map((path) => toJsonPointer(['body', ...path])));
  return findDefinitionFaults(definition.data.form).faults.filter(
    ({ pointer, code }) => !unknown.includes(code) && !isBelow(pointer, places),
  );
}

/** Whether a JSON pointer is one of these places, or below one. */
const isBelow = (pointer: string, places: ReadonlySet<string>): boolean =>
  pointer.split('/').some((_member, index, members) => places.has(members.slice(0, index + 1).join('/')));

/** Replaces the member of a part that has a fault, or the part if it is none; returns the path of what was replaced. */
function replace(json: unknown, path: Path, count: number): Path {
  if (!isObject(json)) return path;
  const found = PARTS.find(({ part }) => isWithin(path, part));
  if (!found) {
    Object.assign(json, MARKS);
    return path;
  }
  const partPath = path.slice(0, found.part.length);
  const last = partPath.at(-1) ?? '';
  const holder = partPath
    .slice(0, -1)
    .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), json);
  if (!isObject(holder)) return partPath;
  const standIn = found.standIn(count);
  const member = path[found.part.length];
  const part = holder[last];
  if (member === undefined || !isObject(part)) {
    holder[last] = standIn;
    return partPath;
  }
  if (Object.hasOwn(standIn, member)) part[member] = standIn[member];
  else delete part[member];
  return [...partPath, member];
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
