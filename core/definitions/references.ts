/**
 * What refers to what in a definition that is not valid everywhere: its faulty members are replaced by stand-ins, and the
 * rest is checked like a valid one. Faults that may come from a stand-in are left out.
 */
import type { Fault } from '#core/problems/problems.ts';
import { findDefinitionFaults } from './check.ts';
import { FormDefinition, MARKS, NEUTRAL_KEY } from './model.ts';

type Json = Record<string, unknown>;

/** The parts of a form that are replaced member by member, with what a part needs. `count` makes ids unique. */
const PARTS: readonly { path: RegExp; standIn: (count: number) => Json }[] = [
  {
    path: /^\/form\/sections\/\d+\/questions\/\d+/,
    standIn: (count) => ({ id: newId(count), type: 'SHORT_TEXT', title: '?', required: false, description: null }),
  },
  { path: /^\/form\/sections\/\d+/, standIn: (count) => ({ id: newId(count), description: null, questions: [] }) },
  {
    path: /^\/form\/nodes\/\d+/,
    standIn: (count) => ({ id: newId(count), type: 'CONDITION', label: '', payload: {} }),
  },
  {
    path: /^\/form\/views\/\d+/,
    standIn: (count) => ({ id: newId(count), title: newId(count), locked: false, columns: [] }),
  },
  {
    path: /^\/form/,
    standIn: () => ({ title: '?', visibility: 'PRIVATE', allowEditResponse: true, nodes: [], sections: [] }),
  },
];

const newId = (count: number): string => `${NEUTRAL_KEY}-ffff-${count.toString(16).padStart(12, '0')}`;

/** The members by which others find a node, a section or a question, and the parts that hold them. */
const NAMES_NODES = /^\/form\/(?:nodes|sections)(?:\/\d+(?:\/(?:id|type))?)?$/;
const NAMES_QUESTIONS = /^\/form\/sections(?:\/\d+(?:\/questions(?:\/\d+(?:\/(?:id|type))?)?)?)?$/;

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
export function findReferenceFaults(json: unknown, faults: readonly Fault[]): Fault[] | undefined {
  const places = faults.map(({ pointer }) => pointer.slice('/body'.length));
  const mended = structuredClone(json);
  const broken = places.map((place, count) => replace(mended, place, count));
  const definition = FormDefinition().safeParse(mended);
  if (!definition.success) return undefined;
  const unknown = [
    ...(broken.some((place) => NAMES_NODES.test(place)) ? ABOUT_NODES : []),
    ...(broken.some((place) => NAMES_QUESTIONS.test(place)) ? ABOUT_QUESTIONS : []),
  ];
  return findDefinitionFaults(definition.data.form).faults.filter(
    ({ pointer, code }) =>
      !unknown.includes(code) && !broken.some((place) => `${pointer}/`.startsWith(`/body${place}/`)),
  );
}

/** Replaces the member of a part that has a fault, or the part if it is none; returns the place of what was replaced. */
function replace(json: unknown, place: string, count: number): string {
  if (!isObject(json)) return place;
  const part = PARTS.find(({ path }) => path.test(place));
  const path = part?.path.exec(place)?.[0];
  if (!part || path === undefined) {
    Object.assign(json, MARKS);
    return place;
  }
  const keys = path.slice(1).split('/');
  const last = keys.pop() ?? '';
  const holder = keys.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), json);
  if (!isObject(holder)) return path;
  const standIn = part.standIn(count);
  const [member] = place.slice(path.length + 1).split('/');
  const found = holder[last];
  if (!member || !isObject(found)) {
    holder[last] = standIn;
    return path;
  }
  if (Object.hasOwn(standIn, member)) found[member] = standIn[member];
  else delete found[member];
  return `${path}/${member}`;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
